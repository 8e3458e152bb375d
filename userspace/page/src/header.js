// SPDX-License-Identifier: MIT
//
// The line above all: which trace it is, how much was read, and what is not there.
import { count, duration, element } from "./format.js";

const named = (id) => document.getElementById(id);

function describeReading({ isReading, index, state }) {
  if (!isReading) return [];
  const what = { jobs: "reading jobs", reasons: "reading what threads did, and why jobs were late" }[index.stage];
  const part = typeof state?.ratio === "number" ? ` ${Math.floor(state.ratio * 100)} %` : "";
  return [element("span", { id: "reading" }, `${what}${part} …`), index.loss ? " · " : ""];
}

export function describeTrace(data) {
  const { index } = data;
  named("title").textContent = index.traces.map((trace) => trace.replace(/\/+$/, "").split("/").pop()).join(", ") || "lttng-gpu";
  document.title = `${named("title").textContent} – lttng-gpu`;
  const isWhole = (index.loss === "nothing lost" || data.isReadingJobs) && index.gaps.length === 0 && index.unseen.length === 0;
  const unseen = index.unseen.reduce((sum, [, , , number]) => sum + number, 0);
  named("account").replaceChildren(
    element("b", {}, count(data.jobCount)), data.jobCount === 1 ? " job · " : " jobs · ", element("b", {}, String(data.rings.length)), data.rings.length === 1 ? " ring · " : " rings · ",
    data.isReadingJobs ? "about " : "", element("b", {}, duration(data.length)), " · ",
    ...describeReading(data), element("span", { class: isWhole ? "" : "bad" }, index.loss + (unseen ? `, ${count(unseen)} ${unseen === 1 ? "job" : "jobs"} without any event` : "")));
}
