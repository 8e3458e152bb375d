// SPDX-License-Identifier: MIT
//
// What threads did on the CPU: their waits for fences, by the thread that waited.

export async function findThreads(data) {
  const threads = new Map();
  for (const chunk of data.relations.waits) {
    const waits = await data.getWaits(chunk);
    for (let row = 0; row < waits.count; ++row) {
      const actor = data.actors[waits.actor[row]];
      if (!threads.has(actor)) threads.set(actor, { actor, total: 0, waits: { begin: [], end: [], signaled: [], job: [], count: 0 } });
      const thread = threads.get(actor);
      thread.waits.begin.push(waits.begin[row]);
      thread.waits.end.push(waits.end[row]);
      thread.waits.signaled.push(waits.signaled[row]);
      thread.waits.job.push(waits.job[row]);
      thread.total += waits.end[row] - waits.begin[row];
      ++thread.waits.count;
    }
  }
  return threads;
}
