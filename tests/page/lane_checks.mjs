// SPDX-License-Identifier: MIT
//
// Lines of the picture for rings of whose jobs no time is known: one for each, or a single one for
// many of them. No trace of the other checks has so many.
import { layOut } from "../../userspace/page/src/lanes.js";
import { check } from "./tap.mjs";

const ring = (name, jobs, isDrawn) => ({ device: "gpu", name, jobs, levels: isDrawn ? [{}] : [] });

function titles(rings) {
  const { blocks, height } = layOut({ rings }, new Map(), []);
  const told = blocks.filter((block) => block.kind === "title");
  const overlaps = blocks.filter((block, place) => place > 0 && block.top < blocks[place - 1].top + blocks[place - 1].height);
  return { titles: told.map((block) => block.title), overlaps: overlaps.length, drawn: blocks.filter((block) => block.kind === "ring").length, height };
}

export function checkLanes() {
  const problems = [];
  const expect = (words, rings, lines, drawn) => {
    const got = titles(rings);
    if (JSON.stringify(got.titles) !== JSON.stringify(lines) || got.overlaps !== 0 || got.drawn !== drawn) problems.push(`${words}: ${JSON.stringify(got)}`);
  };
  const empty = (number) => Array.from({ length: number }, (_, place) => ring(`queue ${place + 1}`, 1000 * place + 1, false));
  const line = (number, jobs) => `gpu queue ${number}: ${jobs}, their times are not known`;
  expect("all have times", [ring("gfx", 5, true)], [], 1);
  expect("three have none", [ring("gfx", 5, true), ...empty(3)], [line(1, "1 job"), line(2, "1 001 jobs"), line(3, "2 001 jobs")], 1);
  expect("four have none", [...empty(4), ring("gfx", 5, true)], ["4 more rings: 6 004 jobs, their times are not known"], 1);
  expect("none has times", empty(271), ["271 rings: 36 585 271 jobs, their times are not known"], 0);
  check("rings without times are a line each, and a single one if they are many", problems);
}
