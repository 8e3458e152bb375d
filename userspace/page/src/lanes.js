// SPDX-License-Identifier: MIT
//
// What stands where in the picture: pinned rings, frames of surfaces, then for each ring the host queue above the device
// queue above what executes; beneath it the inside of a selected command; and beneath the rings the threads of the CPU.
import { curves, hasCurves, launchHeight } from "./launches.js";
import { count, processName, ringName } from "./format.js";

export const axisHeight = 24;
const heights = { host: 54, device: 38, execution: 20, thread: 24, frames: 22, collapsed: 20 };
const header = 17; // the line with the ring's name
const mostThreads = 60;
const mostSurfaces = 20;
const mostWithoutTimes = 3;
const mostStretch = 2.5;
const mostPinned = 0.6; // of the room: the other rings must be seen, too
const leastWide = 420;

const collator = new Intl.Collator("en", { numeric: true });
const nothingKept = { collapsed: new Set(), pinned: new Set() };

/** How wide the names of lanes are beside a picture; of a narrow one little is left for them. */
export const labelWidthOf = (width) => (width < leastWide ? 84 : 190);

/** Where jobs waited most comes first, as in the report; rings on which none is known to have waited are last. */
export function inOrderOfWaits(rings) {
  const waited = (ring) => ring.waited_ns ?? 0;
  return [...rings].sort((a, b) => waited(b) - waited(a) || collator.compare(ringName(a), ringName(b)));
}

/**
 * Blocks from top to bottom, with `top` and `height` in CSS pixels; they use the room there is, up to a limit. `kept` has the
 * rings that are collapsed and those that are pinned.
 */
export function layOut(data, threads, surfaces, room = 0, inside = null, kept = nothingKept) {
  const least = layOutBy(data, threads, surfaces, 1, inside, kept);
  const open = least.blocks.filter((block) => block.kind === "ring" && !block.isCollapsed).length;
  const lanes = Math.max(open * (heights.host + heights.device + heights.execution), 1);
  const factor = Math.min((room - least.height + lanes) / lanes, mostStretch);
  const layout = factor > 1 ? layOutBy(data, threads, surfaces, factor, inside, kept) : least;
  // What is too high to stay in sight scrolls with the rest.
  const stays = layout.pinnedHeight <= room * mostPinned;
  for (const block of layout.blocks) block.isPinned &&= stays;
  return { ...layout, pinnedHeight: stays ? layout.pinnedHeight : 0 };
}

/** Lines for the rings of whose jobs no time is known: nothing can be drawn. */
function withoutTimes(rings) {
  const empty = rings.filter((ring) => ring.levels.length === 0);
  const jobs = (number) => `${count(number)} ${number === 1 ? "job" : "jobs"}, their times are not known`;
  if (empty.length <= mostWithoutTimes) return empty.map((ring) => `${ringName(ring)}: ${jobs(ring.jobs)}`);
  return [`${empty.length}${empty.length < rings.length ? " more" : ""} rings: ${jobs(empty.reduce((sum, ring) => sum + ring.jobs, 0))}`];
}

function lanesBy(factor) {
  const [host, device, execution] = [heights.host, heights.device, heights.execution].map((height) => Math.floor(height * factor));
  return [
    { place: "host", label: "host queue", brief: "host", top: header, height: host },
    { place: "device", label: "device queue", brief: "device", top: header + host + 2, height: device },
    { place: "execution", label: "execution", brief: "execution", top: header + host + device + 4, height: execution },
  ];
}

function layOutBy(data, threads, surfaces, factor, inside, kept) {
  const blocks = [];
  let top = 4;
  const add = (block, height, gap = 0) => {
    blocks.push({ ...block, top, height });
    top += height + gap;
  };
  const addRing = (ring, isPinned) => {
    const isCollapsed = kept.collapsed.has(ring);
    const lanes = isCollapsed ? [] : lanesBy(factor);
    const last = lanes.at(-1);
    add({ kind: "ring", ring, lanes, isCollapsed, isPinned, title: ringName(ring) }, last ? last.top + last.height + 2 : heights.collapsed, last ? 12 : 4);
    if (inside?.ring === ring && hasCurves(inside.launch) && !isCollapsed) {
      const rows = curves.map((curve) => ({ ...curve, most: curve.most(inside.launch.device) }));
      add({ kind: "launch", ...inside, ring: null, lanes: rows, isPinned, title: `inside of ${inside.launch.kernel.name}, command ${inside.command}` }, launchHeight, 12);
    }
  };
  const sorted = inOrderOfWaits(data.rings);
  const drawn = sorted.filter((ring) => ring.levels.length > 0);
  for (const ring of kept.pinned) if (drawn.includes(ring)) addRing(ring, true);
  const pinnedHeight = blocks.length > 0 ? top - 4 : 0;
  for (const surface of surfaces.slice(0, mostSurfaces)) add({ kind: "frames", surface, title: `frames ${surface.name}` }, heights.frames, 3);
  if (surfaces.length > mostSurfaces) add({ kind: "title", title: `${surfaces.length - mostSurfaces} more surfaces` }, 20);
  if (surfaces.length > 0) top += 6;
  for (const ring of drawn) if (!kept.pinned.has(ring)) addRing(ring, false);
  for (const title of withoutTimes(sorted)) add({ kind: "title", title }, 20);
  const shown = [...threads.values()].sort((a, b) => b.total - a.total).slice(0, mostThreads);
  if (shown.length > 0) add({ kind: "title", title: "threads: API calls, whether they ran, waits for fences" }, 20);
  for (const thread of shown) {
    const name = `${thread.actor.comm || processName(thread.actor.process)} ${thread.actor.tid ?? ""}`;
    add({ kind: "thread", thread, title: name }, heights.thread, 3);
  }
  if (threads.size > shown.length) add({ kind: "title", title: `${threads.size - shown.length} more threads` }, 20);
  return { blocks, height: top + 8, pinnedHeight };
}
