"""Dropout: upstream's masks for upstream's seeds."""

import pytest

COVERS = ["aten/src/ATen/native/Dropout.cpp"]

KINDS = ["dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
@pytest.mark.parametrize("name", KINDS)
def test_masks_of_a_seed(oracle, name, dtype):
    def case(torch):
        function = getattr(torch, name)
        torch.manual_seed(5)
        results = []
        for shape in ((2, 3), (4, 5, 6), (3, 40)):
            x = torch.ones(shape, dtype=getattr(torch, dtype)) * 1.5
            results.append(function(x, 0.3, True))
            results.append(function(x.transpose(0, 1), 0.6, True))
            if "feature" not in name:
                results.append(results[-1].stride())
            y = x.clone()
            results.append(getattr(torch, name + "_")(y, 0.5, True) is y)
            results.append(y)
        return results, torch.rand(2)

    oracle.same(case, rtol=2e-2 if dtype == "bfloat16" else None, atol=1e-2 if "16" in dtype else None)


@pytest.mark.parametrize("name", KINDS)
def test_nothing_and_all(oracle, name):
    def case(torch):
        function = getattr(torch, name)
        torch.manual_seed(5)
        x = torch.ones(2, 3)
        kept = [function(x, p, train) is x for p, train in ((0.0, True), (0.5, False), (1.0, False))]
        empty = torch.empty(0, 3)
        return kept, function(x, 1.0, True), function(empty, 0.5, True), torch.rand(1)

    oracle.same(case)


def test_native_dropout(oracle):
    def case(torch):
        torch.manual_seed(5)
        x = torch.arange(12.0).reshape(3, 4)
        output, mask = torch.native_dropout(x, 0.4, True)
        evaluated = torch.native_dropout(x, 0.4, False)
        everything = torch.native_dropout(x, 1.0, True)
        backward = torch.ops.aten.native_dropout_backward(x, mask, 1 / 0.6)
        return output, mask, evaluated, everything, backward

    oracle.same(case)


@pytest.mark.parametrize("name", KINDS)
def test_a_probability_that_is_none(oracle, name):
    def case(torch):
        return getattr(torch, name)(torch.ones(2, 2), 1.5, True)

    oracle.same_error(case, "dropout probability has to be between 0 and 1, but got 1.5")


def test_features_need_two_dimensions(oracle):
    def case(torch):
        return torch.feature_dropout(torch.ones(3), 0.5, True)

    oracle.same_error(case, "Feature dropout requires at least 2 dimensions in the input")
