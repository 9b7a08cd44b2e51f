"""The recorder: what it writes down, what it leaves alone, and that it leaves nothing behind."""

import gc
import os
import subprocess
import sys
import textwrap
import threading

import numpy
import pytest

from annotated_src.walkthrough import Fold, Levels, Skip, record
from annotated_src.walkthrough import recorder as recorder_module
from tests.walkthrough.story import BACKENDS, kinds_of, line_of, lines_of

pytestmark = pytest.mark.parametrize("backend", BACKENDS)

SHOP = """
    def buy(prices):
        total = 0
        for price in prices:
            total += double(price)
        return total

    def double(price):
        return price * 2
"""

# Everything that the two mechanisms report in different ways.
PUZZLES = """
    import contextlib

    def inner():
        try:
            got = yield 1
            yield got
        except ValueError as error:
            yield str(error)
        finally:
            done = True

    def outer():
        result = yield from inner()
        return result

    def one_line(items):
        for item in items: same(item)
        while items: items.pop()
        count = 0
        while count < 3: count += 1
        return [same(item) for item in range(2)], {same(item) for item in range(2)}

    def same(item):
        return item

    def forever(n):
        while True:
            n -= 1
            if n == 0:
                return

    class Counter:
        def __init__(self): self.n = 0
        def __iter__(self): return self
        def __next__(self):
            self.n += 1
            if self.n > 2:
                raise StopIteration
            return self.n

    def raise_again():
        try:
            raise ValueError("first")
        except ValueError:
            try:
                raise KeyError("second")
            except KeyError:
                pass
            raise

    def chain():
        try:
            raise_again()
        except ValueError as error:
            raise RuntimeError("third") from error

    @contextlib.contextmanager
    def context():
        before = 1
        try:
            yield before
        finally:
            after = 2

    class Guard:
        def __enter__(self): return self
        def __exit__(self, *error): return False

    def guarded():
        with Guard():
            yield 1
            yield 2

    def keeps_on():
        while True:
            try:
                yield
            except ValueError:
                pass

    def leaves_in_finally():
        try:
            return 1
        finally:
            last = 2

    def main():
        generator = outer()
        next(generator)
        generator.send(5)
        generator.throw(ValueError("thrown"))
        generator.close()
        generator = inner()
        next(generator)
        try:
            generator.throw(KeyError("lost"))
        except KeyError:
            pass
        one_line([1, 2])
        forever(3)
        for number in Counter():
            number
        list(Counter())
        try:
            chain()
        except RuntimeError:
            pass
        with context() as value:
            value
        try:
            with context():
                raise OSError("in with")
        except OSError:
            pass
        try:
            next(iter([]))
        except StopIteration:
            pass
        generator = guarded()
        next(generator)
        generator.close()
        generator = keeps_on()
        next(generator)
        generator.throw(ValueError("caught"))
        generator.close()
        class Local:
            attribute = 1
        any(x > 1 for x in [1, 2, 3])
        leaves_in_finally()
        (lambda: 1 / 0)()
"""

PUZZLES_TREE = """\
main raises ZeroDivisionError: division by zero  story/puzzles.py
  outer => 1
    inner => 1
  outer (goes on) => 5
    inner (goes on) => 5
  inner (goes on) => 'thrown'
  inner (goes on) raises GeneratorExit
  inner => 1
  inner (goes on) raises KeyError: 'lost'
  one_line -> ([0, 1], {0, 1})
    same -> 1
    same -> 2
    same -> 0
    same -> 1
    same -> 0
    same -> 1
  forever -> None
  Counter.__init__ -> None
  Counter.__iter__ -> <Counter>
  Counter.__next__ -> 1
  Counter.__next__ -> 2
  Counter.__next__ raises StopIteration
  Counter.__init__ -> None
  Counter.__iter__ -> <Counter>
  Counter.__next__ -> 1
  Counter.__next__ -> 2
  Counter.__next__ raises StopIteration
  chain raises RuntimeError: third
    raise_again raises ValueError: first
  context => 1
  context (goes on) -> None
  context => 1
  context (goes on) raises OSError: in with
  guarded => 1
    Guard.__enter__ -> <Guard>
  guarded (goes on) raises GeneratorExit
    Guard.__exit__ -> False
  keeps_on => None
  keeps_on (goes on) => None
  keeps_on (goes on) raises GeneratorExit
  main.<locals>.Local -> None
  main.<locals>.<genexpr> => False
  main.<locals>.<genexpr> (goes on) => True
  leaves_in_finally -> 1
  main.<locals>.<lambda> raises ZeroDivisionError: division by zero"""


def test_calls_lines_and_returns_in_order(backend, package):
    story = package(shop=SHOP)
    trace = record(story.shop.buy, [1, 2], roots=[story], backend=backend)
    assert trace.result == 6 and trace.error is None
    assert lines_of(trace) == [
        ("call", 1), ("line", 2), ("line", 3), ("line", 4),
        ("call", 7), ("line", 8), ("return", 8),
        ("line", 3), ("line", 4),
        ("call", 7), ("line", 8), ("return", 8),
        ("line", 3), ("line", 5), ("return", 5),
    ]  # fmt: skip
    first_inner = trace[4]
    assert (first_inner.path, first_inner.qualname) == ("story/shop.py", "double")
    assert (first_inner.depth, first_inner.frame, first_inner.caller, first_inner.lane) == (1, 1, 0, "main")
    assert trace[6].value == "2"


def test_changed_holds_only_what_differs(backend, package):
    story = package(shop="def f(a):\n    b = a\n    b = a\n    b = 5\n    del b\n    return a\n")
    trace = record(story.shop.f, 1, roots=[story], backend=backend)
    assert [event.changed for event in trace] == [{"a": "1"}, {}, {"b": "1"}, {}, {"b": "5"}, {"b": None}, {}]


def test_puzzles_have_the_same_tree_everywhere(backend, package):
    story = package(puzzles=PUZZLES)
    trace = record(story.puzzles.main, roots=[story], backend=backend)
    assert str(trace.tree(values=True, collapse=False)) == PUZZLES_TREE


def test_both_mechanisms_tell_the_same_events(backend, package):
    if len(BACKENDS) == 1:
        pytest.skip("this Python has one mechanism only")
    story = package(puzzles=PUZZLES)
    trace = record(story.puzzles.main, roots=[story], backend=backend)
    other = record(story.puzzles.main, roots=[story], backend=next(b for b in BACKENDS if b != backend))
    assert [repr(event) for event in trace] == [repr(event) for event in other]


def test_two_recordings_are_equal(backend, package):
    story = package(puzzles=PUZZLES)
    first = record(story.puzzles.main, roots=[story], backend=backend)
    second = record(story.puzzles.main, roots=[story], backend=backend)
    assert first.digest() == second.digest()
    different = record(story.puzzles.one_line, [1], roots=[story], backend=backend)
    assert different.digest() != first.digest()


def test_a_loop_in_one_line_is_told_once_and_one_below_its_head_at_every_turn(backend, package):
    story = package(puzzles=PUZZLES)
    one_line = record(story.puzzles.one_line, [1, 2], roots=[story], backend=backend)
    assert lines_of(one_line, "one_line").count(("line", line_of(story.puzzles, "for item in items: same"))) == 1
    forever = record(story.puzzles.forever, 3, roots=[story], backend=backend)
    assert lines_of(forever).count(("line", line_of(story.puzzles, "n -= 1"))) == 3


def test_comprehensions_are_part_of_their_function(backend, package):
    source = """
        def f(items):
            return [
                g(item)
                for item in items
            ]

        def g(item):
            return {key: h(key) for key in {i for i in [item]}}

        def h(item):
            return sum(x for x in [item])
    """
    story = package(m=source)
    trace = record(story.m.f, [1, 2], roots=[story], backend=backend)
    assert str(trace.tree()) == textwrap.dedent("""\
        f  story/m.py
          g x2
            h
              h.<locals>.<genexpr>
              h.<locals>.<genexpr> (goes on) returns""")
    assert ("line", 3) in lines_of(trace, "f")
    assert lines_of(trace, "g") == [("call", 7), ("line", 8), ("return", 8)] * 2


def test_pythons_own_names_are_no_locals(backend, package):
    source = """
        def f():
            class Local:
                attribute = 1

                def method(self):
                    return super().__init__()
            Local().method()
            return sum(x for x in [1])
    """
    story = package(m=source)
    trace = record(story.m.f, roots=[story], backend=backend)
    assert {name for event in trace for name in event.changed} == {"attribute", "method", "Local", "self", "x"}


# Generators.

WATER = """
    def source(n):
        for i in range(n):
            yield i

    def through(items):
        for item in items:
            yield item

    def main():
        water = source(2)
        first(water)
        return second(water)

    def first(water):
        return next(water)

    def second(water):
        return list(water)
"""


def test_a_generator_keeps_its_frame_and_changes_its_caller(backend, package):
    story = package(m=WATER)
    trace = record(story.m.main, roots=[story], backend=backend, lines=False)
    events = [event for event in trace if event.qualname == "source"]
    assert [event.kind for event in events] == ["call", "yield", "resume", "yield", "resume", "return"]
    assert len({event.frame for event in events}) == 1
    callers = [trace[trace.find("first")].frame] * 2 + [trace[trace.find("second")].frame] * 4
    assert [event.caller for event in events] == callers
    assert [event.value for event in events] == [None, "0", None, "1", None, "None"]


def test_a_generator_inside_a_generator_is_resumed_by_it(backend, package):
    story = package(m=WATER)
    trace = record(lambda: list(story.m.through(story.m.source(1))), roots=[story], backend=backend, lines=False)
    assert [(event.kind, event.qualname, event.depth) for event in trace] == [
        ("call", "through", 0), ("call", "source", 1), ("yield", "source", 1), ("yield", "through", 0),
        ("resume", "through", 0), ("resume", "source", 1), ("return", "source", 1), ("return", "through", 0),
    ]  # fmt: skip


def test_a_generator_that_is_dropped_leaves_no_event(backend, package):
    story = package(m=WATER)

    def drop():
        generator = story.m.source(5)
        next(generator)
        del generator

    assert kinds_of(record(drop, roots=[story], backend=backend, lines=False), "source") == ["call", "yield"]


def test_a_generator_begun_before_the_recording_is_met_in_the_middle(backend, package):
    story = package(m=WATER)
    water = story.m.source(2)
    next(water)
    trace = record(lambda: list(water), roots=[story], backend=backend, lines=False)
    assert kinds_of(trace, "source") == ["resume", "yield", "resume", "return"]


@pytest.mark.parametrize("lines", [True, False])
def test_a_generator_that_catches_and_yields_again_yields(backend, lines, package):
    story = package(puzzles=PUZZLES)

    def main():
        generator = story.puzzles.keeps_on()
        next(generator)
        generator.throw(ValueError("caught"))

    trace = record(main, roots=[story], backend=backend, lines=lines)
    kinds = [kind for kind in kinds_of(trace, "keeps_on") if kind != "line"]
    assert kinds[:5] == ["call", "yield", "resume", "exception", "yield"]


@pytest.mark.parametrize("lines", [True, False])
def test_a_closed_generator_with_something_left_to_do_is_left_by_it(backend, lines, package):
    story = package(puzzles=PUZZLES)

    def main():
        generator = story.puzzles.guarded()
        next(generator)
        generator.close()

    trace = record(main, roots=[story], backend=backend, lines=lines)
    kinds = [kind for kind in kinds_of(trace, "guarded") if kind != "line"]
    assert kinds == ["call", "yield", "resume", "unwind"]


def test_coroutines_yield_and_go_on(backend, package):
    source = """
        import asyncio

        async def main():
            await asyncio.sleep(0)
            return 3

        def run():
            return asyncio.run(main())
    """
    story = package(m=source)
    trace = record(story.m.run, roots=[story], backend=backend, lines=False)
    assert kinds_of(trace, "main") == ["call", "yield", "resume", "return"]


# Exceptions.

FAILING = """
    def main():
        try:
            middle()
        except KeyError:
            pass
        middle()

    def middle():
        innermost()

    def innermost():
        raise KeyError("k")
"""


def test_an_exception_is_told_where_it_was_raised_and_at_each_frame_it_leaves(backend, package):
    story = package(m=FAILING)
    trace = record(story.m.main, roots=[story], backend=backend, lines=False)
    assert [(event.kind, event.qualname, event.value) for event in trace if event.value] == [
        ("exception", "innermost", "KeyError: 'k'"),
        ("unwind", "innermost", "KeyError: 'k'"),
        ("unwind", "middle", "KeyError: 'k'"),
    ] * 2 + [("unwind", "main", "KeyError: 'k'")]
    assert isinstance(trace.error, KeyError) and trace.error.args == ("k",)
    assert trace.result is None


def test_an_exception_comes_out_only_if_asked_for(backend, package):
    story = package(m=FAILING)
    with pytest.raises(KeyError, match="k"):
        record(story.m.main, roots=[story], backend=backend, reraise=True)


def test_recursion(backend, package):
    story = package(m="def f(n):\n    return 1 if n == 0 else n * f(n - 1)\n")
    trace = record(story.m.f, 3, roots=[story], backend=backend, lines=False)
    assert [(event.kind, event.depth, event.frame, event.caller) for event in trace] == [
        ("call", 0, 0, None), ("call", 1, 1, 0), ("call", 2, 2, 1), ("call", 3, 3, 2),
        ("return", 3, 3, 2), ("return", 2, 2, 1), ("return", 1, 1, 0), ("return", 0, 0, None),
    ]  # fmt: skip
    assert [event.value for event in trace[4:]] == ["1", "1", "2", "6"]


# What belongs to the recording.


def test_roots_are_folders_files_packages_and_modules(backend, package):
    story = package(shop=SHOP, other="def f():\n    return 1\n")
    folder = story.__path__[0]

    def both():
        story.shop.double(1)
        story.other.f()

    for roots, expected in (
        ([folder], ["story/shop.py", "story/other.py"]),
        ([story], ["story/shop.py", "story/other.py"]),
        ([story.shop], ["shop.py"]),
        ([f"{folder}/other.py"], ["other.py"]),
    ):
        assert record(both, roots=roots, backend=backend).files() == expected
    with pytest.raises(ValueError, match="existing folders"):
        record(both, roots=[f"{folder}/nowhere"], backend=backend)


def test_a_folder_that_only_begins_like_a_root_is_outside(backend, package, tmp_path):
    story = package(shop=SHOP)
    (tmp_path / "stor").mkdir()
    assert len(record(story.shop.double, 1, roots=[tmp_path / "stor"], backend=backend)) == 0


def test_callers_skip_frames_outside_the_roots(backend, package):
    story = package(m="def f(g):\n    return g()\n\ndef h():\n    return 1\n")
    trace = record(story.m.f, lambda: story.m.h(), roots=[story], backend=backend, lines=False)
    assert [(event.qualname, event.depth, event.caller) for event in trace[:2]] == [("f", 0, None), ("h", 1, 0)]


def test_functions_that_read_the_same_in_two_files_are_told_apart(backend, package):
    story = package(a="def f():\n    return 1\n", b="def f():\n    return 1\n")
    assert story.a.f.__code__ == story.b.f.__code__, "or else this test tests nothing"
    trace = record(lambda: (story.a.f(), story.b.f()), roots=[story], backend=backend)
    assert trace.files() == ["story/a.py", "story/b.py"]


def test_importing_is_not_recorded(backend, package, tmp_path):
    story = package(m="def f():\n    import story_late\n    return story_late.g()\n")
    (tmp_path / "story_late.py").write_text("def g():\n    return 1\n\nONE = g()\n")
    roots = [story, tmp_path / "story_late.py"]
    first = record(story.m.f, roots=roots, backend=backend)
    second = record(story.m.f, roots=roots, backend=backend)
    del sys.modules["story_late"]
    assert first.digest() == second.digest()
    assert first.find_all("g") == [first.find("g")]


def test_what_looking_at_values_calls_is_not_recorded(backend, package):
    source = """
        class Tensor:
            shape = (2,)
            device = "cpu"

            @property
            def dtype(self):
                return helper()

            @property
            def array(self):
                return helper()

        def helper():
            return "float32"

        def main():
            tensor = Tensor()
            return tensor
    """
    story = package(m=source)
    trace = record(story.m.main, roots=[story], backend=backend)
    assert {event.qualname for event in trace} == {"main"}


def test_only_and_depth(backend, package):
    source = "from story import b\ndef f():\n    return b.g()\n"
    other = "def g():\n    return h()\n\ndef h():\n    return i()\n\ndef i():\n    return 1\n"
    story = package(a=source, b=other)

    def shown(**options):
        trace = record(story.a.f, roots=[story], backend=backend, **options)
        return [(event.qualname, event.depth) for event in trace if event.kind == "call"]

    assert shown() == [("f", 0), ("g", 1), ("h", 2), ("i", 3)]
    assert shown(only="story/b.py") == [("g", 0), ("h", 1), ("i", 2)]
    assert shown(only=["story/a.py", "*::h"]) == [("f", 0), ("h", 1)]
    assert shown(depth=2) == [("f", 0), ("g", 1)]


def test_without_lines_and_without_locals(backend, package):
    story = package(shop=SHOP)
    no_lines = record(story.shop.buy, [1], roots=[story], backend=backend, lines=False)
    assert [event.kind for event in no_lines] == ["call", "call", "return", "return"]
    assert no_lines[0].changed == {"prices": "[1]"}
    no_locals = record(story.shop.buy, [1], roots=[story], backend=backend, locals=False)
    assert all(event.changed == {} for event in no_locals)


def test_keyword_arguments_reach_the_function(backend, package):
    story = package(m="def f(a, *, b):\n    return a + b\n")
    assert record(story.m.f, 1, b=2, roots=[story], backend=backend).result == 3


# Folds, skips, levels.

OPERATORS = """
    def main():
        x = call("add", 1)
        try:
            call("fail", 2)
        except ZeroDivisionError:
            pass
        return x

    def call(name, value):
        return plumbing(name, value)

    def plumbing(name, value):
        return KERNELS[name](value)

    def add(value):
        return helper(value)

    def fail(value):
        return value / 0

    def helper(value):
        return value + 1

    KERNELS = {"add": add, "fail": fail}
"""
FOLD = Fold("story/*", "call", lambda values: f"op::{values['name']}")


def test_a_fold_makes_a_call_one_event(backend, package):
    story = package(m=OPERATORS)
    trace = record(story.m.main, roots=[story], backend=backend, folds=[FOLD])
    assert {event.qualname for event in trace} == {"main", "call"}
    ops = [event for event in trace if event.qualname == "call"]
    assert [(op.kind, op.label, op.value, op.depth, op.caller) for op in ops] == [
        ("op", "op::add", "2", 1, 0),
        ("op", "op::fail", "ZeroDivisionError: division by zero", 1, 0),
    ]
    assert ops[0].changed == {"name": "'add'", "value": "1"}
    # The exception is told where it comes into the recorded frames.
    assert [event.value for event in trace if event.kind == "exception"] == ["ZeroDivisionError: division by zero"]
    assert trace.result == 2


def test_a_folds_label_may_be_a_word_or_nothing(backend, package):
    story = package(m=OPERATORS)
    for label, shown in (("op", "op"), (None, "call")):
        trace = record(story.m.main, roots=[story], backend=backend, folds=[Fold("*/m.py", "ca*", label)])
        assert trace[2].label == shown


def test_what_is_inside_a_fold_is_not_traced(backend, package):
    source = """
        def main(look):
            return op(look)

        def op(look):
            return inside(look)

        def inside(look):
            return look()
    """
    story = package(m=source)
    seen = {}

    def look():
        frame = sys._getframe(1)
        if backend == "settrace":
            seen[frame.f_code.co_name] = frame.f_trace
        else:
            tools = [tool for tool in range(6) if sys.monitoring.get_tool(tool) == "annotated_src.walkthrough"]
            seen[frame.f_code.co_name] = sys.monitoring.get_local_events(tools[0], frame.f_code)

    record(story.m.main, look, roots=[story], backend=backend, folds=[Fold("*", "op")])
    folded = dict(seen)
    record(story.m.main, look, roots=[story], backend=backend)
    assert not folded["inside"]
    assert seen["inside"], "or else this test tests nothing"


def test_a_generator_that_goes_on_inside_a_fold_is_not_recorded_there(backend, package):
    source = """
        def source():
            yield 1
            yield 2
            yield 3

        def op(water):
            return next(water)

        def main():
            water = source()
            return next(water), op(water), next(water)
    """
    story = package(m=source)
    trace = record(story.m.main, roots=[story], backend=backend, folds=[Fold("*", "op")])
    assert trace.result == (1, 2, 3)
    events = [(event.kind, event.value) for event in trace if event.qualname in ("source", "op")]
    assert [pair for pair in events if pair[0] != "line"] == [
        ("call", None), ("yield", "1"), ("op", "2"), ("resume", None), ("yield", "3"),
    ]  # fmt: skip


def test_a_recursive_fold_ends_with_its_outermost_call(backend, package):
    story = package(m="def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n\ndef main():\n    f(3)\n    return f(1)\n")
    trace = record(story.m.main, roots=[story], backend=backend, folds=[Fold("*", "f", "op")], lines=False)
    assert [(event.kind, event.value) for event in trace] == [
        ("call", None), ("op", "3"), ("op", "1"), ("return", "1"),
    ]  # fmt: skip


def test_what_is_hidden_after_a_fold_does_not_change_it(backend, package):
    story = package(m="def op():\n    return 1\n\ndef deep():\n    return 2\n\ndef main():\n    op()\n    deep()\n")
    trace = record(story.m.main, roots=[story], backend=backend, folds=[Fold("*", "op", "op")], depth=1, lines=False)
    assert [(event.kind, event.value) for event in trace] == [("call", None), ("op", "1"), ("return", "None")]


def test_a_skip_keeps_what_is_called(backend, package):
    story = package(m=OPERATORS)
    skips = [Skip("story/m.py", "call"), Skip("story/m.py", "plumb*")]
    trace = record(story.m.main, roots=[story], backend=backend, skips=skips)
    assert str(trace.tree()) == textwrap.dedent("""\
        main  story/m.py
          add
            helper
          fail raises ZeroDivisionError: division by zero""")
    add = trace[trace.find("add")]
    assert (add.depth, add.caller) == (1, 0)


def test_levels(backend, package):
    story = package(m=OPERATORS)
    levels = Levels(ops=[FOLD], kernels=[Skip("*", "plumbing"), Skip("*", "call")])
    trees = {}
    for into in ("ops", "kernels", "all"):
        trace = record(story.m.main, roots=[story], backend=backend, levels=levels, into=into)
        trees[into] = str(trace.tree()).splitlines()
    assert trees["ops"] == ["main  story/m.py", "  op::add", "  op::fail"]
    # The entry is plumbing, and is kept for its name.
    assert trees["kernels"] == [
        "main  story/m.py", "  op::add", "    add", "      helper",
        "  op::fail raises ZeroDivisionError: division by zero",
        "    fail raises ZeroDivisionError: division by zero",
    ]  # fmt: skip
    assert trees["all"][1:5] == ["  op::add", "    plumbing", "      add", "        helper"]
    kernels = record(story.m.main, roots=[story], backend=backend, levels=levels, into="kernels")
    assert "line" not in kinds_of(kernels, "call")
    with pytest.raises(ValueError, match="'ops', 'kernels' or 'all'"):
        record(story.m.main, roots=[story], backend=backend, into="kernel")


# Threads.

THREADS = """
    import threading

    def main():
        queue = []
        thread = threading.Thread(target=work, args=(queue,))
        thread.start()
        thread.join()
        named = threading.Thread(target=work, args=(queue,), name="pin_memory")
        named.start()
        named.join()
        return queue

    def work(queue):
        step(queue)

    def step(queue):
        queue.append(1)
"""


def test_every_thread_is_a_lane(backend, package):
    story = package(m=THREADS)
    trace = record(story.m.main, roots=[story], backend=backend, lines=False)
    assert trace.lanes() == ["main", "work", "pin_memory"]
    events = [(event.kind, event.qualname, event.depth, event.caller) for event in trace if event.lane == "work"]
    assert [(kind, name, depth) for kind, name, depth, _ in events] == [
        ("call", "work", 0), ("call", "step", 1), ("return", "step", 1), ("return", "work", 0),
    ]  # fmt: skip
    assert events[0][3] is None and events[1][3] == trace[trace.find("work")].frame
    assert len({event.frame for event in trace if event.kind == "call"}) == 5
    again = record(story.m.main, roots=[story], backend=backend, lines=False)
    assert again.digest() == trace.digest()


def test_a_thread_that_outlives_the_recording_is_left_alone(backend, package):
    source = """
        import threading

        def main(started, go_on, seen):
            thread = threading.Thread(target=work, args=(started, go_on, seen))
            thread.start()
            started.wait(10)
            return thread

        def work(started, go_on, seen):
            started.set()
            go_on.wait(10)
            step(seen)

        def step(seen):
            seen.append(1)
    """
    story = package(m=source)
    started, go_on, seen = threading.Event(), threading.Event(), []
    trace = record(story.m.main, started, go_on, seen, roots=[story], backend=backend)
    go_on.set()
    trace.result.join(10)
    assert seen == [1]
    assert "step" not in {event.qualname for event in trace}


def test_a_thread_that_ran_before_is_heard_from_its_next_call_on(backend, package):
    if backend == "settrace":
        pytest.skip("sys.settrace hears only the threads that are started later")
    source = """
        def loop(go_on, done):
            go_on.wait(10)
            step()
            done.set()

        def step():
            pass
    """
    story = package(m=source)
    go_on, done = threading.Event(), threading.Event()
    thread = threading.Thread(target=story.m.loop, args=(go_on, done), name="early")
    thread.start()

    def main():
        go_on.set()
        done.wait(10)

    trace = record(main, roots=[story], backend=backend, lines=False)
    thread.join(10)
    assert [(event.lane, event.kind, event.qualname, event.depth) for event in trace] == [
        ("early", "call", "step", 0),
        ("early", "return", "step", 0),
    ]


# Nothing stays behind.


def assert_nothing_is_installed():
    assert not recorder_module._running.locked()
    if sys.version_info >= (3, 12):
        assert "annotated_src.walkthrough" not in [sys.monitoring.get_tool(tool) for tool in range(6)]
    assert getattr(sys.gettrace(), "__self__", None).__class__.__name__ != "SetTrace"
    assert getattr(threading.gettrace(), "__self__", None).__class__.__name__ != "SetTrace"


def test_a_recording_inside_a_recording_is_refused(backend, package):
    story = package(shop=SHOP)

    def main():
        record(story.shop.double, 1, roots=[story], backend=backend)

    trace = record(main, roots=[story], backend=backend)
    assert isinstance(trace.error, RuntimeError)
    assert "running already" in str(trace.error)
    assert_nothing_is_installed()
    assert len(record(story.shop.double, 1, roots=[story], backend=backend)) == 3


@pytest.mark.parametrize("place", ["look", "enter", "step", "leave"])
def test_a_fault_of_the_recorder_itself(backend, place, package, monkeypatch):
    story = package(shop=SHOP)
    finished = []

    def main():
        finished.append(story.shop.buy([1, 2, 3]))

    def broken(*args, **kwargs):
        raise LookupError("planted")

    monkeypatch.setattr(recorder_module.Recorder, place, broken)
    with pytest.raises(RuntimeError, match="the recorder itself failed") as caught:
        record(main, roots=[story], backend=backend)
    assert isinstance(caught.value.__cause__, LookupError)
    assert finished == [12], "the program goes on"
    assert_nothing_is_installed()


def test_an_interrupt_goes_through(backend, package):
    story = package(m="def f():\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        record(story.m.f, roots=[story], backend=backend)
    assert_nothing_is_installed()


def test_an_object_that_cannot_be_shown_breaks_nothing(backend, package):
    source = """
        class Awkward:
            def __repr__(self):
                raise RuntimeError("no")

            def __getattr__(self, name):
                raise RuntimeError("no")

            def __eq__(self, other):
                raise RuntimeError("no")

        def main():
            awkward = Awkward()
            things = [awkward]
            return things
    """
    story = package(m=source)
    trace = record(story.m.main, roots=[story], backend=backend)
    assert trace.locals(len(trace) - 1) == {"awkward": "<Awkward>", "things": "[<Awkward>]"}


def test_the_collector_is_as_it_was(backend, package):
    story = package(m="import gc\ndef f():\n    return gc.isenabled()\n")
    assert gc.isenabled()
    assert record(story.m.f, roots=[story], backend=backend).result is False
    assert gc.isenabled()


def test_memory_that_nobody_has_written_is_zeros(backend, package):
    source = """
        import numpy
        import ml_dtypes

        def main():
            numbers = numpy.empty(4, "int64")
            like = numpy.empty_like(numbers)
            brain = numpy.empty(2, ml_dtypes.bfloat16)
            things = numpy.empty(1, object)
            return numbers
    """
    story = package(m=source)
    before = numpy.empty, numpy.empty_like
    for _ in range(3):
        # Memory to hand out again.
        dirty = [numpy.full(4, 2**45 + i) for i in range(100)]
        del dirty
        trace = record(story.m.main, roots=[story], backend=backend)
        shown = trace.locals(len(trace) - 1)
        assert shown["numbers"] == shown["like"] == "int64[4] numpy [0, 0, 0, 0]"
        assert shown["brain"] == "bfloat16[2] numpy [0., 0.]"
        assert shown["things"] == "object[1] numpy [None]"
    assert (numpy.empty, numpy.empty_like) == before
    with pytest.raises(KeyboardInterrupt):
        record(_interrupt, roots=[story], backend=backend)
    assert (numpy.empty, numpy.empty_like) == before


def test_a_trace_keeps_no_local_alive(backend, package):
    import weakref

    source = """
        class Thing:
            pass

        def generate(thing):
            yield thing

        def main(ref):
            thing = Thing()
            generator = generate(thing)
            next(generator)
            return ref(thing)
    """
    story = package(m=source)
    trace = record(story.m.main, weakref.ref, roots=[story], backend=backend)
    assert trace.result() is None


def test_a_dropped_generator_dies_at_once(backend, package):
    source = """
        import weakref

        class Thing:
            pass

        def generate(thing):
            yield

        def main():
            thing = Thing()
            ref = weakref.ref(thing)
            generator = generate(thing)
            next(generator)
            del thing
            del generator
            step()
            return ref()

        def step():
            pass
    """
    story = package(m=source)
    assert record(story.m.main, roots=[story], backend=backend).result is None


def test_nothing_of_the_recorder_is_recorded(backend):
    import annotated_src

    assert len(record(lambda: 1, roots=[annotated_src], backend=backend)) == 0


def test_no_code_is_left_with_lines_switched_on(backend, package):
    if backend != "monitoring":
        pytest.skip("sys.settrace has no local events")
    story = package(shop=SHOP)
    record(story.shop.double, 1, roots=[story], backend=backend)
    for tool in range(6):
        if sys.monitoring.get_tool(tool) is None:
            sys.monitoring.use_tool_id(tool, "somebody")
            assert sys.monitoring.get_local_events(tool, story.shop.double.__code__) == 0
            sys.monitoring.free_tool_id(tool)


def test_the_trace_function_that_was_there_is_back(backend, package):
    story = package(shop=SHOP)

    def mine(frame, event, arg):
        return None

    before, before_of_threads = sys.gettrace(), threading.gettrace()
    threading.settrace(mine)
    sys.settrace(mine)
    try:
        record(story.shop.double, 1, roots=[story], backend=backend)
        after, after_of_threads = sys.gettrace(), threading.gettrace()
    finally:
        sys.settrace(before)
        threading.settrace(before_of_threads)
    assert after is mine and after_of_threads is mine


@pytest.mark.parametrize("measured", ["--omit=nothing", "--omit=*/walkthrough/*"])
def test_coverage_beside_it_sees_what_is_outside_the_recording(backend, measured, package, tmp_path):
    pytest.importorskip("coverage")
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""\
            import textwrap
            from annotated_src.walkthrough import record


            def before():
                return 1


            def after():
                return 2


            before()
            trace = record(textwrap.dedent, "  a", roots=[textwrap], backend={backend!r})
            after()
            print(len(trace))
        """)
    )
    data = tmp_path / "coverage"
    run = [sys.executable, "-m", "coverage"]
    environment = {**os.environ, "PYTHONPATH": _checkout()}
    subprocess.run([*run, "run", measured, f"--data-file={data}", str(script)], check=True, env=environment)
    report = subprocess.run(
        [*run, "report", "-m", f"--data-file={data}", f"--include={script}"],
        check=True, env=environment, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "100%" in report, report


def test_a_debugger_beside_it_hears_everything(backend, package):
    if backend != "monitoring":
        pytest.skip("two tools at once is what sys.monitoring is for")
    story = package(shop=SHOP)
    monitoring = sys.monitoring
    heard = []
    alone = record(story.shop.buy, [1, 2], roots=[story], backend=backend)
    tool = monitoring.DEBUGGER_ID
    monitoring.use_tool_id(tool, "a debugger")
    try:
        monitoring.register_callback(tool, monitoring.events.LINE, lambda code, line: heard.append(line))
        monitoring.set_local_events(tool, story.shop.buy.__code__, monitoring.events.LINE)
        together = record(story.shop.buy, [1, 2], roots=[story], backend=backend)
        in_the_recording, heard[:] = list(heard), []
        story.shop.buy([1, 2])
        assert monitoring.get_tool(tool) == "a debugger"
    finally:
        monitoring.set_local_events(tool, story.shop.buy.__code__, 0)
        monitoring.register_callback(tool, monitoring.events.LINE, None)
        monitoring.free_tool_id(tool)
    assert together.digest() == alone.digest()
    assert in_the_recording == heard == [2, 3, 4, 3, 4, 3, 5]


def test_all_tool_ids_taken(backend, package):
    if backend != "monitoring":
        pytest.skip("sys.settrace has no tool ids")
    story = package(shop=SHOP)
    taken = [tool for tool in range(6) if sys.monitoring.get_tool(tool) is None]
    for tool in taken:
        sys.monitoring.use_tool_id(tool, "somebody")
    try:
        with pytest.raises(RuntimeError, match="tool ids are taken"):
            record(story.shop.double, 1, roots=[story], backend=backend)
    finally:
        for tool in taken:
            sys.monitoring.free_tool_id(tool)
    assert_nothing_is_installed()


def test_code_outside_the_roots_is_not_traced(backend, package):
    story = package(m="def f(g):\n    return g()\n")
    seen = []

    def outside():
        seen.append(sys._getframe().f_trace)
        return 1

    record(story.m.f, outside, roots=[story], backend=backend)
    assert seen == [None]


def test_an_unknown_backend(backend, package):
    story = package(shop=SHOP)
    with pytest.raises(ValueError, match="'monitoring' or 'settrace'"):
        record(story.shop.double, 1, roots=[story], backend=backend + "!")


def _interrupt():
    raise KeyboardInterrupt


def _checkout():
    return recorder_module._OWN_FOLDER.rpartition("annotated_src")[0]
