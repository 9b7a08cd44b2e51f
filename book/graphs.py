"""Pictures of what a run leaves behind: the autograd graph of a tensor, and the storage that tensors share.

    autograd_graph(loss, {"w": w, "x": x})     nodes and edges as `grad_fn` and `next_functions` give them
    storage_picture({"x": x, "row": x[1]})     one stretch of memory, and who looks at which part of it
    visits(trace)                              the nodes that a recorded backward visited, with their gradients
    step_picture(trace, backward)              a training step: data, operators, loss, gradients, update
"""

import itertools

import graphviz

from annotated_src.walkthrough.drawing import EDGE, GRAPH, NODE, Drawing
from annotated_src.walkthrough.player import end_of_call
from annotated_src.walkthrough.words import word


def _digraph(**attributes):
    return graphviz.Digraph(graph_attr={**GRAPH, **attributes}, node_attr=NODE, edge_attr=EDGE)


def autograd_graph(result, names):
    """The graph behind `result`. Edges are the way the gradient goes; leaves are called by their `names`."""
    graph = _digraph(rankdir="TB")
    leaves = {id(tensor): name for name, tensor in names.items()}
    numbers, lines = {}, []
    waiting = [result.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in numbers:
            continue
        numbers[node] = f"n{len(numbers)}"
        graph.node(numbers[node], _label(node, leaves))
        waiting.extend(following for following, _ in node.next_functions if following is not None)
    for node, name in numbers.items():
        for following, _ in node.next_functions:
            if following is not None:
                graph.edge(name, numbers[following])
                lines.append(f"{_label(node, leaves)} -> {_label(following, leaves)}".replace("\n", " "))
    return Drawing(graph.source, word("The graph behind a result"), "\n".join(lines))


def _label(node, leaves):
    name = node.name().rpartition("::")[2]
    leaf = getattr(node, "variable", None)
    if leaf is None:
        return name
    return f"AccumulateGrad\n{leaves.get(id(leaf), '?')}.grad"


def storage_picture(tensors):
    """The memory of the first tensor, and each tensor as a box that points to its first element."""
    graph = _digraph(rankdir="LR")
    first = next(iter(tensors.values()))
    values = first.new_empty(0).set_(first.untyped_storage(), 0, (_elements(first),), (1,)).tolist()
    cells = "|".join(f"<c{position}> {value:g}" for position, value in enumerate(values))
    graph.node("storage", cells, shape="record", style="filled")
    lines = [f"storage: {values}"]
    for number, (name, tensor) in enumerate(tensors.items()):
        about = f"shape {list(tensor.shape)}\nstride {tensor.stride()}\noffset {tensor.storage_offset()}"
        about += f"\n{_cells(tensor)}"
        graph.node(f"t{number}", f"{name}\n{about}")
        graph.edge(f"t{number}", f"storage:c{tensor.storage_offset()}")
        lines.append(f"{name}: {about}".replace("\n", ", "))
    return Drawing(graph.source, word("Who looks at which part of the memory"), "\n".join(lines))


def _cells(tensor):
    """The places in the storage, in the order of the tensor's elements."""
    steps = [range(0, size * stride, stride) for size, stride in zip(tensor.shape, tensor.stride(), strict=True)]
    places = [tensor.storage_offset() + sum(place) for place in itertools.product(*steps)]
    return f"cells {' '.join(map(str, places))}"


def _elements(tensor):
    return tensor.untyped_storage().nbytes() // tensor.element_size()


def visits(trace):
    """The nodes that the engine visited: [(name, what it got, what it gave)], from a recording at "kernels"."""
    found = []
    for index, event in enumerate(trace):
        if event.kind == "call" and event.qualname == "Engine.call_function":
            name = trace.locals(index)["node"].strip("<>")
            end = end_of_call(trace, index)
            found.append((name, _arrived(trace, index, end), _inside(trace[end].value)))
    return [row for row in found if row[0] != "GraphRoot"]


def _arrived(trace, begin, end):
    """What the node's `apply` was called with."""
    applied = next(i for i in range(begin, end) if trace[i].kind == "call" and trace[i].qualname.endswith(".apply"))
    given = {name: text for name, text in trace.locals(applied).items() if name not in ("self", "cls")}
    return _inside(next(iter(given.values())))


def _inside(text):
    """The gradients in a list, a tuple of one, or alone."""
    return text[1:-1].removesuffix(",") if text[0] in "[(" else text


def step_picture(trace, backward):
    """A training step as five boxes: the batch, the operators, the loss, the nodes that backward visits, the update.

    `trace` is recorded at "ops", `backward` the same step at "kernels".
    """
    boxes = {
        word("data"): [call.qualname for call in _calls_of(trace, "take_batch") if "DataLoader" in call.qualname],
        word("operators"): _operators(trace, "compute_scores"),
        word("loss"): _operators(trace, "compute_loss"),
        word("gradients"): [_with_shape(name, arrived) for name, arrived, _ in visits(backward)],
        word("update"): _operators(trace, "update"),
    }
    graph = _digraph(rankdir="LR", ranksep="0.3", nodesep="0.12", compound="true")
    for number, (title, steps) in enumerate(boxes.items()):
        with graph.subgraph(name=f"cluster_{number}") as box:
            box.attr(label=title, style="rounded")
            # The first is drawn on top: graphviz fills a column from below.
            for position in reversed(range(len(steps))):
                box.node(f"s{number}_{position}", steps[position])
        for position in range(1, len(steps)):
            graph.edge(f"s{number}_{position - 1}", f"s{number}_{position}", constraint="false")
        if number:
            graph.edge(f"s{number - 1}_0", f"s{number}_0", ltail=f"cluster_{number - 1}", lhead=f"cluster_{number}")
    return Drawing(graph.source, word("One training step"), "\n".join(f"{t}: {', '.join(s)}" for t, s in boxes.items()))


def _calls_of(trace, function):
    """What the first call of this function of the scenario called itself."""
    (main,) = [call for call in trace.calls() if call.qualname == "main"]
    return next(call for call in main.children if call.qualname == function).children


def _operators(trace, function):
    """The operators among them, each with the shape of its result; of a number, its value."""
    return [f"{call.label}\n{_shape(call.value)}" for call in _calls_of(trace, function) if call.label]


def _with_shape(name, gradient):
    # (of numbers a recording tells the values only up to some length)
    return name if gradient.startswith("tuple") else f"{name}\n{_shape(gradient)}"


def _shape(text):
    return text if "[]" in text else text.partition(" cpu")[0]
