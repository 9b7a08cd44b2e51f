"""Our operators' schemas are upstream's, to the letter, and filed under the keys that upstream files them under."""

import re

import pytest

from tests.oracle import upstream_is_installed

COVERS = ["native_functions.yaml"]

pytestmark = pytest.mark.skipif(not upstream_is_installed(), reason="needs the real torch")


def ours():
    from annotated_src import torch  # noqa: F401  (defines the operators)
    from annotated_src.aten.core.dispatch.dispatcher import singleton

    for name, overloads in singleton.operators.items():
        if name.startswith("aten::"):
            for overload_name, entry in overloads.items():
                yield name.removeprefix("aten::"), overload_name or "default", entry


def upstream(name, overload_name):
    import torch

    packet = getattr(torch.ops.aten, name, None)
    return getattr(packet, overload_name, None)


def normal(text):
    """The schema with its defaults written in one way: upstream prints 10. for 10.0, and numbers for names."""
    text = text.removeprefix("aten::").replace("'", '"')
    for name, number in (("contiguous_format", "0"), ("long", "4"), ("Mean", "1")):
        text = text.replace(f"={name}", f"={number}")
    return re.sub(r"=(-?[0-9][0-9.]*(?:e-?[0-9]+)?)", lambda match: f"={float(match[1])!r}", text)


def test_each_schema_is_upstreams():
    wrong = []
    for name, overload_name, entry in ours():
        theirs = upstream(name, overload_name)
        if theirs is None:
            wrong.append(f"upstream has no aten::{name}.{overload_name}")
        elif normal(str(theirs._schema)) != normal(entry.schema_text):
            wrong.append(f"ours   {normal(entry.schema_text)}\nupstream {normal(str(theirs._schema))}")
    assert not wrong, "\n".join(wrong)


def test_composite_operators_are_those_of_upstream():
    import torch

    wrong = []
    for name, overload_name, entry in ours():
        theirs = upstream(name, overload_name)
        if theirs is None:
            continue
        implicit = torch._C.DispatchKey.CompositeImplicitAutograd
        upstream_is_composite = torch._C._dispatch_has_kernel_for_dispatch_key(theirs.name(), implicit)
        if upstream_is_composite != ("CompositeImplicitAutograd" in entry.kernels):
            wrong.append(f"{theirs.name()}: composite upstream: {upstream_is_composite}")
    assert not wrong, "\n".join(wrong)
