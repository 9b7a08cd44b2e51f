"""gradcheck: is a backward right? Compare it with differences. Retells torch/autograd/gradcheck.py.

    numerical    (f(x + eps) - f(x - eps)) / 2 eps, for each element of each input
    analytical   the Jacobian row by row, by a backward for each element of each output

Both are matrices (elements of the input, elements of the output); they have to be close. Besides: backward gives the
same twice, zeros for zeros, and zeros or nothing for gradients that are missing. Use float64: differences of float32
are noise.

Left out: fast mode, forward mode, batched gradients, complex functions, sparse inputs.
"""

import functools
import warnings
from itertools import product

from annotated_src.c10.core.scalar_type import complex128, float64
from annotated_src.torch._C import _VariableFunctions
from annotated_src.torch._tensor import Tensor
from annotated_src.torch.csrc.autograd.functions.basic_ops import UndefinedGrad

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]


FAILED_NONDET_MSG = "\n\nIf the operator is meant to be random, give gradcheck a nondet_tol."


class GradcheckError(RuntimeError):
    """The backward is wrong."""


def _grad(*args, **kwargs):
    # Here, because torch/autograd/__init__.py imports this file.
    from annotated_src.torch import autograd

    return autograd.grad(*args, **kwargs)


def _is_float_or_complex_tensor(obj):
    return isinstance(obj, Tensor) and (obj.is_floating_point() or obj.is_complex())


def _as_tuple(x):
    if isinstance(x, (tuple, list)):
        return tuple(x)
    return (x,)


def _iter_tensors(x, only_requiring_grad=False):
    """All tensors in `x`, a tensor or nested sequences."""
    if isinstance(x, Tensor):
        if x.requires_grad or not only_requiring_grad:
            yield x
    elif isinstance(x, (list, tuple)):
        for elem in x:
            yield from _iter_tensors(elem, only_requiring_grad)


def _differentiable_outputs(x):
    return tuple(o for o in _as_tuple(x) if o.requires_grad)


def _transpose(matrix_of_tensors):
    return list(zip(*matrix_of_tensors, strict=True))


# -- numerical: by differences


def _allocate_jacobians_with_inputs(input_tensors, numel_output):
    return tuple(
        t.new_zeros((t.numel(), numel_output))
        for t in input_tensors
        if _is_float_or_complex_tensor(t) and t.requires_grad
    )


def _allocate_jacobians_with_outputs(output_tensors, numel_input, dtype=None, device=None):
    return tuple(
        t.new_zeros((numel_input, t.numel()), dtype=dtype, device=device)
        for t in output_tensors
        if _is_float_or_complex_tensor(t)
    )


def _iter_tensor(x_tensor):
    """(the tensor's data, an element's index, its number) for each element."""
    x_tensor = x_tensor.data
    for d_idx, x_idx in enumerate(product(*[range(m) for m in x_tensor.size()])):
        yield x_tensor, x_idx, d_idx


def _get_numerical_jacobian(fn, inputs, outputs=None, target=None, eps=1e-3, is_forward_ad=False):
    """For each input that wants a gradient, a Jacobian (elements of the input, elements of the output) an output."""
    jacobians = []
    if outputs is None:
        outputs = _as_tuple(fn(*_as_tuple(inputs)))
    if any(o.is_complex() for o in outputs):
        raise ValueError("Expected output to be non-complex: gradcheck of complex functions is not here")
    if target is None:
        target = inputs
    inp_indices = [i for i, a in enumerate(target) if isinstance(a, Tensor) and a.requires_grad]
    for inp, inp_idx in zip(_iter_tensors(target, True), inp_indices, strict=True):
        jacobians.append(get_numerical_jacobian_wrt_specific_input(fn, inp_idx, inputs, outputs, eps, input=inp))
    return jacobians


def get_numerical_jacobian_wrt_specific_input(fn, input_idx, inputs, outputs, eps, input=None, is_forward_ad=False):
    """The Jacobians of all outputs with respect to one input."""
    jacobian_cols = {}
    input = inputs[input_idx] if input is None else input
    for x, idx, d_idx in _iter_tensor(input):
        element = x[idx]
        checks = functools.partial(_check_outputs_same_dtype_and_shape, idx=idx, eps=eps)
        jvp_fn = _get_numerical_jvp_fn(_with_prepare_inputs(fn, inputs, input_idx, x), element, eps, checks)
        jacobian_cols[d_idx] = jvp_fn(eps)
    return _combine_jacobian_cols(jacobian_cols, outputs, input, input.numel())


def _with_prepare_inputs(fn, inputs, input_idx, input_to_perturb, fast_mode=False):
    def wrapped_fn():
        return tuple(a.clone() for a in _as_tuple(fn(*_as_tuple(inputs))))

    return wrapped_fn


def _get_numerical_jvp_fn(wrapped_fn, input_to_perturb, eps, nbhd_checks_fn):
    def jvp_fn(delta):
        return _compute_numerical_gradient(wrapped_fn, input_to_perturb, delta, eps, nbhd_checks_fn)

    return jvp_fn


def _compute_numerical_gradient(fn, entry, v, norm_v, nbhd_checks_fn):
    """How each output changes when `entry`, one element of an input, is moved a little to both sides."""
    orig = entry.clone()
    entry.copy_(orig - v)
    outa = fn()
    entry.copy_(orig + v)
    outb = fn()
    entry.copy_(orig)

    def compute(a, b):
        nbhd_checks_fn(a, b)
        ret = (b - a) / (2 * norm_v)
        return ret.detach().reshape(-1)

    return tuple(compute(a, b) for a, b in zip(outa, outb, strict=True))


def _check_outputs_same_dtype_and_shape(output1, output2, eps, idx=None):
    on_index = "" if idx is None else f"on index {idx} "
    if output1.shape != output2.shape:
        raise AssertionError(
            f"Expected `func` to return outputs with the same shape when inputs are perturbed {on_index}by {eps}, but "
            f"got: shapes {output1.shape} and {output2.shape}."
        )
    if output1.dtype != output2.dtype:
        raise AssertionError(
            f"Expected `func` to return outputs with the same dtype when inputs are perturbed {on_index}by {eps}, but "
            f"got: dtypes {output1.dtype} and {output2.dtype}."
        )


def _combine_jacobian_cols(jacobians_cols, outputs, input, numel):
    jacobians = _allocate_jacobians_with_outputs(outputs, numel)
    for i, jacobian in enumerate(jacobians):
        for k, v in jacobians_cols.items():
            jacobian[k] = v[i]
    return jacobians


# -- analytical: by backward


def _check_analytical_jacobian_attributes(inputs, output, nondet_tol, check_grad_dtypes, fast_mode=False, v=None):
    """The Jacobians of one output by backward, computed twice and compared."""
    diff_input_list = list(_iter_tensors(inputs, True))

    def vjp_fn(grad_output):
        return _grad(output, diff_input_list, grad_output, retain_graph=True, allow_unused=True)

    vjps1 = _compute_analytical_jacobian_rows(vjp_fn, output.clone())
    vjps2 = _compute_analytical_jacobian_rows(vjp_fn, output.clone())
    jacobians1, sizes_ok, types_ok = _stack_and_check_tensors(vjps1, inputs, output.numel())
    jacobians2, _, _ = _stack_and_check_tensors(vjps2, inputs, output.numel())
    if not types_ok and check_grad_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not sizes_ok:
        raise GradcheckError("Analytical gradient has incorrect size")
    if not _check_jacobians_equal(jacobians1, jacobians2, nondet_tol):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
            "different values, although analytical gradient matches numerical gradient. "
            f"The tolerance for nondeterminism was {nondet_tol}.{FAILED_NONDET_MSG}"
        )
    return jacobians1


def _compute_analytical_jacobian_rows(vjp_fn, sample_output):
    """A backward for each element of the output, with 1 there and 0 elsewhere."""
    grad_out_base = _VariableFunctions.zeros_like(sample_output).contiguous()
    flat_grad_out = grad_out_base.view(-1)
    jacobians_rows = []
    for j in range(flat_grad_out.numel()):
        flat_grad_out.zero_()
        flat_grad_out[j] = 1.0
        grad_inputs = vjp_fn(grad_out_base)
        for i, d_x in enumerate(grad_inputs):
            if j == 0:
                jacobians_rows.append([])
            jacobians_rows[i].append(d_x.clone() if isinstance(d_x, Tensor) else None)
    return jacobians_rows


def _stack_and_check_tensors(list_of_list_of_tensors, inputs, numel_outputs):
    out_jacobians = _allocate_jacobians_with_inputs(inputs, numel_outputs)
    diff_input_list = list(_iter_tensors(inputs, True))
    correct_grad_sizes = correct_grad_types = True
    for i, tensor_list in enumerate(list_of_list_of_tensors):
        inp = diff_input_list[i]
        out_jacobian = out_jacobians[i]
        for j, tensor in enumerate(tensor_list):
            if tensor is None:
                out_jacobian[:, j].zero_()
                continue
            if tensor.size() != inp.size():
                correct_grad_sizes = False
            elif tensor.dtype != inp.dtype:
                correct_grad_types = False
            out_jacobian[:, j] = tensor.reshape(-1)
    return out_jacobians, correct_grad_sizes, correct_grad_types


def _check_jacobians_equal(j1, j2, atol):
    for i1, i2 in zip(j1, j2, strict=True):
        if i1.numel() != 0 and (i1 - i2).abs().max() > atol:  # D2H: the answer is a Python bool
            return False
    return True


# -- the checks


def _check_inputs(tupled_inputs):
    any_input_requiring_grad = False
    for idx, inp in enumerate(tupled_inputs):
        if not isinstance(inp, Tensor) or not inp.requires_grad:
            continue
        any_input_requiring_grad = True
        if inp.dtype not in (float64, complex128):
            warnings.warn(
                f"Input #{idx} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=2,
            )
        if not all(st > 0 or sz <= 1 for st, sz in zip(inp.stride(), inp.size(), strict=True)):
            raise RuntimeError(
                f"The {idx}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous "
                "on the input before passing it to gradcheck."
            )
    if not any_input_requiring_grad:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    return True


def _check_no_differentiable_outputs(func, inputs, func_out, eps, *, is_forward_ad=False):
    """Outputs that claim to depend on nothing must not change."""
    for jacobians_all_outputs_and_fixed_input in _get_numerical_jacobian(func, inputs, func_out, eps=eps):
        for jacobian in jacobians_all_outputs_and_fixed_input:
            if _VariableFunctions.ne(jacobian, 0).sum() > 0:  # D2H: the answer is an error or none
                raise GradcheckError("Numerical gradient for function expected to be zero")
    return True


def _get_notallclose_msg(analytical, numerical, output_idx, input_idx, complex_indices=None, test_imag=False):
    return (
        f"Jacobian mismatch for output {output_idx} with respect to input {input_idx},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def _slow_gradcheck(func, func_out, tupled_inputs, outputs, eps, rtol, atol, check_grad_dtypes, nondet_tol):
    func_out = _as_tuple(func_out)
    if not outputs:
        return _check_no_differentiable_outputs(func, tupled_inputs, func_out, eps=eps)
    numerical = _transpose(_get_numerical_jacobian(func, tupled_inputs, func_out, eps=eps))
    numerical = [nj for o, nj in zip(func_out, numerical, strict=True) if o.requires_grad]
    for i, o in enumerate(outputs):
        analytical = _check_analytical_jacobian_attributes(tupled_inputs, o, nondet_tol, check_grad_dtypes)
        for j, (a, n) in enumerate(zip(analytical, numerical[i], strict=True)):
            if not _allclose_with_type_promotion(a, n.to(a.device), rtol, atol):
                raise GradcheckError(_get_notallclose_msg(a, n, i, j))
    return True


def _allclose_with_type_promotion(a, b, rtol, atol):
    promoted_type = _VariableFunctions.promote_types(a.dtype, b.dtype)
    return _VariableFunctions.allclose(a.to(dtype=promoted_type), b.to(dtype=promoted_type), rtol, atol)


def _test_backward_mul_by_grad_output(outputs, inputs, masked):
    """A gradient of zeros gives zeros, of the inputs' dtypes, devices and shapes."""
    diff_input_list = list(_iter_tensors(inputs, True))
    if not diff_input_list:
        raise GradcheckError("no Tensors requiring grad found in input")
    zeros = [_VariableFunctions.zeros_like(o) for o in outputs]
    # (an input for each gradient; None for those that the outputs do not depend on)
    for gi, di in zip(_grad(outputs, diff_input_list, zeros, allow_unused=True), diff_input_list, strict=True):
        if gi is None:
            continue
        if gi.ne(0).any():
            raise GradcheckError("backward not multiplied by grad_output: zeros have to give zeros")
        _check_same_kind(gi, di)
    return True


def _check_same_kind(gi, di):
    """A gradient looks like its input."""
    for what, of_grad, of_input in (
        ("type", gi.dtype, di.dtype),
        ("device", gi.device, di.device),
        ("size", gi.size(), di.size()),
    ):
        if of_grad != of_input:
            raise GradcheckError(f"grad is incorrect {what}: {of_grad}, the input's is {of_input}")


def _test_undefined_backward_mode(func, outputs, inputs):
    """A gradient that is missing counts as zeros."""
    diff_input_list = list(_iter_tensors(inputs, True))

    def check_undefined_grad_support(output_to_check):
        grads_output = [_VariableFunctions.zeros_like(o) for o in output_to_check]
        try:
            grads_input = _grad(output_to_check, diff_input_list, grads_output, allow_unused=True)
        except RuntimeError as e:
            raise GradcheckError(
                "Expected backward function to handle undefined output grads: gradients that come in may be None"
            ) from e
        for gi in grads_input:
            if gi is not None and not gi.eq(0).all():
                raise GradcheckError(
                    "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
                )
        return True

    undefined = UndefinedGrad()
    outputs_to_check = [[undefined(o) for o in _differentiable_outputs(func(*inputs))]]
    if len(outputs_to_check[0]) > 1:
        for undef_grad_idx in range(len(outputs)):
            again = _differentiable_outputs(func(*inputs))
            outputs_to_check.append([undefined(o) if i == undef_grad_idx else o for i, o in enumerate(again)])
    return all(check_undefined_grad_support(output) for output in outputs_to_check)


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Whether the gradients of `func(*inputs)` agree with differences; GradcheckError (or False) if they do not.

    Inputs should be float64. Upstream: torch/autograd/gradcheck.py.

    >>> from annotated_src import torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, x)
    True
    """
    if check_forward_ad or check_batched_grad or check_batched_forward_grad or not check_backward_ad or fast_mode:
        raise NotImplementedError("only the slow check of backward is here, without forward mode and batches")
    try:
        return _gradcheck_helper(
            func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes, masked
        )
    except GradcheckError:
        if raise_exception:
            raise
        return False


def _gradcheck_helper(func, inputs, eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes, masked):
    tupled_inputs = _as_tuple(inputs)
    _check_inputs(tupled_inputs)
    func_out = func(*tupled_inputs)
    outputs = _differentiable_outputs(func_out)
    _slow_gradcheck(func, func_out, tupled_inputs, outputs, eps, rtol, atol, check_grad_dtypes, nondet_tol)
    if outputs:
        _test_backward_mul_by_grad_output(outputs, tupled_inputs, masked)
    if outputs and check_undefined_grad:
        _test_undefined_backward_mode(func, outputs, tupled_inputs)
    return True


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """gradcheck of the gradients themselves: whether second derivatives are right.

    >>> from annotated_src import torch
    >>> x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, x)
    True
    """
    tupled_inputs = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable_outputs(func(*tupled_inputs))
        # Deviation: upstream draws from torch.testing.make_tensor; any numbers from [-1, 1) do.
        tupled_grad_outputs = tuple((_VariableFunctions.rand_like(x) * 2 - 1).requires_grad_() for x in outputs)
    else:
        tupled_grad_outputs = _as_tuple(grad_outputs)
    num_outputs = len(tupled_grad_outputs)
    diff_input_args_indices = {i for i, x in enumerate(tupled_inputs) if isinstance(x, Tensor) and x.requires_grad}
    diff_grad_output_indices = {i for i, x in enumerate(tupled_grad_outputs) if x.requires_grad}

    def new_func(*args):
        input_args = tuple(
            x.requires_grad_() if i in diff_input_args_indices else x for i, x in enumerate(args[:-num_outputs])
        )
        outputs = _differentiable_outputs(func(*input_args))
        grad_outputs = tuple(
            x.requires_grad_() if i in diff_grad_output_indices else x for i, x in enumerate(args[-num_outputs:])
        )
        diff_input_args = tuple(x for i, x in enumerate(input_args) if i in diff_input_args_indices)
        grad_inputs = _grad(outputs, diff_input_args, grad_outputs, create_graph=True, allow_unused=True)
        return tuple(g for g in grad_inputs if g is not None)

    return gradcheck(
        new_func,
        tupled_inputs + tupled_grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )
