// SPDX-License-Identifier: MIT
//
// Curves of occupancy over the time that is looked at, and histograms of latencies.
import uPlot from "uplot";
import { depthsOf, totals } from "./depths.js";
import { duration } from "./format.js";

const phases = [["host_queue", "host queue", 1], ["device_queue", "device queue", 0], ["execution", "execution", 2], ["whole", "queued to completed", 3]];

function axes(colours, time, value) {
  const axis = { stroke: colours.faint, grid: { stroke: colours.line, width: 1 }, ticks: { stroke: colours.line }, font: "11px system-ui" };
  return [{ ...axis, values: (_, all) => all.map(time), space: 70 }, { ...axis, values: (_, all) => all.map(value), size: 48 }];
}

export function occupancyChart(place, data, ring, view, colours, width) {
  const points = 240;
  const depths = depthsOf(data, ring, view.begin, view.end, points);
  const times = Float64Array.from({ length: points }, (_, point) => (view.begin + ((point + 0.5) * view.span) / points) / 1e9);
  const span = view.span / 1e9;
  const format = (seconds) => (seconds === null || seconds === undefined ? "" : span > 5 ? `${seconds.toFixed(1)} s` : `${(seconds * 1e3).toFixed(span > 0.05 ? 0 : 3)} ms`);
  const line = (label, colour, dash) => ({ label, stroke: colours.processes[colour], width: 1.5, dash, points: { show: false }, value: (_, value) => value?.toFixed(2) ?? "" });
  return new uPlot({
    width, height: 150, cursor: { y: false }, legend: { live: true },
    scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(high, 1)] } },
    axes: axes(colours, format, (value) => value),
    series: [{ label: "time", value: (_, value) => format(value) }, line("host queue", 1), line("device queue", 0, [6, 3]), line("executing", 2, [2, 2])],
  }, [times, totals(depths, "host", points), totals(depths, "device", points), totals(depths, "execution", points)], place);
}

const lengthOf = (bin) => (bin < 8 ? bin : (8 + (bin % 8)) * 2 ** (Math.floor(bin / 8) - 1));

/** The axis is of powers of two. */
function powersOfTen(low, high) {
  const all = [];
  for (let power = Math.ceil(low * Math.log10(2)); power <= high * Math.log10(2); ++power) all.push(power * Math.log2(10));
  return all.length > 6 ? all.filter((_, place) => place % 2 === 0) : all;
}

const whole = (time) => duration(time).replace(/\.0+ /, " ");

export function latencyChart(place, ring, colours, width) {
  const bins = new Set();
  for (const [phase] of phases) for (const [bin] of ring.latencies[phase]) bins.add(bin);
  if (bins.size === 0) return null;
  const first = Math.max(0, Math.min(...bins) - 1);
  const last = Math.max(...bins) + 1;
  const xs = Array.from({ length: last - first + 1 }, (_, place_) => Math.log2(Math.max(lengthOf(first + place_), 0.5)));
  const series = [{ label: "latency", value: (_, value) => (value === null ? "" : duration(2 ** value)) }];
  const values = [xs];
  for (const [phase, label, colour] of phases) {
    const counts = new Array(xs.length).fill(0);
    for (const [bin, number] of ring.latencies[phase]) counts[bin - first] = number;
    values.push(counts);
    series.push({ label, stroke: colours.processes[colour], width: 1.5, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false }, dash: [undefined, [6, 3], [2, 2], [8, 2, 2, 2]][series.length - 1] });
  }
  const short = (number) => (number >= 1e6 ? `${number / 1e6} M` : number >= 1e3 ? `${number / 1e3} k` : number);
  const [time, counts] = axes(colours, (value) => whole(10 ** Math.round(value * Math.log10(2))), short);
  return new uPlot({
    width, height: 170, cursor: { y: false },
    scales: { x: { time: false } },
    axes: [{ ...time, splits: (_, __, low, high) => powersOfTen(low, high), space: 40 }, counts],
    series,
  }, values, place);
}
