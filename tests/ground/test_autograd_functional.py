"""Jacobians, Hessians and their products with vectors."""

import pytest

COVERS = ["torch/autograd/functional.py"]


def scope(torch):
    functional = torch.autograd.functional
    return {
        "torch": torch,
        "f": functional,
        "x": torch.tensor([0.5, -1.0, 2.0]),
        "y": torch.tensor([1.0, 2.0]),
        "one": torch.tensor(2.0),
        "outer": lambda x, y: x.exp().unsqueeze(1) * y,
        "both": lambda x: (x.sin(), x.sum() * 2),
        "energy": lambda x: (x**3).sum() * x[0],
        "two": lambda x, y: (x.sum() * (y**2)).sum(),
    }


CALLS = [
    "f.jacobian(torch.exp, x)",
    "f.jacobian(outer, (x, y))",
    "f.jacobian(both, x)",
    "f.jacobian(lambda a, b: a * 2, (x, y))",
    "f.hessian(energy, x)",
    "f.hessian(two, (x, y))",
    "f.vjp(torch.exp, x, torch.ones(3))",
    "f.vjp(lambda a: a.sum(), x)",
    "f.vjp(both, x, (torch.ones(3), torch.tensor(2.0)))",
    "f.jvp(torch.sin, x, torch.ones(3))",
    "f.jvp(outer, (x, y), (x, y))",
    "f.jvp(torch.exp, one)",
    "f.vhp(energy, x, torch.ones(3))",
    "f.vhp(two, (x, y), (x, y))",
    "f.hvp(energy, x, torch.ones(3))",
    "f.hvp(two, (x, y), (x, y))",
]


@pytest.mark.parametrize("call", CALLS)
def test_result(oracle, call):
    oracle.same(lambda torch: eval(call, scope(torch)), rtol=1e-4)


def test_a_jacobian_can_be_differentiated(oracle):
    def case(torch):
        x = torch.tensor([0.5, -1.0], requires_grad=True)
        jacobian = torch.autograd.functional.jacobian(lambda a: a**3, x, create_graph=True)
        jacobian.sum().backward()
        return jacobian.detach(), x.grad

    oracle.same(case)


ERRORS = [
    ("f.jacobian(torch.exp, 3)", "The inputs given to jacobian must be either a Tensor or a tuple of Tensors"),
    ("f.jacobian(lambda a: 3, x)", "The outputs of the user-provided function given to jacobian must be either"),
    ("f.vjp(torch.exp, x)", "The vector v can only be None if the user-provided function returns a single Tensor"),
    ("f.jvp(torch.exp, x)", "The vector v can only be None if the input to the user-provided function is a single"),
    ("f.vjp(torch.exp, x, y)", "v has invalid size: should be torch.Size([3]) but got torch.Size([2])."),
    ("f.vjp(torch.exp, x, (x, x))", "The given v should contain a single Tensor."),
    ("f.jvp(two, (x, y), (x,))", "v is a tuple of invalid length: should be 2 but got 1."),
    ("f.hessian(torch.exp, x)", "The Tensor returned by the function given to hessian should contain a single element"),
    ("f.hvp(both, x, x)", "The function given to hvp should return a single Tensor"),
]


@pytest.mark.parametrize(("call", "phrase"), ERRORS)
def test_error(oracle, call, phrase):
    oracle.same_error(lambda torch: eval(call, scope(torch)), phrase)
