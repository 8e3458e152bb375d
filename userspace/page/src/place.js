// SPDX-License-Identifier: MIT
//
// A place of the page as the fragment of its address: the time that is shown, the selected job, which rings are collapsed and
// which are pinned. Times are those of the trace's clock, and rings and jobs have their names, so that it is the same place in
// every page of the trace. What is not exactly of this form is no place at all.
//   #view=BEGIN,END&job=RING,FIRST,CONTEXT,SEQNO&collapsed=RING,RING&pinned=RING
const mostText = 1 << 16;
const mostRings = 1000;

const clock = (text) => (/^-?\d{1,20}$/.test(text) ? BigInt(text) : null);
const isNumber = (text) => /^\d{0,20}$/.test(text);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readRings(text) {
  const rings = text.split(",").map(decoded);
  return rings.length <= mostRings && !rings.includes(null) && new Set(rings).size === rings.length ? rings : null;
}

const readers = {
  view(text) {
    const [begin, end, ...more] = text.split(",").map(clock);
    return more.length === 0 && typeof begin === "bigint" && typeof end === "bigint" && begin < end ? { begin, end } : null;
  },
  job(text) {
    const [ring, first, context, seqno, ...more] = text.split(",");
    const isWhole = more.length === 0 && seqno !== undefined && isNumber(context) && isNumber(seqno);
    const [name, time] = isWhole ? [decoded(ring), clock(first)] : [null, null];
    return name === null || time === null ? null : { ring: name, first: time, context: context || null, seqno: seqno || null };
  },
  collapsed: readRings,
  pinned: readRings,
};

/** Null: it is not a place. */
export function readPlace(fragment) {
  const text = fragment.replace(/^#/, "");
  if (text === "" || text.length > mostText) return null;
  const place = { view: null, job: null, collapsed: [], pinned: [] };
  const seen = new Set();
  for (const part of text.split("&")) {
    const [, name, value] = /^([a-z]+)=(.+)$/s.exec(part) ?? [];
    if (name === undefined || seen.has(name) || !Object.hasOwn(readers, name)) return null;
    seen.add(name);
    place[name] = readers[name](value);
    if (place[name] === null) return null;
  }
  return place;
}

/** Without "#"; empty for the page as it opens. */
export function writePlace({ view, job, collapsed, pinned }) {
  const rings = (all) => all.map(encodeURIComponent).join(",");
  return [
    view ? `view=${view.begin},${view.end}` : "",
    job ? `job=${encodeURIComponent(job.ring)},${job.first},${job.context ?? ""},${job.seqno ?? ""}` : "",
    collapsed.length > 0 ? `collapsed=${rings(collapsed)}` : "",
    pinned.length > 0 ? `pinned=${rings(pinned)}` : "",
  ].filter(Boolean).join("&");
}

/** Names of rings, each alone: some have the same device and name. */
export function namesOfRings(rings) {
  const numbers = new Map();
  return new Map(rings.map((ring) => {
    const name = `${ring.device}/${ring.name}`;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return [ring, number > 1 ? `${name}#${number}` : name];
  }));
}
