// SPDX-License-Identifier: MIT
//
// What colours mean: the processes, or for one of them the calls or kernels that its jobs were made by.
import { count, element, processName } from "./format.js";

const mostProcesses = 24;

const sign = (colour) => element("i", { style: `background:${colour}` });

function processButton(application, process) {
  const { state, picture } = application;
  return element("button", { "aria-pressed": String(state.highlighted === process.number), "data-process": process.number, title: "highlight this process", onclick: () => application.highlight(process.number) },
    sign(picture.colours.processes[process.colour]), processName(process), element("span", {}, count(process.shownJobs)));
}

/** The names with a colour of their own, and what the others have. */
function nameParts({ state, picture, data }) {
  const { names } = state;
  if (names.counts === null) return [element("span", { id: "counting" }, `counting its jobs … ${Math.floor(names.progress * 100)} %`)];
  const entry = (text, colour, jobs) => element("span", { class: "name", "data-jobs": jobs }, sign(picture.colours.processes[colour]), text, element("span", {}, count(jobs)));
  const parts = names.shown.map(([call, jobs], colour) => entry(data.index.api_calls[call], colour, jobs));
  const grey = picture.colours.processes.length - 1;
  if (names.others > 0) parts.push(entry("others", grey, names.others));
  if (names.unknown > 0) parts.push(entry("unknown call", grey, names.unknown));
  return parts;
}

export function drawLegend(application, place) {
  const { state, data } = application;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.process ?? "names" : null;
  const processes = data.processes.filter((process) => process.shownJobs > 0).sort((a, b) => b.shownJobs - a.shownJobs);
  const parts = processes.slice(0, mostProcesses).map((process) => processButton(application, process));
  if (processes.length > mostProcesses) parts.push(element("span", {}, `and ${processes.length - mostProcesses} more`));
  if (state.highlighted !== null) {
    parts.push(element("button", { id: "by-name", "aria-pressed": String(state.names !== null), title: "colours by call or kernel (k)", onclick: () => application.toggleNames() }, "colours by call or kernel"));
  }
  if (state.names) parts.push(element("span", { id: "names", role: "group", "aria-label": "calls and kernels" }, ...nameParts(application)));
  place.replaceChildren(...parts);
  if (focused !== null) place.querySelector(focused === "names" ? "#by-name" : `[data-process="${focused}"]`)?.focus();
}
