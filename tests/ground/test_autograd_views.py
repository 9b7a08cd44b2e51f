"""Views and writes in place: what the graph makes of them, what the version counter catches, what is refused."""

import pytest

from tests.ground.test_autograd import graph

COVERS = [
    "torch/csrc/autograd/variable.cpp",
    "torch/csrc/autograd/functions/tensor.cpp",
    "torch/csrc/autograd/VariableTypeManual.cpp",
    "torch/csrc/autograd/VariableTypeUtils.h",
]


def run(torch, program):
    """Run statements over x (a leaf), b (a result), c (no gradient); b's and x's state afterwards."""
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    names = {
        "torch": torch,
        "x": x,
        "b": x * 2,
        "c": torch.tensor([5.0, 6.0, 7.0, 8.0]),
        "w": torch.ones(2, requires_grad=True),
    }
    exec(program, names)
    return names


PROGRAMS = [
    "b.mul_(3)",
    "b.mul_(c)",
    "b.add_(x)",
    "b.mul_(x)",
    "b.div_(x)",
    "b[0:2].mul_(w).mul_(w)",
    "b.exp_()",
    "b.zero_()",
    "b.fill_(2.)",
    "b.clamp_(3, 5)",
    "b[0] = 5.",
    "b[1:3] = w",
    "b[0:2].mul_(w)",
    "b[0:2] *= w",
    "b[1:].exp_()",
    "v = b[1:3]; b.mul_(2); v.grad_fn",
    "v = b[1:3]; v.mul_(2); v.grad_fn; b = b * v.sum()",
    "v = b.view(2, 2); v[0].mul_(3); v.t().add_(1)",
    "v = b.view(2, 2).t(); v.mul_(v.detach() + 1)",
    "v = b[0:2]; u = b[1:3]; v.mul_(w); u.mul_(w * 3)",
    "c[0:2] = w; b = c * c",
    "c[0:2].copy_(w); b = c.exp()",
    "c.copy_(b); b = c",
    "c[1:3] += w; b = c * 2",
    "b.masked_fill_(c > 6, 1.)",
    "b[c > 6] = 1.",
    "b[torch.tensor([0, 2])] = w",
    "b.index_add_(0, torch.tensor([0, 2]), w)",
    "b.unsqueeze_(0); b = b * 2",
    "b.squeeze_(); b.t_()",
    "b.detach_()",
    "b = b.detach().mul_(2)",
    "d = b.detach(); b = b * 3",
    "b.expand(2, 4)[0]",
    "b.sub_(1).div_(2).pow_(2)",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_in_place(oracle, program):
    def case(torch):
        names = run(torch, program)
        b, x, w = names["b"], names["x"], names["w"]
        state = (b.requires_grad, b._version, b._is_view(), type(b.grad_fn).__name__, graph(b))
        if b.requires_grad:
            (b * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
        return b.detach(), state, x.grad, w.grad, names["c"].detach(), names["c"].requires_grad

    oracle.same(case, rtol=1e-4)


def test_views_know_their_base(oracle):
    def case(torch):
        x = torch.arange(6.0)
        i = torch.arange(6)
        views = [
            x[0],
            x.view(2, 3),
            x.view(2, 3).t(),
            x.view(2, 3)[0][1:],
            x.split(2)[1],
            x.expand(2, 6),
            x.unbind()[0],
        ]
        found = [(v._is_view(), v._base is x) for v in views]
        others = [x, x.clone(), x + 1, x.detach(), x.data, x.contiguous(), x.reshape(6)]
        found += [(v._is_view(), v._base is x) for v in others]
        found.append((i[0]._is_view(), i[0]._base is i))
        with torch.no_grad():
            found.append((x[0]._is_view(), x[0]._base is x))
        return found

    oracle.same(case)


def test_versions(oracle):
    def case(torch):
        x = torch.zeros(4)
        found = [x._version]
        for program in (
            "x.add_(1)",
            "x[0] = 1",
            "x[0:2].mul_(2)",
            "x.view(2, 2).zero_()",
            "x.detach().add_(1)",
            "x.data.add_(1)",
            "torch.add(x, 1, out=x)",
            "x.fill_(1)",
            "x.copy_(x)",
            "x.unsqueeze_(0)",
            "x.squeeze_(0)",
            "x += 1",
            "x.clone().add_(1)",
            "x.uniform_()",
            "x[x > 0] = 0",
            "x.index_fill_(0, torch.tensor([0]), 1.)",
            "x.add(1)",
            "torch.autograd.graph.increment_version(x)",
            "x.requires_grad_()",
        ):
            exec(program, {"torch": torch, "x": x})
            found.append((program, x._version))
        with torch.no_grad():
            x.add_(1)
        found.append((x._version, x.detach()._version, x.data._version, x[0]._version))
        return found

    oracle.same(case)


REFUSED = [
    ("b.view(2, 2).unbind()[0][0].add_(1)", "This view is the output of a function that returns multiple views"),
    (
        "with torch.no_grad(): v = b[0:2]\nv[0].add_(1)",
        "is a view of a view which was created in no_grad mode and",
    ),
    ("x.add_(1)", "a leaf Variable that requires grad is being used in an in-place operation."),
    ("x[0].add_(1)", "a view of a leaf Variable that requires grad is being used in an in-place operation."),
    ("x[0] = 1", "a view of a leaf Variable that requires grad is being used in an in-place operation."),
    ("x.view(4).detach_()", "Can't detach views in-place. Use detach() instead"),
    ("b.split(2)[0].add_(1)", "Output 0 of Split is a view and is being modified inplace."),
    ("b.unbind()[1].add_(1)", "Output 1 of Unbind is a view and is being modified inplace."),
    ("b.chunk(2)[1].add_(1)", "Such functions do not allow the output views to be modified inplace"),
    (
        "v = b.unbind()[1]\nb.add_(1)\nv.grad_fn",
        "is a view and its base or another view of its base has been modified inplace",
    ),
    ("with torch.no_grad(): v = b[0:2]\nv.add_(1)", "A view was created in no_grad mode and is being modified inplace"),
    ("with torch.no_grad(): v = x[0:2]\nv.add_(1)", "A view was created in no_grad mode and is being modified inplace"),
    (
        "with torch.no_grad(): v = b[0:2]\nb.add_(1)\nv.grad_fn",
        "A view was created in no_grad mode and its base or another view",
    ),
    (
        "y = b * b\nb.add_(1)\ny.sum().backward()",
        "has been modified by an inplace operation: [torch.FloatTensor [4]], which is "
        "output 0 of Add, is at version 1; expected version 0 instead. Hint: enable anomaly detection",
    ),
    (
        "y = b.exp()\ny.add_(1)\ny.sum().backward()",
        "which is output 0 of Exp, is at version 1; expected version 0 instead",
    ),
    (
        "y = x * x\nwith torch.no_grad(): x.add_(1)\ny.sum().backward()",
        "[torch.FloatTensor [4]] is at version 1; expected version 0",
    ),
    ("y = b * b\nb[0] = 1\ny.sum().backward()", "which is output 0 of torch::autograd::CopySlices"),
    ("y = b * b\nb.detach().zero_()\ny.sum().backward()", "is at version 1; expected version 0 instead"),
    ("y = x * c\nc.zero_()\ny.sum().backward()", "[torch.FloatTensor [4]] is at version 1; expected version 0 instead"),
]


@pytest.mark.parametrize(("program", "phrase"), REFUSED)
def test_refused(oracle, program, phrase):
    oracle.same_error(lambda torch: run(torch, program), phrase)


ALLOWED = [
    "y = b + b\nb.add_(1)\ny.sum().backward()",
    "y = x * c\nwith torch.no_grad(): x.add_(1)\ny.sum().backward()",
    "y = b * b\nb.data.zero_()\ny.sum().backward()",
    "with torch.no_grad(): x[0] = 5\n(x * x).sum().backward()",
    "with torch.no_grad(): x[0:2].add_(1)\n(x * x).sum().backward()",
    "with torch.no_grad():\n    for v in x.unbind(): v.add_(1)\n(x * x).sum().backward()",
    "y = b.sum()\nb.zero_()\ny.backward()",
    "y = c @ x\nx.data.mul_(2)\ny.backward()",
]


@pytest.mark.parametrize("program", ALLOWED)
def test_allowed(oracle, program):
    def case(torch):
        names = run(torch, program)
        return names["x"].grad, names["x"].detach()

    oracle.same(case)


def test_a_write_is_undone_in_second_derivatives(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * x
        y[0:2] *= x[1:]
        (first,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        return first.detach(), second

    oracle.same(case, rtol=1e-4)


def test_grad_towards_a_written_base(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        w = torch.tensor([2.0, 3.0], requires_grad=True)
        b = x * 2
        b[0:2].mul_(w)
        loss = (b * b).sum()
        return [torch.autograd.grad(loss, one, retain_graph=True) for one in (x, w, [w, x])]

    oracle.same(case)
