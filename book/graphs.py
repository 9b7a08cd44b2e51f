"""Pictures of what a run leaves behind: the autograd graph of a tensor, and the storage that tensors share.

    autograd_graph(loss, {"w": w, "x": x})     nodes and edges as `grad_fn` and `next_functions` give them
    storage_picture({"x": x, "row": x[1]})     one stretch of memory, and who looks at which part of it
"""

import graphviz

from annotated_src.walkthrough.drawing import EDGE, GRAPH, NODE, Drawing
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
    for name, tensor in tensors.items():
        about = f"shape {list(tensor.shape)}\nstride {tensor.stride()}\noffset {tensor.storage_offset()}"
        graph.node(name, f"{name}\n{about}")
        graph.edge(name, f"storage:c{tensor.storage_offset()}")
        lines.append(f"{name}: {about}".replace("\n", ", "))
    return Drawing(graph.source, word("Who looks at which part of the memory"), "\n".join(lines))


def _elements(tensor):
    return tensor.untyped_storage().nbytes() // tensor.element_size()
