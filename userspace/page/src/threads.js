// SPDX-License-Identifier: MIT
//
// What threads did on the CPU: API calls, whether they ran, waits for fences. Lanes of the threads
// that did any of these.

const stateNames = ["running", "could run", "blocked"];

export async function findThreads(data) {
  const threads = new Map();
  const threadOf = (number) => {
    const actor = data.actors[number];
    if (!threads.has(actor)) threads.set(actor, { actor, total: 0 });
    return threads.get(actor);
  };
  const take = async (kind, chunks, get, fields) => {
    for (const chunk of chunks) {
      const all = await get(chunk);
      for (let row = 0; row < all.count; ++row) {
        const thread = threadOf(all.actor[row]);
        const spans = (thread[kind] ??= { kind, count: 0, begin: [], end: [], latest: [], ...Object.fromEntries(fields.map((field) => [field, []])) });
        spans.begin.push(all.begin[row]);
        spans.end.push(all.end[row]);
        spans.latest.push(Math.max(spans.latest.at(-1) ?? 0, all.end[row])); // of this one and those before
        for (const field of fields) spans[field].push(all[field][row]);
        ++spans.count;
        if (kind !== "states") thread.total += all.end[row] - all.begin[row];
      }
    }
  };
  await take("waits", data.relations.waits, (chunk) => data.getWaits(chunk), ["signaled", "job"]);
  await take("calls", data.relations.calls, (chunk) => data.getSpans(chunk), ["value"]);
  await take("states", data.relations.states, (chunk) => data.getSpans(chunk), ["value", "other"]);
  return threads;
}

export function describeSpan(data, { spans, place, thread }, duration) {
  const length = duration(spans.end[place] - spans.begin[place]);
  const name = `${thread.actor.comm} ${thread.actor.tid ?? ""}`;
  if (spans.kind === "calls") return [data.index.api_calls[spans.value[place]], length, name];
  if (spans.kind === "states") {
    const other = data.index.other_threads[spans.other[place]];
    return [`${stateNames[spans.value[place]]}: ${length}`, name, other ? `${other} ran instead` : ""].filter(Boolean);
  }
  const signaled = spans.signaled[place];
  return [`waits for a fence: ${length}`, name, Number.isNaN(signaled) ? "the fence's signal was not seen" : `woke up ${duration(spans.end[place] - signaled)} after the signal`];
}
