// SPDX-License-Identifier: MIT
//
// The trace's data: an index that is there from the beginning, and pieces that come when they are
// asked for, from this page's own text or from the server.
import { hasSeqno, unpackDependencies, unpackFrames, unpackJobs, unpackSpans, unpackTile, unpackWaits } from "./packed.js";
import { Server, ServerGone } from "./server.js";
import { lowerBound } from "./stacks.js";

const mostHeld = 128; // pieces of jobs
const phases = ["host_queue", "device_queue", "execution", "whole"];

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < bytes.length; ++place) bytes[place] = letters.charCodeAt(place);
  return bytes;
}

/** Elements behind this script are not there until the browser has read that far. */
const wholePage = new Promise((done) => {
  if (document.readyState !== "loading") done();
  else document.addEventListener("DOMContentLoaded", done, { once: true });
});

const embedded = {
  async index() {
    return inflated(fromBase64(document.getElementById("index").textContent));
  },
  async piece(number) {
    if (!document.getElementById(`b${number}`)) await wholePage;
    return inflated(fromBase64(document.getElementById(`b${number}`).textContent));
  },
};

const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

export async function openData() {
  const source = document.getElementById("index") ? embedded : new Server(); // what that has is not deflated
  const state = source.state ? parsed(await source.state()) : null;
  const data = new Data(source, parsed(await source.index()));
  data.state = state;
  await data.loadFirst();
  return data;
}

/** Objects of a list that was longer or shorter before stay what they are: others point to them. */
function amend(objects, rows) {
  objects.length = Math.min(objects.length, rows.length);
  rows.forEach((row, number) => { objects[number] = Object.assign(objects[number] ?? {}, row); });
}

const tilesOf = (index) => new Set(index.rings.flatMap((ring) => ring.levels.flatMap((level) => level.tiles)));

class Data {
  constructor(source, index) {
    this.source = source;
    this.loaded = new Map(); // pieces; the ones used last are at the end
    this.coming = new Map();
    this.onArrival = () => {};
    Object.assign(this, { processes: [], rings: [] });
    this.threads = new Map(); // actors by name; they stay the same objects
    this.take(index);
  }

  take(index) {
    this.index = index;
    this.length = index.length;
    this.readUntil = this.isReadingJobs ? index.read_until : index.length;
    this.origin = BigInt(index.origin_ns);
    amend(this.processes, index.processes.map(([pid, comm, jobs, colour, tid], number) => ({ number, pid, tid, comm, jobs, colour })));
    // The trace of the kernel and that of user space each have the process: it is shown as the one with the most jobs.
    const nameOf = ({ pid, comm }) => `${pid} ${comm}`;
    const shown = new Map();
    for (const process of [...this.processes].sort((a, b) => b.jobs - a.jobs)) {
      process.shownJobs = 0;
      if (process.pid && process.comm && !shown.has(nameOf(process))) shown.set(nameOf(process), process);
    }
    this.shownProcesses = this.processes.map((process) => shown.get(nameOf(process)) ?? process);
    this.processes.forEach((process, number) => { this.shownProcesses[number].shownJobs += process.jobs; });
    this.actors = index.actors.map(([number, tid, comm]) => {
      const process = this.shownProcesses[number];
      const name = `${process.number} ${tid ?? ""} ${comm}`;
      if (!this.threads.has(name)) this.threads.set(name, { process, tid, comm });
      return this.threads.get(name);
    });
    amend(this.rings, index.rings.map((ring, number) => ({
      ...ring, number,
      chunks: ring.chunks.map(([chunk, piece, jobs, first, last, end]) => ({ number: chunk, piece, jobs, first, last, end, ring: number })),
    })));
    this.chunks = [];
    for (const ring of this.rings) for (const chunk of ring.chunks) this.chunks[chunk.number] = chunk;
    const chunksOf = ({ chunks }) => chunks.map(([piece, count, first, last, end]) => ({ piece, count, first, last, end }));
    this.relations = {
      waits: chunksOf(index.waits), calls: chunksOf(index.calls), states: chunksOf(index.states),
      frames: chunksOf(index.frames),
      dependencies: index.dependencies.chunks.map(([piece, count, first, last]) => ({ piece, count, first, last })),
    };
    this.jobCount = this.rings.reduce((sum, ring) => sum + ring.jobs, 0);
  }

  /** The server still reads; these are its stages: jobs, reasons. */
  get isReading() {
    return this.index.stage !== "all";
  }
  get isReadingJobs() {
    return this.index.stage === "jobs";
  }
  get isServerGone() {
    return this.source.isGone === true;
  }

  /**
   * Takes what the server has read since; false: nothing new. `state` has the part of the trace that
   * is read. The server may have begun anew: then so has the page.
   */
  async refresh() {
    const state = parsed(await this.source.state());
    if (state.reading !== this.state.reading) {
      location.reload();
      return false;
    }
    if (state.version === this.state.version) {
      this.state = state;
      return false;
    }
    const tiles = tilesOf(this.index);
    const index = parsed(await this.source.index());
    await this.loadTiles(index);
    this.state = state;
    this.take(index);
    const kept = tilesOf(index);
    for (const tile of tiles) if (!kept.has(tile)) this.loaded.delete(tile);
    return true;
  }

  /** What is there already, or null: then it is on its way, and onArrival is called. */
  peek(piece, unpack) {
    const found = this.loaded.get(piece);
    if (found?.latest) {
      this.loaded.delete(piece); // used just now: goes last
      this.loaded.set(piece, found);
    }
    if (found === undefined) {
      this.get(piece, unpack).then(() => this.onArrival(), (error) => this.forgive(error));
      return null;
    }
    return found;
  }

  async get(piece, unpack) {
    const found = this.loaded.get(piece);
    if (found !== undefined) return found;
    if (!this.coming.has(piece)) {
      this.coming.set(piece, this.source.piece(piece).then((bytes) => {
        const unpacked = unpack(bytes);
        this.loaded.set(piece, unpacked);
        this.coming.delete(piece);
        this.forget();
        return unpacked;
      }).catch((error) => {
        this.coming.delete(piece);
        throw error;
      }));
    }
    return this.coming.get(piece);
  }

  /** While more is read, depths are replaced by newer ones and what was there goes. What a server that is gone had comes later. */
  forgive(error) {
    if (!this.isReading && !(error instanceof ServerGone)) throw error;
  }

  /** Of traces of any size a part is held: two million jobs. */
  forget() {
    let held = 0;
    for (const piece of this.loaded.values()) held += piece.latest ? 1 : 0;
    for (const [number, piece] of this.loaded) {
      if (held <= mostHeld) break;
      if (piece.latest) {
        this.loaded.delete(number);
        --held;
      }
    }
  }

  unpackJobs = (bytes) => unpackJobs(bytes, this.index.contexts.length, this.length);
  unpackTile = (bytes) => unpackTile(bytes, this.index.bins_of_tile);

  peekJobs(chunk) {
    return this.peek(chunk.piece, this.unpackJobs);
  }
  peekTile(piece) {
    return this.peek(piece, this.unpackTile);
  }
  getJobs(chunk) {
    return this.get(chunk.piece, this.unpackJobs);
  }

  /** A level whose bins are not wider than `width` ns, or the finest; the coarsest that is so. */
  levelFor(ring, width) {
    let best = ring.levels[0];
    for (const level of ring.levels) if (2 ** level.shift <= width) best = level;
    return best;
  }

  /** What the first picture and the overview need. */
  loadFirst() {
    return this.loadTiles(this.index);
  }

  async loadTiles(index) {
    const tiles = index.rings.flatMap((ring) => ring.levels.at(-1)?.tiles ?? []).filter((tile) => tile >= 0);
    await Promise.all(tiles.map((tile) => this.get(tile, this.unpackTile).catch((error) => this.forgive(error))));
  }

  /** Null until all jobs are read. */
  async report() {
    return this.index.report === null ? null : this.get(this.index.report, parsed);
  }

  async job(number) {
    const chunk = this.chunks[Math.floor(number / this.index.jobs_of_chunk)];
    const jobs = await this.getJobs(chunk);
    return this.describe(chunk, jobs, number % this.index.jobs_of_chunk);
  }

  describe(chunk, jobs, place) {
    const actor = this.actors[jobs.actor[place]];
    const states = jobs.states[place];
    const basis = ["unknown", "observed", "inferred"];
    const high = BigInt(jobs.seqnoHigh[place]) << 32n;
    return {
      number: chunk.number * this.index.jobs_of_chunk + place,
      ring: this.rings[chunk.ring],
      process: actor.process, tid: actor.tid, comm: actor.comm,
      context: jobs.context[place] ? this.index.contexts[jobs.context[place]] : null,
      seqno: hasSeqno(jobs, place) ? (high + BigInt(jobs.seqnoLow[place])).toString() : null,
      first: jobs.first[place], queued: jobs.queued[place], runnable: jobs.runnable[place], submitted: jobs.submitted[place],
      started: jobs.started[place], completed: jobs.completed[place], observed: jobs.observed[place], end: jobs.end[place],
      startedBasis: basis[states & 3], completedBasis: basis[(states >> 2) & 3],
      status: ["complete", "incomplete", "preempted", "lost"][(states >> 4) & 3],
      fault: ["", "timed_out", "error", "banned"][states >> 6],
      interval: jobs.interval[place], clockError: jobs.clockError[place],
      call: this.index.api_calls[jobs.call[place]],
    };
  }

  /** Nanoseconds of the trace's clock, exact, as text; empty for unknown. */
  clock(time) {
    return Number.isNaN(time) ? "" : (this.origin + BigInt(time)).toString();
  }

  async dependenciesOf(number) {
    const result = [];
    for (const chunk of this.relations.dependencies) {
      if (chunk.first <= number && number <= chunk.last) {
        const all = await this.get(chunk.piece, unpackDependencies);
        result.push(...all.filter((dependency) => dependency.waiter === number));
      }
    }
    return result;
  }

  /** Who waited for this job; looks at all there are. */
  async dependentsOf(number) {
    const result = [];
    for (const chunk of this.relations.dependencies) {
      const all = await this.get(chunk.piece, unpackDependencies);
      result.push(...all.filter((dependency) => dependency.producer === number));
      if (result.length > 100) break;
    }
    return result;
  }

  /** Why a job was late, or null; parts have the number of the job that they name if it is here. */
  async diagnosisOf(number) {
    const [piece] = this.index.diagnoses?.chunks.find(([, first, last]) => first <= number && number <= last) ?? [];
    if (piece === undefined) return null;
    const found = (await this.get(piece, parsed))[number];
    if (!found) return null;
    const name = async (part) => {
      if (part.job) part.number ??= await this.find(...part.job, part.begin, part.end);
      for (const root of part.root ?? []) await name(root);
    };
    for (const part of found.parts) await name(part);
    return found;
  }

  /** The job of a fence that was under way at some time between these, if it is in the page. */
  async find(ring, context, seqno, begin, end) {
    const wanted = this.index.contexts.indexOf(context, 1);
    const [low, high] = [Number(BigInt(seqno) & 0xffffffffn), Number(BigInt(seqno) >> 32n)];
    for (const chunk of wanted < 0 ? [] : this.rings[ring].chunks) {
      if (chunk.first > end || chunk.end < begin) continue;
      const jobs = await this.getJobs(chunk);
      for (let place = 0; place < jobs.count; ++place) {
        const isIt = jobs.context[place] === wanted && jobs.seqnoLow[place] === low && jobs.seqnoHigh[place] === high;
        if (isIt && hasSeqno(jobs, place) && jobs.first[place] <= end) return chunk.number * this.index.jobs_of_chunk + place;
      }
    }
    return undefined;
  }

  /** The number of the job of a ring that began at a time and has this fence, or null. */
  async findJob(ring, first, context, seqno) {
    for (const chunk of ring.chunks.filter((other) => other.first <= first && first <= other.last)) {
      const jobs = await this.getJobs(chunk);
      for (let place = lowerBound(jobs.first, first); place < jobs.count && jobs.first[place] === first; ++place) {
        const job = this.describe(chunk, jobs, place);
        if (job.context === context && job.seqno === seqno) return job.number;
      }
    }
    return null;
  }

  /** What was recorded inside of the kernel that the job, a command of OpenCL, ran; or null. */
  async launchOf({ ring, process, seqno }) {
    const trace = this.index.device_trace;
    if (!trace || ring.driver !== "opencl" || seqno === null) return null;
    const [piece] = trace.chunks.find(([, pid, first, last]) => pid === process.pid && first <= Number(seqno) && Number(seqno) <= last) ?? [];
    if (piece === undefined) return null;
    const found = (await this.get(piece, parsed))[seqno];
    return found ? { ...found, kernel: trace.kernels[found.kernel] } : null;
  }

  getWaits(chunk) {
    return this.get(chunk.piece, unpackWaits);
  }
  getSpans(chunk) {
    return this.get(chunk.piece, unpackSpans);
  }
  /** Not kept: who takes them keeps them in another way. */
  async takeSpans(chunk) {
    return unpackSpans(await this.source.piece(chunk.piece));
  }
  getFrames(chunk) {
    return this.get(chunk.piece, unpackFrames);
  }
}

export { phases };
