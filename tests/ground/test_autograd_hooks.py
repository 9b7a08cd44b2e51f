"""Hooks: on tensors, on leaves, on nodes, on what is saved; in which order they run, and what they may return."""

import warnings

import pytest

COVERS = [
    "torch/utils/hooks.py",
    "torch/autograd/graph.py",
    "torch/autograd/anomaly_mode.py",
    "torch/csrc/autograd/anomaly_mode.cpp",
    "torch/_tensor.py",
]


def test_the_order_of_hooks(oracle):
    def case(torch):
        seen = []

        def note(name, factor=1):
            def hook(*grads):
                flat = grads[0] if isinstance(grads[0], tuple) else grads
                seen.append((name, [None if grad is None else grad.tolist() for grad in flat]))
                return None if factor == 1 else grads[0] * factor

            return hook

        x = torch.ones(2, requires_grad=True)
        y = x * 2
        z = y * 3
        y.grad_fn.register_prehook(note("prehook"))
        y.grad_fn.register_hook(note("node hook"))
        y.register_hook(note("first", 10))
        y.retain_grad()
        y.register_hook(note("second", 10))
        x.register_hook(note("leaf", 2))
        x.register_post_accumulate_grad_hook(lambda leaf: seen.append(("accumulated", leaf.grad.tolist())))
        z.sum().backward()
        return seen, x.grad, y.grad

    oracle.same(case)


def test_the_order_of_nodes(oracle):
    """The latest operator is undone first, in whichever order the graph was put together."""

    def case(torch):
        seen = []
        x = torch.ones(2, requires_grad=True)
        branches = [x * 2, x.exp(), x.sin(), x + 1]
        late = branches[0].cos()
        results = [branches[3], branches[1], late, branches[2]]
        for number, result in enumerate([*branches, late]):
            result.register_hook(lambda grad, number=number: seen.append(number))
        x.register_hook(lambda grad: seen.append("leaf"))
        total = results[0]
        for result in results[1:]:
            total = total + result
        total.sum().backward()
        return seen, x.grad

    oracle.same(case)


def test_hooks_are_removed(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        first = y.register_hook(lambda grad: grad * 10)
        second = y.register_hook(lambda grad: grad + 1)
        first.remove()
        first.remove()
        y.sum().backward(retain_graph=True)
        one = x.grad.clone()
        with second:
            pass
        y.sum().backward()
        post = x.register_post_accumulate_grad_hook(lambda leaf: leaf.grad.zero_())
        post.remove()
        return one, x.grad

    oracle.same(case)


def test_hooks_on_gradients_that_are_asked_for(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        seen = []
        y.register_hook(lambda grad: seen.append(1) or grad * 3)
        x.register_hook(lambda grad: grad + 100)
        x.register_post_accumulate_grad_hook(lambda leaf: seen.append(2))
        return torch.autograd.grad((y * y).sum(), [x, y]), seen

    oracle.same(case)


def test_hooks_stay_with_the_values_they_were_put_on(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        seen = []
        y.register_hook(lambda grad: seen.append(("before the write", grad.tolist())))
        y.mul_(5)
        y.register_hook(lambda grad: seen.append(("after the write", grad.tolist())))
        y.sum().backward()
        return seen, x.grad

    oracle.same(case)


def test_hooks_of_several_outputs(oracle):
    def case(torch):
        x = torch.arange(4.0, requires_grad=True)
        first, second = x.split(2)
        second.register_hook(lambda grad: grad * 7)
        first.register_hook(lambda grad: grad * 5)
        (first.sum() + second.sum() * 2).backward()
        return x.grad

    oracle.same(case)


def test_prehook_and_hook_replace(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        y.grad_fn.register_prehook(lambda grads: (grads[0] * 10,))
        y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] + outputs[0], inputs[1]))
        handle = y.grad_fn.register_prehook(lambda grads: (grads[0] * 1000,))
        handle.remove()
        y.sum().backward()
        return x.grad

    oracle.same(case)


def test_hooks_run_in_no_grad_unless_the_graph_is_created(oracle):
    def case(torch):
        seen = []
        x = torch.ones(2, requires_grad=True)
        y = x * x
        y.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
        y.sum().backward(retain_graph=True)
        torch.autograd.grad(y.sum(), x, create_graph=True)
        return seen

    oracle.same(case)


def test_an_optimizer_in_a_hook(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda leaf: leaf.sub_(leaf.grad, alpha=0.1))
        (x * x).sum().backward()
        return x

    oracle.same(case)


HOOK_ERRORS = [
    ("torch.ones(2).register_hook(print)", "cannot register a hook on a tensor that doesn't require gradient"),
    (
        "y.register_post_accumulate_grad_hook(print)",
        "post accumulate grad hooks cannot be registered on non-leaf tensors",
    ),
    (
        "torch.ones(2).register_post_accumulate_grad_hook(print)",
        "cannot register a hook on a tensor that doesn't require",
    ),
    (
        "y.register_hook(lambda grad: torch.ones(3)), y.sum().backward()",
        "hook '<lambda>' has changed the size of value",
    ),
    (
        "y.register_hook(lambda grad: grad.double()), y.sum().backward()",
        "hook '<lambda>' has changed the type of value",
    ),
    ("y.register_hook(lambda grad: 3), y.sum().backward()", "expected Variable, but hook"),
    ("y.register_hook(lambda grad: 1 / 0), y.sum().backward()", "division by zero"),
]


@pytest.mark.parametrize(("statement", "phrase"), HOOK_ERRORS)
def test_hook_error(oracle, statement, phrase):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        eval(statement, {"torch": torch, "x": x, "y": x * 2})

    oracle.same_error(case, phrase)


def test_multi_grad_hooks(oracle):
    def case(torch):
        register = torch.autograd.graph.register_multi_grad_hook
        seen = []
        x = torch.ones(2, requires_grad=True)
        y = torch.ones(2, requires_grad=True)
        unused = torch.ones(2, requires_grad=True)
        z = x * y
        register((x, z, unused), lambda grads: seen.append([None if g is None else g.tolist() for g in grads]))
        handle = register((x, z), lambda grad: seen.append(grad.tolist()), mode="any")
        z.sum().backward(retain_graph=True)
        handle.remove()
        z.sum().backward()
        return seen

    oracle.same(case)
    oracle.same_error(
        lambda torch: torch.autograd.graph.register_multi_grad_hook((), print, mode="x"), "Expects mode to be"
    )


# -- what is saved


def test_saved_tensors_hooks(oracle):
    def case(torch):
        graph = torch.autograd.graph
        seen = []

        def pack(tensor):
            seen.append(("pack", tensor.tolist(), tensor.requires_grad))
            return tensor.detach().tolist()

        def unpack(numbers):
            seen.append(("unpack", numbers))
            return torch.tensor(numbers) * 10

        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with graph.saved_tensors_hooks(pack, unpack):
            y = x * x
            with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                z = y.exp()
        w = z * z
        w.sum().backward()
        return seen, x.grad

    oracle.same(case, rtol=1e-4)


def test_packed_results_and_second_derivatives(oracle):
    def case(torch):
        x = torch.tensor([0.5, 2.0], requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            y = (x * x).exp()
        (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        return first.detach(), second

    oracle.same(case, rtol=1e-4)


def test_save_on_cpu(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with torch.autograd.graph.save_on_cpu():
            y = (x * x * x).sum()
        y.backward()
        return x.grad

    oracle.same(case)


SAVED_ERRORS = [
    (
        "graph.saved_tensors_hooks(lambda t: t.add_(1), lambda t: t)",
        "(x * 1) * c",
        "A saved tensor pack hook is modifying its input",
    ),
    (
        "graph.saved_tensors_hooks(lambda t: 3, lambda t: t)",
        "(x * c).sum().backward()",
        "Output of saved tensor unpack_hook expected to be a Tensor",
    ),
    (
        "graph.disable_saved_tensors_hooks('no packing')",
        "graph.saved_tensors_hooks(print, print).__enter__()",
        "no packing",
    ),
]


@pytest.mark.parametrize(("manager", "statement", "phrase"), SAVED_ERRORS)
def test_saved_error(oracle, manager, statement, phrase):
    def case(torch):
        names = {
            "torch": torch,
            "graph": torch.autograd.graph,
            "x": torch.ones(2, requires_grad=True),
            "c": torch.ones(2),
        }
        with eval(manager, names):
            eval(statement, names)

    oracle.same_error(case, phrase)


def test_one_saved_tensor_is_packed(oracle):
    def case(torch):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x.exp()
        y.grad_fn._raw_saved_result.register_hooks(lambda t: t.detach() * 2, lambda t: t)
        y.sum().backward()
        return x.grad

    oracle.same(case, rtol=1e-4)


# -- anomaly mode


def test_anomaly_mode_names_the_operator(oracle):
    def case(torch):
        x = torch.zeros(2, requires_grad=True)
        with torch.autograd.detect_anomaly():
            y = (x / x * 0).sum()
            y.backward()

    oracle.same_error(case, "Function 'DivBackward0' returned nan values in its 0th output.")


def test_anomaly_mode_shows_where(oracle):
    def case(torch):
        x = torch.zeros(2, requires_grad=True)
        found = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                with torch.autograd.detect_anomaly():
                    (x.sqrt() * 0).sum().backward()
            except RuntimeError as error:
                found.append(str(error))
        for row in caught:
            text = str(row.message)
            found.append((row.category.__name__, text.partition(".")[0], "x.sqrt()" in text))
        return found

    oracle.same(case)


def test_anomaly_mode_without_nan_check(oracle):
    def case(torch):
        x = torch.zeros(2, requires_grad=True)
        with torch.autograd.detect_anomaly(check_nan=False):
            (x / x).sum().backward()
        with torch.autograd.set_detect_anomaly(False):
            (x / x).sum().backward()
        return x.grad

    oracle.same(case)


def test_version_errors_hint_at_the_stack(oracle):
    def case(torch):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.set_detect_anomaly(True):
            y = x.exp()
            y.add_(1)
            y.sum().backward()

    oracle.same_error(case, "Hint: the backtrace further above shows the operation that failed to compute its gradient")
