"""Interpolation: the operators in both forms, and their backward operators."""

import pytest

from tests.ground.test_convolution import ramp

COVERS = [
    "aten/src/ATen/native/UpSample.h",
    "aten/src/ATen/native/UpSampleNearest1d.cpp",
    "aten/src/ATen/native/UpSampleNearest2d.cpp",
    "aten/src/ATen/native/UpSampleNearest3d.cpp",
    "aten/src/ATen/native/UpSampleLinear1d.cpp",
    "aten/src/ATen/native/UpSampleBilinear2d.cpp",
    "aten/src/ATen/native/UpSampleTrilinear3d.cpp",
    "aten/src/ATen/native/UpSampleBicubic2d.cpp",
]

SIZES = {1: (2, 3, 7), 2: (2, 3, 5, 7), 3: (1, 2, 3, 5, 4)}
OUTPUTS = {
    1: [(14,), (7,), (3,), (10,), (1,)],
    2: [(10, 14), (5, 7), (3, 4), (7, 9), (1, 15)],
    3: [(6, 7, 3), (1, 5, 9)],
}
FACTORS = {
    1: [(2.0,), (1.7,), (0.6,), (2.05,), (1.05,)],
    2: [(2.0, 2.0), (1.5, 0.7), (0.5, 2.3), (2.15, 1.05)],
    3: [(2.0, 0.5, 1.3), (2.1, 1.1, 2.2)],
}
NEAREST = [f"{name}{dims}d" for name in ("upsample_nearest", "_upsample_nearest_exact") for dims in (1, 2, 3)]
WEIGHTED = ["upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d", "upsample_bicubic2d"]


def dims_of(name):
    return int(name[-2])


@pytest.mark.parametrize("name", NEAREST)
def test_nearest(oracle, name):
    def case(torch):
        dims = dims_of(name)
        x = ramp(torch, *SIZES[dims])
        upsample = getattr(torch.ops.aten, name)
        results = [upsample(x, list(size)) for size in OUTPUTS[dims]]
        results += [upsample.vec(x, None, list(factors)) for factors in FACTORS[dims]]
        results += [upsample(x.transpose(0, 1), list(OUTPUTS[dims][0])), upsample(x[:0], list(OUTPUTS[dims][0]))]
        return results, results[0].stride()

    oracle.same(case)


@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("name", WEIGHTED)
def test_weighted(oracle, name, align_corners):
    def case(torch):
        dims = dims_of(name)
        x = ramp(torch, *SIZES[dims])
        upsample = getattr(torch.ops.aten, name)
        results = [upsample(x, list(size), align_corners) for size in OUTPUTS[dims]]
        results += [upsample.vec(x, None, align_corners, list(factors)) for factors in FACTORS[dims]]
        results += [upsample(x.double().transpose(0, 1), list(OUTPUTS[dims][0]), align_corners)]
        return results, results[0].stride()

    oracle.same(case)


@pytest.mark.parametrize("name", NEAREST + WEIGHTED)
def test_backward(oracle, name):
    def case(torch):
        dims = dims_of(name)
        backward = getattr(torch.ops.aten, f"{name}_backward")
        between = [()] if name in NEAREST else [(False,), (True,)]
        results = []
        for align_corners in between:
            for size in OUTPUTS[dims]:
                grad = ramp(torch, *SIZES[dims][:2], *size)
                results.append(backward(grad, list(size), list(SIZES[dims]), *align_corners))
            for factors in FACTORS[dims]:
                size = [int(length * factor) for length, factor in zip(SIZES[dims][2:], factors, strict=True)]
                grad = ramp(torch, *SIZES[dims][:2], *size)
                results.append(backward(grad, size, list(SIZES[dims]), *align_corners, *factors))
        return results, results[0].stride()

    oracle.same(case)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "bfloat16", "float64"])
def test_dtypes(oracle, dtype):
    def case(torch):
        x = (ramp(torch, 1, 2, 5, 7) * 40 + 50).to(getattr(torch, dtype))
        results = [torch.ops.aten.upsample_nearest2d(x, [8, 9])]
        if x.is_floating_point():
            results.append(torch.ops.aten.upsample_bilinear2d(x, [8, 9], False))
            results.append(torch.ops.aten.upsample_nearest2d_backward(x, [5, 7], [1, 2, 3, 4]))
        return results

    oracle.same(case)


def test_a_scale_that_is_not_quite_that_of_the_sizes(oracle):
    def case(torch):
        x = ramp(torch, 1, 1, 3, 64)
        return [torch.nn.functional.interpolate(x[..., :size], scale_factor=(1, 2.005)) for size in (20, 62, 64)]

    oracle.same(case)


ERRORS = {
    "aten.upsample_nearest2d(x, [0, 0])": "should be greater than 0, but got input (H: 8, W: 8) output (H: 0, W: 0)",
    "aten.upsample_nearest1d(x[0], [0])": "Input and output sizes should be greater than 0, but got input (W: 8)",
    "aten.upsample_nearest2d(x[:, :, :0], [2, 2])": "sizes should be greater than 0, but got input (H: 0, W: 8)",
    "aten.upsample_nearest2d(x[:, :0], [2, 2])": "Non-empty 4D data tensor expected but got a tensor with sizes [2, 0",
    "aten.upsample_nearest2d(x[0], [2, 2])": "It is expected input_size equals to 4, but got size 3",
    "aten.upsample_nearest2d(x, [2, 2, 2])": "It is expected output_size equals to 2, but got size 3",
    "aten.upsample_nearest2d(x.long(), [2, 2])": "not implemented for 'Long'",
    "aten.upsample_bilinear2d(x.long(), [2, 2], False)": "not implemented for 'Long'",
    "aten.upsample_nearest2d.vec(x, None, None)": "Must specify exactly one of output_size and scale_factors",
    "aten.upsample_bilinear2d_backward(x, [8, 8], [2, 3, 4, 4], True)": "Expected grad_output to have the same shape a",
    "aten.upsample_bilinear2d_backward(x[0], [8, 8], [2, 4, 4, 4], True)": "to be a tensor of dimension 4 but got: dim",
}


@pytest.mark.parametrize("expression", ERRORS)
def test_error(oracle, expression):
    def case(torch):
        return eval(expression, {"aten": torch.ops.aten, "x": ramp(torch, 2, 4, 8, 8)})

    oracle.same_error(case, ERRORS[expression])

CALLS = """
F.interpolate(x, 3)
F.interpolate(x, (3, 12))
F.interpolate(x, scale_factor=1.5)
F.interpolate(x, scale_factor=(0.5, 2), mode="nearest-exact")
F.interpolate(x[0], scale_factor=2)
F.interpolate(x[0], 5, mode="linear")
F.interpolate(x[0], 5, mode="linear", align_corners=True)
F.interpolate(x, 5, mode="bilinear")
F.interpolate(x, scale_factor=1.7, mode="bilinear")
F.interpolate(x, scale_factor=1.7, mode="bilinear", recompute_scale_factor=True)
F.interpolate(x, scale_factor=1.7, mode="bicubic", align_corners=True)
F.interpolate(x[None], scale_factor=1.3, mode="trilinear")
F.interpolate(x[None], 2)
F.interpolate(x, scale_factor=0.4, mode="area")
F.interpolate(x[0], 3, mode="area")
F.interpolate(x[None], (1, 2, 3), mode="area")
F.upsample(x, 3)
F.upsample_nearest(x, scale_factor=2)
F.upsample_bilinear(x, 3)
""".strip().splitlines()


@pytest.mark.parametrize("expression", CALLS)
def test_functional(oracle, expression):
    oracle.same(lambda torch: eval(expression, {"F": torch.nn.functional, "x": ramp(torch, 2, 4, 8, 8)}))


FUNCTIONAL_ERRORS = {
    "F.interpolate(x)": "either size or scale_factor should be defined",
    "F.interpolate(x, 2, 2)": "only one of size or scale_factor should be defined",
    "F.interpolate(x, (2, 2, 2))": "must have the same number of spatial dimensions, but got input with spatial dimens",
    "F.interpolate(x, scale_factor=(2, 2, 2))": "Input and scale_factor must have the same number of spatial dimension",
    "F.interpolate(x, (2, 2.5))": "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int",
    "F.interpolate(x, 2, mode='linear')": "Got 4D input, but linear mode needs 3D input",
    "F.interpolate(x[0], 2, mode='trilinear')": "Got 3D input, but trilinear mode needs 5D input",
    "F.interpolate(x[None], 2, mode='bilinear')": "Got 5D input, but bilinear mode needs 4D input",
    "F.interpolate(x, 2, mode='sharp')": "Input Error: Only 3D, 4D and 5D input Tensors supported",
    "F.interpolate(x[0, 0], 2)": "Input Error: Only 3D, 4D and 5D input Tensors supported (got 2D) for the modes",
    "F.interpolate(x, 2, align_corners=True)": "align_corners option can only be set with the interpolating modes: li",
    "F.interpolate(x, 2, antialias=True)": "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes",
    "F.interpolate(x, 2, recompute_scale_factor=True)": "recompute_scale_factor is not meaningful with an explicit si",
}


@pytest.mark.parametrize("expression", FUNCTIONAL_ERRORS)
def test_functional_error(oracle, expression):
    def case(torch):
        return eval(expression, {"F": torch.nn.functional, "x": ramp(torch, 2, 4, 8, 8)})

    oracle.same_error(case, FUNCTIONAL_ERRORS[expression])


def test_old_names_warn(oracle):
    oracle.same_warnings(lambda torch: torch.nn.functional.upsample(torch.ones(1, 1, 2), 3), "is deprecated")
    oracle.same_warnings(lambda torch: torch.nn.functional.upsample_nearest(torch.ones(1, 1, 2), 3), "is deprecated")
    oracle.same_warnings(lambda torch: torch.nn.functional.upsample_bilinear(torch.ones(1, 1, 2, 2), 3), "is deprec")
