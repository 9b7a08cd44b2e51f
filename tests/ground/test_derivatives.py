"""Gradients, second derivatives and the names of nodes, operator by operator, beside upstream's."""

import re
from pathlib import Path

import pytest

from tests.ground.gradient_cases import cases
from tests.oracle import upstream_is_installed

COVERS = [
    "tools/autograd/derivatives.yaml",
    "torch/csrc/autograd/FunctionsManual.cpp",
    "aten/src/ATen/native/UnfoldBackward.cpp",
]

CASES = {case.name: case for case in cases()}


def leaves(torch, case, shapes, dtype, layout):
    """The inputs: floating leaves; the elements of `strided` ones do not lie one behind the other.

    `expanded`: the first input repeats one element along a dimension, without memory of its own for the others.
    """
    made = []
    for shape in shapes:
        if layout == "strided":
            values = torch.rand((*reversed(shape), 2), dtype=torch.float64)[..., 0]
            values = values.permute(list(reversed(range(len(shape)))))
        else:
            values = torch.rand(shape, dtype=torch.float64)
        values = (values * (case.high - case.low) + case.low).to(dtype)
        if layout == "expanded" and not made:
            dim = next(dim for dim, size in enumerate(shape) if size > 1)
            values = values.narrow(dim, 0, 1).expand(shape)
        made.append(values.detach().requires_grad_())
    return made


def flattened(result):
    """The floating outputs of an operator."""
    outputs = result if isinstance(result, (tuple, list)) else [result]
    return [output for output in outputs if output.requires_grad]


def weighted(torch, tensors):
    """One number out of several tensors, to which every element counts differently, and not linearly."""
    total = 0
    for tensor in tensors:
        weights = torch.arange(1, tensor.numel() + 1, dtype=torch.float64).reshape(tensor.shape).to(tensor.dtype)
        total = total + (tensor * tensor * (weights / 3).cos()).sum()
    return total


def derivatives(torch, case, shapes, dtype, layout="contiguous"):
    torch.manual_seed(5)
    inputs = leaves(torch, case, shapes, dtype, layout)
    outputs = flattened(case.expression(torch, *inputs))
    names = [node_name(output.grad_fn) for output in outputs]
    grads = torch.autograd.grad(weighted(torch, outputs), inputs, create_graph=True, allow_unused=True)
    again = [grad for grad in grads if grad is not None and grad.requires_grad]
    second = None
    if again and case.second:
        second = torch.autograd.grad(weighted(torch, again), inputs, allow_unused=True)
        second = [_copied(grad) for grad in second]
    return names, [_copied(output) for output in outputs], [_copied(grad) for grad in grads], second


def _copied(tensor):
    """Without its history; upstream has zeros without memory, of which the clone has some."""
    return None if tensor is None else tensor.detach().clone()


def run(case, shapes, dtype, layout):
    """A case for the oracle."""

    def differentiate(torch):
        return derivatives(torch, case, shapes, getattr(torch, dtype), layout)

    return differentiate


@pytest.mark.parametrize("name", CASES)
def test_gradients(oracle, name):
    case = CASES[name]
    for shapes in case.shapes:
        oracle.same(run(case, shapes, "float64", "contiguous"), rtol=1e-7, atol=1e-10)
    oracle.same(run(case, case.shapes[0], "float32", "contiguous"), rtol=1e-4, atol=1e-4)
    oracle.same(run(case, case.shapes[0], "float64", "strided"), rtol=1e-7, atol=1e-10)


# In float16 and bfloat16 nearly all results are equal bit for bit; the rest in a few units of the last place.
HALVES = {"float16": 2**-10, "bfloat16": 2**-7}

# Sums of many products or repetitions, in another order than upstream's.
LOOSE = {"conv2d", "reflection_3d"}


def in_half(case, dtype):
    """Results and gradients, as float32; the outputs' own gradients are small numbers."""

    def differentiate(torch):
        torch.manual_seed(5)
        inputs = leaves(torch, case, case.shapes[0], getattr(torch, dtype), "contiguous")
        outputs = flattened(case.expression(torch, *inputs))
        counts = [torch.arange(1, output.numel() + 1, dtype=torch.float64).reshape(output.shape) for output in outputs]
        weights = [(count / 3).cos().to(output.dtype) for count, output in zip(counts, outputs, strict=True)]
        grads = torch.autograd.grad(outputs, inputs, weights, allow_unused=True)
        return [None if result is None else result.detach().float() for result in (*outputs, *grads)]

    return differentiate


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", CASES)
def test_half_precision(oracle, name, dtype):
    unit = HALVES[dtype]
    oracle.same(in_half(CASES[name], dtype), rtol=4 * unit, atol=unit / 2)


# What a node keeps otherwise than upstream's, with the reason.
OTHERWISE = {
    # A number stays a number; upstream's Python face has made a 0-d tensor of it.
    "other": "a number",
    # var() calls var.correction with 1, upstream with None.
    "correction": "1 for None",
    # x[a:] calls slice with None for the end, upstream with the greatest integer.
    "start": "None for 0",
    "end": "None for the greatest integer",
    # A `bool?` is not shown upstream.
    "train": "shown",
}


def graph(torch, case):
    """Nodes, where their edges lead, and what they keep."""
    torch.manual_seed(5)
    result = case.expression(torch, *leaves(torch, case, case.shapes[0], torch.float64, "contiguous"))
    found = []
    for output in flattened(result):
        node = output.grad_fn
        edges = [(node_name(function), number) for function, number in node.next_functions]
        saved = {name: kept(getattr(node, name)) for name in dir(node) if name.startswith("_saved_")}
        found.append((node_name(node), edges, {k: v for k, v in saved.items() if k[7:] not in OTHERWISE}))
    return found


def node_name(node):
    """The node's name; what C++ calls with a number is not told from what Python does (see pointwise.py)."""
    name = type(node).__name__
    return f"{name[:-1]}0" if name in ("AddBackward1", "SubBackward1", "MulBackward1", "DivBackward1") else name


def kept(value):
    """A saved value; of a tensor, its shape."""
    if hasattr(value, "shape"):
        return ["tensor", *value.shape]
    return [kept(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", CASES)
def test_graph(oracle, name):
    def case(torch):
        return graph(torch, CASES[name])

    oracle.same(case)


# -- completeness

needs_upstream = pytest.mark.skipif(not upstream_is_installed(), reason="needs upstream's derivatives.yaml")


def upstream_formulas():
    """{operator: whether upstream differentiates it} from upstream's own list."""
    import torch

    file = Path(torch.__file__).parent.parent / "torchgen" / "packaged" / "autograd" / "derivatives.yaml"
    entries = re.split(r"^- name: ", file.read_text(), flags=re.MULTILINE)[1:]
    formulas = {}
    for entry in entries:
        body = re.sub(r"^\s*#.*$", "", entry.partition("\n")[2], flags=re.MULTILINE)
        pairs = re.findall(r"^ +(\w[\w, ]*): *(\S+)", body, flags=re.MULTILINE)
        inputs = [key for key, value in pairs if key not in NO_INPUT and value != "non_differentiable"]
        formulas[entry.partition("(")[0]] = bool(inputs) and "output_differentiability: [False]" not in body
    return formulas


NO_INPUT = ("result", "output_differentiability", "dispatch", "Default", "AutogradNestedTensor", "AutogradCUDA")

# Upstream's operators that exist here with a formula under another name, or without one, and why.
WITHOUT = {
    "_convolution": "called by convolution, below Autograd: its node is convolution's",
    "mkldnn_convolution": "called by convolution, below Autograd: its node is convolution's",
    "_embedding_bag_backward": "upstream's formula says that it is not implemented",
    "_embedding_bag_dense_backward": "upstream's formula says that it is not implemented",
    "embedding_renorm_": "upstream's formula says that it is not implemented",
    "_coalesce": "sparse tensors carry gradients here, but no graph",
    "_to_dense": "sparse tensors carry gradients here, but no graph",
    "sparse_mask": "sparse tensors carry gradients here, but no graph",
    "_sparse_coo_tensor_with_dims_and_tensors": "sparse tensors carry gradients here, but no graph",
    "values": "sparse tensors carry gradients here, but no graph",
    "_pin_memory": "memory for copies to a card, which nothing here computes with",
}


@needs_upstream
def test_every_operator_that_upstream_differentiates_has_a_formula():
    from annotated_src import torch  # noqa: F401  (defines the operators)
    from annotated_src.aten.core.dispatch.dispatcher import singleton
    from annotated_src.torch.csrc.autograd.derivatives import formulas

    known = formulas()
    missing = []
    for operator, differentiated in upstream_formulas().items():
        name, _, overload = operator.partition(".")
        entry = singleton.find_schema(f"aten::{name}", overload)
        if entry is None or not differentiated or "CompositeImplicitAutograd" in entry.kernels:
            continue
        if f"aten::{operator}" not in known and operator not in WITHOUT:
            missing.append(operator)
    assert not missing


@needs_upstream
def test_nothing_is_differentiated_that_upstream_does_not():
    from annotated_src.torch.csrc.autograd.derivatives import formulas

    theirs = upstream_formulas()
    more = []
    for full_name in formulas():
        name = full_name.removeprefix("aten::")
        functional = re.sub(r"_(\.|$)", r"\1", name, count=1)
        if not any(theirs.get(candidate) for candidate in candidates(name, functional)):
            more.append(name)
    assert not more


def candidates(name, functional):
    """Under which names upstream's list may have a formula: in place as not, and pow_.Scalar as pow.Tensor_Scalar."""
    base, _, overload = functional.partition(".")
    return name, functional, f"{base}.Tensor_{overload}" if overload else f"{base}.Tensor"


def test_every_formula_is_tested():
    """Each node class of the families tested here turns up in some case's graph."""
    from annotated_src import torch
    from annotated_src.torch.csrc.autograd import derivatives as package

    families = (package.pointwise, package.reduction, package.shape, package.indexing, package.linear_algebra)
    assert node_names(families) - names_in_graphs(torch, CASES.values()) == NOT_IN_CASES


# No formula to test (the next test), complex numbers, torch.tensor()'s last step, whose input is never a leaf, and
# what needs a card (tests/gpu).
NOT_IN_CASES = {
    "LiftFreshBackward0", "PinMemoryBackward0", "Unique2Backward0", "UniqueConsecutiveBackward0", "UniqueDimBackward0",
    "ViewAsRealBackward0",
}  # fmt: skip


@pytest.mark.parametrize("name", ["unique", "unique_consecutive", "unique_dim"])
def test_no_derivative(oracle, name):
    def case(torch):
        x = torch.ones(2, 3, requires_grad=True)
        y = x.unique(dim=0) if name == "unique_dim" else getattr(x, name)()
        return y.sum().backward()

    oracle.same_error(case, "is not implemented")


def names_in_graphs(torch, tested_cases):
    """The names of all nodes in the cases' graphs and in those of their gradients."""
    names = set()
    for case in tested_cases:
        torch.manual_seed(5)
        inputs = leaves(torch, case, case.shapes[0], torch.float64, "contiguous")
        outputs = flattened(case.expression(torch, *inputs))
        grads = torch.autograd.grad(weighted(torch, outputs), inputs, create_graph=True, allow_unused=True)
        for tensor in (*outputs, *grads):
            if tensor is not None:
                collect_names(tensor.grad_fn, names)
    return names


def node_names(families):
    """The names of the node classes of these modules."""
    classes = {value for family in families for value in vars(family).values() if isinstance(value, type)}
    return {value.__name__ for value in classes if vars(value).get("operators")}


def collect_names(node, names):
    waiting, seen = [node], set()
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            names.add(type(node).__name__)
            waiting.extend(function for function, _ in node.next_functions)
