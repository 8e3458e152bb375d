// SPDX-License-Identifier: MIT
//
// Why a job was late, in its panel: the parts of its latency in the order of time, with what
// dependencies come down to indented below them, then what was before it.
import { duration, element, percent } from "./format.js";

const mostRows = 40; // of the parts of one level; the shortest of more are told together
const mostBefore = 5;

/** Parts in order, and of those that are too many the shortest as one. */
function folded(parts) {
  if (parts.length <= mostRows) return parts;
  const shortest = new Set([...parts].sort((a, b) => a.time - b.time).slice(0, parts.length - mostRows + 1));
  const time = [...shortest].reduce((sum, part) => sum + part.time, 0);
  return [...parts.filter((part) => !shortest.has(part)), { time, text: `${shortest.size} shorter parts together`, basis: "" }];
}

/** The longest of those before the job was queued, equal ones as one: they are no part of its latency. */
function foldedBefore(parts) {
  const sums = new Map();
  for (const part of parts) {
    const same = sums.get(`${part.text} ${part.basis}`);
    if (same) same.time += part.time;
    else sums.set(`${part.text} ${part.basis}`, { ...part });
  }
  const sorted = [...sums.values()].sort((a, b) => b.time - a.time);
  if (sorted.length <= mostBefore) return sorted;
  const rest = sorted.splice(mostBefore - 1);
  return [...sorted, { before: true, time: rest.reduce((sum, part) => sum + part.time, 0), text: `${rest.length} shorter parts together`, basis: "" }];
}

/** Of the job `own`. `link(number, text)` makes what leads to another job; `reasons` has what each rests on. */
export function diagnosisTable(own, { parts, latency, is_open: isOpen }, reasons, link) {
  const rows = [];
  const add = (part, depth) => {
    const [words, events] = reasons[part.reason] ?? ["", ""];
    const share = part.before ? null : part.time / latency;
    rows.push(element("tr", { class: [part.before ? "before" : "", part.basis].join(" ").trim(), "data-depth": depth, "data-reason": part.reason, "data-time": part.time,
      title: [words, events && `rests on: ${events}`].filter(Boolean).join("; ") },
      element("td", {}, duration(part.time)),
      element("td", {}, part.before ? "before" : latency > 0 ? percent(share) : "",
        part.before || !(latency > 0) ? null : element("i", { style: `width:${Math.min(100, share * 100)}%` })),
      element("td", { style: `padding-left:${depth * 14}px` }, part.number === undefined || part.number === own ? part.text : link(part.number, part.text))));
    for (const root of folded(part.root ?? [])) add(root, depth + 1);
  };
  for (const part of folded(parts.filter((other) => !other.before))) add(part, 0);
  for (const part of foldedBefore(parts.filter((other) => other.before))) add(part, 0);
  return element("div", { id: "diagnosis" },
    element("p", {}, `latency ${latency === null ? "unknown: events of the job are missing" : duration(latency)}${isOpen ? ", and not completed when the trace ended" : ""}`),
    element("table", {}, element("tbody", {}, ...rows)),
    parts.some((part) => part.before) ? element("p", { class: "hint" }, "before: its process had nothing on the device; no part of the latency") : null);
}
