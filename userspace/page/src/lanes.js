// SPDX-License-Identifier: MIT
//
// What stands where in the picture: for each device and ring the host queue above the device queue
// above what executes; beneath it
// the inside of a selected command; and beneath the rings the threads of the CPU.
import { curves, hasCurves, launchHeight } from "./launches.js";
import { count, processName, ringName } from "./format.js";

export const labelWidth = 190;
export const axisHeight = 24;
const heights = { host: 54, device: 38, execution: 20, thread: 24, frames: 22 };
const mostThreads = 60;
const mostSurfaces = 20;
const mostWithoutTimes = 3;
const mostStretch = 2.5;

const collator = new Intl.Collator("en", { numeric: true });

/** Blocks from top to bottom, with `top` and `height` in CSS pixels; they use the room there is, up to a limit. */
export function layOut(data, threads, surfaces, room = 0, inside = null) {
  const least = layOutBy(data, threads, surfaces, 1, inside);
  const drawn = data.rings.filter((ring) => ring.levels.length > 0).length;
  const fixed = drawn * 35 + Math.min(data.rings.length - drawn, mostWithoutTimes) * 20 + Math.min(threads.size, mostThreads) * 27 + (threads.size > 0 ? 24 : 0) + surfaces.length * 25 + 12 + (hasCurves(inside?.launch) ? launchHeight + 12 : 0);
  const factor = Math.min((room - fixed) / Math.max(least.height - fixed, 1), mostStretch);
  return factor > 1 ? layOutBy(data, threads, surfaces, factor, inside) : least;
}

/** Lines for the rings of whose jobs no time is known: nothing can be drawn. */
function withoutTimes(rings) {
  const empty = rings.filter((ring) => ring.levels.length === 0);
  const jobs = (number) => `${count(number)} ${number === 1 ? "job" : "jobs"}, their times are not known`;
  if (empty.length <= mostWithoutTimes) return empty.map((ring) => `${ringName(ring)}: ${jobs(ring.jobs)}`);
  return [`${empty.length}${empty.length < rings.length ? " more" : ""} rings: ${jobs(empty.reduce((sum, ring) => sum + ring.jobs, 0))}`];
}

function layOutBy(data, threads, surfaces, factor, inside) {
  const host = Math.floor(heights.host * factor);
  const device = Math.floor(heights.device * factor);
  const execution = Math.floor(heights.execution * factor);
  const blocks = [];
  let top = 4;
  const add = (block, height, gap = 0) => {
    blocks.push({ ...block, top, height });
    top += height + gap;
  };
  for (const surface of surfaces.slice(0, mostSurfaces)) add({ kind: "frames", surface, title: `frames ${surface.name}` }, heights.frames, 3);
  if (surfaces.length > mostSurfaces) add({ kind: "title", title: `${surfaces.length - mostSurfaces} more surfaces` }, 20);
  if (surfaces.length > 0) top += 6;
  const sorted = [...data.rings].sort((a, b) => collator.compare(ringName(a), ringName(b)));
  const rings = sorted.filter((ring) => ring.levels.length > 0);
  for (const ring of rings) {
    const header = 17;
    const lanes = [
      { place: "host", label: "host queue", top: header, height: host },
      { place: "device", label: "device queue", top: header + host + 2, height: device },
      { place: "execution", label: "execution", top: header + host + device + 4, height: execution },
    ];
    add({ kind: "ring", ring, lanes, header, title: ringName(ring) }, header + host + device + execution + 6, 12);
    if (inside?.ring === ring && hasCurves(inside.launch)) {
      const lanes = curves.map((curve) => ({ ...curve, most: curve.most(inside.launch.device) }));
      add({ kind: "launch", ...inside, ring: null, lanes, title: `inside of ${inside.launch.kernel.name}, command ${inside.command}` }, launchHeight, 12);
    }
  }
  for (const title of withoutTimes(sorted)) add({ kind: "title", title }, 20);
  const shown = [...threads.values()].sort((a, b) => b.total - a.total).slice(0, mostThreads);
  if (shown.length > 0) add({ kind: "title", title: "threads: API calls, whether they ran, waits for fences" }, 20);
  for (const thread of shown) {
    const name = `${thread.actor.comm || processName(thread.actor.process)} ${thread.actor.tid ?? ""}`;
    add({ kind: "thread", thread, title: name }, heights.thread, 3);
  }
  if (threads.size > shown.length) add({ kind: "title", title: `${threads.size - shown.length} more threads` }, 20);
  return { blocks, height: top + 8 };
}
