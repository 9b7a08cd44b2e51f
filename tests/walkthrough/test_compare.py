"""Two recordings beside each other: what is found, missing, extra, excused."""

import pytest

from annotated_src.walkthrough import Event, Trace
from annotated_src.walkthrough.compare import LeftOut


def trace_of(tree):
    """A Trace from lines "  name" or "  path::name", two spaces a level; "~name" is a generator going on."""
    events = []
    stack = []

    def leave(level):
        while len(stack) > level:
            events.append(Event("return", "main", len(stack) - 1, *stack.pop()))

    for number, line in enumerate(tree.strip("\n").splitlines()):
        level = (len(line) - len(line.lstrip())) // 2
        leave(level)
        path, _, name = line.strip().rpartition("::")
        kind = "resume" if name.startswith("~") else "call"
        caller = stack[-1][0] if stack else None
        frame = (number, caller, path or "torch/a.py", 1, name.lstrip("~"))
        events.append(Event(kind, "main", level, *frame))
        stack.append(frame)
    leave(0)
    return Trace(events)


def names(calls):
    return [call[1] for call in calls]


def test_equal_recordings():
    tree = "main\n  a\n    b\n  a\n    b\n  c"
    comparison = trace_of(tree).compare(trace_of(tree))
    assert (comparison.found, comparison.total, comparison.share) == (6, 6, 1.0)
    assert comparison.missing == comparison.extra == comparison.excused == []
    assert "6 of 6 calls found (100.0 %)" in str(comparison)


def test_missing_and_extra():
    comparison = trace_of("main\n  a\n  x\n  c").compare(trace_of("main\n  a\n  b\n  c"))
    assert (comparison.found, comparison.total) == (3, 4)
    assert comparison.missing == [("torch/a.py", "b")]
    assert comparison.extra == [("torch/a.py", "x")]
    assert comparison.share == 0.75


def test_order_counts():
    comparison = trace_of("main\n  b\n  a").compare(trace_of("main\n  a\n  b"))
    assert (comparison.found, comparison.total) == (2, 3)
    assert len(comparison.missing) == len(comparison.extra) == 1


def test_the_caller_counts():
    comparison = trace_of("main\n  a\n  b").compare(trace_of("main\n  a\n    b"))
    assert names(comparison.missing) == ["b"] and names(comparison.extra) == ["b"]


def test_the_file_counts():
    comparison = trace_of("torch/a.py::f").compare(trace_of("torch/b.py::f"))
    assert (comparison.found, comparison.missing, comparison.extra) == (0, [("torch/b.py", "f")], [("torch/a.py", "f")])


def test_all_below_a_missing_call_is_missing():
    comparison = trace_of("main").compare(trace_of("main\n  a\n    b\n      c"))
    assert names(comparison.missing) == ["a", "b", "c"]


def test_a_helper_in_between_costs_what_is_below_it():
    comparison = trace_of("main\n  helper\n    a").compare(trace_of("main\n  a"))
    assert names(comparison.missing) == ["a"] and names(comparison.extra) == ["helper", "a"]


def test_siblings_are_paired_by_what_is_below_them():
    ours = "main\n  step\n    b"
    theirs = "main\n  step\n    a\n  step\n    b"
    comparison = trace_of(ours).compare(trace_of(theirs))
    assert (comparison.found, names(comparison.missing)) == (3, ["step", "a"])
    comparison = trace_of(ours + "\n    c").compare(trace_of(theirs))
    assert (comparison.found, names(comparison.missing), names(comparison.extra)) == (3, ["step", "a"], ["c"])


def test_files_that_upstream_has_in_another_language():
    ours = trace_of("main\n  aten/k.py::kernel\n    a\n  c10/x.py::g")
    theirs = trace_of("main\n  a")
    comparison = ours.compare(theirs, ours_only=["aten/*", "c10/*"])
    assert (comparison.share, comparison.extra) == (1.0, [])
    assert names(ours.compare(theirs).extra) == ["kernel", "a", "g"]


def test_left_out_calls_are_excused_with_all_that_is_not_found_below_them():
    rows = [("torch/p.py", "record.*", "profiler plumbing")]
    theirs = trace_of("main\n  torch/p.py::record.enter\n    inside\n    a\n  b")
    comparison = trace_of("main\n  a\n  b").compare(theirs, left_out=rows)
    assert (comparison.found, comparison.total, comparison.missing, comparison.extra) == (3, 3, [], [])
    assert sorted(comparison.excused) == [
        ("torch/a.py", "inside", "profiler plumbing"),
        ("torch/p.py", "record.enter", "profiler plumbing"),
    ]
    assert comparison.excused_share == 2 / 5
    without = trace_of("main\n  a\n  b").compare(theirs)
    assert names(without.missing) == ["record.enter", "inside", "a"]


def test_a_left_out_row_excuses_only_its_own_file():
    row = LeftOut("torch/q.py", "record.*", "somewhere else")
    comparison = trace_of("main").compare(trace_of("main\n  torch/p.py::record.enter"), left_out=[row])
    assert names(comparison.missing) == ["record.enter"] and comparison.excused == []


def test_what_is_left_out_here_too_is_no_extra():
    rows = [("*", "helper", "why")]
    comparison = trace_of("main\n  helper\n    a").compare(trace_of("main\n  a"), left_out=rows)
    assert (comparison.share, comparison.extra, comparison.excused) == (1.0, [], [])


def test_only_some_files():
    ours = trace_of("main\n  torch/b.py::x\n    a")
    theirs = trace_of("main\n  torch/c.py::y\n    a")
    assert ours.compare(theirs, only="torch/a.py").share == 1.0


@pytest.mark.parametrize("name", ["f.<locals>.<genexpr>", "f.<locals>.<lambda>", "f.<locals>.<listcomp>"])
def test_how_a_loop_is_written_is_nobodys_business(name):
    comparison = trace_of(f"main\n  {name}\n    a").compare(trace_of("main\n  a"))
    assert (comparison.found, comparison.total, comparison.extra) == (2, 2, [])


def test_a_generator_that_goes_on_has_a_place_but_is_not_counted():
    tree = "main\n  g\n  ~g\n    a"
    comparison = trace_of(tree).compare(trace_of(tree))
    assert (comparison.found, comparison.total) == (3, 3)
    elsewhere = trace_of("main\n  g\n    a\n  ~g").compare(trace_of(tree))
    assert names(elsewhere.missing) == ["a"] and names(elsewhere.extra) == ["a"]


def test_operators_are_not_compared():
    theirs = trace_of("main\n  a")
    ours = trace_of("main\n  a")
    op = Event("op", "main", 1, 99, 0, "aten/ops.py", 1, "call", label="aten::add")
    ours.events.insert(1, op)
    comparison = ours.compare(theirs)
    assert (comparison.share, comparison.extra) == (1.0, [])


def test_nothing_to_compare():
    comparison = Trace([]).compare(Trace([]))
    assert (comparison.total, comparison.share, comparison.excused_share) == (0, 1.0, 0.0)


def test_many_siblings():
    step = "  step\n    a\n    b"
    other = "  step\n    a"
    theirs = trace_of("\n".join(["main", *[step] * 700]))
    ours = trace_of("\n".join(["main", *[other] * 700]))
    comparison = ours.compare(theirs)
    assert (comparison.found, comparison.total) == (1401, 2101)
    assert set(comparison.missing) == {("torch/a.py", "b")}
    assert len(str(comparison).splitlines()) == 5, "runs are shown once"


def test_text():
    comparison = trace_of("main\n  a\n  x").compare(
        trace_of("main\n  a\n  b\n  b\n  c"), left_out=[("*", "c", "why")]
    )
    assert str(comparison).splitlines() == [
        "2 of 4 calls found (50.0 %), 2 missing, 1 extra, 1 left out",
        "  main",
        "    a",
        "-   b x2",
        "+   x",
    ]


def test_table():
    comparison = trace_of("main\n  x").compare(trace_of("main\n  f.<locals>.g"))
    html = comparison._repr_mimebundle_()["text/html"]
    assert html.count("<tr") == html.count("</tr>") == 4
    assert 'class="comparison-missing"' in html and 'class="comparison-extra"' in html
    assert "f.&lt;locals&gt;.g" in html and '<th scope="col">upstream</th>' in html
