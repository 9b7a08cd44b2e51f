"""Upstream's own samples of its layers (torch.testing._internal.common_modules) over our operators.

The layers themselves come with the chapter on nn.Module. What they call is here: upstream's class runs with our
`torch` and `torch.nn.functional` in place of its own, on the same inputs and parameters, and forward, gradients of the
inputs and gradients of the parameters are compared.
"""

import functools
import types
import warnings

import numpy
import pytest

from tests.oracle import upstream_is_installed

COVERS = ["torch/nn/functional.py"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs upstream's list of samples")

# Layers that call what is not here yet, by the chapter that brings it; or never.
NOT_YET = {
    "norm": (
        "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "InstanceNorm1d", "InstanceNorm2d",
        "InstanceNorm3d", "LayerNorm", "RMSNorm", "LocalResponseNorm",
    ),
    "transformer": (
        "MultiheadAttention", "Transformer", "TransformerDecoderLayer", "TransformerEncoder",
        "TransformerEncoderLayer",
    ),
    "nn.Module: parameters that are made at the first call": (
        "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d",
    ),
    "never: recurrent networks": ("GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCell"),
    "never: neither the chapters nor ordinary models use them": (
        "CTCLoss", "FractionalMaxPool2d", "FractionalMaxPool3d", "LinearCrossEntropyLoss",
    ),
}  # fmt: skip


def samples():
    if not upstream_is_installed():
        return []
    from torch.testing._internal.common_modules import module_db

    left_out = {f"nn.{name}" for names in NOT_YET.values() for name in names}
    return [info for info in module_db if info.name not in left_out]


def test_what_is_left_out_is_in_the_list():
    from torch.testing._internal.common_modules import module_db

    names = [name for names in NOT_YET.values() for name in names]
    assert len(names) == len(set(names))
    assert {f"nn.{name}" for name in names} <= {info.name for info in module_db}
    assert len(samples()) == len(module_db) - len(names)


@pytest.mark.parametrize("training", (True, False), ids=("training", "evaluating"))
@pytest.mark.parametrize("dtype", ("float64", "float32"))
@pytest.mark.parametrize("info", samples(), ids=lambda info: info.name)
def test_layer(info, dtype, training):
    import torch as theirs

    from annotated_src import torch as ours

    theirs.manual_seed(3)
    inputs = info.module_inputs_func(
        info, device="cpu", dtype=getattr(theirs, dtype), requires_grad=True, training=training
    )
    assert inputs
    for sample in inputs:
        if sample.forward_input is None:
            continue
        arguments = sample.constructor_input
        layer = info.module_cls(*arguments.args, **arguments.kwargs).to(getattr(theirs, dtype)).train(training)
        expected = outcome(theirs, layer, dict(layer.named_parameters()), sample.forward_input, lambda value: value)
        shadow, parameters = over_ours(layer, ours)
        convert = functools.partial(converted, ours=ours, seen={})
        found = outcome(ours, shadow.forward, parameters, sample.forward_input, convert)
        compare(found, expected, dtype, sample.desc)


def outcome(torch, forward, parameters, forward_input, convert):
    """The output, and the gradients of all that wants one."""
    args = [convert(value) for value in forward_input.args]
    kwargs = {name: convert(value) for name, value in forward_input.kwargs.items()}
    leaves = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor) and value.requires_grad]
    leaves += list(parameters.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        output = forward(*args, **kwargs)
    outputs = output if isinstance(output, tuple) else (output,)
    numbers = [value for value in outputs if value.requires_grad]
    grads = []
    if numbers and leaves:
        total = sum((value * value).sum() for value in numbers)
        grads = torch.autograd.grad(total, leaves, allow_unused=True)
    return list(outputs), list(grads)


def compare(found, expected, dtype, what):
    tolerance = {"float64": 1e-9, "float32": 2e-4}[dtype]
    for ours, theirs in zip((*found[0], *found[1]), (*expected[0], *expected[1]), strict=True):
        assert (ours is None) == (theirs is None), what
        if ours is not None:
            assert str(ours.dtype) == str(theirs.dtype), what
            ours, theirs = ours.detach().cpu().numpy(), theirs.detach().numpy()
            # (what float32 loses where large numbers cancel)
            largest = max(1.0, abs(theirs[numpy.isfinite(theirs)]).max(initial=0))
            numpy.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=largest * tolerance / 10, err_msg=what)


# -- upstream's class over our torch


def converted(value, ours, seen=None):
    """Upstream's tensor as ours, also within lists; anything else as it is. What is `seen` twice stays one tensor."""
    import torch as theirs

    if isinstance(value, theirs.Tensor):
        seen = {} if seen is None else seen
        if id(value) not in seen:
            seen[id(value)] = ours.tensor(value.detach().numpy(), requires_grad=value.requires_grad)
        return seen[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(converted(item, ours, seen) for item in value)
    return value


def over_ours(layer, ours):
    """(a layer whose methods are upstream's, with our torch in their globals; its parameters by name)."""
    members = {}
    for cls in reversed(type(layer).__mro__):
        # (of nn.Module itself nothing is needed: attributes are plain ones here)
        if cls.__module__.startswith("torch.nn.modules.") and cls.__module__ != "torch.nn.modules.module":
            members.update({name: over_our_globals(member, ours) for name, member in vars(cls).items()})
    for name in ("__dict__", "__weakref__", "__slots__"):
        members.pop(name, None)
    shadow = object.__new__(type(type(layer).__name__, (), members))
    parameters = {name: converted(value, ours) for name, value in layer._parameters.items() if value is not None}
    buffers = {name: converted(value, ours) for name, value in layer._buffers.items()}
    none = {name: None for name, value in layer._parameters.items() if value is None}
    plain = {name: converted(value, ours) for name, value in vars(layer).items() if not name.startswith("_parameters")}
    shadow.__dict__.update({**plain, **none, **buffers, **parameters})
    return shadow, parameters


def over_our_globals(member, ours):
    if isinstance(member, staticmethod):
        return staticmethod(over_our_globals(member.__func__, ours))
    if not isinstance(member, types.FunctionType):
        return member
    names = {**member.__globals__, "F": ours.nn.functional, "torch": ours, "Tensor": ours.Tensor}
    return types.FunctionType(member.__code__, names, member.__name__, member.__defaults__, member.__closure__)
