// SPDX-License-Identifier: MIT
//
// Frames, API calls, states of threads and waits: what the page shows of a game and a compositor (frames_trace.cpp) is what
// `frames` and the database of `export` have, and what was planted.
import { readFileSync } from "node:fs";
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const differing = (shown, wanted) => [
  ...(shown.length === wanted.length && shown.length > 0 ? [] : [`${shown.length} rows, not ${wanted.length}`]),
  ...wanted.filter((row, place) => row !== shown[place]).map((row) => `wanted ${row}, shown ${shown[wanted.indexOf(row)]}`),
];

/** All rows of frames as the page has them, in order of their ends. */
function pageFrames(page) {
  return page.evaluate(() => {
    const { data, surfaces, frameRow } = window.lttngGpu;
    return surfaces.flatMap((surface) => surface.frames).sort((a, b) => a.end - b.end).map((frame) => Object.values(frameRow(data, frame)).join(","));
  });
}

/** The middle of a frame in the picture. */
function placeOf(page, surface, number) {
  return page.evaluate(([process, frame]) => {
    const { picture } = window.lttngGpu;
    window.lttngGpu.drawNow();
    const pick = picture.picks.find((other) => other.frame?.number === frame && other.frame.of.process.comm === process);
    const box = picture.canvas.getBoundingClientRect();
    return pick && { x: box.left + (pick.left + pick.right) / 2, y: box.top + (pick.top + pick.bottom) / 2 + 2 };
  }, [surface, number]);
}

export async function checkFrames(browser, file, csv, latest, database) {
  const page = await openPage(browser, `file://${file}`);
  const [header, ...lines] = csv.trimEnd().split("\n");
  check("the page has the frames of `frames --format csv`", differing(await pageFrames(page), lines));
  const names = header.split(",");
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((cell, place) => [names[place], cell])));
  const keyOf = (row) => `${row.comm}:${row.frame}`;
  const worst = await page.evaluate(() => window.lttngGpu.worstFrames.map((frame) => `${frame.of.process.comm}:${frame.number}`));
  const [, ...late] = latest.trimEnd().split("\n").map((line) => line.split(","));
  const wanted = late.map((cells) => `${cells[names.indexOf("comm")]}:${cells[names.indexOf("frame")]}`);
  checkThat("the latest frames are in the order of `frames --late`", wanted.length >= 3 && JSON.stringify(worst) === JSON.stringify(wanted), [worst, wanted]);

  const row = rows.find((other) => keyOf(other) === wanted[0]);
  await page.keyboard.press("l");
  await page.waitForSelector("#frame #frame-jobs li");
  const fieldsOf = () => page.$$eval("#frame [data-field]", (cells) => Object.fromEntries(cells.map((cell) => [cell.dataset.field, cell.textContent])));
  const fields = await fieldsOf();
  check("l selects the latest frame and shows its values as frames has them", Object.entries(fields).filter(([name, value]) => row[name] !== value));
  const overflow = await page.$eval("#panel-body", (body) => [body.scrollWidth, body.clientWidth]);
  checkThat("the panel of a frame is not wider than there is room", overflow[0] <= overflow[1], overflow);
  checkThat("it says how to ask for the reason", (await page.textContent("#frame-why")).includes(`lttng-gpu diagnose --frame ${row.frame} `));
  const parts = await page.$$eval("#frame-parts [data-part]", (cells) => cells.map((cell) => Number(cell.dataset.time)));
  checkThat("its parts add up to its interval", parts.reduce((sum, time) => sum + time, 0) === Number(row.interval_ns), [parts, row.interval_ns]);
  const cause = await page.locator("#frame-parts .cause [data-part]").getAttribute("data-part");
  checkThat("the part that made it late is marked", cause === row.late_by, [cause, row.late_by]);
  checkThat("its jobs are those that frames counts", (await page.locator("#frame-jobs li").count()) === Number(row.jobs), row.jobs);
  const calls = await page.$$eval("#frame-calls th", (cells) => cells.map((cell) => cell.textContent).sort());
  checkThat("its calls are listed", JSON.stringify(calls) === JSON.stringify(["eglSwapBuffers", "glClear", "glDrawElements", "glFlush"]), calls);
  await page.locator("#frame-jobs .link").first().click();
  await page.waitForFunction(() => window.lttngGpu.panel.job !== null);
  const job = await page.evaluate(() => window.lttngGpu.state.selected);
  checkThat("a frame leads to its job", String(job.seqno) === (Number(row.frame) > 45 ? String(Number(row.frame) - 5) : row.frame), [job.seqno, row.frame]);

  await page.keyboard.press("5");
  await page.keyboard.press("]");
  const next = await page.evaluate(() => window.lttngGpu.state.frame.number);
  checkThat("] leads to the next frame of the surface", next === Number(row.frame) + 1, [next, row.frame]);
  await page.keyboard.press("[");
  await page.evaluate(() => window.lttngGpu.view.zoom(8));
  for (const number of [Number(row.frame) - 1, Number(row.frame)]) {
    const place = await placeOf(page, row.comm, number);
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction((frame) => window.lttngGpu.panel.frame?.number === frame && window.lttngGpu.panel.tab === "frames", number);
  }
  checkThat("a click selects a frame", true);
  await page.keyboard.press("Escape"); // what is selected has another colour
  await checkLateMarks(page, rows);
  await checkThreads(page, JSON.parse(readFileSync(database, "utf8")));
  check("no errors on the page with frames", page.faults);
  await page.close();
}

/** On the whole trace: where frames are late there is red, with a mark above it; nowhere else. */
async function checkLateMarks(page, rows) {
  const shown = await page.evaluate(() => {
    const { picture, view, state } = window.lttngGpu;
    view.whole();
    window.lttngGpu.drawNow();
    const context = new OffscreenCanvas(picture.canvas.width, picture.canvas.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(picture.canvas, 0, 0);
    return state.layout.blocks.filter((block) => block.kind === "frames").map((block) => {
      const top = picture.top(block);
      const columns = (y) => {
        const { data, width } = context.getImageData(0, Math.round(y * picture.scale), picture.canvas.width, 1);
        return Array.from({ length: width }, (_, x) => `#${[0, 1, 2].map((channel) => data[x * 4 + channel].toString(16).padStart(2, "0")).join("")}`);
      };
      const middle = columns(top + block.height - 3);
      const above = columns(top + 3);
      const late = block.surface.late.map((frame) => [picture.x(frame.begin) * picture.scale, picture.x(frame.end) * picture.scale]);
      return { comm: block.surface.process.comm, late, left: picture.left, red: middle.flatMap((colour, x) => (colour === "#b3261e" ? [x] : [])), marks: above.flatMap((colour, x) => (colour === "#1b1f24" && x > picture.left ? [x] : [])) };
    });
  });
  const problems = [];
  for (const { comm, late, red, marks } of shown) {
    const wanted = rows.filter((row) => row.comm === comm && row.late === "yes").length;
    if (late.length !== wanted) problems.push(`${comm} has ${late.length} late frames, not ${wanted}`);
    const isInside = (x) => late.some(([left, right]) => left - 1.5 <= x && x <= right + 1.5);
    problems.push(...red.filter((x) => !isInside(x)).map((x) => `${comm}: red at ${x}`));
    for (const [left, right] of late) {
      if (!red.some((x) => left - 1.5 <= x && x <= right + 1.5)) problems.push(`${comm}: no red from ${left} to ${right}`);
      if (!marks.some((x) => left - 1.5 <= x && x <= right + 2.5)) problems.push(`${comm}: no mark from ${left} to ${right}`);
    }
  }
  check("late frames are red with a mark, others are not", shown.length === 2 ? problems : [...problems, `${shown.length} rows of frames`]);
}

/** Against the tables of the database, and the states of frames_trace.cpp. */
async function checkThreads(page, { calls, waits }) {
  const shown = await page.evaluate(() => {
    const { data, threads } = window.lttngGpu;
    const all = { calls: [], waits: [], states: [] };
    for (const { actor, calls: called, waits: waited, states } of threads.values()) {
      for (let place = 0; place < (called?.count ?? 0); ++place) all.calls.push([actor.tid, data.index.api_calls[called.value[place]], data.clock(called.begin[place]), data.clock(called.end[place])].join());
      for (let place = 0; place < (waited?.count ?? 0); ++place) all.waits.push([actor.tid, data.clock(waited.begin[place]), data.clock(waited.end[place]), data.clock(waited.signaled[place])].join());
      for (let place = 0; place < (states?.count ?? 0); ++place) all.states.push([actor.tid, states.value[place], states.end[place] - states.begin[place], data.index.other_threads[states.other[place]]]);
    }
    return all;
  });
  check("API calls are those of `export --to sqlite`", differing(shown.calls.sort(), calls.map((row) => row.join()).sort()));
  check("waits for fences are those of `export --to sqlite`", differing(shown.waits.sort(), waits.map((row) => row.map((cell) => cell ?? "").join()).sort()));
  const preempted = shown.states.filter(([tid, state, length]) => tid === 101 && state === 1 && length > 1e6);
  checkThat("a preempted thread says who ran instead, and for how long", JSON.stringify(preempted) === JSON.stringify([[101, 1, 24e6, "cc1plus"]]), preempted);
  const asleep = shown.states.filter(([tid, state]) => tid === 101 && state === 2);
  checkThat("it slept once in each frame", asleep.length === 60, asleep.length);
}
