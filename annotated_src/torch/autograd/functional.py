"""Jacobians, Hessians, and their products with vectors. Retells torch/autograd/functional.py.

    vjp        v @ J      one backward
    jvp        J @ v      two: v @ J is linear in v, and its gradient with respect to v is J.T
    jacobian   J          a backward for each element of the outputs
    hessian    H          the jacobian of the jacobian
    vhp, hvp   v @ H, H @ v

Left out: strict mode, vectorize (which needs vmap), forward mode.
"""

from annotated_src.torch import _C
from annotated_src.torch._C import _VariableFunctions
from annotated_src.torch._tensor import Tensor
from annotated_src.torch.autograd.grad_mode import enable_grad, set_grad_enabled

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


def _grad(*args, **kwargs):
    # Here, because torch/autograd/__init__.py imports this file.
    from annotated_src.torch import autograd

    return autograd.grad(*args, **kwargs)


def _as_tuple(inp, arg_name=None, fn_name=None):
    """(whether it was a tuple, the tuple); TypeError if something in it is no tensor."""
    is_tuple = isinstance(inp, tuple)
    tensors = inp if is_tuple else (inp,)
    for i, element in enumerate(tensors):
        if not isinstance(element, Tensor):
            where = f"the value at index {i}" if is_tuple else f"the given {arg_name}"
            raise TypeError(
                f"The {arg_name} given to {fn_name} must be either a Tensor or a tuple of Tensors but {where} has type "
                f"{type(element)}."
            )
    return is_tuple, tensors


def _tuple_postprocess(res, to_unpack):
    """Take off the tuples that were not the caller's: `to_unpack` says which were."""
    if not isinstance(to_unpack, tuple):
        return res if to_unpack else res[0]
    of_outputs, of_inputs = to_unpack
    if not of_inputs:
        res = tuple(row[0] for row in res)
    return res if of_outputs else res[0]


def _grad_preprocess(inputs, create_graph, need_graph):
    """Inputs of our own: with the caller's history if he wants to differentiate the result, else cut off from it."""
    return tuple(
        inp.view_as(inp) if create_graph and inp.requires_grad else inp.detach().requires_grad_(need_graph)
        for inp in inputs
    )


def _grad_postprocess(inputs, create_graph):
    if create_graph:
        return inputs
    if isinstance(inputs[0], Tensor):
        return tuple(inp.detach() for inp in inputs)
    return tuple(_grad_postprocess(inp, create_graph) for inp in inputs)


def _validate_v(v, other, is_other_tuple):
    if len(other) != len(v):
        if not is_other_tuple:
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(other)} but got {len(v)}.")
    for position, (one, of_other) in enumerate(zip(v, other, strict=True)):
        if one.size() != of_other.size():
            entry = f"Entry {position} in " if is_other_tuple else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {of_other.size()} but got {one.size()}.")


def _autograd_grad(outputs, inputs, grad_outputs=None, create_graph=False, retain_graph=None):
    """autograd.grad, of those outputs that have a history."""
    if grad_outputs is None:
        grad_outputs = (None,) * len(outputs)
    pairs = [pair for pair in zip(outputs, grad_outputs, strict=True) if pair[0] is not None and pair[0].requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    with_history, their_grads = zip(*pairs, strict=True)
    return _grad(
        with_history, inputs, their_grads, allow_unused=True, create_graph=create_graph, retain_graph=retain_graph
    )


def _fill_in_zeros(grads, refs):
    return tuple(
        _VariableFunctions.zeros_like(ref) if grad is None else grad for grad, ref in zip(grads, refs, strict=True)
    )


def _prepared_v(v, name, like, is_tuple, create_graph, what):
    """The given v, checked against the tensors that it has to look like; None for those of one element."""
    if v is None:
        if len(like) != 1 or like[0].nelement() != 1:
            raise RuntimeError(f"The vector v can only be None if {what} a single Tensor with a single element.")
        return None
    _, v = _as_tuple(v, "v", name)
    v = _grad_preprocess(v, create_graph=create_graph, need_graph=False)
    _validate_v(v, like, is_tuple)
    return v


_OF_THE_INPUT = "the input to the user-provided function is"
_OF_THE_OUTPUT = "the user-provided function returns"


def _run(func, inputs, name, create_graph):
    """(inputs, whether they were a tuple, outputs, whether they were a tuple) of one recorded call."""
    is_inputs_tuple, inputs = _as_tuple(inputs, "inputs", name)
    inputs = _grad_preprocess(inputs, create_graph=create_graph, need_graph=True)
    is_outputs_tuple, outputs = _as_tuple(func(*inputs), "outputs of the user-provided function", name)
    return inputs, is_inputs_tuple, outputs, is_outputs_tuple


def _run_to_a_number(func, inputs, name, create_graph):
    inputs, is_inputs_tuple, outputs, is_outputs_tuple = _run(func, inputs, name, create_graph)
    _check_is_a_number(outputs, is_outputs_tuple, name)
    return inputs, is_inputs_tuple, outputs


def _check_is_a_number(outputs, is_outputs_tuple, name):
    if is_outputs_tuple:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")


def _check_not_strict(strict):
    if strict:
        raise NotImplementedError("strict mode is not here: leave strict=True away")


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), v times its Jacobian).

    >>> from annotated_src import torch
    >>> torch.autograd.functional.vjp(torch.exp, torch.zeros(2), torch.tensor([1.0, 3.0]))
    (tensor([1., 1.]), tensor([1., 3.]))
    """
    _check_not_strict(strict)
    with enable_grad():
        inputs, is_inputs_tuple, outputs, is_outputs_tuple = _run(func, inputs, "vjp", create_graph)
        v = _prepared_v(v, "vjp", outputs, is_outputs_tuple, create_graph, _OF_THE_OUTPUT)
    with set_grad_enabled(create_graph or _C.is_grad_enabled()):
        product = _fill_in_zeros(_autograd_grad(outputs, inputs, v, create_graph=create_graph), inputs)
    return (
        _tuple_postprocess(_grad_postprocess(outputs, create_graph), is_outputs_tuple),
        _tuple_postprocess(_grad_postprocess(product, create_graph), is_inputs_tuple),
    )


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), its Jacobian times v), by two backwards.

    >>> from annotated_src import torch
    >>> torch.autograd.functional.jvp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    _check_not_strict(strict)
    with enable_grad():
        inputs, is_inputs_tuple, outputs, is_outputs_tuple = _run(func, inputs, "jvp", create_graph)
        v = _prepared_v(v, "jvp", inputs, is_inputs_tuple, create_graph, _OF_THE_INPUT)
        # Any numbers would do: the gradients are linear in them, and only their derivative is looked at.
        grad_outputs = tuple(_VariableFunctions.zeros_like(out, requires_grad=True) for out in outputs)
        grad_inputs = _autograd_grad(outputs, inputs, grad_outputs, create_graph=True)
    with set_grad_enabled(create_graph or _C.is_grad_enabled()):
        product = _fill_in_zeros(_autograd_grad(grad_inputs, grad_outputs, v, create_graph=create_graph), outputs)
    return (
        _tuple_postprocess(_grad_postprocess(outputs, create_graph), is_outputs_tuple),
        _tuple_postprocess(_grad_postprocess(product, create_graph), is_outputs_tuple),
    )


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian: for each output and input a tensor of shape output.shape + input.shape.

    >>> from annotated_src import torch
    >>> torch.autograd.functional.jacobian(lambda x: x**2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    _check_not_strict(strict)
    if vectorize or strategy != "reverse-mode":
        raise NotImplementedError("vectorize=True and forward mode are not here: leave both away")
    with enable_grad():
        inputs, is_inputs_tuple, outputs, is_outputs_tuple = _run(func, inputs, "jacobian", create_graph)
        rows = tuple(_jacobians_of(out, inputs, create_graph) for out in outputs)
        return _tuple_postprocess(_grad_postprocess(rows, create_graph), (is_outputs_tuple, is_inputs_tuple))


def _jacobians_of(out, inputs, create_graph):
    """One output's Jacobian with respect to each input."""
    rows = []
    for element in out.reshape(-1):
        grads = _autograd_grad((element,), inputs, retain_graph=True, create_graph=create_graph)
        rows.append(_fill_in_zeros(grads, inputs))
    return tuple(
        _VariableFunctions.stack(of_input, dim=0).view(out.size() + inp.size())
        for of_input, inp in zip(zip(*rows, strict=True), inputs, strict=True)
    )


def hessian(
    func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"
):  # fmt: skip
    """The second derivatives of a function that returns a single number.

    >>> from annotated_src import torch
    >>> torch.autograd.functional.hessian(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    is_inputs_tuple, inputs = _as_tuple(inputs, "inputs", "hessian")

    def ensure_single_output_function(*inp):
        is_out_tuple, outputs = _as_tuple(func(*inp), "outputs of the user-provided function", "hessian")
        _check_is_a_number(outputs, is_out_tuple, "hessian")
        return outputs[0].squeeze()

    def jac_func(*inp):
        return jacobian(ensure_single_output_function, inp, create_graph=True)

    res = jacobian(jac_func, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return _tuple_postprocess(res, (is_inputs_tuple, is_inputs_tuple))


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), a number; v times its Hessian)."""
    _check_not_strict(strict)
    with enable_grad():
        inputs, is_inputs_tuple, outputs = _run_to_a_number(func, inputs, "vhp", create_graph)
        v = _prepared_v(v, "vhp", inputs, is_inputs_tuple, create_graph, _OF_THE_INPUT)
        jac = _autograd_grad(outputs, inputs, create_graph=True)
    with set_grad_enabled(create_graph or _C.is_grad_enabled()):
        product = _fill_in_zeros(_autograd_grad(jac, inputs, v, create_graph=create_graph), inputs)
    return (
        _grad_postprocess(outputs, create_graph)[0],
        _tuple_postprocess(_grad_postprocess(product, create_graph), is_inputs_tuple),
    )


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(*inputs), a number; its Hessian times v), by the trick of jvp."""
    _check_not_strict(strict)
    with enable_grad():
        inputs, is_inputs_tuple, outputs = _run_to_a_number(func, inputs, "hvp", create_graph)
        v = _prepared_v(v, "hvp", inputs, is_inputs_tuple, create_graph, _OF_THE_INPUT)
        jac = _autograd_grad(outputs, inputs, create_graph=True)
        grad_jac = tuple(_VariableFunctions.zeros_like(inp, requires_grad=True) for inp in inputs)
        double_back = _autograd_grad(jac, inputs, grad_jac, create_graph=True)
    with set_grad_enabled(create_graph or _C.is_grad_enabled()):
        product = _fill_in_zeros(_autograd_grad(double_back, grad_jac, v, create_graph=create_graph), inputs)
    return (
        _grad_postprocess(outputs, create_graph)[0],
        _tuple_postprocess(_grad_postprocess(product, create_graph), is_inputs_tuple),
    )
