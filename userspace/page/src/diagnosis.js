// SPDX-License-Identifier: MIT
//
// Why a job was late, in its panel: the parts of its latency in the order of time, with what
// dependencies come down to indented below them.
import { duration, element, percent } from "./format.js";

const mostRows = 40; // of the parts of one level; the shortest of more are told together

/** Parts in order, and of those that are too many the shortest as one. */
function folded(parts) {
  if (parts.length <= mostRows) return parts;
  const shortest = new Set([...parts].filter((part) => !part.before).sort((a, b) => a.time - b.time).slice(0, parts.length - mostRows + 1));
  const time = [...shortest].reduce((sum, part) => sum + part.time, 0);
  return [...parts.filter((part) => !shortest.has(part)), { time, text: `${shortest.size} shorter parts together`, basis: "" }];
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
  for (const part of folded(parts)) add(part, 0);
  return element("div", { id: "diagnosis" },
    element("p", {}, `latency ${duration(latency)}${isOpen ? ", and not completed when the trace ended" : ""}`),
    element("table", {}, element("tbody", {}, ...rows)),
    parts.some((part) => part.before) ? element("p", { class: "hint" }, "before: its process had nothing on the device; no part of the latency") : null);
}
