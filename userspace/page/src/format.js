// SPDX-License-Identifier: MIT
//
// Numbers and words for people.

const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

export function duration(time) {
  if (time === null || time === undefined || Number.isNaN(time)) return "unknown";
  const size = Math.abs(time);
  for (const [unit, name] of units) {
    if (size >= unit) {
      const value = time / unit;
      const digits = unit === 1 ? 0 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
      return `${value.toFixed(digits)} ${name}`;
    }
  }
  return "0 ns";
}

/** A time of an axis that ends at `end`: one unit for all, as many digits as the step needs, in groups of three. */
export function axisTime(time, step, end) {
  const [unit, name] = units.find(([size]) => Math.abs(end) >= size || size === 1);
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  const [whole, part = ""] = (time / unit).toFixed(digits).split(".");
  return `${whole}${part && "."}${part.replace(/(\d{3})(?=\d)/g, "$1\u2009")} ${name}`;
}

export function count(number) {
  return number.toLocaleString("en-US").replaceAll(",", " ");
}

export function percent(ratio) {
  return ratio === null || ratio === undefined ? "unknown" : `${(ratio * 100).toFixed(1)} %`;
}

/** Where the process is unknown its thread stands for it: "game-101", as ftrace has it. */
export function processName(process) {
  const name = process.comm || "unknown";
  return process.pid === null && process.tid !== null ? `${name}-${process.tid}` : `${name} ${process.pid ?? ""}`.trim();
}

export function ringName(ring) {
  return `${ring.device} ${ring.name || "unknown ring"}`.trim();
}

/** An element with text and children; nothing is ever read as HTML. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
