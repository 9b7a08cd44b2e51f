"""Timelines: when the host issues something, when the card does it, and who waits for whom."""

from dataclasses import dataclass

from annotated_src.walkthrough.timeline import Schedule, timeline


@dataclass
class Entry:
    kind: str
    name: str = ""
    stream: int = 0
    nbytes: int = 0
    event: int | None = None
    host_waits: bool = False


def blocks(schedule, lane):
    return [(block.begin, block.end, block.text) for block in schedule.blocks if block.lane == lane]


def test_the_host_issues_and_the_card_follows():
    schedule = Schedule([Entry("launch", "a"), Entry("launch", "b")])
    assert blocks(schedule, 0) == [(0, 1, "a"), (1, 2, "b")]
    assert blocks(schedule, 1) == [(1, 3, "a"), (3, 5, "b")]
    assert schedule.arrows == [] and schedule.end == 5


def test_the_host_waits_for_a_copy():
    schedule = Schedule([Entry("launch", "a"), Entry("D2H", nbytes=4, host_waits=True), Entry("launch", "b")])
    assert blocks(schedule, 0) == [(0, 1, "a"), (1, 2, "D2H 4 B"), (2, 5, "waits"), (5, 6, "b")]
    assert blocks(schedule, 1) == [(1, 3, "a"), (3, 5, "D2H 4 B"), (6, 8, "b")]
    assert schedule.arrows == [(1, 5, 0, 5)]


def test_streams_run_side_by_side_until_an_event():
    schedule = Schedule(
        [
            Entry("launch", "a", stream=3),
            Entry("record", event=1, stream=3),
            Entry("launch", "b"),
            Entry("wait", event=1),
            Entry("launch", "c"),
        ]
    )
    assert schedule.streams == [0, 3]
    assert blocks(schedule, 2) == [(1, 3, "a")]
    assert blocks(schedule, 1) == [(3, 5, "b"), (5, 7, "c")]
    assert schedule.arrows == [(2, 3, 1, 5)]


def test_without_the_event_nothing_is_waited_for():
    entries = [Entry("launch", "long", stream=3)] * 5 + [Entry("launch", "c")]
    assert blocks(Schedule(entries), 1) == [(6, 8, "c")]
    waiting = [*entries[:-1], Entry("record", event=1, stream=3), Entry("wait", event=1), entries[-1]]
    assert blocks(Schedule(waiting), 1) == [(11, 13, "c")]


def test_synchronize_waits_for_its_stream_or_for_all():
    work = [Entry("launch", "a"), Entry("launch", "b", stream=3), Entry("launch", "c", stream=3)]
    for last, until in (
        (Entry("synchronize", stream=0, host_waits=True), None),
        (Entry("synchronize", stream=3, host_waits=True), 6),
        (Entry("synchronize", "all streams", host_waits=True), 6),
    ):
        arrows = Schedule([*work, last]).arrows
        assert [arrow[1] for arrow in arrows] == ([] if until is None else [until])


def test_an_event_that_was_never_recorded():
    assert Schedule([Entry("wait", event=7), Entry("launch", "a")]).arrows == []


def test_the_picture():
    drawn = timeline([Entry("H2D", nbytes=400), Entry("launch", "<matmul>")], names={0: "the stream"})
    page = drawn._repr_html_()
    assert page.count("<rect") == 4
    assert "host (CPU)" in page and "the stream" in page and "H2D 400 B" in page
    assert "&lt;matmul&gt;" in page and "<matmul>" not in page
    assert 'role="img"' in page and "<title " in page
    assert repr(timeline([])) == ""
