"""The graph and the way back: nodes, edges, what leaves accumulate, what goes wrong and how it is said."""

import gc
import sys
import threading
import warnings
import weakref

import pytest

COVERS = [
    "torch/csrc/autograd/engine.cpp",
    "torch/csrc/autograd/function.h",
    "torch/csrc/autograd/variable.cpp",
    "torch/csrc/autograd/saved_variable.cpp",
    "torch/csrc/autograd/python_engine.cpp",
    "torch/csrc/autograd/functions/accumulate_grad.cpp",
    "torch/autograd/__init__.py",
]


def graph(tensor):
    """The nodes behind a tensor, depth first, each with its edges: names that both sides have."""
    lines, numbers = [], {}

    def visit(node):
        if node is None:
            return "-"
        if node not in numbers:
            numbers[node] = len(numbers)
            edges = [f"{visit(following)}:{number}" for following, number in node.next_functions]
            lines.append(f"{numbers[node]} {type(node).__name__} {node.name()} <- {', '.join(edges)}")
        return str(numbers[node])

    visit(tensor.grad_fn)
    return lines


GRAPHS = [
    "x * y",
    "x * x",
    "x + 1",
    "x - y * 2",
    "(x * y).sum()",
    "-x / y",
    "x.exp().log()",
    "x ** 2",
    "x ** y",
    "2 ** x",
    "x.view(3, 1)",
    "x[0]",
    "x[0:2]",
    "x.unsqueeze(0).expand(2, 3)",
    "torch.stack([x, y])",
    "torch.cat([x, y, x])",
    "x.split(2)[1]",
    "x.unbind()[2]",
    "x.chunk(2)[0]",
    "x.max(0)[0]",
    "x.sort()[0]",
    "x.mean()",
    "x.detach() * y",
    "m @ x",
    "m @ m.t()",
    "torch.addmm(x, m, m)",
    "x.clone()",
    "x.double()",
    "x.to(torch.float16)",
    "x[i]",
    "x.masked_fill(x > 0, 2.)",
    "torch.where(x > 0, x, y)",
    "x.softmax(0)",
    "x.reshape(1, 3).squeeze()",
    "x.cumsum(0)",
    "x.clamp(0, 1)",
    "x.sigmoid() + x.tanh()",
    "x.var()",
    "x.norm()",
    "m.sum(1, keepdim=True)",
    "m.transpose(0, 1)",
    "m.permute(1, 0)",
    "m.diagonal()",
    "x.repeat(2)",
    "x.flip(0)",
    "x.abs()",
    "x.sqrt()",
    "torch.einsum('ij,j->i', m, x)",
]


def scope(torch):
    return {
        "torch": torch,
        "x": torch.tensor([1.0, -2.0, 3.0], requires_grad=True),
        "y": torch.tensor([0.5, 2.0, -1.0], requires_grad=True),
        "m": torch.arange(9.0).reshape(3, 3).requires_grad_(),
        "i": torch.tensor([0, 2]),
    }


@pytest.mark.parametrize("expression", GRAPHS)
def test_graph(oracle, expression):
    def case(torch):
        names = scope(torch)
        result = eval(expression, names)
        return graph(result), result.output_nr, result.is_leaf, result.requires_grad

    oracle.same(case)


@pytest.mark.parametrize("expression", GRAPHS)
def test_gradients(oracle, expression):
    def case(torch):
        names = scope(torch)
        result = eval(expression, names).float()
        result.backward(torch.ones_like(result) * 2)
        return [names[name].grad for name in "xym"]

    oracle.same(case, rtol=1e-4, atol=1e-6)


NOT_RECORDED = ["x > 0", "x.argmax()", "torch.zeros_like(x)", "x.detach()", "x.int()", "x.isnan()", "x.sort()[1]"]


@pytest.mark.parametrize("expression", NOT_RECORDED)
def test_what_has_no_gradient(oracle, expression):
    def case(torch):
        result = eval(expression, scope(torch))
        return result.requires_grad, result.grad_fn is None, result.is_leaf

    oracle.same(case)


def test_repr(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        view = (x * 2)[0]
        return [repr(x), repr(x + 1), repr(view), repr(x.detach()), repr(x.double()), repr(x.view(2, 1))]

    oracle.same(case)


# -- leaves


def test_gradients_accumulate(oracle):
    def case(torch):
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w * 3).sum().backward()
        held = w.grad
        (w * w).sum().backward()
        return w.grad, held is w.grad, w.grad.requires_grad, w.grad.is_leaf

    oracle.same(case)


def test_a_tensor_used_many_times(oracle):
    def case(torch):
        x = torch.tensor(2.0, requires_grad=True)
        y = x
        for _ in range(5):
            y = y * x + x
        y.backward()
        return y, x.grad

    oracle.same(case)


def test_broadcasting_is_undone(oracle):
    def case(torch):
        shapes = [(3,), (2, 3), (2, 1), (1, 1), (), (4, 2, 3)]
        found = []
        for first in shapes:
            for second in shapes:
                a = torch.full(first, 2.0, requires_grad=True)
                b = torch.full(second, 3.0, requires_grad=True)
                (a * b).sum().backward()
                found.append((a.grad, b.grad))
        return found

    oracle.same(case)


def test_mixed_dtypes(oracle):
    def case(torch):
        a = torch.ones(2, requires_grad=True)
        b = torch.ones(2, dtype=torch.float64, requires_grad=True)
        h = torch.ones(2, dtype=torch.float16, requires_grad=True)
        (a * b * h * torch.arange(2)).sum().backward()
        return a.grad, b.grad, h.grad

    oracle.same(case)


def test_leaf_attributes(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        z = torch.ones(2)
        found = [(t.requires_grad, t.is_leaf, t.output_nr, t.retains_grad, t.grad_fn is None) for t in (x, y, z)]
        found.append((z + 1).is_leaf)
        x.requires_grad_(False)
        found.append((x.requires_grad, (x * 2).requires_grad))
        x.requires_grad = True
        del x.grad
        found.append(x.grad)
        return found

    oracle.same(case)


def test_grad_of_a_result_warns(oracle):
    def case(torch):
        y = torch.ones(2, requires_grad=True) * 2
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert y.grad is None
        return [(w.category.__name__, "not a leaf Tensor is being accessed" in str(w.message)) for w in caught]

    oracle.same(case)


def test_retain_grad(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        y.retain_grad()
        y.retain_grad()
        x.retain_grad()
        z = (y * y).sum()
        z.backward(retain_graph=True)
        first = y.grad.clone()
        z.backward()
        return first, y.grad, x.grad, y.retains_grad, x.retains_grad

    oracle.same(case)


def test_retain_grad_moves_with_a_write_in_place(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        y.retain_grad()
        y.mul_(3)
        (y * 5).sum().backward()
        return y.grad, x.grad

    oracle.same(case)


def test_factories_take_requires_grad(oracle):
    def case(torch):
        made = [
            torch.ones(2, requires_grad=True),
            torch.zeros(2, requires_grad=False),
            torch.tensor([1.0], requires_grad=True),
            torch.rand(2, requires_grad=True),
            torch.full((2,), 1.0, requires_grad=True),
            torch.empty(0, requires_grad=True),
            torch.ones(2).new_zeros(2, requires_grad=True),
            torch.eye(2, requires_grad=True),
            torch.arange(2.0, requires_grad=True),
            torch.zeros_like(torch.ones(2), requires_grad=True),
        ]
        return [(t.requires_grad, t.is_leaf) for t in made]

    oracle.same(case)


def test_set_data(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * x
        version = x._version
        x.data = torch.full((2,), 5.0)
        y.sum().backward()
        return x, x.grad, x._version == version, x.is_leaf

    oracle.same(case)


# -- grad and backward, their arguments


def test_grad(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = torch.tensor([3.0, 4.0], requires_grad=True)
        unused = torch.ones(2, requires_grad=True)
        z = x * y * x
        grad = torch.autograd.grad
        return [
            grad(z.sum(), x, retain_graph=True),
            grad(z.sum(), [y, x], retain_graph=True),
            grad(z, [x], torch.tensor([1.0, 10.0]), retain_graph=True),
            grad(z.sum(), {"a": x, "b": y}, retain_graph=True),
            grad([z.sum(), x.sum()], [x], retain_graph=True),
            grad(z.sum(), [x, unused], allow_unused=True, retain_graph=True),
            grad(z.sum(), [x, unused], materialize_grads=True, retain_graph=True),
            grad(z.sum(), z, retain_graph=True),
            x.grad,
            y.grad,
        ]

    oracle.same(case)


def test_grad_of_results_in_the_middle(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        a = x * 2
        b = a.exp()
        c = (b * a).sum()
        grads = torch.autograd.grad(c, [a, b, x])
        return grads, x.grad

    oracle.same(case, rtol=1e-4)


def test_backward_with_inputs(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = torch.ones(2, requires_grad=True)
        z = x * y * 3
        z.sum().backward(inputs=[x], retain_graph=True)
        first = x.grad.clone(), y.grad
        middle = z * 2
        torch.autograd.backward([middle.sum()], inputs=z)
        return first, z.grad, x.grad, y.grad

    oracle.same(case)


def test_several_roots(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        torch.autograd.backward([y.sum(), (y * y).sum(), y], [None, None, torch.tensor([1.0, 5.0])])
        return x.grad

    oracle.same(case)


def test_gradient_edge(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        edge = torch.autograd.graph.get_gradient_edge(y)
        leaf = torch.autograd.graph.get_gradient_edge(x)
        names = edge.node.name(), edge.output_nr, leaf.node.name(), leaf.output_nr
        z = (y * 3).sum()
        return names, torch.autograd.grad(z, edge, retain_graph=True), torch.autograd.grad(z, leaf), x.grad

    oracle.same(case)


# -- second derivatives


@pytest.mark.parametrize(
    "expression", ["x ** 3", "x.exp() * x", "x.sin()", "x / (1 + x * x)", "(m @ x) ** 2", "x[i] ** 3"]
)
def test_second_derivatives(oracle, expression):
    def case(torch):
        names = scope(torch)
        x = names["x"]
        (first,) = torch.autograd.grad(eval(expression, names).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad((first * torch.tensor([1.0, 2.0, 3.0])).sum(), x, create_graph=True)
        third = torch.autograd.grad(second.sum(), x, allow_unused=True)
        return first.detach(), second.detach(), third

    oracle.same(case, rtol=1e-4, atol=1e-5)


def test_backward_with_create_graph(oracle):
    def case(torch):
        x = torch.tensor(2.0, requires_grad=True)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            (x**3).backward(create_graph=True)
        first = x.grad
        x.grad = None
        first.backward()
        return first.detach(), first.requires_grad, x.grad

    oracle.same(case)


# -- errors

ERRORS = [
    ("(x * 2).backward()", "grad can be implicitly created only for scalar outputs"),
    ("torch.ones(1).backward()", "element 0 of tensors does not require grad and does not have a grad_fn"),
    (
        "(x.sum() * x.sum()).backward() or z.backward() or z.backward()",
        "Trying to backward through the graph a second time",
    ),
    ("torch.autograd.grad(x.sum(), torch.ones(2))", "One of the differentiated Tensors does not require grad"),
    ("torch.autograd.grad(x.sum(), [x, y])", "at index 1 appears to not have been used in the graph"),
    ("torch.autograd.grad(x.sum(), [])", "`inputs` argument to `grad()` cannot be empty"),
    ("torch.autograd.backward(x.sum(), inputs=[])", "`inputs` argument to `backward()` cannot be empty"),
    ("torch.autograd.grad(x, x, torch.ones(2))", "Mismatch in shape: grad_output[0] has a shape of torch.Size([2])"),
    ("torch.autograd.backward((x.sum(),), ())", "got 1 tensors and 0 gradients"),
    ("torch.autograd.backward([x.sum()], [3])", "gradients can be either Tensors or None, but got int"),
    ("torch.autograd.grad(x.sum(), x, allow_unused=False, materialize_grads=True)", "Expected allow_unused to be True"),
    (
        "setattr(x * 2, 'requires_grad', False)",
        "you can only change requires_grad flags of leaf variables. If you want",
    ),
    ("setattr(x * 2, 'requires_grad', True)", "you can only change requires_grad flags of leaf variables."),
    ("setattr(i, 'requires_grad', True)", "only Tensors of floating point and complex dtype can require gradients"),
    ("i.requires_grad_()", "only Tensors of floating point dtype can require gradients"),
    ("torch.ones(2, dtype=torch.int64, requires_grad=True)", "Only Tensors of floating point and complex dtype"),
    ("torch.tensor([1], requires_grad=True)", "Only Tensors of floating point and complex dtype can require gradients"),
    ("torch.ones(2, requires_grad=3)", "argument 'requires_grad' must be bool, not int"),
    ("setattr(x, 'requires_grad', 1)", "requires_grad must be a bool"),
    ("setattr(x, 'grad', x)", "can't assign Variable as its own grad"),
    ("setattr(x, 'grad', torch.ones(2))", "attempting to assign a gradient of size '[2]' to a tensor of size '[3]'"),
    ("setattr(x, 'grad', 3)", "assigned grad expected to be a Tensor or None but got grad of type int"),
    ("setattr(x, 'grad', torch.ones(3).double())", "attempting to assign a gradient with dtype"),
    ("setattr(x, 'grad_fn', None)", ""),
    ("setattr(x, 'data', i)", "data set to a tensor that requires gradients must be floating point or complex dtype"),
    ("setattr(x, 'data', 3)", "Variable data has to be a tensor, but got int"),
    ("torch.ones(2).retain_grad()", "can't retain_grad on Tensor that has requires_grad=False"),
    ("x.numpy()", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."),
    ("x.resize_(5)", "cannot resize variables that require grad"),
    ("torch.add(x, 1, out=torch.ones(3))", "functions with out=... arguments don't support automatic differentiation"),
    ("torch.add(i, 1., out=x)", "functions with out=... arguments don't support automatic differentiation"),
    ("torch.autograd.graph.get_gradient_edge(torch.ones(2))", "It is not possible to get the gradient edge"),
    ("torch.autograd.variable(3)", "torch.autograd.variable(...) is deprecated"),
]


@pytest.mark.parametrize(("statement", "phrase"), ERRORS)
def test_error(oracle, statement, phrase):
    def case(torch):
        names = scope(torch)
        names["z"] = (names["x"] * names["x"]).sum()
        eval(statement, names)

    oracle.same_error(case, phrase)


def test_what_saved_nothing_can_go_back_twice(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = (x + 1).sum()
        y.backward()
        y.backward()
        return x.grad

    oracle.same(case)


def test_saved_attributes(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        c = torch.tensor([3.0, 4.0])
        left, right, both = (x * c).grad_fn, (c * x).grad_fn, (x * x).grad_fn
        exp = x.exp()
        return [
            left._saved_self,
            left._saved_other,
            right._saved_self,
            right._saved_other,
            both._saved_self,
            exp.grad_fn._saved_result,
            (exp.grad_fn._saved_result.grad_fn is exp.grad_fn),
            (x**3).grad_fn._saved_exponent,
            (x + c).grad_fn._saved_alpha,
        ]

    oracle.same(case)


def test_saved_attributes_are_freed(oracle):
    def case(torch):
        y = torch.ones(2, requires_grad=True).exp()
        y.sum().backward()
        return y.grad_fn._saved_result

    oracle.same_error(case, "Trying to backward through the graph a second time")


# -- how far, how long, how much


def test_a_long_chain(torch):
    """Neither backward nor freeing the graph recurses."""
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    assert x.grad.tolist() == [1.0]
    del y
    gc.collect()


def test_backward_takes_linear_time(torch):
    """Counted in calls: a chain ten times as long takes ten times as many."""

    def calls(length):
        y = x = torch.ones(1, requires_grad=True)
        for _ in range(length):
            y = y * 1.0
        count = 0

        def note(frame, event, argument):
            nonlocal count
            count += event == "call"

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            y.backward()
        finally:
            sys.setprofile(before)
        assert x.grad is not None
        return count

    calls(10)
    assert calls(10_000) < 10.1 * calls(1_000)


def test_nothing_leaks(torch):
    def step():
        x = torch.ones(3, requires_grad=True)
        y = x.exp() + 1
        y[0].mul_(3)
        z = (y * y.detach()).sum()
        torch.autograd.grad(z, x, create_graph=True)
        z.backward()

    gc.collect()
    gc.disable()
    try:
        step()
        before = len(gc.get_objects())
        for _ in range(500):
            step()
        # By counting references alone, with the collector off: there are no cycles.
        assert len(gc.get_objects()) - before < 50
    finally:
        gc.enable()


def test_a_graph_dies_with_its_result(torch):
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    node = weakref.ref(y.grad_fn)
    z = y * 2
    del y
    assert node() is not None
    del z
    assert node() is None


def test_backward_lets_go_of_what_it_saved(torch):
    x = torch.ones(3, requires_grad=True)
    c = torch.ones(3)
    held = weakref.ref(c)
    y = x * c
    del c
    assert held() is not None
    y.sum().backward()
    assert held() is None


# -- grad mode


def test_grad_modes(oracle):
    def case(torch):
        x = torch.ones(1, requires_grad=True)
        found = [torch.is_grad_enabled()]
        with torch.no_grad():
            found.append((x * 2).requires_grad)
            with torch.enable_grad():
                found.append((x * 2).requires_grad)
            found.append(torch.ones(1, requires_grad=True).requires_grad)
        with torch.set_grad_enabled(False):
            found.append((x * 2).requires_grad)
        torch.set_grad_enabled(False)
        found.append(torch.is_grad_enabled())
        torch.set_grad_enabled(True)

        @torch.no_grad()
        def decorated():
            return torch.is_grad_enabled()

        @torch.no_grad
        def bare():
            return torch.is_grad_enabled()

        @torch.no_grad()
        def generator():
            for _ in range(2):
                got = yield torch.is_grad_enabled()
                found.append(got)

        @torch.set_grad_enabled(False)
        def flagged():
            return torch.is_grad_enabled()

        steps = generator()
        found += [decorated(), bare(), flagged(), next(steps), torch.is_grad_enabled(), steps.send("sent")]
        steps.close()
        try:
            with torch.no_grad():
                raise KeyError
        except KeyError:
            found.append(torch.is_grad_enabled())
        return found

    oracle.same(case)


def test_grad_mode_is_a_threads_own(oracle):
    def case(torch):
        found = []
        with torch.no_grad():
            thread = threading.Thread(target=lambda: found.append(torch.is_grad_enabled()))
            thread.start()
            thread.join()
            found.append(torch.is_grad_enabled())
        return found

    oracle.same(case)


def test_backward_in_threads(torch):
    x = torch.ones(4, requires_grad=True)
    results = []

    def work():
        (grad,) = torch.autograd.grad((x * x * 3).sum(), x)
        results.append(grad.tolist())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[6.0] * 4] * 8


def test_inference_mode(oracle):
    def case(torch):
        x = torch.ones(3, requires_grad=True)
        with torch.inference_mode():
            t = torch.ones(3)
            view_of_x, result = x[0:2], x * 2
            t.add_(1)
            found = [
                t.is_inference(),
                t[0].is_inference(),
                t._is_view(),
                view_of_x.is_inference(),
                view_of_x.requires_grad,
                result.is_inference(),
                result.requires_grad,
                torch.is_inference_mode_enabled(),
                torch.is_grad_enabled(),
            ]
            with torch.inference_mode(False):
                found.append((x * 2).requires_grad)
        found += [(t * 2).is_inference(), t[0].is_inference(), t.clone().is_inference(), x.is_inference()]
        return found

    oracle.same(case)


INFERENCE_ERRORS = [
    ("t._version", "Inference tensors do not track version counter"),
    ("t.add_(1)", "Inplace update to inference tensor outside InferenceMode is not allowed"),
    ("t[0].add_(1)", "Inplace update to inference tensor outside InferenceMode is not allowed"),
    ("x * t", "Inference tensors cannot be saved for backward"),
    ("t.requires_grad_()", "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed"),
    ("v.add_(1)", "A view was created in inference mode and is being modified inplace in normal mode"),
]


@pytest.mark.parametrize(("statement", "phrase"), INFERENCE_ERRORS)
def test_inference_error(oracle, statement, phrase):
    def case(torch):
        x = torch.ones(3, requires_grad=True)
        with torch.inference_mode():
            t, v = torch.ones(3), x[0:2]
        eval(statement, {"x": x, "t": t, "v": v})

    oracle.same_error(case, phrase)


def test_complex_gradients_are_refused(torch):
    """Deviation: no gradient is better than one without its conjugates."""
    with pytest.raises(NotImplementedError, match="complex"):
        torch.ones(2, dtype=torch.complex64, requires_grad=True)
    with pytest.raises(NotImplementedError, match="complex"):
        torch.ones(2, dtype=torch.complex64).requires_grad_()
