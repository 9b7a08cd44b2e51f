"""compare: the calls of two recordings beside each other, ours and upstream's.

    comparison = ours.compare(theirs, left_out=rows, ours_only=["aten/*", "c10/*"])
    comparison.share    0.97: that part of upstream's calls is made here, in the same order and by the same callers
    comparison.missing, comparison.extra, comparison.excused

How: both call trees are stripped of what is not compared; then the roots are aligned, and the calls below each
pair that was aligned, and so on. Siblings are aligned so that as many calls as possible, with all that hangs below
them, find their partner in order (the longest common subsequence, weighed by subtree).

What is not compared vanishes, and what it called hangs from its caller:
    functions of ours in files that upstream has no Python for (`ours_only`)
    functions on the left-out list; what they call need not be here either, but counts when it is
    lambdas and generator expressions: how a loop is written is nobody's business
    operators: upstream's are C++, and are compared elsewhere
A generator that goes on has its place in the tree, but is not counted: it is no call.
"""

from fnmatch import fnmatchcase
from html import escape

from annotated_src.walkthrough.words import word

_WAYS_TO_WRITE = ("<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
# Beyond so many pairs of siblings, the alignment that is quick is taken for the one that is best.
_MANY = 250_000


class LeftOut:
    """A row of the left-out list: functions (globs) that need not be called here, and why."""

    def __init__(self, path, qualname, reason):
        self.path = path
        self.qualname = qualname
        self.reason = reason

    def matches(self, call):
        return fnmatchcase(call.path, self.path) and fnmatchcase(call.qualname, self.qualname)


class Node:
    """A call that is compared. `kind` is a small number, equal for subtrees that are equal."""

    __slots__ = ("key", "children", "kind", "weight", "excused", "counts")

    def __init__(self, call, children, excused):
        self.key = (call.path, call.qualname, call.resumed)
        self.children = children
        self.excused = excused
        self.counts = not call.resumed
        self.kind = None
        self.weight = (2 if self.counts else 1) + sum(child.weight for child in children)

    @property
    def name(self):
        return f"{self.key[1]} ({word('goes on')})" if self.key[2] else self.key[1]

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


class Row:
    """A line of the comparison: a call of ours, of theirs, or both."""

    __slots__ = ("status", "node", "level", "times")

    def __init__(self, status, node, level, times):
        self.status = status  # "same", "missing", "extra" or "excused"
        self.node = node
        self.level = level
        self.times = times


class Comparison:
    """The calls of `ours` beside those of `theirs`.

    only        a glob or several of files: calls into other files are not compared
    ours_only   globs of files that upstream has in C++: calls of ours there are not compared
    left_out    LeftOut rows, or (path glob, qualname glob, reason)

    found, total      how many of upstream's calls were found, of how many that are not excused
    share             found / total
    missing           [(path, qualname)] of upstream's calls that are not made here
    extra             [(path, qualname)] of our calls that upstream does not make
    excused           [(path, qualname, reason)] of upstream's calls that the left-out list takes out
    """

    def __init__(self, ours, theirs, only=None, ours_only=(), left_out=()):
        self.left_out = [row if isinstance(row, LeftOut) else LeftOut(*row) for row in left_out]
        self.only = [only] if isinstance(only, str) else only
        self.excused = []
        # Ours first: what the left-out list takes out there is not counted.
        our_roots = self._nodes(ours.calls(), ours_only)
        self.excused = []
        their_roots = self._nodes(theirs.calls(), ())
        _number_kinds([*our_roots, *their_roots])
        self._aligner = _Aligner()
        self.missing = []
        self.extra = []
        self.found = 0
        # (status, node, children) of the aligned tree.
        self.pairs = self._align(our_roots, their_roots)
        self.total = self.found + len(self.missing)

    @property
    def share(self):
        """Found of total; 1 where there was nothing to find."""
        return self.found / self.total if self.total else 1.0

    @property
    def excused_share(self):
        """How much of upstream's calls the left-out list takes out."""
        everything = self.total + len(self.excused)
        return len(self.excused) / everything if everything else 0.0

    # What is compared.

    def _nodes(self, calls, not_compared, below=None):
        """Nodes of `calls`; `below` is the LeftOut row under which they hang, if any."""
        nodes = []
        for call in calls:
            if call.event.kind == "op" or call.label is not None:
                continue
            row = next((row for row in self.left_out if row.matches(call)), None)
            if row is not None:
                if not call.resumed:
                    self.excused.append((call.path, call.qualname, row.reason))
                nodes.extend(self._nodes(call.children, not_compared, row))
            elif self._vanishes(call, not_compared):
                nodes.extend(self._nodes(call.children, not_compared, below))
            else:
                # Below a call that is left out, a call is excused if it turns out not to be made here.
                children = self._nodes(call.children, not_compared, below)
                nodes.append(Node(call, children, below))
        return nodes

    def _vanishes(self, call, not_compared):
        if call.qualname.endswith(_WAYS_TO_WRITE):
            return True
        if any(fnmatchcase(call.path, glob) for glob in not_compared):
            return True
        return self.only is not None and not any(fnmatchcase(call.path, glob) for glob in self.only)

    # Alignment.

    def _align(self, ours, theirs):
        pairs = []
        for our, their in self._aligner.alignment(ours, theirs):
            if our is None:
                pairs.append(self._alone(their, "missing"))
            elif their is None:
                pairs.append(self._alone(our, "extra"))
            else:
                self.found += their.counts
                pairs.append(("same", their, self._align(our.children, their.children)))
        return pairs

    def _alone(self, node, status):
        """Count a call without a partner, and all below it."""
        path, qualname, _ = node.key
        if status == "missing" and node.excused is not None:
            status_here = "excused"
            if node.counts:
                self.excused.append((path, qualname, node.excused.reason))
        else:
            status_here = status
            if node.counts:
                (self.missing if status == "missing" else self.extra).append((path, qualname))
        return (status_here, node, [self._alone(child, status) for child in node.children])

    # As text and as a table.

    def rows(self):
        """The aligned calls, a Row each; runs of equal ones once."""
        rows = []
        _collect_rows(self.pairs, 0, rows)
        return rows

    def summary(self):
        """One sentence."""
        return (
            f"{self.found} of {self.total} calls found ({100 * self.share:.1f} %), "
            f"{len(self.missing)} missing, {len(self.extra)} extra, {len(self.excused)} left out"
        )

    def __str__(self):
        signs = {"same": " ", "missing": "-", "extra": "+", "excused": "o"}
        lines = [f"{signs[row.status]} {'  ' * row.level}{row.node.name}{_times(row)}" for row in self.rows()]
        return "\n".join([self.summary(), *lines])

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        head = "".join(f'<th scope="col">{escape(word(title))}</th>' for title in ("here", "upstream", "file"))
        body = "".join(_table_row(row) for row in self.rows())
        return (
            f'<div class="comparison" tabindex="0" style="overflow-x: auto"><table>'
            f"<caption>{escape(self.summary())}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": str(self)}


class _Aligner:
    """Finds the best alignment of two lists of siblings."""

    def __init__(self):
        self._scores = {}  # (kind, kind) -> how much of the two subtrees can be aligned

    def alignment(self, ours, theirs):
        """Pairs (ours, theirs) in order; None where a call has no partner."""
        # Equal beginnings and ends are most of two similar recordings.
        start = 0
        while start < min(len(ours), len(theirs)) and ours[start].kind == theirs[start].kind:
            start += 1
        end = 0
        while end < min(len(ours), len(theirs)) - start and ours[-1 - end].kind == theirs[-1 - end].kind:
            end += 1
        pairs = list(zip(ours[:start], theirs[:start], strict=True))
        our_middle = ours[start : len(ours) - end]
        their_middle = theirs[start : len(theirs) - end]
        pairs += self._align_middle(our_middle, their_middle)
        pairs += zip(ours[len(ours) - end :], theirs[len(theirs) - end :], strict=True)
        return pairs

    def _align_middle(self, ours, theirs):
        if len(ours) * len(theirs) > _MANY:
            return _align_by_key(ours, theirs)
        best = self._table(ours, theirs)
        pairs = []
        i = j = 0
        while i < len(ours) and j < len(theirs):
            score = self.score(ours[i], theirs[j])
            if score and best[i][j] == score + best[i + 1][j + 1]:
                pairs.append((ours[i], theirs[j]))
                i, j = i + 1, j + 1
            elif best[i][j] == best[i][j + 1]:
                pairs.append((None, theirs[j]))
                j += 1
            else:
                pairs.append((ours[i], None))
                i += 1
        pairs += [(our, None) for our in ours[i:]]
        pairs += [(None, their) for their in theirs[j:]]
        return pairs

    def _table(self, ours, theirs):
        """best[i][j]: how much of ours[i:] and theirs[j:] can be aligned."""
        best = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
        for i in range(len(ours) - 1, -1, -1):
            for j in range(len(theirs) - 1, -1, -1):
                score = self.score(ours[i], theirs[j])
                together = score + best[i + 1][j + 1] if score else 0
                best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
        return best

    def score(self, our, their):
        """How much of two subtrees can be aligned; 0 if they are calls of different functions."""
        if our.key != their.key:
            return 0
        if our.kind == their.kind:
            return our.weight
        pair = (our.kind, their.kind)
        if pair not in self._scores:
            own = 2 if our.counts else 1
            aligned = self.alignment(our.children, their.children)
            below = sum(self.score(a, b) for a, b in aligned if a is not None and b is not None)
            self._scores[pair] = own + below
        return self._scores[pair]


def _align_by_key(ours, theirs):
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, [node.key for node in ours], [node.key for node in theirs], autojunk=False)
    pairs = []
    i = j = 0
    for block in matcher.get_matching_blocks():
        pairs += [(our, None) for our in ours[i : block.a]]
        pairs += [(None, their) for their in theirs[j : block.b]]
        i, j = block.a + block.size, block.b + block.size
        pairs += zip(ours[block.a : i], theirs[block.b : j], strict=True)
    return pairs


def _number_kinds(nodes):
    """Give equal subtrees the same small number, so that comparing them costs nothing."""
    numbers = {}

    def number(node):
        for child in node.children:
            number(child)
        whole = (node.key, tuple(child.kind for child in node.children))
        node.kind = numbers.setdefault(whole, len(numbers))

    for node in nodes:
        number(node)


def _collect_rows(pairs, level, rows):
    runs = []
    for pair in pairs:
        shape = _shape(pair)
        if runs and runs[-1][0] == shape:
            runs[-1][2] += 1
        else:
            runs.append([shape, pair, 1])
    for _, (status, node, children), times in runs:
        rows.append(Row(status, node, level, times))
        _collect_rows(children, level + 1, rows)


def _shape(pair):
    status, node, children = pair
    return (status, node.key, tuple(_shape(child) for child in children))


def _times(row):
    return f" x{row.times}" if row.times > 1 else ""


def _table_row(row):
    name = f"{'&nbsp;&nbsp;' * row.level}{escape(row.node.name)}{_times(row)}"
    nothing = f'<span class="comparison-none">{escape(word("left out" if row.status == "excused" else "none"))}</span>'
    here = name if row.status in ("same", "extra") else nothing
    there = name if row.status != "extra" else nothing
    return (
        f'<tr class="comparison-{row.status}"><td>{here}</td><td>{there}</td>'
        f"<td><small>{escape(row.node.key[0])}</small></td></tr>"
    )
