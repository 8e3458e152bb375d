// SPDX-License-Identifier: MIT
//
// What was recorded inside of a kernel, under its command: the curves in the picture, on its axis of
// time, and the tables in the panel.
import { count, duration, element, percent } from "./format.js";

export const launchHeight = 82;
export const curves = [
  { place: "warps", label: "resident warps", top: 17, height: 34, values: (device) => device.over_time.warps, most: (device) => device.warps_most },
  { place: "multiprocessors", label: "multiprocessors", top: 55, height: 22, values: (device) => device.over_time.multiprocessors, most: (device) => device.multiprocessors },
];

export const hasCurves = (launch) => Boolean(launch?.device) && launch.device.begin_ns !== null;

/** Records are missing: so are the warps that they were of. */
const isPartial = (launch) => launch.records_lost > 0 || launch.parts_lost > 0 || !launch.is_read;

const boundWords = {
  commands: "bounded by the times of commands",
  calls: "bounded by calls and completions only",
  contradicted: "bounded by calls and completions only: times of commands contradict the timer",
  unknown: "unknown on the trace's clock: bounds contradict each other, or there are none",
};

const boundOf = (device) => device?.bounded_by ?? "unknown";

/** The curves; hatched where the launch lies is less sure than its command, or records are missing. */
export function drawLaunch(picture, block) {
  const { raster, colours, scale } = picture;
  const { launch, colour } = block;
  const { device } = launch;
  const isClear = device.bounded_by === "commands" && !isPartial(launch);
  const fill = (left, top, right, bottom) =>
    (isClear ? raster.rect(left, top, right, bottom, colours.pixels[colour]) : raster.hatch(left, top, right, bottom, colours.pixels[colour], colours.pale[colour]));
  const at = (part) => picture.deviceX(device.begin_ns + (device.end_ns - device.begin_ns) * part);
  const [left, right] = [at(0), Math.max(at(1), at(0) + 1)];
  for (const curve of curves) {
    const bottom = Math.round((picture.top(block) + curve.top + curve.height) * scale);
    const height = Math.round(curve.height * scale);
    raster.rect(picture.left, bottom, raster.width, bottom + 1, colours.linePixel);
    const values = curve.values(device);
    const most = Math.max(curve.most(device), 1);
    values.forEach((value, slice) => {
      const high = bottom - Math.round((Math.min(value, most) / most) * height);
      fill(at(slice / values.length), value > 0 ? Math.min(high, bottom - 1) : bottom, Math.max(at((slice + 1) / values.length), at(slice / values.length) + 1), bottom);
    });
  }
  const high = Math.round((picture.top(block) + curves[0].top) * scale);
  const low = Math.round((picture.top(block) + block.height - 4) * scale);
  // By how much begin and end may be elsewhere.
  const whisker = Math.round(3 * scale);
  for (const time of [device.begin_ns, device.end_ns]) {
    const [from, to] = [picture.deviceX(time - device.error_ns), picture.deviceX(time + device.error_ns)];
    raster.hatch(from, low, Math.max(to, from + 1), low + whisker, colours.markPixel, colours.backgroundPixel);
  }
  if (device.bounded_by !== "commands") for (const x of [left, right]) raster.dashes(x, high, low, Math.round(2 * scale), colours.markPixel);
  picture.picks.push({ left: left / scale, top: high / scale, right: right / scale, bottom: (low + whisker) / scale, launch });
}

/** For the pointer over the curves at a time. */
export function describeLaunch({ launch }, time) {
  const { device } = launch;
  const part = (time - device.begin_ns) / (device.end_ns - device.begin_ns);
  const slice = Math.min(Math.max(Math.floor(part * device.over_time.warps.length), 0), device.over_time.warps.length - 1);
  return [`inside of ${launch.kernel.name}`, `${device.over_time.warps[slice]} resident warps, ${device.over_time.multiprocessors[slice]} multiprocessors busy`,
    `${duration(time - device.begin_ns)} after its begin, ± ${duration(device.error_ns)}`, isPartial(launch) ? "records are missing, and so may be warps" : ""].filter(Boolean);
}

function locationName(launch, number) {
  const [kind, name, line, column] = launch.kernel.locations[number] ?? [];
  return kind === undefined ? ["?", `location ${number}`] : [kind, line ? `${name}:${line}:${column}` : name];
}

/** Each location: how often, with how many lanes, and its share of the time, or else of the executions. */
function locationTable(launch) {
  const { has_times: hasTimes, unit } = launch.kernel;
  const cost = (row) => (hasTimes ? row[3] : row[1]);
  const whole = launch.locations.reduce((sum, row) => sum + cost(row), 0);
  const rows = [...launch.locations].sort((a, b) => cost(b) - cost(a)).map((row) => {
    const [number, executions, lanes] = row;
    const [kind, name] = locationName(launch, number);
    const share = whole > 0 ? cost(row) / whole : 0;
    return element("tr", { "data-location": number, "data-executions": executions, "data-lanes": lanes ?? "", "data-time": hasTimes ? row[3] : "" },
      element("td", {}, name, " ", element("span", { class: "who" }, kind)),
      element("td", {}, count(executions)),
      element("td", {}, lanes === null ? "-" : lanes.toFixed(1)),
      element("td", {}, percent(share), element("i", { style: `width:${Math.min(100, share * 100)}%` })));
  });
  return element("table", { id: "locations" },
    element("tr", {}, ...["location", unit === "warp" ? "by warps" : "by work-items", "lanes", hasTimes ? "of time" : "of these"].map((title) => element("th", {}, title))), ...rows);
}

function factRows(launch, data) {
  const { device } = launch;
  const text = (name, words, field, value) => element("tr", { class: words === null ? "unknown" : "" }, element("th", {}, name), element("td", { "data-inside": field, "data-value": value ?? "" }, words ?? ""));
  if (!device) return [text("on the device", null, "duration", null)];
  const when = device.begin_ns === null ? null : `${data.clock(device.begin_ns)} ns`;
  return [
    text("on the device", duration(device.duration_ns), "duration", device.duration_ns),
    text("begin", when, "begin", device.begin_ns === null ? null : data.clock(device.begin_ns)),
    text("end", device.end_ns === null ? null : `${data.clock(device.end_ns)} ns`, "end", device.end_ns === null ? null : data.clock(device.end_ns)),
    text("these within", device.error_ns === null ? null : `± ${duration(device.error_ns)}`, "error", device.error_ns),
    text("warps", `${count(device.warps)}, ${device.warps_mean.toFixed(1)} at once, ${count(device.warps_most)} at most`, "warps", device.warps),
    text("waves", device.waves.toFixed(1), "waves", device.waves),
    text("multiprocessors", count(device.multiprocessors), "multiprocessors", device.multiprocessors),
    text("imbalance", device.imbalance.toFixed(2), "imbalance", device.imbalance),
    text("tail", `${duration(device.tail_ns)} (${percent(device.tail_ns / device.duration_ns)})`, "tail", device.tail_ns),
  ];
}

/** For the panel of the command. */
export function launchSection(launch, data) {
  const { device } = launch;
  const missing = [
    launch.records_lost > 0 ? `${count(launch.records_lost)} records lost (buffer full)` : "",
    launch.parts_lost > 0 ? `${count(launch.parts_lost)} parts lost by the tracer` : "",
    launch.is_read ? "" : "its end is not in the trace",
  ].filter(Boolean).join(", ");
  return element("div", { id: "inside", class: boundOf(device) },
    element("h3", {}, `inside of ${launch.kernel.name}`),
    missing ? element("p", { class: "late", id: "inside-missing" }, missing) : null,
    launch.locations.length > 0 ? locationTable(launch) : element("p", { class: "hint" }, "Nothing was recorded."),
    element("table", { class: "facts" }, ...factRows(launch, data)),
    element("p", { class: "hint", id: "inside-basis" }, device ? `Times of the device's timer, ${boundWords[device.is_contradicted ? "contradicted" : boundOf(device)]}.` : "The device has no timer that kernels can read: when it ran inside of its command is unknown."));
}
