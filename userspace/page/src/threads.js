// SPDX-License-Identifier: MIT
//
// What threads did on the CPU: API calls, whether they ran, waits for fences. Lanes of the threads
// that did any of these.

const stateNames = ["running", "could run", "blocked"];
const fieldsOf = { waits: ["signaled", "job"], calls: ["value"], states: ["value", "other"] };
const ahead = 6; // chunks that are asked for before they are needed

/** Numbers, as many as come: millions of states do not fit into lists of JavaScript's values. */
class Column {
  constructor(kind) {
    this.numbers = new kind(64);
    this.size = 0;
  }

  push(number) {
    if (this.size === this.numbers.length) {
      const longer = new this.numbers.constructor(2 * this.size);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.numbers[this.size++] = number;
  }
}

/** Spans of one kind of one thread, in order of their beginnings; `latest`: the end of this one and those before. */
class Spans {
  constructor(kind) {
    const numbers = kind === "waits" ? Float64Array : Uint32Array;
    this.columns = { begin: new Column(Float64Array), end: new Column(Float64Array), latest: new Column(Float64Array) };
    this.fields = fieldsOf[kind];
    for (const field of this.fields) this.columns[field] = new Column(numbers);
    this.last = 0;
    this.total = 0;
  }

  add(all, row) {
    const { begin, end, latest } = this.columns;
    const until = all.end[row];
    begin.push(all.begin[row]);
    end.push(until);
    if (until > this.last) this.last = until;
    latest.push(this.last);
    for (const field of this.fields) this.columns[field].push(all[field][row]);
    this.total += until - all.begin[row];
  }

  take() {
    return Object.fromEntries(Object.entries(this.columns).map(([name, column]) => [name, column.numbers.subarray(0, column.size)]));
  }
}

/** Calls use(chunk) with each, in order, while the next ones are on their way. */
async function inOrder(chunks, get, use) {
  const coming = [];
  for (let place = 0; place < chunks.length; ++place) {
    while (coming.length < ahead && place + coming.length < chunks.length) {
      const chunk = get(chunks[place + coming.length]);
      chunk.catch(() => {}); // told when its turn comes
      coming.push(chunk);
    }
    use(await coming.shift());
  }
}

export async function findThreads(data) {
  const threads = new Map();
  const threadOf = (actor) => {
    if (!threads.has(actor)) threads.set(actor, { actor, total: 0 });
    return threads.get(actor);
  };
  const take = async (kind, chunks, get) => {
    const found = new Map(); // by thread
    const byNumber = []; // of an actor: many are one thread
    await inOrder(chunks, get, (all) => {
      for (let row = 0; row < all.count; ++row) {
        const number = all.actor[row];
        let spans = byNumber[number];
        if (spans === undefined) {
          const thread = threadOf(data.actors[number]);
          if (!found.has(thread)) found.set(thread, new Spans(kind));
          spans = byNumber[number] = found.get(thread);
        }
        spans.add(all, row);
      }
    });
    for (const [thread, spans] of found) {
      thread[kind] = { kind, count: spans.columns.begin.size, ...spans.take() };
      if (kind !== "states") thread.total += spans.total;
    }
  };
  await take("waits", data.relations.waits, (chunk) => data.getWaits(chunk));
  await take("calls", data.relations.calls, (chunk) => data.getSpans(chunk));
  await take("states", data.relations.states, (chunk) => data.takeSpans(chunk));
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
