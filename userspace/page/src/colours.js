// SPDX-License-Identifier: MIT
//
// Colours that people who see colours differently can tell apart (Okabe and Ito, "Color Universal
// Design"), for seven processes and all others, and the two themes.

const processes = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#707070"];

const themes = {
  light: { background: "#ffffff", lane: "#f4f5f7", line: "#d5d9de", text: "#1b1f24", faint: "#66707c", gap: "#b3261e", mark: "#1b1f24", wait: "#8a5cd1", edge: "#ffffff" },
  dark: { background: "#14171b", lane: "#1d2127", line: "#343b44", text: "#e8eaed", faint: "#98a2ae", gap: "#ff8a80", mark: "#ffffff", wait: "#b79af0", edge: "#14171b" },
};

const number = (hex) => parseInt(hex.slice(1), 16);

/** As a pixel of ImageData on little-endian machines. */
export function pixel(hex) {
  const value = number(hex);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

function mixed(hex, other, part) {
  const at = (shift) => Math.round(((number(hex) >> shift) & 255) * (1 - part) + ((number(other) >> shift) & 255) * part);
  return `#${[16, 8, 0].map((shift) => at(shift).toString(16).padStart(2, "0")).join("")}`;
}

/** As WCAG 2 has it. */
export function contrast(one, other) {
  const luminance = (hex) => [16, 8, 0].map((shift) => ((number(hex) >> shift) & 255) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const readableOn = (colour) => ["#101216", "#ffffff"].reduce((best, ink) => (contrast(ink, colour) > contrast(best, colour) ? ink : best));

export function makeColours(theme) {
  const base = themes[theme];
  return {
    theme, ...base, processes, inks: processes.map(readableOn), parts: [base.faint, "#cc79a7", "#e69f00", "#56b4e9", "#009e73", "#f0e442", base.line],
    pixels: processes.map(pixel), linePixel: pixel(base.line), gridPixel: pixel(mixed(base.line, base.background, 0.35)), faintPixel: pixel(base.faint),
    pale: processes.map((colour) => pixel(mixed(colour, base.background, 0.7))),
    edges: processes.map((colour) => pixel(mixed(colour, base.background, 0.45))),
    dim: processes.map((colour) => pixel(mixed(colour, base.background, 0.82))),
    backgroundPixel: pixel(base.background), lanePixel: pixel(base.lane), edgePixel: pixel(base.edge), markPixel: pixel(base.mark),
    waitPixel: pixel(base.wait), gapPixel: pixel(base.gap), gapPale: pixel(mixed(base.gap, base.background, 0.75)),
  };
}

export function preferredTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
