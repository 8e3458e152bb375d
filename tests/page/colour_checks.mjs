// SPDX-License-Identifier: MIT
//
// Colours can be read, and told apart by people who see colours differently.
import { contrast, makeColours } from "../../userspace/page/src/colours.js";
import { check } from "./tap.mjs";

// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.
const eyes = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const linear = (hex) => [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));

/** CIE L*a*b* of what an eye makes of a colour. */
function lab(hex, matrix) {
  const seen = matrix.map((row) => Math.min(1, Math.max(0, row.reduce((sum, part, place) => sum + part * linear(hex)[place], 0))));
  const xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]].map((row) => row.reduce((sum, part, place) => sum + part * seen[place], 0));
  const [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const least = 10; // of the difference; 2.3 can just be seen

export function checkColours() {
  for (const theme of ["light", "dark"]) {
    const colours = makeColours(theme);
    const texts = [["text", colours.text], ["faint text", colours.faint]].map(([name, colour]) => [name, contrast(colour, colours.background)]);
    const labels = colours.processes.map((colour, place) => [`label on ${colour}`, contrast(colours.inks[place], colour)]);
    check(`${theme}: texts have a contrast of at least 4.5`, [...texts, ...labels].filter(([, ratio]) => ratio < 4.5));
    const problems = [];
    for (const [eye, matrix] of Object.entries(eyes)) {
      colours.processes.forEach((one, place) => {
        for (const other of [...colours.processes.slice(place + 1), colours.background]) {
          const distance = Math.hypot(...lab(one, matrix).map((part, axis) => part - lab(other, matrix)[axis]));
          if (distance < least) problems.push(`${eye}: ${one} and ${other} differ by ${distance.toFixed(1)}`);
        }
      });
    }
    check(`${theme}: colours of processes differ for all eyes`, problems);
  }
}
