// SPDX-License-Identifier: MIT
//
// Pointer, wheel and keys.
import { begins, describeFrame } from "./frames.js";
import { duration, element, processName, ringName } from "./format.js";
import { describeLaunch } from "./launches.js";
import { axisHeight } from "./lanes.js";
import { jobAt } from "./search.js";
import { describeSpan } from "./threads.js";

const named = (id) => document.getElementById(id);

function position(event, canvas) {
  const frame = canvas.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

export function listen(application) {
  const { view, picture, state, measure } = application;
  const stage = named("stage");
  let drag = null;
  let pointer = 0.5; // of the width, for keys that zoom
  let pointed = null; // the ring under the pointer

  const part = (x) => Math.min(Math.max((x - picture.labelWidth) / (picture.width - picture.labelWidth), 0), 1);

  new ResizeObserver(() => application.resize()).observe(stage);
  stage.addEventListener("scroll", () => {
    application.scrolled(stage.scrollTop);
    application.redraw();
  });
  // Who goes somewhere does not want to be taken to the place of the address any more.
  for (const kind of ["pointerdown", "wheel", "keydown"]) document.addEventListener(kind, () => application.link.forget(), { capture: true, passive: true });
  picture.canvas.addEventListener("wheel", (event) => {
    const [x] = position(event, picture.canvas);
    if (event.shiftKey || x < picture.labelWidth) return; // the stage scrolls
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.pan(event.deltaX / picture.width);
    else view.zoom(1.0015 ** (event.deltaY * (event.deltaMode === 1 ? 30 : 1)), part(x));
  }, { passive: false });
  stage.addEventListener("wheel", (event) => {
    if (event.shiftKey) stage.scrollTop += event.deltaY || event.deltaX;
  });

  picture.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, y] = position(event, picture.canvas);
    picture.canvas.setPointerCapture(event.pointerId);
    if ((event.ctrlKey || event.metaKey) && !measure.isOn) measure.turn(true);
    const isMeasure = measure.isOn && x >= picture.labelWidth && y >= axisHeight;
    if (isMeasure) measure.press(x, y);
    drag = { x, y, begin: view.begin, end: view.end, scroll: stage.scrollTop, isRange: event.shiftKey, isMeasure, hasMoved: false };
    stage.focus({ preventScroll: true });
  });
  picture.canvas.addEventListener("pointermove", (event) => {
    const [x, y] = position(event, picture.canvas);
    pointer = part(x);
    if (!drag) {
      if (measure.isOpen) measure.move(x, y);
      return hover(x, y);
    }
    drag.hasMoved ||= Math.hypot(x - drag.x, y - drag.y) > 4;
    if (!drag.hasMoved) return;
    named("hint").hidden = true;
    if (drag.isMeasure) {
      measure.move(x, y);
    } else if (drag.isRange) {
      application.drawNow();
      picture.context.fillStyle = picture.colours.mark;
      picture.context.globalAlpha = 0.2;
      picture.context.fillRect(Math.min(x, drag.x), axisHeight, Math.abs(x - drag.x), picture.height);
      picture.context.globalAlpha = 1;
    } else {
      const by = ((x - drag.x) / (picture.width - picture.labelWidth)) * (drag.end - drag.begin);
      stage.scrollTop = drag.scroll - (y - drag.y);
      view.set(drag.begin - by, drag.end - by);
    }
  });
  picture.canvas.addEventListener("pointerup", (event) => {
    const [x, y] = position(event, picture.canvas);
    const done = drag;
    drag = null;
    if (!done) return;
    if (done.isMeasure) measure.release(done.hasMoved);
    else if (!done.hasMoved) click(x, y);
    else if (done.isRange) view.set(picture.time(Math.min(x, done.x)), picture.time(Math.max(x, done.x)));
  });
  picture.canvas.addEventListener("pointerleave", () => {
    named("hint").hidden = true;
  });
  picture.canvas.addEventListener("dblclick", (event) => view.zoom(0.25, part(position(event, picture.canvas)[0])));

  async function click(x, y) {
    if (y < axisHeight) return;
    if (x < picture.labelWidth) {
      const { block } = picture.laneAt(y) ?? {};
      if (block?.isCollapsed) application.toggleCollapsed(block.ring);
      return hover(x, y); // a finger has no other way to see the whole name
    }
    const pick = picture.pickAt(x, y);
    if (pick?.number !== undefined) return application.select(pick.number);
    if (pick?.frame) return application.selectFrame(pick.frame);
    if (pick?.spans?.kind === "waits" && pick.spans.job[pick.place] >= 0) return application.select(pick.spans.job[pick.place]);
    const lane = picture.laneAt(y);
    if (lane?.block.kind === "ring" && !lane.block.isDetailed) {
      const number = await jobAt(application.data, lane.block.ring, lane.lane?.place, picture.time(x));
      if (number !== null) await application.select(number);
    }
  }

  function hover(x, y) {
    const hint = named("hint");
    const pick = x > picture.labelWidth ? picture.pickAt(x, y) : null;
    pointed = picture.laneAt(y)?.block.ring ?? null;
    const number = pick?.number ?? null;
    if (number !== state.hovered) {
      state.hovered = number;
      application.redraw();
    }
    const lines = pick ? describe(pick, picture.time(x)) : x < picture.labelWidth ? describeName(y) : describeDepth(x, y);
    hint.hidden = !lines;
    if (!lines) return;
    hint.replaceChildren(element("b", {}, lines[0]), ...lines.slice(1).map((line) => element("div", {}, line)));
    const room = named("view").getBoundingClientRect();
    hint.style.left = `${Math.max(4, Math.min(x + 14, room.width - hint.offsetWidth - 4))}px`;
    hint.style.top = `${Math.max(4, Math.min(y + 60, room.height - hint.offsetHeight - 4))}px`;
  }

  /** Names may be longer than there is room. */
  function describeName(y) {
    const { block } = y > axisHeight ? picture.laneAt(y) ?? {} : {};
    return block ? [block.title] : null;
  }

  function describe(pick, time) {
    if (pick.frame) return describeFrame(pick.frame);
    if (pick.launch) return describeLaunch(pick, time);
    if (pick.spans) return describeSpan(application.data, pick, duration);
    const { stay, lane } = pick;
    const job = application.data.describe(stay.chunk, stay.jobs, stay.job);
    const where = !lane ? "one of its times is unknown" : stay.isUnknown ? `on the device, start unknown: ${duration(stay.leave - stay.enter)}` : `${lane.label}: ${duration(stay.leave - stay.enter)}`;
    return [`${job.call || `${job.comm || "unknown"} ${job.seqno ?? ""}`}`, where,
      `${processName(job.process)} · seqno ${job.seqno ?? "unknown"} · ${job.status}`,
      lane?.place === "execution" && job.startedBasis !== "observed" ? `start ${job.startedBasis}` : ""].filter(Boolean);
  }

  function describeDepth(x, y) {
    const found = picture.laneAt(y);
    const depths = found?.block.depths;
    if (!depths || !found.lane) return null;
    const column = Math.floor((x - picture.labelWidth) * picture.scale);
    const lines = [];
    let sum = 0;
    const { processes } = application.data;
    for (const kind of { host: [0], device: [1, 3], execution: [2] }[found.lane.place]) {
      for (let number = 0; number < 8; ++number) {
        const depth = depths[kind * 8 + number]?.[column] ?? 0;
        if (depth <= 0) continue;
        sum += depth;
        const process = processes.find((other) => other.colour === number);
        lines.push(`${number === 7 ? "others" : processName(process)}: ${depth.toFixed(2)}`);
      }
    }
    return sum > 0 ? [`${ringName(found.block.ring)}, ${found.lane.label}`, `${sum.toFixed(2)} jobs on average`, ...lines] : null;
  }

  const overview = application.overview;
  const drive = (event) => {
    const [x] = position(event, overview.canvas);
    const middle = overview.time(x);
    view.set(middle - view.span / 2, middle + view.span / 2);
  };
  overview.canvas.addEventListener("pointerdown", (event) => {
    overview.canvas.setPointerCapture(event.pointerId);
    drive(event);
  });
  overview.canvas.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) drive(event);
  });
  overview.canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom(1.0015 ** event.deltaY);
  }, { passive: false });

  named("zoom-in").addEventListener("click", () => view.zoom(0.5));
  named("zoom-out").addEventListener("click", () => view.zoom(2));
  named("whole").addEventListener("click", () => view.whole());
  named("worst-job").addEventListener("click", () => application.showWorst(0));
  named("measure").addEventListener("click", () => measure.turn(!measure.isOn));
  named("link").addEventListener("click", () => application.link.copy());
  named("theme").addEventListener("click", () => application.toggleTheme());
  named("help").addEventListener("click", () => named("keys").showModal());
  named("search").addEventListener("submit", (event) => {
    event.preventDefault();
    application.search(named("query").value);
  });

  const isOfFrames = () => state.frame !== null && application.panel.tab === "frames";
  const step = (by) => (isOfFrames() ? application.stepFrame(by) : application.step(by));
  const ringOfKeys = () => document.activeElement?.closest(".ring-buttons")?.dataset.ring;
  const withRing = (use) => {
    const number = ringOfKeys();
    const ring = number !== undefined ? application.data.rings[number] : pointed ?? state.selected?.ring ?? state.layout.blocks.find((block) => block.kind === "ring")?.ring;
    if (ring) use(ring);
  };
  const measured = (name, by) => {
    const { selected } = state;
    if (measure.isOn) measure.step(name, by, selected ? { time: selected.first, words: `begin of job ${selected.seqno ?? "of unknown seqno"}` } : null);
  };
  const keys = {
    w: () => application.showWorst(0), n: () => application.showWorst(1), p: () => application.showWorst(-1),
    "+": () => view.zoom(0.7, pointer), "=": () => view.zoom(0.7, pointer), "-": () => view.zoom(1 / 0.7, pointer),
    W: () => view.zoom(0.7, pointer), S: () => view.zoom(1 / 0.7, pointer), s: () => view.zoom(1 / 0.7, pointer), e: () => view.zoom(0.7, pointer),
    a: () => view.pan(-0.15), d: () => view.pan(0.15), A: () => view.pan(-0.5), D: () => view.pan(0.5),
    ArrowLeft: () => view.pan(-0.15), ArrowRight: () => view.pan(0.15),
    ArrowUp: () => { stage.scrollTop -= 60; }, ArrowDown: () => { stage.scrollTop += 60; },
    0: () => view.whole(), Home: () => view.whole(), "[": () => step(-1), "]": () => step(1),
    l: () => application.showWorstFrame(1), L: () => application.showWorstFrame(-1),
    f: () => (isOfFrames() ? view.show(begins(state.frame), state.frame.end) : state.selected && application.showJob(state.selected)), t: () => application.toggleTheme(),
    "/": () => named("query").focus(), "?": () => named("keys").showModal(),
    1: () => application.panel.open("job"), 2: () => application.panel.open("worst"), 3: () => application.panel.open("statistics"), 4: () => application.panel.open("search"),
    h: () => application.panel.open("findings"), c: () => withRing((ring) => application.toggleCollapsed(ring)), C: () => application.toggleAll(),
    i: () => withRing((ring) => application.togglePinned(ring)), k: () => application.toggleNames(), y: () => application.link.copy(),
    m: () => measure.turn(!measure.isOn), ",": () => measured("to", -1), ".": () => measured("to", 1), "<": () => measured("from", -1), ">": () => measured("from", 1),
    5: () => application.surfaces.length > 0 && application.panel.open("frames"),
    Escape: () => {
      if (measure.isOn) return measure.turn(false);
      state.highlighted = state.names = null;
      application.drawLegend();
      application.selectNothing();
    },
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "SELECT"].includes(event.target.tagName) || named("keys").open;
    if (event.key === "Escape" && event.target === named("query")) stage.focus();
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
