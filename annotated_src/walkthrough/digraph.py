"""digraph: who called whom in a recording, as a graph.

A node is a function, a box around nodes is a file, an edge is a call. Edges are numbered in the order in which these
calls were first made; `3 x7` was the third, and was made seven times. A generator that goes on is no new call.
"""

from annotated_src.walkthrough.drawing import ACCENT, EDGE, GRAPH, INK, NODE, Drawing
from annotated_src.walkthrough.trace import names
from annotated_src.walkthrough.words import word


def call_graph(trace, only=None, depth=None, link=None, title=None, direction="TB", boxes=True):
    """The Drawing of `trace`'s calls.

    only        a glob or several, of files or functions: other functions vanish, their calls stay
    depth       how many levels of calls are followed
    link        link(path, qualname) -> the URL of a function's page, or None
    direction   "TB" (top to bottom) or "LR" (left to right)
    boxes       draw files as boxes; without them, the file stands below the function's name
    """
    if isinstance(only, str):
        only = [only]
    nodes = {}
    edges = {}
    for call in trace.calls():
        _collect(call, None, only, depth, nodes, edges)
    dot = _dot(nodes, edges, link, direction, boxes)
    return Drawing(dot, title or word("Who called whom"), _outline(edges, nodes))


def _collect(call, caller, only, depth, nodes, edges):
    """Note `call` as a node and the way to it as an edge; then what it called."""
    if depth == 0:
        return
    if only is not None and not any(names(glob, call.event) or names(f"{glob}::*", call.event) for glob in only):
        for child in call.children:
            _collect(child, caller, only, depth, nodes, edges)
        return
    # An operator is one node, from whatever function it was entered.
    node = ("", call.label) if call.label is not None else (call.path, call.qualname)
    nodes.setdefault(node, call)
    if caller is not None and not call.resumed:
        edges[caller, node] = edges.get((caller, node), 0) + 1
    for child in call.children:
        _collect(child, node, only, None if depth is None else depth - 1, nodes, edges)


def _dot(nodes, edges, link, direction, boxes):
    import graphviz

    graph = graphviz.Digraph(graph_attr={**GRAPH, "rankdir": direction}, node_attr=NODE, edge_attr=EDGE)
    number = {node: f"n{i}" for i, node in enumerate(nodes)}
    for file, members in _by_file(nodes).items():
        if file and boxes:
            with graph.subgraph(name=f"cluster_{file}") as box:
                # Most edges come in at the middle of a box: its title stands at the left.
                box.attr(label=file, labeljust="l", margin="14", style="rounded")
                _draw_nodes(box, members, number, link, with_file=False)
        else:
            _draw_nodes(graph, members, number, link, with_file=bool(file))
    for order, ((caller, callee), times) in enumerate(edges.items(), start=1):
        graph.edge(number[caller], number[callee], label=f" {order}{_times(times)}")
    return graph


def _draw_nodes(graph, members, number, link, with_file):
    import graphviz

    for path, name in members:
        url = link(path, name) if link is not None and path else None
        attributes = {}
        if url:
            attributes.update(URL=url, target="_top", fontcolor=ACCENT, tooltip=f"{name}, {path}")
        if not path:
            attributes.update(shape="none", style="", margin="0.08,0.04", fontcolor=INK)
        label = graphviz.escape(name)
        if with_file:
            label = f'<{_html(name)}<br/><font point-size="9">{_html(path)}</font>>'
        graph.node(number[path, name], label=label, **attributes)


def _by_file(nodes):
    files = {}
    for node in nodes:
        files.setdefault(node[0], []).append(node)
    return files


def _outline(edges, nodes):
    """The graph in words: a line an edge."""
    lines = [
        f"{order}. {caller[1]} -> {callee[1]}{_times(times)}"
        for order, ((caller, callee), times) in enumerate(edges.items(), start=1)
    ]
    if not lines:
        lines = [name for _, name in nodes]
    return "\n".join(lines)


def _times(times):
    return f" x{times}" if times > 1 else ""


def _html(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
