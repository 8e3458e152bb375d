// SPDX-License-Identifier: MIT
//
// Finds jobs by process, ring, seqno, API call and more.

const most = 500;
const fields = ["seqno", "pid", "tid", "context", "ring", "comm", "call", "status"];

/** "ring:gfx pid:42 sum" -> what each word asks for. */
export function parse(query) {
  return query.trim().split(/\s+/).filter(Boolean).map((word) => {
    const [, field, value] = /^(\w+):(.+)$/.exec(word) ?? [];
    return fields.includes(field) ? { field, value: value.toLowerCase() } : { field: null, value: word.toLowerCase() };
  });
}

const states = ["complete", "incomplete", "preempted", "lost"];

/** For each word a test of a job of a ring, from tables that are made once. */
function compile(data, words) {
  const table = (rows, test) => Uint8Array.from(rows, (row) => (test(row) ? 1 : 0));
  return words.map(({ field, value }) => {
    const isNumber = /^\d+$/.test(value);
    const wants = (name) => field === name || (field === null && (isNumber ? ["seqno", "pid", "tid", "context"] : ["ring", "comm", "call"]).includes(name));
    const contains = (text) => (text ?? "").toLowerCase().includes(value);
    const actors = table(data.actors, (actor) =>
      (wants("pid") && String(actor.process.pid) === value) || (wants("tid") && String(actor.tid) === value) ||
      (wants("comm") && (contains(actor.comm) || contains(actor.process.comm))));
    const rings = table(data.rings, (ring) => wants("ring") && contains(`${ring.device} ${ring.name}`));
    const calls = table(data.index.api_calls, (call) => wants("call") && call !== "" && contains(call));
    const contexts = table(data.index.contexts, (context, number) => wants("context") && number !== 0 && context === value);
    const seqno = wants("seqno") && isNumber ? BigInt(value) : null;
    const low = seqno === null ? -1 : Number(seqno & 0xffffffffn);
    const high = seqno === null ? -1 : Number(seqno >> 32n);
    const state = field === "status" ? states.indexOf(value) : -1;
    return (ring, jobs, job) =>
      rings[ring] || actors[jobs.actor[job]] || calls[jobs.call[job]] || contexts[jobs.context[job]] ||
      (jobs.seqnoLow[job] === low && jobs.seqnoHigh[job] === high && (jobs.flags[job] & 128) !== 0) ||
      ((jobs.states[job] >> 4) & 3) === state;
  });
}

/** Calls `onFound` with [{number, first, chunk}] in order of time; true when there are more. */
export async function search(data, query, isOver, onProgress) {
  const tests = compile(data, parse(query));
  const found = [];
  if (tests.length === 0) return { found, hasMore: false };
  const chunks = data.chunks.filter(Boolean).sort((a, b) => a.first - b.first);
  for (const [place, chunk] of chunks.entries()) {
    // Further ones are all later than what was found.
    if (found.length >= most && chunk.first > found[most - 1].first) break;
    const jobs = await data.getJobs(chunk);
    if (isOver()) return null;
    let isNew = false;
    for (let job = 0; job < jobs.count; ++job) {
      if (tests.every((test) => test(chunk.ring, jobs, job))) {
        found.push({ number: chunk.number * data.index.jobs_of_chunk + job, first: jobs.first[job] });
        isNew = true;
      }
    }
    if (isNew) found.sort((a, b) => a.first - b.first).splice(most + 1);
    if (place % 8 === 0) onProgress(place / chunks.length);
  }
  return { found: found.slice(0, most), hasMore: found.length > most };
}

/** The job of a lane at a time, also where single jobs are not drawn. */
export async function jobAt(data, ring, place, time) {
  const chunks = ring.chunks.filter((chunk) => chunk.first <= time && chunk.end >= time);
  let nearest = null;
  for (const chunk of chunks.slice(0, 4)) {
    const jobs = await data.getJobs(chunk);
    const [begins, ends] = { host: [jobs.queued, jobs.submitted], device: [jobs.submitted, jobs.started], execution: [jobs.started, jobs.completed] }[place ?? "execution"];
    for (let job = 0; job < jobs.count; ++job) {
      const begin = begins[job];
      const end = Number.isNaN(ends[job]) ? jobs.end[job] : ends[job];
      if (Number.isNaN(begin)) continue;
      const distance = time < begin ? begin - time : time > end ? time - end : 0;
      if (!nearest || distance < nearest.distance) nearest = { distance, number: chunk.number * data.index.jobs_of_chunk + job };
    }
  }
  return nearest?.number ?? null;
}

const faults = ["", "timed_out", "error", "banned"];

/** The first job of a ring that ended so, or null. */
export async function firstFault(data, ring, fault) {
  const wanted = faults.indexOf(fault);
  for (const chunk of ring.chunks) {
    const { states } = await data.getJobs(chunk);
    const place = states.findIndex((state) => state >> 6 === wanted);
    if (place >= 0) return chunk.number * data.index.jobs_of_chunk + place;
  }
  return null;
}
