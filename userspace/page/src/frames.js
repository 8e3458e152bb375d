// SPDX-License-Identifier: MIT
//
// Frames of surfaces: each surface has a row of them, and the panel tells of one what `lttng-gpu
// frames` does.
import { duration, element, percent, processName, ringName } from "./format.js";
import { frameParts } from "./packed.js";

const isLate = (frame) => frame.lateness === 2;
export const partTitles = ["before submit", "in call", "host queue", "device queue", "execution", "after the jobs", "unknown"];
const partNames = ["cpu", "call", "host_queue", "device_queue", "execution", "after", "unknown"];
const mostListed = 100;
const mostCalls = 30;

export const begins = (frame) => (Number.isNaN(frame.begin) ? frame.callBegin : frame.begin);
export const lateBy = (frame) => (isLate(frame) && frame.lateBy !== 6 ? partNames[frame.lateBy] : "");
const interval = (frame) => frame.end - frame.begin;
/** By how much it took longer than usual; what is not known comes last. */
const excess = (frame) => (Number.isNaN(frame.cadence + frame.begin) ? -Infinity : interval(frame) - frame.cadence);

/** Surfaces with their frames in order; of each also the late ones alone, and the ends for a quick search. */
export async function findSurfaces(data) {
  const surfaces = data.index.frames.surfaces.map(([process, api, handle], number) =>
    ({ number, process: data.shownProcesses[process], api, handle, frames: [], name: processName(data.shownProcesses[process]) }));
  for (const chunk of data.relations.frames) {
    for (const frame of await data.getFrames(chunk)) surfaces[frame.surface].frames.push(frame);
  }
  const names = surfaces.map((surface) => surface.name);
  for (const surface of surfaces) {
    if (names.indexOf(surface.name) !== names.lastIndexOf(surface.name)) surface.name += ` ${surface.api} 0x${BigInt(surface.handle).toString(16)}`;
    surface.ends = Float64Array.from(surface.frames, (frame) => frame.end);
    surface.late = surface.frames.filter(isLate);
    surface.lateEnds = Float64Array.from(surface.late, (frame) => frame.end);
    surface.frames.forEach((frame, place) => Object.assign(frame, { of: surface, place }));
  }
  return surfaces;
}

/** The latest first, as `lttng-gpu frames` sorts them. */
export function worstFrames(surfaces) {
  return surfaces.flatMap((surface) => surface.late).sort((a, b) => excess(b) - excess(a) || a.end - b.end);
}

/** From the end on the GPU, as far as known, until the program learned of it. */
const learnedAfter = (frame) => Math.max(frame.learned - (Number.isNaN(frame.gpuEnd) ? frame.completed : frame.gpuEnd), 0);

/** A row of `lttng-gpu frames --format csv`. */
export function frameRow(data, frame) {
  const actor = data.actors[frame.actor];
  const length = (value) => (Number.isNaN(value) ? "" : String(value));
  return {
    api: frame.of.api, pid: actor.process.pid ?? "", tid: actor.tid ?? "", comm: actor.comm, surface: frame.of.handle, frame: frame.number,
    function: data.index.api_calls[frame.function], begin_ns: data.clock(frame.begin), call_begin_ns: data.clock(frame.callBegin), end_ns: data.clock(frame.end),
    interval_ns: length(interval(frame)), cadence_ns: length(frame.cadence), late: ["", "no", "yes"][frame.lateness], late_by: lateBy(frame),
    in_calls_ns: length(frame.inCalls), jobs: frame.jobs, jobs_by_time: frame.jobsByTime, first_queued_ns: data.clock(frame.firstQueued),
    host_queue_ns: length(frame.hostQueue), device_queue_ns: length(frame.deviceQueue), execution_ns: length(frame.execution), execution_wall_ns: length(frame.executionWall),
    completed_ns: data.clock(frame.completed), observed_ns: data.clock(frame.observed), draws: frame.draws, dispatches: frame.dispatches, uploads: frame.uploads,
    ...Object.fromEntries(frameParts.map((name) => [`${name}_ns`, length(frame[name])])),
    gpu_commands: frame.gpuCommands, gpu_begin_ns: data.clock(frame.gpuBegin), gpu_end_ns: data.clock(frame.gpuEnd), gpu_ns: length(frame.gpu),
    gpu_error_ns: length(frame.gpuError), learned_ns: data.clock(frame.learned), learned_after_ns: length(learnedAfter(frame)), in_calls_on_cpu_ns: length(frame.inCallsOnCpu),
  };
}

/** What the pointer tells. */
export function describeFrame(frame) {
  const known = Number.isNaN(frame.begin) ? "no frame was seen just before it" : `interval ${duration(interval(frame))}, usually ${duration(frame.cadence)}`;
  const late = isLate(frame) ? `late${lateBy(frame) ? `: ${partTitles[frame.lateBy]} took longer` : ", by unknown"}` : frame.lateness === 1 ? "on time" : "too few frames before it to say whether it is late";
  const gpu = Number.isNaN(frame.gpu) ? "" : `, GPU ${duration(frame.gpu)}`;
  return [`frame ${frame.number} of ${frame.of.name}`, known, late, `${frame.jobs} ${frame.jobs === 1 ? "job" : "jobs"}${gpu}`];
}

function partsTable(frame, colours) {
  const all = frameParts.map((name, part) => ({ part, time: frame[name] })).filter(({ time }) => time > 0);
  if (all.length === 0) return element("p", { class: "hint" }, Number.isNaN(frame.begin) ? "What its time was spent with is unknown: no frame was seen just before it." : "What its time was spent with is unknown.");
  return element("div", {},
    element("div", { class: "parts", role: "img", "aria-label": "parts of the frame's time" }, ...all.map(({ part, time }) =>
      element("i", { style: `flex:${time};background:${colours.parts[part]}`, class: part === 6 ? "unknown" : "" }))),
    element("table", { id: "frame-parts" }, ...all.map(({ part, time }) => element("tr", { class: isLate(frame) && part === frame.lateBy ? "cause" : "" },
      element("td", {}, element("i", { class: `sign-part${part === 6 ? " unknown" : ""}`, style: `background:${colours.parts[part]}` }), partTitles[part]),
      element("td", { "data-part": partNames[part], "data-time": time }, duration(time)), element("td", {}, percent(time / interval(frame)))))));
}

function sentence(frame) {
  if (Number.isNaN(frame.begin)) return "No frame of the surface was seen just before it, so its interval is unknown.";
  if (frame.lateness === 0) return `It took ${duration(interval(frame))}. Too few frames came before it to say whether that is late.`;
  const usual = `It took ${duration(interval(frame))}; usually a frame takes ${duration(frame.cadence)}`;
  if (!isLate(frame)) return `${usual}. It is on time.`;
  return `${usual}. It is late. ${lateBy(frame) ? `“${partTitles[frame.lateBy]}” took much longer than usual` : "Which part took longer than usual is unknown"}.`;
}

/** The panel of one frame. `actions`: selectFrame(frame), show(begin, end), link(job, text). */
export async function drawFrame(body, data, frame, threads, colours, actions) {
  const times = [["begin_ns", frame.begin], ["call_begin_ns", frame.callBegin], ["first_queued_ns", frame.firstQueued], ["completed_ns", frame.completed], ["observed_ns", frame.observed], ["end_ns", frame.end]];
  const row = frameRow(data, frame);
  const text = (name) => ({ begin_ns: "frame before ended", call_begin_ns: `${row.function || "last call"} began`, first_queued_ns: "first job queued", completed_ns: "last job completed", observed_ns: "completion observed", end_ns: `${row.function || "last call"} returned` })[name];
  const shown = new Set(["begin_ns", "call_begin_ns", "first_queued_ns", "completed_ns", "observed_ns", "end_ns", ...frameParts.map((name) => `${name}_ns`)]);
  const start = begins(frame);
  body.append(
    element("h2", {}, `frame ${frame.number} of ${frame.of.name}`, isLate(frame) ? element("span", { class: "late" }, " late") : ""),
    element("p", { class: "buttons" },
      element("button", { onclick: () => actions.showTime(start, frame.end) }, "zoom to it (f)"),
      element("button", { onclick: () => actions.stepFrame(-1) }, "‹ previous ([)"), element("button", { onclick: () => actions.stepFrame(1) }, "next (]) ›")),
    element("p", {}, sentence(frame)), partsTable(frame, colours),
    ...(Number.isNaN(frame.gpu) ? [] : [element("p", { id: "frame-gpu", "data-time": frame.gpu }, `The GPU executed it for ${duration(frame.gpu)}.`)]),
    ...(isLate(frame) ? [element("p", { id: "frame-why" }, "why: ", element("code", {}, `lttng-gpu diagnose --frame ${frame.number} TRACE`))] : []),
    element("table", { class: "life" }, ...times.filter(([name, time]) => !Number.isNaN(time) || name !== "observed_ns").sort(([, a], [, b]) => (Number.isNaN(a) ? -1 : a) - (Number.isNaN(b) ? -1 : b)).map(([name, time]) =>
      element("tr", { class: Number.isNaN(time) ? "unknown" : "" }, element("th", {}, text(name)), element("td", {}, Number.isNaN(time) ? "unknown" : `${time < start ? "−" : "+"}${duration(Math.abs(time - start))}`),
        element("td", { class: "clock", "data-field": name }, data.clock(time))))));
  body.append(element("h3", {}, "jobs made for it"));
  const jobs = element("ul", { id: "frame-jobs" });
  body.append(jobs);
  drawCalls(body, data, frame, threads);
  body.append(element("h3", {}, "all values"), element("table", { class: "facts" }, ...Object.entries(row).filter(([name]) => !shown.has(name)).map(([name, value]) =>
    element("tr", { class: value === "" ? "unknown" : "" }, element("th", {}, name), element("td", { "data-field": name }, String(value))))));
  const known = frame.made.filter((number) => number >= 0);
  const items = await Promise.all(known.slice(0, mostListed).map(async (number) => {
    const job = await data.job(number);
    return element("li", {}, actions.link(number, `${ringName(job.ring)} ${job.seqno ?? ""}`), ` ${duration(job.completed - job.queued)}`);
  }));
  jobs.replaceChildren(...items);
  const rest = [known.length > mostListed ? `${known.length - mostListed} more` : "", frame.jobs > known.length ? `${frame.jobs - known.length} that are not in the page` : "",
    frame.jobs === 0 ? "No job of it is known." : "", frame.jobsByTime > 0 ? `${frame.jobsByTime} of them were found only by when they were queued` : ""].filter(Boolean);
  if (rest.length > 0) jobs.after(element("p", { class: "hint" }, rest.join("; ")));
}

/** Calls of the thread that ended it, the longest of them by name. */
function drawCalls(body, data, frame, threads) {
  const spans = threads.get(data.actors[frame.actor])?.calls;
  const calls = new Map();
  for (let place = 0; place < (spans?.count ?? 0); ++place) {
    if (spans.end[place] <= begins(frame) || spans.begin[place] >= frame.end) continue;
    const name = data.index.api_calls[spans.value[place]];
    const all = calls.get(name) ?? { name, count: 0, time: 0 };
    all.count += 1;
    all.time += Math.min(spans.end[place], frame.end) - Math.max(spans.begin[place], begins(frame));
    calls.set(name, all);
  }
  if (calls.size === 0) return;
  const sorted = [...calls.values()].sort((a, b) => b.time - a.time);
  body.append(element("h3", {}, "calls of its thread"), element("table", { class: "statistics", id: "frame-calls" },
    ...sorted.slice(0, mostCalls).map(({ name, count, time }) => element("tr", {}, element("th", {}, name), element("td", {}, count > 1 ? `${count} ×` : ""), element("td", {}, duration(time))))));
}

/** The list of the worst frames, and how many there are of each surface. */
export function drawFrameList(body, surfaces, worst, actions) {
  body.append(element("h2", {}, "frames"), element("table", { class: "statistics" },
    element("tr", {}, ...["surface", "frames", "late"].map((title) => element("th", {}, title))),
    ...surfaces.map((surface) => element("tr", {}, element("th", { class: "wraps" }, surface.name), element("td", {}, String(surface.frames.length)), element("td", { "data-late": surface.number }, String(surface.late.length))))));
  if (worst.length === 0) {
    body.append(element("p", { class: "hint" }, "No frame was late."));
    return;
  }
  body.append(element("h3", {}, "the latest (l, L)"), element("ol", { id: "worst-frames" }, ...worst.slice(0, mostListed).map((frame) =>
    element("li", {}, element("button", { class: "link", "data-frame": `${frame.of.number}:${frame.number}`, onclick: () => actions.selectFrame(frame, true) }, `frame ${frame.number}, ${duration(interval(frame))}`),
      element("span", { class: "who" }, ` ${duration(excess(frame))} over usual · ${lateBy(frame) ? partTitles[frame.lateBy] : "unknown part"}`)))));
}
