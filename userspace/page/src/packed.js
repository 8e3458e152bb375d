// SPDX-License-Identifier: MIT
//
// Unpacks what userspace/view/packed.hpp packs. Times are nanoseconds since the page's origin,
// exact for 52 days; NaN is unknown.

export class Reader {
  constructor(bytes, place = 0) {
    this.bytes = bytes;
    this.place = place;
  }

  number() {
    let byte = this.bytes[this.place++];
    if (byte < 128) return byte;
    let number = byte & 127;
    for (let unit = 128; ; unit *= 128) {
      byte = this.bytes[this.place++];
      number += (byte & 127) * unit;
      if (byte < 128) return number;
    }
  }

  signed() {
    const number = this.number();
    return number % 2 ? -(number + 1) / 2 : number / 2;
  }

  byte() {
    return this.bytes[this.place++];
  }
}

/** One reader for each column. */
function columns(bytes, count) {
  const whole = new Reader(bytes);
  const rows = whole.number();
  const readers = [];
  for (let column = 0; column < count; ++column) {
    const size = whole.number();
    readers.push(new Reader(bytes, whole.place));
    whole.place += size;
  }
  return [rows, readers];
}

const has = { queued: 1, submitted: 2, started: 4, completed: 8, runnable: 16, observed: 32, alive: 64, seqno: 128 };

export function unpackJobs(bytes, contextCount, length) {
  const [count, [flags, states, firsts, submits, starts, ends, runnables, observeds, actors, contexts, lows, highs, calls, intervals, errors]] =
    columns(bytes, 15);
  const times = () => new Float64Array(count).fill(NaN);
  const jobs = {
    count,
    first: times(), queued: times(), submitted: times(), started: times(), completed: times(), runnable: times(), observed: times(),
    end: times(), latest: times(),
    flags: bytes.slice(flags.place, flags.place + count),
    states: bytes.slice(states.place, states.place + count),
    actor: new Uint32Array(count), context: new Uint32Array(count), seqnoLow: new Uint32Array(count), seqnoHigh: new Uint32Array(count),
    call: new Uint32Array(count), interval: new Uint16Array(count), clockError: times(),
  };
  const seqnos = new Uint32Array(contextCount);
  let first = 0;
  let free = 0;
  let latest = -Infinity;
  for (let job = 0; job < count; ++job) {
    const flag = jobs.flags[job];
    first += firsts.signed();
    jobs.first[job] = first;
    let end = first;
    if (flag & has.queued) jobs.queued[job] = first;
    const submitted = flag & has.submitted ? first + submits.signed() : first;
    if (flag & has.submitted) jobs.submitted[job] = submitted;
    end = Math.max(end, submitted);
    let began = submitted;
    if (flag & has.started) began = jobs.started[job] = Math.max(submitted, free) + starts.signed();
    end = Math.max(end, began);
    let done = submitted;
    if (flag & has.completed) free = done = jobs.completed[job] = began + ends.signed();
    end = Math.max(end, done);
    if (flag & has.runnable) jobs.runnable[job] = first + runnables.signed();
    if (flag & has.observed) jobs.observed[job] = done + observeds.signed();
    if (flag & has.alive) end = length;
    jobs.end[job] = end;
    jobs.latest[job] = latest = Math.max(latest, end);
    jobs.actor[job] = actors.number();
    const context = (jobs.context[job] = contexts.number());
    if (flag & has.seqno) {
      jobs.seqnoLow[job] = seqnos[context] = (seqnos[context] + lows.signed()) >>> 0;
      jobs.seqnoHigh[job] = highs.number();
    }
    jobs.call[job] = calls.number();
    jobs.interval[job] = intervals.number();
    const error = errors.number();
    if (error) jobs.clockError[job] = error - 1;
  }
  return jobs;
}

export const hasSeqno = (jobs, job) => (jobs.flags[job] & has.seqno) !== 0;
export const isAlive = (jobs, job) => (jobs.flags[job] & has.alive) !== 0;

/** Depths by place and class of process, bins of one tile; a missing column is all 0. */
export function unpackTile(bytes, bins) {
  const reader = new Reader(bytes);
  const tile = [];
  while (reader.place < bytes.length) {
    const column = reader.byte();
    const depths = (tile[column] = new Float32Array(bins));
    for (let bin = 0; bin < bins; ++bin) depths[bin] = reader.number() / 256;
  }
  return tile;
}

export function unpackDependencies(bytes) {
  const [count, [waiters, producers, sinces, lengths, contexts, seqnos, blocking]] = columns(bytes, 7);
  const all = [];
  let waiter = 0;
  for (let row = 0; row < count; ++row) {
    waiter += waiters.signed();
    const producer = producers.signed();
    const since = sinces.signed();
    const length = lengths.signed();
    const context = contexts.number();
    const seqno = seqnos.number();
    all.push({
      waiter, producer: producer < 0 ? null : producer, since, until: length < 0 ? NaN : since + length,
      context, seqno: seqno ? seqno - 1 : null, isBlocking: blocking.byte() === 1,
    });
  }
  return all;
}

export function unpackWaits(bytes) {
  const [count, [begins, lengths, signals, actors, rings, contexts, seqnos, jobs, known]] = columns(bytes, 9);
  const waits = {
    count, begin: new Float64Array(count), end: new Float64Array(count), signaled: new Float64Array(count),
    actor: new Uint32Array(count), ring: new Int32Array(count), context: new Uint32Array(count), seqno: new Float64Array(count), job: new Float64Array(count),
  };
  let begin = 0;
  for (let row = 0; row < count; ++row) {
    begin += begins.signed();
    waits.begin[row] = begin;
    waits.end[row] = begin + lengths.signed();
    const signaled = begin + signals.signed();
    waits.signaled[row] = known.byte() ? signaled : NaN;
    waits.actor[row] = actors.number();
    waits.ring[row] = rings.number() - 1;
    waits.context[row] = contexts.number();
    waits.seqno[row] = seqnos.number() - 1;
    waits.job[row] = jobs.signed();
  }
  return waits;
}

/** API calls (value: the name) and states of threads (value: running, ready, blocked; other: who ran instead). */
export function unpackSpans(bytes) {
  const [count, [begins, lengths, actors, values, others]] = columns(bytes, 5);
  const spans = { count, begin: new Float64Array(count), end: new Float64Array(count), actor: new Uint32Array(count), value: new Uint32Array(count), other: new Uint32Array(count) };
  let begin = 0;
  for (let row = 0; row < count; ++row) {
    begin += begins.signed();
    spans.begin[row] = begin;
    spans.end[row] = begin + lengths.signed();
    spans.actor[row] = actors.number();
    spans.value[row] = values.number();
    spans.other[row] = others.number();
  }
  return spans;
}

const frameCounts = ["lateness", "lateBy", "actor", "surface", "number", "function", "jobs", "jobsByTime", "draws", "dispatches", "uploads", "gpuCommands"];
const frameTimes = ["begin", "callBegin", "firstQueued", "completed", "observed", "gpuBegin", "gpuEnd", "learned"]; // as differences from the end
const frameLengths = ["cadence", "inCalls", "hostQueue", "deviceQueue", "execution", "executionWall", "gpu", "gpuError", "inCallsOnCpu"];
export const frameParts = ["cpu", "call", "call_host_queue", "call_device_queue", "call_execution", "after", "call_unknown"];

/** Frames in order of their ends: all that a row of `lttng-gpu frames` has, and the jobs that were made for each. */
export function unpackFrames(bytes) {
  const knowns = [...frameTimes, ...frameLengths, ...frameParts];
  const [count, [ends, flags, ...readers]] = columns(bytes, 3 + frameCounts.length + knowns.length);
  const counts = readers.slice(0, frameCounts.length);
  const made = readers[frameCounts.length];
  const values = readers.slice(frameCounts.length + 1);
  const frames = [];
  let end = 0;
  for (let row = 0; row < count; ++row) {
    end += ends.signed();
    const known = flags.number();
    const frame = { end };
    frameCounts.forEach((name, place) => { frame[name] = counts[place].number(); });
    knowns.forEach((name, place) => {
      const value = values[place].signed();
      const isKnown = Math.floor(known / 2 ** place) % 2 === 1;
      frame[name] = !isKnown ? NaN : place < frameTimes.length ? end + value : value;
    });
    frame.made = Array.from({ length: made.number() }, () => made.signed());
    frames.push(frame);
  }
  return frames;
}
