// SPDX-License-Identifier: MIT
//
// Colours by call or kernel: of the jobs of one process, the names that most of them have get a colour each.
import { depthClasses } from "./depths.js";

/** Colours of names: `classes` has one for each call of the index. */
export class NameColours {
  constructor(process, calls) {
    Object.assign(this, { process, counts: null, progress: 0, shown: [], others: 0 });
    this.classes = new Uint8Array(calls).fill(depthClasses - 1);
  }

  /** Counts the process' jobs by name; false: another choice was made meanwhile. */
  async count(data, isOver, onProgress) {
    const counts = new Float64Array(data.index.api_calls.length);
    const chunks = data.chunks.filter(Boolean);
    for (const [place, chunk] of chunks.entries()) {
      const jobs = await data.getJobs(chunk);
      if (isOver()) return false;
      for (let job = 0; job < jobs.count; ++job) {
        if (data.actors[jobs.actor[job]].process.number === this.process) counts[jobs.call[job]] += 1;
      }
      this.progress = (place + 1) / chunks.length;
      if (place % 8 === 7) onProgress();
    }
    this.take(counts);
    return true;
  }

  take(counts) {
    const found = [...counts].map((jobs, call) => [call, jobs]).filter(([, jobs]) => jobs > 0).sort(([, a], [, b]) => b - a);
    this.counts = counts;
    this.shown = found.slice(0, depthClasses - 1);
    this.others = found.slice(depthClasses - 1).reduce((sum, [, jobs]) => sum + jobs, 0);
    this.classes = new Uint8Array(counts.length).fill(depthClasses - 1);
    this.shown.forEach(([call], colour) => { this.classes[call] = colour; });
  }

  /** What is not counted yet is one of the others. */
  of(call) {
    return this.classes[call] ?? depthClasses - 1;
  }
}
