"""The smallest test of the ground: it runs first when something is broken."""


def test_an_operator_goes_through_the_dispatcher(oracle):
    def case(torch):
        x = torch.ones(2, 3)
        return x + x, x * 3, torch.add(x, x, alpha=2)

    oracle.same(case)


def test_shapes_that_do_not_fit(oracle):
    def case(torch):
        return torch.ones(2, 3) + torch.ones(2)

    oracle.same_error(case, "must match the size of tensor b (2) at non-singleton dimension 1")
