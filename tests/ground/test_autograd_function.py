"""torch.autograd.Function in all its variants, and gradcheck, which finds the wrong ones."""

import pytest

from tests.ground.test_autograd import graph

COVERS = [
    "torch/autograd/function.py",
    "torch/autograd/gradcheck.py",
    "torch/csrc/autograd/python_function.cpp",
    "torch/csrc/autograd/custom_function.cpp",
]


def functions(torch):
    """Custom operators by name."""
    Function = torch.autograd.Function

    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad):
            (result,) = ctx.saved_tensors
            return grad * result

    class Scale(Function):
        @staticmethod
        def forward(x, factor=2):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.factor = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.factor, None

    class Pair(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.needs = ctx.needs_input_grad
            return x * 2, y * 3, "text", None

        @staticmethod
        def backward(ctx, first, second, *rest):
            return first * 2, second * 3

    class Sparse(Pair):
        @staticmethod
        def forward(ctx, x, y):
            ctx.set_materialize_grads(False)
            return x * 2, y * 3

        @staticmethod
        def backward(ctx, first, second):
            return None if first is None else first * 2, None if second is None else second * 3

    class InPlace(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    class Identity(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * 5

    class View(Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(1, -1)

        @staticmethod
        def backward(ctx, grad):
            return grad.view(-1) * 5

    class Split(Function):
        @staticmethod
        def forward(ctx, x):
            mask = x > 0
            detached = x * 2
            ctx.mark_non_differentiable(mask, detached)
            return x * 2, mask, detached

        @staticmethod
        def backward(ctx, grad, *rest):
            return grad * 2

    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            return grad * 2

    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 3 * x**2

    class Gift(Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, grad):
            return grad, grad

    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    return {name: value for name, value in locals().items() if isinstance(value, type)}


def scope(torch):
    x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    return {"torch": torch, "x": x, "y": torch.ones(3, requires_grad=True), "b": x * 2, **functions(torch)}


CALLS = [
    "Exp.apply(x)",
    "Exp.apply(b)",
    "Exp.apply(Exp.apply(x))",
    "Scale.apply(x)",
    "Scale.apply(x, 5)",
    "Scale.apply(x, factor=7)",
    "Pair.apply(x, y)[0]",
    "Pair.apply(x, y)[1]",
    "Pair.apply(x.detach(), y)[1]",
    "Sparse.apply(x, y)[0]",
    "InPlace.apply(b)",
    "InPlace.apply(b) + b",
    "InPlace.apply(b[0:3])",
    "Identity.apply(x)",
    "Identity.apply(b)",
    "View.apply(x)[0]",
    "Split.apply(x)[0]",
    "Split.apply(x)[2]",
    "Once.apply(x)",
    "Cube.apply(x)",
    "Exp.apply(x.detach())",
]


@pytest.mark.parametrize("call", CALLS)
def test_custom_function(oracle, call):
    def case(torch):
        names = scope(torch)
        result = eval(call, names)
        state = (result.requires_grad, result.output_nr, result._is_view(), graph(result), names["b"]._version)
        if result.requires_grad:
            (result * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        return result.detach(), state, names["x"].grad, names["y"].grad

    oracle.same(case, rtol=1e-4)


def test_context(oracle):
    def case(torch):
        names = scope(torch)
        x, y = names["x"], names["y"]
        first, second, text, nothing = names["Pair"].apply(x, y.detach())
        ctx = first.grad_fn
        return (
            type(ctx).__name__,
            ctx.name(),
            ctx.needs,
            ctx.needs_input_grad,
            second.grad_fn is ctx,
            second.output_nr,
            text,
            nothing,
            len(ctx.next_functions),
            ctx.next_functions[1],
            isinstance(ctx, torch.autograd.graph.Node),
            first.is_leaf,
        )

    oracle.same(case)


def test_it_runs_without_a_graph(oracle):
    def case(torch):
        names = scope(torch)
        with torch.no_grad():
            result = names["Exp"].apply(names["x"])
        return result, result.requires_grad, names["Identity"].apply(torch.ones(2)).requires_grad

    oracle.same(case, rtol=1e-4)


def test_forward_records_nothing(oracle):
    def case(torch):
        seen = []

        class Look(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                seen.append((torch.is_grad_enabled(), (x * 2).requires_grad, x.requires_grad))
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                seen.append((torch.is_grad_enabled(), grad.requires_grad))
                return grad

        x = torch.ones(2, requires_grad=True)
        Look.apply(x).sum().backward()
        torch.autograd.grad((Look.apply(x) ** 2).sum(), x, create_graph=True)
        return seen

    oracle.same(case)


def test_second_derivatives(oracle):
    def case(torch):
        names = scope(torch)
        x = names["x"]
        found = []
        for name in ("Exp", "Cube"):
            (first,) = torch.autograd.grad(names[name].apply(x).sum(), x, create_graph=True)
            found += [first.detach(), torch.autograd.grad(first.sum(), x)]
        return found

    oracle.same(case, rtol=1e-4)


def test_kept_as_an_attribute(oracle):
    def case(torch):
        class Keep(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.n = n
                return x * n

            @staticmethod
            def backward(ctx, grad):
                return grad * ctx.n, None

        x = torch.ones(2, requires_grad=True)
        y = Keep.apply(x, 4)
        y.backward(torch.ones(2))
        return x.grad, y.grad_fn.n

    oracle.same(case)


BODIES = [
    ("return x * 1", "return grad, grad", "returned an incorrect number of gradients (expected 1, got 2)"),
    ("return x * 1", "return ()", "returned an incorrect number of gradients (expected 1, got 0)"),
    ("return x * 1", "return 3", "expected Variable or None (got int)"),
    (
        "return x * 1",
        "return torch.ones(7)",
        "Function FBackward returned an invalid gradient at index 0 - got [7] but expected shape",
    ),
    (
        "ctx.save_for_backward(3); return x * 1",
        "return grad",
        "save_for_backward can only save variables, but argument 0 is of type int",
    ),
    (
        "ctx.mark_dirty(x); x.detach().add_(1); return x * 1",
        "return grad",
        "Some elements marked as dirty during the forward method",
    ),
    ("ctx.save_for_backward(x); return x * 1", "return grad * ctx.saved_tensors[0] * 0 + ctx.unknown", "unknown"),
]


@pytest.mark.parametrize(("forward", "backward", "phrase"), BODIES)
def test_wrong_bodies(oracle, forward, backward, phrase):
    source = (
        "class F(torch.autograd.Function):\n"
        f"    @staticmethod\n    def forward(ctx, x): {forward}\n"
        f"    @staticmethod\n    def backward(ctx, grad): {backward}\n"
        "y = F.apply(b).sum()\ny.backward()"
    )
    oracle.same_error(lambda torch: exec(source, scope(torch)), phrase)


ERRORS = [
    ("Exp()(x)", "Legacy autograd function with non-static forward method is deprecated"),
    ("torch.autograd.Function.apply(x)", "You must implement the forward function for custom autograd.Function."),
    ("InPlace.apply(x)", "a leaf Variable that requires grad"),
    (
        "Identity.apply(b).add_(1)",
        "This view was created inside a custom Function (or because an input was returned as-is)",
    ),
    ("View.apply(b).add_(1)", "This view was created inside a custom Function"),
    (
        "torch.autograd.grad((Once.apply(x) ** 2).sum(), x, create_graph=True)[0].sum().backward()",
        "trying to differentiate twice a function that was marked with @once_differentiable",
    ),
    ("Gift.apply(x, 3).sum().backward()", "returned a gradient different than None at position 2"),
    (
        "Exp.apply(x).sum().backward() or z.backward() or z.backward()",
        "Trying to backward through the graph a second time",
    ),
    (
        "(z.backward(), z.grad_fn.next_functions[0][0].saved_tensors)",
        "Trying to backward through the graph a second time",
    ),
]


@pytest.mark.parametrize(("statement", "phrase"), ERRORS)
def test_error(oracle, statement, phrase):
    def case(torch):
        names = scope(torch)
        names["z"] = names["Exp"].apply(names["x"]).sum()
        eval(statement, names)

    oracle.same_error(case, phrase)


def test_a_written_saved_tensor(oracle):
    def case(torch):
        names = scope(torch)
        y = names["Exp"].apply(names["x"])
        y.add_(1)
        y.sum().backward()

    oracle.same_error(case, "which is output 0 of Exp, is at version 1; expected version 0 instead")


# -- gradcheck


def doubles(torch):
    names = scope(torch)
    names["x"] = torch.tensor([0.5, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    names["m"] = torch.arange(9.0, dtype=torch.float64).reshape(3, 3).add(0.5).requires_grad_()
    names["f"] = torch.ones(3, requires_grad=True)
    names["gradcheck"] = torch.autograd.gradcheck
    names["gradgradcheck"] = torch.autograd.gradgradcheck
    return names


CHECKS = [
    "gradcheck(torch.exp, x)",
    "gradcheck(lambda a, b: a @ b, (m, x))",
    "gradcheck(Exp.apply, (x,))",
    "gradcheck(Cube.apply, x)",
    "gradcheck(Wrong.apply, x, raise_exception=False)",
    "gradcheck(lambda a: a.prod(), x)",
    "gradcheck(lambda a: (a * 2, a.sum()), x)",
    "gradcheck(lambda a: a.detach() * 0, x)",
    "gradcheck(lambda a: a.split([1, 2]), x)",
    "gradcheck(Sparse.apply, (x, m[0].detach().requires_grad_()))",
    "gradcheck(lambda a, n: a * n, (x, 3))",
    "gradgradcheck(torch.exp, x)",
    "gradgradcheck(Cube.apply, x)",
    "gradgradcheck(lambda a, b: (a @ b).sin(), (m, x))",
    "gradgradcheck(Wrong.apply, x, raise_exception=False)",
]


@pytest.mark.parametrize("check", CHECKS)
def test_gradcheck(oracle, check):
    oracle.same(lambda torch: eval(check, doubles(torch)))


CHECK_ERRORS = [
    ("gradcheck(Wrong.apply, x)", "Jacobian mismatch for output 0 with respect to input 0,"),
    ("gradcheck(lambda a: a.detach() * 2, x)", "Numerical gradient for function expected to be zero"),
    ("gradcheck(torch.exp, x.detach())", "gradcheck expects at least one input tensor to require gradient"),
    ("gradcheck(torch.exp, x[0:1].detach().expand(3).requires_grad_())", "The 0th input has a dimension with stride 0"),
    ("gradgradcheck(Once.apply, x)", "Jacobian mismatch for output 0 with respect to input 1"),
]


@pytest.mark.parametrize(("check", "phrase"), CHECK_ERRORS)
def test_gradcheck_error(oracle, check, phrase):
    oracle.same_error(lambda torch: eval(check, doubles(torch)), phrase)
