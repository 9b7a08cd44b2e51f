"""The player: what it puts into a page, and what its script makes of it in a browser."""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess

import pytest

from annotated_src.walkthrough import player, record
from annotated_src.walkthrough.trace import Event, Trace
from annotated_src.walkthrough.words import use_words

STORY = pathlib.Path(__file__).resolve().parent.parent / "book" / "demo" / "story"


def story_trace():
    namespace = {}
    file = STORY / "batches.py"
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    return record(namespace["main"], roots=[STORY])


@pytest.fixture(scope="module")
def trace():
    return story_trace()


def data_of(markup):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', markup, re.DOTALL)[1])


class Balance(html.parser.HTMLParser):
    """Whether every element that is opened is closed, in order."""

    VOID = {"input", "br", "img", "meta", "link"}

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


# What is in the page.


def test_markup_is_balanced(trace):
    assert Balance(trace.player()._repr_html_()).open == []


def test_equal_recordings_give_equal_pages(trace):
    assert story_trace().player()._repr_html_() == trace.player()._repr_html_()


def test_values_cannot_leave_the_data(trace):
    markup = trace.player()._repr_html_()
    assert "<b>&</b>" in data_of(markup)["strings"] or any("<b>" in s for s in data_of(markup)["strings"])
    assert "<b>" not in markup


def test_only_the_functions_passed_through_are_shown(trace):
    film = trace.player(steps=("total", 1)).film
    # main and total_or_none stand below it on the stack.
    assert {pane.title for pane in film.panes} == {"total", "total_or_none", "main"}
    [total] = [pane for pane in film.panes if pane.title == "total"]
    text = (STORY / "batches.py").read_text().splitlines()
    assert text[total.first - 1] == "def total(batch):"
    assert [number for number, _ in total.lines()] == list(range(total.first, total.last + 1))


def test_limits_are_a_call_or_a_range(trace):
    first = trace.find("total", 2)
    shown = trace.player(steps=("total", 2)).film.steps
    assert shown[0] is trace[first] and shown[-1].frame == trace[first].frame
    assert shown[-1].kind in ("return", "unwind")
    assert len(trace.player(steps=range(3, 9)).film.steps) == 6


def test_a_step_outside_of_the_limits_is_an_error(trace):
    with pytest.raises(ValueError, match="outside of steps"):
        trace.player(start=("total", 2), steps=("total", 1))
    with pytest.raises(ValueError, match="at least one step"):
        Trace([]).player()


def test_links(trace):
    markup = trace.player(link=lambda path, qualname: f"page.html#{path}:{qualname}")._repr_html_()
    assert 'href="page.html#story/batches.py:total"' in markup
    assert "<a " not in trace.player()._repr_html_()


def test_table_tells_the_calls(trace):
    table = trace.player()._repr_html_().partition('<details class="tp-table" open>')[2]
    rows = re.findall(r"<tr><td>(\d+)</td>.*?<code>(.*?)</code>", table)
    assert len(rows) == len([event for event in trace if event.kind in ("call", "resume", "op")])
    assert rows[0][1] == "main"


def test_table_leads_to_the_source(trace):
    markup = trace.player(link=lambda path, qualname: f"page.html#{qualname}")._repr_html_()
    table = markup.partition('<details class="tp-table" open>')[2]
    name = next(event.qualname for event in trace if event.kind == "call" and event.qualname.isidentifier())
    assert f'<a href="page.html#{name}"><code>{name}</code></a>' in table


def test_long_table_says_what_it_leaves_out(trace, monkeypatch):
    monkeypatch.setattr(player, "MOST_ROWS", 2)
    markup = trace.player()._repr_html_()
    assert markup.count("<tr><td>") == 2
    assert re.search(r"\d+ more calls are in the player", markup)


def test_steps_can_be_asked_for_by_name(trace):
    film = data_of(trace.player()._repr_html_())
    assert player.has_step(film, "total:3")
    assert not player.has_step(film, "total:4")
    assert not player.has_step(film, "totals:1")


def test_assets_are_left_to_a_page_that_has_them(trace, monkeypatch):
    assert "tracePlayer" in trace.player()._repr_html_()
    monkeypatch.setenv("WALKTHROUGH_PAGE_HAS_PLAYER", "1")
    assert "tracePlayer" not in trace.player()._repr_html_()


def test_words_can_be_translated(trace):
    try:
        use_words({"Call stack": "Aufrufe", "returns": "gibt"})
        markup = trace.player()._repr_html_()
    finally:
        use_words({})
    assert "Aufrufe" in markup
    assert data_of(markup)["words"]["return"] == "gibt"


def test_text_beside_html(trace):
    bundle = trace.player()._repr_mimebundle_()
    assert bundle["text/plain"] == f"<Player of {len(trace)} steps>"


# What the script makes of it.

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="NO BROWSER: the player's script was not run")

PROLOGUE = "<script>window.faults = []; addEventListener('error', e => faults.push(e.message))</script>"

EPILOGUE = """<script>
addEventListener('load', () => {
  const q = s => document.querySelector(s);
  const qq = s => [...document.querySelectorAll(s)].map(e => e.textContent);
  const key = (k, where) => (where ?? q('[data-do=next]')).dispatchEvent(
    new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
  const path = () => {
    const names = [];
    for (let entry = q('.tp-tree [aria-current]').closest('li'); entry; entry = entry.parentElement.closest('li'))
      names.push(entry.querySelector('code').textContent);
    return names;
  };
  const look = () => ({
    count: q('.tp-count').textContent, status: q('.tp-status').textContent,
    line: q('.tp-now')?.dataset.line, done: q('.tp-done')?.dataset.line,
    pane: q('.tp-pane:not([hidden]) code').textContent,
    locals: qq('.tp-locals th'), values: qq('.tp-locals td > code'), changed: qq('.tp-changed th'),
    stack: qq('.tp-stack button code'), path: path(),
    table: q('.tp-table').open, live: !q('.tp-live').hidden, slider: Number(q('input').value),
  });
  const seen = [];
  const see = () => seen.push(look());
  SCRIPT
  const report = document.createElement('script');
  report.type = 'text/plain';
  report.id = 'report';
  report.textContent = JSON.stringify({ seen, faults, ready: document.querySelectorAll('[data-ready]').length });
  document.body.append(report);
});
</script>"""


def browse(folder, players, script, fragment=""):
    """Open the players in a browser, from a file, run `script` there, and return what it saw."""
    page = folder / "page.html"
    body = "".join(player._repr_html_() for player in players)
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title></head><body>'
    page.write_text(head + PROLOGUE + body + EPILOGUE.replace("SCRIPT", script), encoding="utf-8")
    report = json.loads(dumped(folder, page.as_uri() + fragment, "report"))
    assert report["faults"] == []
    assert report["ready"] == len(players)
    return report["seen"]


def dumped(folder, url, element):
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=3000", "--dump-dom", url]
    page = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    found = re.search(rf'<script type="text/plain" id="{element}">(.*?)</script>', page, re.DOTALL)
    assert found, page[-2000:]
    return found[1]


def index_of(trace, **wanted):
    for index, event in enumerate(trace):
        if all(getattr(event, name) == value for name, value in wanted.items()):
            return index
    raise LookupError(wanted)


@needs_browser
def test_each_step_shows_what_the_trace_says(trace, tmp_path):
    """Every step of the film against Trace.stack and Trace.locals."""
    script = f"see(); for (let i = 1; i < {len(trace)}; i++) {{ key('ArrowRight'); see(); }}"
    seen = browse(tmp_path, [trace.player()], script)
    assert [look["slider"] for look in seen] == list(range(1, len(trace) + 1))
    for index, look in enumerate(seen):
        stack = trace.stack(index)
        assert look["stack"] == [frame.qualname for frame in reversed(stack)]
        assert look["line"] == str(trace[index].line)
        assert look["pane"] == trace[index].qualname
        assert dict(zip(look["locals"], look["values"], strict=True)) == trace.locals(index)
        if trace[index].kind == "line":
            assert set(look["changed"]) == {name for name, text in trace[index].changed.items() if text is not None}
        # The call tree's way down to the current call is the stack.
        assert [name.removesuffix(" (goes on)") for name in look["path"]] == look["stack"]
        assert look["live"] and not look["table"]


@needs_browser
def test_keys(trace, tmp_path):
    call = trace.find("total_or_none", 1)
    script = "see(); for (const k of ['ArrowRight', 'o', 'ArrowLeft', 'u', 'End', 'Home']) { key(k); see(); }"
    seen = browse(tmp_path, [trace.player(start=call)], script)
    at = [look["slider"] - 1 for look in seen]
    first_line, after_over = at[1], at[2]
    assert at[0] == call and first_line == call + 1
    # Over a line that calls: the next event of the same frame.
    depth = trace[first_line].depth
    assert after_over == next(i for i in range(first_line + 1, len(trace)) if trace[i].depth <= depth)
    assert at[3] == after_over - 1
    # Out: the first event of the caller.
    outside = trace[at[3]].depth
    assert at[4] == next(i for i in range(at[3] + 1, len(trace)) if trace[i].depth < outside)
    assert at[5:] == [len(trace) - 1, 0]


@needs_browser
def test_keys_with_a_modifier_are_left_to_the_browser(trace, tmp_path):
    script = """
    const pressed = new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true });
    q('[data-do=next]').dispatchEvent(pressed);
    see();
    """
    [look] = browse(tmp_path, [trace.player()], script)
    assert look["slider"] == 1


@needs_browser
def test_buttons_slider_stack_and_tree(trace, tmp_path):
    inside = trace.find("total", 2) + 2
    script = """
    q('[data-do=next]').click(); see();
    q('[data-do=back]').click(); see();
    q('.tp-stack li:nth-child(2) button').click(); see();
    q('.tp-tree button').click(); see();
    q('input').value = 5; q('input').dispatchEvent(new Event('input')); see();
    q('[data-do=first]').click(); see();
    """
    forward, back, caller, tree, slid, first = browse(tmp_path, [trace.player(start=inside)], script)
    assert forward["slider"] == inside + 2
    assert back["slider"] == inside + 1
    # A frame of the stack shows its own line and locals; the step stays.
    stack = trace.stack(inside)
    assert caller["slider"] == back["slider"]
    assert (caller["pane"], caller["line"]) == (stack[-2].qualname, str(stack[-2].line))
    assert caller["locals"] == ["batch"]
    assert caller["changed"] == []
    assert tree["stack"] == ["main"]
    assert slid["slider"] == 5
    assert first["slider"] == 1


@needs_browser
def test_links_to_steps(trace, tmp_path):
    players = [trace.player(name="one"), trace.player(name="two", steps=("total_or_none", 2))]
    script = "seen.push(...qq('.tp-count'));"
    count = len(players[1].film.steps)
    second = trace.find("total", 2) + 1
    inside = trace.find("total", 2) - players[1].first + 1
    expected = {
        "": (1, 1),
        "#step=7": (7, 1),
        "#step=total:2": (second, 1),
        "#step=two/total:1": (1, inside),
        "#step=two/3": (1, 3),
        "#step=nothing:1": (1, 1),
    }
    for fragment, (one, two) in expected.items():
        assert browse(tmp_path, players, script, fragment) == [f"{one} / {len(trace)}", f"{two} / {count}"], fragment


def made_by_hand(folder):
    """An operator as one step, and two lanes."""
    root = folder / "made"
    root.mkdir()
    (root / "a.py").write_text("def f(x):\n    y = stack(x)\n    return y\n")
    events = [
        Event("call", "main", 0, 0, None, "made/a.py", 1, "f", {"x": "1"}),
        Event("line", "main", 0, 0, None, "made/a.py", 2, "f"),
        Event("op", "main", 1, 1, 0, "elsewhere/ops.py", 9, "Op.__call__", {}, "float32[2]", "aten::stack"),
        Event("call", "worker 0", 0, 2, None, "made/a.py", 1, "f", {"x": "2"}),
        Event("line", "main", 0, 0, None, "made/a.py", 3, "f", {"y": "float32[2]"}),
        Event("return", "worker 0", 0, 2, None, "made/a.py", 3, "f", {}, "2"),
        Event("return", "main", 0, 0, None, "made/a.py", 3, "f", {}, "float32[2]"),
    ]
    return Trace(events, roots=[root])


@needs_browser
def test_operator_is_one_step_at_its_callers_line(tmp_path):
    trace = made_by_hand(tmp_path)
    script = "see(); key('ArrowLeft'); key('o'); see();"
    op, over = browse(tmp_path, [trace.player(start=("aten::stack", 1))], script)
    assert op["status"] == "main aten::stack is done as one step, and gives float32[2]"
    assert (op["pane"], op["line"], op["stack"]) == ("f", "2", ["aten::stack", "f"])
    # Over the line that calls the operator, past the other lane's event.
    assert (over["slider"], over["line"], over["changed"]) == (5, "3", ["y"])


@needs_browser
def test_a_player_of_a_part_knows_what_was_before(trace, tmp_path):
    first = trace.find("total", 1) + 2
    [look] = browse(tmp_path, [trace.player(steps=range(first, first + 2))], "see();")
    assert look["stack"] == [frame.qualname for frame in reversed(trace.stack(first))]
    assert dict(zip(look["locals"], look["values"], strict=True)) == trace.locals(first)


@needs_browser
def test_phone_width(trace, tmp_path):
    """In a window of 400 pixels nothing sticks out."""
    page = tmp_path / "inner.html"
    tell = "<script>onload = () => parent.postMessage(document.documentElement.scrollWidth, '*')</script>"
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><body>'
    page.write_text(head + trace.player()._repr_html_() + tell, encoding="utf-8")
    frame = """<!doctype html><body><script>
      onmessage = event => {
        const report = document.createElement('script');
        report.type = 'text/plain'; report.id = 'report'; report.textContent = event.data;
        document.body.append(report);
      };
    </script><iframe src="inner.html" width="400" height="800"></iframe>"""
    (tmp_path / "outer.html").write_text(frame)
    assert int(dumped(tmp_path, (tmp_path / "outer.html").as_uri(), "report")) <= 400


@needs_browser
def test_as_a_notebook_puts_it_into_its_page(trace, tmp_path):
    """JupyterLab sets an output's HTML and then puts a fresh copy in place of each script, which runs it."""
    markup = json.dumps(trace.player()._repr_html_()).replace("<", "\\u003c")
    script = f"""
    for (let output = 0; output < 2; output++) {{
      const host = document.body.appendChild(document.createElement('div'));
      host.innerHTML = {markup};
      for (const old of host.querySelectorAll('script')) {{
        const copy = document.createElement('script');
        for (const {{ name, value }} of old.attributes) copy.setAttribute(name, value);
        copy.textContent = old.textContent;
        old.replaceWith(copy);
      }}
      host.querySelector('[data-do=next]').click();
      seen.push(host.querySelector('.tp-count').textContent);
    }}
    """
    page = tmp_path / "page.html"
    page.write_text(PROLOGUE + EPILOGUE.replace("SCRIPT", script), encoding="utf-8")
    report = json.loads(dumped(tmp_path, page.as_uri(), "report"))
    assert report == {"seen": [f"2 / {len(trace)}"] * 2, "faults": [], "ready": 2}
