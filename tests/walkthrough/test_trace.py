"""Trace: where something happened, the stack and the locals there, the nested calls, and how it is written down."""

import json

import pytest

from annotated_src.walkthrough import Event, Fold, Trace, record

SOURCE = """
    class Shop:
        def buy(self, prices):
            total = 0
            for price in prices:
                total += self.double(price)
            del price
            return total

        def double(self, price):
            return price * 2

    def numbers():
        yield 1
        yield 2

    def main():
        shop = Shop()
        return shop.buy(numbers())
"""


@pytest.fixture
def story(package):
    return package(m=SOURCE)


@pytest.fixture
def trace(story):
    return record(story.m.main, roots=[story])


def test_it_reads_like_a_list(trace):
    assert len(trace) == len(list(trace)) == len(trace[:])
    assert trace[0].qualname == "main" and trace[-1].kind == "return"
    assert isinstance(trace[0], Event)
    assert trace.result == 6 and trace.error is None


def test_find_by_function_and_occurrence(trace):
    first = trace.find("Shop.double")
    second = trace.find("Shop.double", 2)
    assert (trace[first].changed["price"], trace[second].changed["price"]) == ("1", "2")
    assert trace.find_all("Shop.double") == [first, second]
    assert trace.find("double") == trace.find("m.py::double") == trace.find("story/m.py::Shop.double") == first
    assert trace.find("Shop.*", 1) == trace.find("Shop.buy")
    assert trace[trace.find("numbers", 2, kind="yield")].value == "2"


def test_find_what_is_not_there(trace):
    with pytest.raises(LookupError, match="occurrence 3 of a call of 'Shop.double' is not in this trace: it has 2"):
        trace.find("Shop.double", 3)
    for other in ("ouble", "other.py::double", "Shop"):
        with pytest.raises(LookupError):
            trace.find(other)


def test_find_an_op_by_its_label(story):
    trace = record(story.m.main, roots=[story], folds=[Fold("*", "*.double", "aten::mul")])
    assert trace[trace.find("aten::mul", 2)].value == "4"
    assert trace.find("aten::mul") == trace.find("Shop.double")


def test_stack(trace):
    index = trace.find("Shop.double", 2) + 1
    frames = [(frame.qualname, frame.line) for frame in trace.stack(index)]
    assert frames == [("main", 18), ("Shop.buy", 5), ("Shop.double", 10)]
    # A generator stands on the one who resumes it.
    index = trace.find("numbers", 1, kind="resume")
    assert [(frame.qualname, frame.line) for frame in trace.stack(index)] == [
        ("main", 18), ("Shop.buy", 4), ("numbers", 13),
    ]  # fmt: skip


def test_locals(trace):
    returned = trace.find("Shop.buy", kind="return")
    assert trace.locals(returned) == {"self": "<Shop>", "prices": "<generator numbers>", "total": "6"}
    before = trace.find("Shop.double", 2)
    assert trace.locals(before) == {"self": "<Shop>", "price": "2"}
    in_the_caller = max(i for i in range(before) if trace[i].qualname == "Shop.buy")
    assert trace.locals(in_the_caller)["total"] == "2"


def test_calls(trace):
    (main,) = trace.calls()
    assert [call.name for call in main.children] == ["Shop.buy"]
    buy = main.children[0]
    assert [(call.name, call.resumed, call.ended, call.value) for call in buy.children] == [
        ("numbers", False, "yield", "1"), ("Shop.double", False, "return", "2"),
        ("numbers", True, "yield", "2"), ("Shop.double", False, "return", "4"),
        ("numbers", True, "return", "None"),
    ]  # fmt: skip
    assert trace[buy.start].kind == "call" and trace[buy.end].kind == "return"
    assert len(list(main.walk())) == 7


def test_calls_of_a_recording_that_was_cut_off():
    events = [Event("call", "main", 0, 0, None, "a.py", 1, "f"), Event("line", "main", 0, 0, None, "a.py", 2, "f")]
    (call,) = Trace(events).calls()
    assert (call.end, call.ended) == (None, None)


def test_filter(trace):
    only = trace.filter(qualname="Shop.*")
    assert {event.qualname for event in only} == {"Shop.buy", "Shop.double"}
    assert [(e.qualname, e.depth, e.caller) for e in only if e.kind == "call"][:2] == [
        ("Shop.buy", 0, None),
        ("Shop.double", 1, only[0].frame),
    ]
    without_the_middle = trace.filter(qualname="[!S]*")
    generator = without_the_middle[without_the_middle.find("numbers")]
    assert (generator.depth, generator.caller) == (1, without_the_middle[0].frame)
    assert {event.qualname for event in trace.filter(depth=2)} == {"main", "Shop.buy"}
    assert len(trace.filter(path="other/*")) == 0
    assert len(trace.filter()) == len(trace)
    assert trace[trace.find("Shop.buy")].depth == 1, "the trace itself is as it was"


def test_json_there_and_back(trace, story):
    text = trace.to_json()
    assert all(isinstance(json.loads(line), (dict, list)) for line in text.splitlines())
    again = Trace.from_json(text, roots=[story.__path__[0]])
    assert list(again) == list(trace)
    assert again.digest() == trace.digest()
    assert again.to_json() == text
    assert again.file("story/m.py") == trace.file("story/m.py") == story.m.__file__


def test_json_keeps_line_separators_that_are_not_newlines():
    event = Event("return", "main", 0, 0, None, "a.py", 1, "f", value="'a\u2028b\x85c'")
    assert list(Trace.from_json(Trace([event]).to_json())) == [event]


def test_json_of_something_else():
    with pytest.raises(ValueError, match="no trace"):
        Trace.from_json('{"cells": []}\n')


def test_json_says_nothing_of_this_machine(trace, tmp_path):
    assert str(tmp_path) not in trace.to_json()
    assert trace.roots == (str(tmp_path / "story"),)


def test_error_survives_as_text(package):
    story = package(n="def f():\n    raise KeyError('k')\n")
    trace = record(story.n.f, roots=[story])
    assert isinstance(trace.error, KeyError) and trace.error_text == "KeyError: 'k'"
    assert Trace.from_json(trace.to_json()).error == "KeyError: 'k'"
    assert "KeyError" in repr(trace)


def test_digest_depends_on_what_is_shown(trace, story):
    assert trace.digest() == record(story.m.main, roots=[story]).digest()
    assert trace.digest() != record(story.m.main, roots=[story], lines=False).digest()
    assert len(trace.digest()) == 12


def test_a_file_of_no_root(trace):
    with pytest.raises(LookupError, match="none of the recorded roots"):
        trace.file("elsewhere/m.py")
