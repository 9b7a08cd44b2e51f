// The film: shows one step of a recording, and moves through its steps. player.py writes the data and the frame of it.
//
// An event is a row of whole numbers: [letter, frame, line, caller's frame, value, name, value, name, value, ...],
// which point into `functions`, `frames` and `strings`; -1 is none. The first `before` rows place the frames that stood
// before the first step. Every other word on the page comes from `words`.
(() => {
  if (window.tracePlayer) return window.tracePlayer();

  const KINDS = { c: 'call', l: 'line', r: 'return', y: 'yield', s: 'resume', x: 'exception', u: 'unwind', o: 'op' };
  const KEYS = { ArrowRight: 'next', ArrowLeft: 'back', Home: 'first', End: 'last', o: 'over', u: 'out' };
  const NEIGHBOURS = 2;

  const element = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children);
    return node;
  };

  // What the rows say, event by event.
  function read(film) {
    const events = film.events.map(([letter, frame, line, caller, value, ...changes]) => {
      const [fn, lane] = film.frames[frame];
      const [name, pane] = film.functions[fn];
      return { kind: KINDS[String.fromCharCode(letter)], frame, line, caller, value: film.strings[value], changes, name, pane, lane };
    });
    const last = [];     // frame -> its latest event
    const below = [];    // frame -> the caller's event from which it was entered
    const open = [];     // lane -> the call in progress
    const roots = [];    // lane -> its outermost calls
    events.forEach((event, at) => {
      const enters = at < film.before || ['call', 'resume', 'op'].includes(event.kind);
      if (enters || below[event.frame] === undefined) below[event.frame] = last[event.caller];
      event.at = at;
      event.below = below[event.frame];
      event.depth = event.below ? event.below.depth + 1 : 0;
      event.previous = last[event.frame];
      last[event.frame] = event;

      const lane = event.lane;
      roots[lane] ??= [];
      if (enters || open[lane]?.frame !== event.frame) {
        const siblings = open[lane] ? open[lane].calls : roots[lane];
        event.call = { name: event.name, frame: event.frame, at, resumed: event.kind === 'resume', calls: [], parent: open[lane], siblings, place: siblings.length };
        siblings.push(event.call);
        if (event.kind !== 'op') open[lane] = event.call;
      } else {
        event.call = open[lane];
      }
      if (['return', 'yield', 'unwind'].includes(event.kind)) open[lane] = event.call.parent;
    });
    return events;
  }

  // {name: value} of a frame as it was at an event.
  function locals(film, event) {
    const history = [];
    for (let past = event; past; past = past.previous) history.unshift(past);
    const known = new Map();
    for (const { changes } of history) {
      for (let i = 0; i < changes.length; i += 2) {
        if (changes[i + 1] < 0) known.delete(film.strings[changes[i]]);
        else known.set(film.strings[changes[i]], film.strings[changes[i + 1]]);
      }
    }
    return known;
  }

  function start(root) {
    root.dataset.ready = '';
    const find = selector => root.querySelector(selector);
    const film = JSON.parse(find('script').textContent);
    const words = film.words;
    const events = read(film);
    const steps = events.slice(film.before);
    const panes = [...root.querySelectorAll('.tp-pane')];
    const slider = find('input');
    let now = 0;

    function show(step) {
      now = Math.max(0, Math.min(steps.length - 1, step));
      const event = steps[now];
      slider.value = now + 1;
      find('.tp-count').textContent = `${now + 1} / ${steps.length}`;
      showStatus(event);
      showStack(event);
      showTree(event);
      look(event, event);
      slider.setAttribute('aria-valuetext', find('.tp-status').textContent);
    }

    // Look at one frame of the stack: its line and its locals.
    function look(event, current) {
      const shown = event.kind === 'op' && event.below ? event.below : event;
      showLine(shown);
      showLocals(shown, shown === current);
      root.querySelectorAll('.tp-stack button').forEach(button => {
        if (Number(button.value) === event.at) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
      });
    }

    function showStatus(event) {
      const said = event.kind === 'line' ? String(event.line) : event.kind === 'call' ? '' : event.value ?? '';
      const lane = film.lanes.length > 1 ? [element('span', 'tp-lane', film.lanes[event.lane]), ' '] : [];
      find('.tp-status').replaceChildren(...lane, element('code', '', event.name), ` ${words[event.kind]} `,
        ...(said ? [element(event.kind === 'line' ? 'span' : 'code', '', said)] : []));
    }

    function showLine(event) {
      if (event.pane < 0) return;
      panes.forEach((pane, number) => { pane.hidden = number !== event.pane; });
      root.querySelectorAll('.tp-now, .tp-done').forEach(line => line.classList.remove('tp-now', 'tp-done'));
      const pane = panes[event.pane], box = pane.querySelector('.tp-scroll');
      let done = event.kind === 'call' ? undefined : event.previous;
      while (done && done.kind !== 'line') done = done.kind === 'call' ? undefined : done.previous;
      pane.querySelector(`[data-line="${done?.line}"]`)?.classList.add('tp-done');
      const line = pane.querySelector(`[data-line="${event.line}"]`);
      if (!line) return;
      line.classList.add('tp-now');
      keepInSight(box, line, 0.25);
    }

    function showLocals(event, isCurrent) {
      const changes = isCurrent && event.kind !== 'call' && event.previous ? event.changes : [];
      const changed = new Set(changes.filter((_, i) => i % 2 === 0).map(name => film.strings[name]));
      const box = find('.tp-locals');
      const rows = [...locals(film, event)].map(([name, value]) => {
        const mark = changed.has(name) ? 'tp-changed' : '';
        const head = element('th', '', element('code', '', name));
        head.scope = 'row';
        const row = element('tr', mark, head, element('td', '', element('code', '', value)));
        if (mark) row.lastChild.append(element('span', 'tp-why', words.changed));
        return row;
      });
      if (!rows.length) return box.replaceChildren(element('p', 'tp-none', words.none));
      box.replaceChildren(element('table', '', element('tbody', '', ...rows)));
      const first = box.querySelector('.tp-changed');
      if (first) keepInSight(box, first, 0);
    }

    function showStack(event) {
      const frames = [];
      for (let frame = event; frame; frame = frame.below) frames.push(frame);
      find('.tp-stack').replaceChildren(element('ol', '', ...frames.map(frame => {
        const button = element('button', '', element('code', '', frame.name), element('span', '', ` ${frame.line}`));
        button.type = 'button';
        button.value = frame.at;
        button.addEventListener('click', () => look(frame, event));
        return element('li', '', button);
      })));
    }

    // The calls on the way to the current one, each among its neighbours.
    function showTree(event) {
      const path = new Set();
      let outermost = event.call;
      for (let call = event.call; call; call = call.parent) { path.add(call); outermost = call; }
      const list = (calls, middle) => {
        const from = Math.max(0, middle - NEIGHBOURS), to = Math.min(calls.length, middle + NEIGHBOURS + 1);
        const more = count => count ? [element('li', 'tp-more', `… ${count} ${words.more}`)] : [];
        return element('ul', '', ...more(from), ...calls.slice(from, to).map(item), ...more(calls.length - to));
      };
      const item = call => {
        const label = call.resumed ? `${call.name} (${words.resumed})` : call.name;
        const button = element('button', '', element('code', '', label));
        button.type = 'button';
        button.addEventListener('click', () => { show(call.at - film.before); find('.tp-tree [aria-current]')?.focus(); });
        if (call === event.call) button.setAttribute('aria-current', 'step');
        const entry = element('li', '', button);
        if (path.has(call) && call.calls.length) {
          const inner = call.calls.findIndex(child => path.has(child));
          const begun = call.calls.filter(child => child.at <= event.at).length - 1;
          entry.append(list(call.calls, inner >= 0 ? inner : Math.max(0, begun)));
        }
        return entry;
      };
      const box = find('.tp-tree');
      box.replaceChildren(list(outermost.siblings, outermost.place));
      keepInSight(box, box.querySelector('[aria-current]'), 0.2);
    }

    // Scroll a box, and never the page, until a thing inside is away from its edges.
    function keepInSight(box, thing, margin) {
      const outer = box.getBoundingClientRect(), inner = thing.getBoundingClientRect();
      const edge = outer.height * margin;
      if (inner.top >= outer.top + edge && inner.bottom <= outer.bottom - edge) return;
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }

    // The next step of this lane that stands less deep than `depth`.
    function until(depth) {
      const lane = steps[now].lane;
      const next = steps.findIndex((event, step) => step > now && event.lane === lane && event.depth < depth);
      return next < 0 ? steps.length - 1 : next;
    }

    const actions = {
      first: () => show(0),
      back: () => show(now - 1),
      next: () => show(now + 1),
      last: () => show(steps.length - 1),
      over: () => show(until(steps[now].depth + 1)),
      out: () => show(until(steps[now].depth)),
    };
    root.querySelectorAll('[data-do]').forEach(button => button.addEventListener('click', actions[button.dataset.do]));
    slider.addEventListener('input', () => show(slider.value - 1));
    root.addEventListener('keydown', event => {
      const action = KEYS[event.key];
      if (!action || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // The slider has these keys by itself.
      if (event.target === slider && event.key.length > 1) return;
      event.preventDefault();
      event.stopPropagation();
      actions[action]();
    });

    // "12", or "BatchSampler.__iter__:2": the second call of it.
    root.goTo = place => {
      if (/^\d+$/.test(place)) return show(place - 1);
      const [, name, occurrence] = /^(.*):(\d+)$/.exec(place) ?? [];
      const calls = steps.filter(({ kind, name: known }) =>
        (kind === 'call' || kind === 'op') && (known === name || known.endsWith(`.${name}`)));
      const found = calls[occurrence - 1];
      if (found) show(found.at - film.before);
    };

    find('.tp-live').hidden = false;
    find('.tp-table').open = false;
    show(film.start);
  }

  // #step=PLACE or #step=PLAYER/PLACE; without a player's name, the page's first.
  function follow(players) {
    if (!location.hash.startsWith('#step=')) return;
    const target = decodeURIComponent(location.hash.slice('#step='.length));
    const slash = target.lastIndexOf('/');
    const player = slash < 0 ? document.querySelector('.trace-player') : document.getElementById(target.slice(0, slash));
    if (!players.includes(player)) return;
    player.goTo(target.slice(slash + 1));
    player.scrollIntoView({ block: 'nearest' });
  }

  // In a notebook every output brings this script, and each run of it starts the players that are new.
  window.tracePlayer = () => {
    const players = [...document.querySelectorAll('.trace-player:not([data-ready])')];
    players.forEach(start);
    follow(players);
  };
  window.tracePlayer();
  window.addEventListener('hashchange', () => follow([...document.querySelectorAll('.trace-player')]));
})();
