// SPDX-License-Identifier: MIT
//
// What the page opens on: the worst job with its cause, what was lost, and where jobs waited. Each finding leads to its place.
import { count, duration, element, percent, ringName } from "./format.js";
import { describeFrame } from "./frames.js";
import { inOrderOfWaits } from "./lanes.js";

const mostGaps = 5;
const mostRings = 300;

const hint = (text) => element("p", { class: "hint" }, text);

/** `key` keeps the focus where it is when the panel is drawn anew. */
function link(key, attributes, onclick, ...children) {
  return element("button", { class: "link", "data-finding": key, ...attributes, onclick }, ...children);
}

/** The longest part of a job's latency, and where it came from. */
export function causeOf({ parts }) {
  const longest = (all) => all.reduce((most, part) => (part.time > (most?.time ?? 0) ? part : most), null);
  const part = longest(parts.filter((other) => !other.before));
  return part && { part, root: longest(part.root ?? []) };
}

async function drawCause(place, data, number, actions) {
  const diagnosis = await data.diagnosisOf(number);
  const cause = diagnosis && causeOf(diagnosis);
  if (!cause) {
    place.append(data.isReading ? "The cause comes when all is read." : diagnosis || !data.index.diagnoses ? "The cause is unknown." : "lttng-gpu diagnose --job tells the cause.");
    return;
  }
  const { part, root } = cause;
  const share = diagnosis.latency > 0 ? `, ${percent(part.time / diagnosis.latency)}` : "";
  const name = (other) => (other.number === undefined || other.number === number ? other.text : link(`cause ${other.number}`, { "data-job": other.number }, () => actions.select(other.number, true), other.text));
  place.append(`${duration(part.time)}${share}: `, name(part));
  if (root) place.append(element("br"), `of these ${duration(root.time)}: `, name(root));
}

function drawWorst(body, data, actions) {
  const [longest] = data.index.longest.whole;
  body.append(element("h3", {}, "worst job"));
  if (!longest) {
    body.append(hint(data.isReadingJobs ? "No job is read from queued to completed yet." : "Of no job both queued and completed are known."));
    return;
  }
  const [number, length] = longest;
  const who = element("span", { class: "who" });
  const cause = element("p", { id: "worst-cause" });
  body.append(element("p", { id: "worst-finding" }, link("worst", { "data-job": number }, () => actions.select(number, true), duration(length)), who), cause);
  data.job(number).then((job) => { who.textContent = ` ${ringName(job.ring)} · ${job.comm || "unknown"} · ${job.call || `job ${job.seqno ?? "of unknown seqno"}`}`; });
  drawCause(cause, data, number, actions);
}

function gapItem([begin, end, words], number, actions) {
  return element("li", {}, link(`gap ${number}`, {}, () => actions.showTime(begin, end), words), element("span", { class: "who" }, ` +${duration(begin)}, for ${duration(end - begin)}`));
}

function unseenItem(data, [ring, begin, end, jobs], number, actions) {
  const where = data.rings[ring];
  return element("li", {}, link(`unseen ${number}`, {}, () => {
    actions.showTime(begin, end);
    if (where) actions.scrollTo(where);
  }, `${count(jobs)} ${jobs === 1 ? "job" : "jobs"} without any event`), element("span", { class: "who" }, `${where ? ` ${ringName(where)}` : ""} +${duration(begin)}`));
}

function drawLost(body, data, actions) {
  const { index } = data;
  const isWhole = index.loss === "nothing lost" && index.gaps.length === 0 && index.unseen.length === 0;
  body.append(element("h3", {}, "lost"), element("p", { id: "lost-finding", class: isWhole || data.isReadingJobs ? "" : "late" }, data.isReadingJobs ? "known when all jobs are read" : index.loss));
  const longestFirst = (all, [begin, end]) => [...all].sort((a, b) => b[end] - b[begin] - (a[end] - a[begin]));
  const items = [
    ...longestFirst(index.gaps, [0, 1]).slice(0, mostGaps).map((gap, number) => gapItem(gap, number, actions)),
    ...longestFirst(index.unseen, [1, 2]).slice(0, mostGaps).map((jobs, number) => unseenItem(data, jobs, number, actions)),
  ];
  const more = Math.max(index.gaps.length + index.gaps_left_out - mostGaps, 0) + Math.max(index.unseen.length + index.unseen_left_out - mostGaps, 0);
  if (items.length > 0) body.append(element("ul", { id: "gaps" }, ...items));
  if (more > 0) body.append(hint(`${count(more)} shorter ones are hatched red in the picture.`));
}

const faultWords = { timed_out: "timed out", error: "failed", banned: "banned" };

/** Comes when the report is there. */
async function drawFaults(place, data, actions) {
  const report = await data.report();
  const rows = (report?.queues ?? []).flatMap((queue) => Object.entries(faultWords).filter(([name]) => queue.faults[name] > 0).map(([name, words]) => [queue, name, words]));
  if (rows.length === 0) return;
  place.append(element("h3", {}, "failed"), element("ul", { id: "faults" }, ...rows.map(([queue, name, words]) => {
    const ring = data.rings.find((other) => other.device === queue.device && other.name === queue.ring);
    const text = `${count(queue.faults[name])} ${queue.faults[name] === 1 ? "job" : "jobs"} ${words}`;
    return element("li", {}, ring ? link(`fault ${ring.number} ${name}`, { class: "link late" }, () => actions.selectFault(ring, name), text) : text, element("span", { class: "who" }, ` ${queue.device} ${queue.ring}`));
  })));
}

function drawLateFrames(body, surfaces, worst, actions) {
  if (worst.length === 0) return;
  const [frame] = worst;
  const all = surfaces.reduce((sum, surface) => sum + surface.frames.length, 0);
  body.append(element("h3", {}, "late frames"), element("p", { id: "frames-finding" }, `${count(worst.length)} of ${count(all)}; the latest: `,
    link("frame", { "data-frame": `${frame.of.number}:${frame.number}` }, () => actions.selectFrame(frame, true), describeFrame(frame)[0]), element("span", { class: "who" }, ` ${describeFrame(frame)[1]}`)));
}

/** A sum of what is known; nothing known is not nothing. */
function waitedText({ waited_ns: waited, waits_unknown: unknown, jobs }) {
  if (unknown === 0) return duration(waited);
  return waited === 0 && unknown === jobs ? "unknown" : `≥ ${duration(waited)}`;
}

function drawRings(body, data, actions) {
  const rings = inOrderOfWaits(data.rings);
  const rows = rings.slice(0, mostRings).map((ring) => {
    const [number, length] = ring.longest_wait ?? [];
    return element("tr", {},
      element("th", { class: "wraps" }, link(`ring ${ring.number}`, { "data-ring": ring.number, "data-job": number }, () => (number === undefined ? actions.scrollTo(ring) : actions.select(number, true)), ringName(ring))),
      element("td", {}, waitedText(ring)), element("td", {}, number === undefined ? "-" : duration(length)));
  });
  body.append(element("h3", {}, "rings by the time that jobs waited there"), element("table", { id: "rings-finding", class: "statistics" },
    element("tr", {}, ...["ring", "all jobs", "longest"].map((title) => element("th", {}, title))), ...rows));
  if (rings.length > mostRings) body.append(hint(`and ${count(rings.length - mostRings)} rings where jobs waited less`));
  body.append(hint("Waited: in the host queue and in the device queue. A ring leads to the job that waited longest there."));
}

/** `actions`: select, selectFrame, selectFault, showTime, scrollTo. */
export function drawFindings(body, data, surfaces, worstFrames, actions) {
  if (data.index.traces.length > 0) body.append(element("p", { class: "hint", id: "trace-names" }, data.index.traces.join(", ")));
  drawWorst(body, data, actions);
  const faults = element("div");
  body.append(faults);
  drawFaults(faults, data, actions);
  drawLateFrames(body, surfaces, worstFrames, actions);
  drawLost(body, data, actions);
  drawRings(body, data, actions);
}
