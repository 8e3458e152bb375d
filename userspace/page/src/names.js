// SPDX-License-Identifier: MIT
//
// Colours by call or kernel: of the jobs of one process, the names that most of them have get a colour each. Levels of detail
// know processes only, so the depths by name are summed here.
import { depthClasses, drawColumns, places, totals } from "./depths.js";
import { isAlive } from "./packed.js";

const grey = depthClasses - 1;
const mostBins = 1 << 15;
const kinds = { host: 0, device: 1, execution: 2, unknown: 3 };

/** Depths of one ring, kind of place and colour, as the time that jobs were there before each bin begins. */
class DepthColumn {
  constructor(bins) {
    this.parts = new Float64Array(bins + 1);
    this.whole = new Float64Array(bins + 1); // differences of depth between bins
  }

  /** In units of bins. */
  add(begin, end) {
    const [first, last] = [Math.floor(begin), Math.floor(end)];
    if (first === last) {
      this.parts[first] += end - begin;
      return;
    }
    this.parts[first] += first + 1 - begin;
    this.parts[last] += end - last;
    this.whole[first + 1] += 1;
    this.whole[last] -= 1;
  }

  finish() {
    const before = new Float64Array(this.parts.length);
    let depth = 0;
    for (let bin = 0; bin + 1 < before.length; ++bin) {
      depth += this.whole[bin];
      before[bin + 1] = before[bin] + depth + this.parts[bin];
    }
    this.before = before;
    this.parts = this.whole = null;
  }

  until(place) {
    const { before } = this;
    const at = Math.min(Math.max(place, 0), before.length - 1);
    const bin = Math.min(Math.floor(at), before.length - 2);
    return before[bin] + (before[bin + 1] - before[bin]) * (at - bin);
  }

  /** The mean depth of each pixel. */
  values(begin, end, width) {
    const result = new Float32Array(width);
    const unit = (end - begin) / width;
    let last = this.until(begin);
    for (let x = 0; x < width; ++x) {
      const next = this.until(begin + (x + 1) * unit);
      result[x] = (next - last) / unit;
      last = next;
    }
    return result;
  }
}

/** Calls use(kind, begin, end) for each place where a job was, as the levels of detail have it. */
function placesOf(jobs, job, length, use) {
  const alive = isAlive(jobs, job) ? length : NaN;
  const put = (kind, begin, end) => {
    const until = Number.isNaN(end) ? alive : end;
    if (until > begin) use(kind, begin, until);
  };
  const [submitted, started] = [jobs.submitted[job], jobs.started[job]];
  put(kinds.host, jobs.queued[job], submitted);
  if (Number.isNaN(started)) {
    put(kinds.unknown, submitted, jobs.completed[job]);
  } else {
    if (!Number.isNaN(submitted)) put(kinds.device, submitted, started);
    put(kinds.execution, started, jobs.completed[job]);
  }
}

/** Colours of names: `classes` has one for each call of the index. */
export class NameColours {
  constructor(process, data) {
    Object.assign(this, { process, data, counts: null, progress: 0, shown: [], others: 0, unknown: 0 });
    this.width = Math.max(data.length / mostBins, 1); // of a bin, in ns
    this.columns = new Map(); // by ring: one for each kind and colour
    this.classes = new Uint8Array(data.index.api_calls.length).fill(grey);
  }

  /** Counts the process' jobs by name, then sums their depths; false: another choice was made meanwhile. */
  async count(isOver, onProgress) {
    const counts = new Float64Array(this.data.index.api_calls.length);
    const steps = [
      [0, (_, jobs, job) => { counts[jobs.call[job]] += 1; }],
      [0.5, (ring, jobs, job) => placesOf(jobs, job, this.data.length, (kind, begin, end) => this.columnOf(ring, kind, this.of(jobs.call[job])).add(begin / this.width, end / this.width))],
    ];
    for (const [part, use] of steps) {
      if (!(await this.each(use, isOver, (progress) => onProgress(part + progress / 2)))) return false;
      if (part === 0) this.rank(counts);
    }
    for (const columns of this.columns.values()) for (const column of columns) column?.finish();
    this.counts = counts;
    return true;
  }

  async each(use, isOver, onProgress) {
    const { data } = this;
    const chunks = data.chunks.filter(Boolean);
    for (const [place, chunk] of chunks.entries()) {
      const jobs = await data.getJobs(chunk);
      if (isOver()) return false;
      for (let job = 0; job < jobs.count; ++job) {
        if (data.actors[jobs.actor[job]].process.number === this.process) use(data.rings[chunk.ring], jobs, job);
      }
      if (place % 8 === 7) onProgress((place + 1) / chunks.length);
    }
    return true;
  }

  /** What has no name has no colour. */
  rank(counts) {
    const { api_calls: calls } = this.data.index;
    const found = [...counts].map((jobs, call) => [call, jobs]).filter(([call, jobs]) => jobs > 0 && calls[call] !== "").sort(([, a], [, b]) => b - a);
    this.shown = found.slice(0, grey);
    this.others = found.slice(grey).reduce((sum, [, jobs]) => sum + jobs, 0);
    this.unknown = counts.reduce((sum, jobs, call) => sum + (calls[call] === "" ? jobs : 0), 0);
    this.shown.forEach(([call], colour) => { this.classes[call] = colour; });
  }

  columnOf(ring, kind, colour) {
    if (!this.columns.has(ring)) this.columns.set(ring, new Array(4 * depthClasses).fill(null));
    return (this.columns.get(ring)[kind * depthClasses + colour] ??= new DepthColumn(mostBins));
  }

  /** What is not counted yet is one of the others. */
  of(call) {
    return this.classes[call] ?? grey;
  }

  /** The areas of a lane: the process' jobs by name, above them all others. `depths` has those of all processes. */
  draw({ raster, colours, view, left }, ring, depths, place, bottom, height, most) {
    const width = raster.width - left;
    const rest = totals(depths, place, width);
    const columns = [];
    for (let colour = 0; colour < depthClasses; ++colour) {
      for (const kind of places[place]) {
        const column = this.columns.get(ring)?.[kind * depthClasses + colour];
        if (!column?.before) continue;
        const values = column.values(view.begin / this.width, view.end / this.width, width);
        for (let x = 0; x < width; ++x) rest[x] = Math.max(rest[x] - values[x], 0);
        columns.push({ values, colour: colours.pixels[colour], pale: colours.pale[colour], isHatched: kind === kinds.unknown });
      }
    }
    columns.push({ values: rest, colour: colours.dim[grey], pale: colours.dim[grey], isHatched: false });
    drawColumns(raster, columns, left, bottom, height, most);
  }
}
