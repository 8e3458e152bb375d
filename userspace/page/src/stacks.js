// SPDX-License-Identifier: MIT
//
// Single jobs in their queues: the oldest at the bottom; when one leaves, those above move down.

/** The first place of a sorted array whose value is not less than `value`. */
export function lowerBound(values, value, from = 0, to = values.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

// Of a trace that was looked at while it was read, some pieces are small.
const mostPieces = 100;
const mostUnpacked = 12 * 16384;

/** Jobs of a ring that may be seen: [{chunk, jobs, from, to}], or null: too many, or not all there yet. */
export function visibleJobs(data, ring, begin, end, most) {
  const chunks = ring.chunks.filter((chunk) => chunk.first <= end && chunk.end >= begin);
  let likely = 0;
  for (const chunk of chunks) {
    const length = Math.max(chunk.last - chunk.first, 1);
    likely += chunk.jobs * Math.max(0, Math.min(end, chunk.last) - Math.max(begin, chunk.first)) / length;
  }
  if (likely > most || chunks.length > mostPieces || chunks.reduce((sum, chunk) => sum + chunk.jobs, 0) > mostUnpacked) return null;
  const parts = [];
  let count = 0;
  let areAllThere = true;
  for (const chunk of chunks) {
    const jobs = data.peekJobs(chunk);
    if (!jobs) {
      areAllThere = false;
      continue;
    }
    const from = lowerBound(jobs.latest, begin, 0, jobs.count);
    const to = lowerBound(jobs.first, end, 0, jobs.count);
    count += Math.max(0, to - from);
    if (to > from) parts.push({ chunk, jobs, from, to });
  }
  return areAllThere && count <= most * 2 ? parts : null;
}

/**
 * Stays in one queue: [{enter, leave, ...}] become pieces {stay, begin, end, row}, in which no row changes.
 * Null when there are more than `most`.
 */
export function stack(stays, most) {
  const entering = [...stays].sort((a, b) => a.enter - b.enter);
  const leaving = [...entering].sort((a, b) => a.leave - b.leave);
  const pieces = [];
  const inside = [];
  let depth = 0;
  let next = 0;
  for (const stay of entering) {
    for (; next < leaving.length && leaving[next].leave <= stay.enter; ++next) leave(leaving[next]);
    stay.since = stay.enter;
    inside.push(stay);
    depth = Math.max(depth, inside.length);
    if (pieces.length > most) return null;
  }
  for (; next < leaving.length && pieces.length <= most; ++next) leave(leaving[next]);
  return pieces.length > most ? null : { pieces, depth };

  function leave(stay) {
    const row = inside.indexOf(stay);
    if (row < 0) return;
    const time = stay.leave;
    for (let above = row; above < inside.length; ++above) {
      const other = inside[above];
      if (time > other.since) pieces.push({ stay: other, begin: other.since, end: time, row: above });
      other.since = time;
    }
    inside.splice(row, 1);
  }
}
