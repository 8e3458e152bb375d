// SPDX-License-Identifier: MIT
//
// Measuring between two points.
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

/** A job that is drawn large enough, and where its edges are on the screen. */
const someJob = (page) => page.evaluate(() => {
  window.lttngGpu.drawNow();
  const { picture, data } = window.lttngGpu;
  const canvas = picture.canvas.getBoundingClientRect();
  const pick = picture.picks.filter(({ lane, left, right, stay }) => lane?.place === "execution" && right - left > 40 && left > picture.labelWidth + 60 && right < picture.width - 60 && stay.jobs.states[stay.job] & 3)[0];
  const [begin, end] = [pick.stay.enter, pick.stay.leave];
  return { y: canvas.top + (pick.top + pick.bottom) / 2, left: canvas.left + picture.x(begin), right: canvas.left + picture.x(end), length: end - begin, number: pick.number, clock: data.clock(begin) };
});

const measured = (page) => page.evaluate(() => {
  const { measure, state } = window.lttngGpu;
  return { isOn: measure.isOn, isShown: state.measure !== null, length: measure.length, text: document.getElementById("measured").textContent, isHidden: document.getElementById("measured").hidden };
});

async function checkPointer(page) {
  const job = await someJob(page);
  await page.keyboard.press("m");
  const help = await measured(page);
  checkThat("m begins to measure, and says how", help.isOn && !help.isHidden && /Drag/.test(help.text) && (await page.locator("#measure").getAttribute("aria-pressed")) === "true", help);
  const before = await page.evaluate(() => window.lttngGpu.view.begin);
  await page.mouse.move(job.left + 4, job.y);
  await page.mouse.down();
  await page.mouse.move(job.right - 5, job.y, { steps: 4 });
  await page.mouse.up();
  const exact = await measured(page);
  checkThat("dragging from near one edge of a job to near the other measures it exactly", exact.length === job.length && exact.text.includes(`(${String(job.length).replace(/\B(?=(\d{3})+$)/g, " ")} ns)`), [exact, job]);
  checkThat("the picture does not move meanwhile", before === (await page.evaluate(() => window.lttngGpu.view.begin)));
  const lines = await page.evaluate(({ left, right, y }) => {
    window.lttngGpu.drawNow();
    const { canvas, scale, colours } = window.lttngGpu.picture;
    const box = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const mark = parseInt(colours.mark.slice(1), 16);
    return [left, right].map((x) => {
      const { data } = copy.getImageData(Math.round((x - box.left) * scale) - 2, Math.round((y - box.top) * scale) + 30, 4, 1);
      return [0, 1, 2, 3].some((place) => (data[place * 4] << 16) + (data[place * 4 + 1] << 8) + data[place * 4 + 2] === mark);
    });
  }, job);
  checkThat("a line is drawn at both ends", lines.every(Boolean), lines);
  await page.mouse.move(job.left - 20, 300);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(job.left + 30, 300, { steps: 3 });
  const open = await measured(page);
  checkThat("a click begins anew, and what the pointer moves over is told", open.length > 0 && open.length !== job.length, open);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(job.left + 200, 300);
  checkThat("a second click ends it", (await measured(page)).length === open.length, [await measured(page), open]);
  await page.keyboard.press("Escape");
  const over = await measured(page);
  checkThat("Escape ends measuring", !over.isOn && !over.isShown && over.isHidden && (await page.locator("#measure").getAttribute("aria-pressed")) === "false", over);
  await page.keyboard.down("Control");
  await page.mouse.move(job.left + 3, job.y);
  await page.mouse.down();
  await page.mouse.move(job.right + 3, job.y, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  checkThat("ctrl + drag measures at once", (await measured(page)).length === job.length, await measured(page));
  await page.keyboard.press("m");
  checkThat("m ends it, too", !(await measured(page)).isOn);
}

async function checkKeys(page) {
  const { number } = await someJob(page);
  await page.evaluate((job) => window.lttngGpu.select(job), number);
  await page.keyboard.press("m");
  await page.keyboard.press(".");
  const edges = await page.evaluate(() => {
    const { measure, picture, state } = window.lttngGpu;
    const all = new Set(picture.picks.filter(({ stay }) => stay).flatMap(({ stay, lane }) => (lane ? [stay.enter, stay.leave] : [stay.time])));
    const next = [...all].filter((time) => time > state.selected.first).sort((a, b) => a - b)[0];
    return { from: measure.from.time, first: state.selected.first, to: measure.to.time, next };
  });
  checkThat("by keys it begins at the selected job, and . goes to the next edge of a job", edges.from === edges.first && edges.to === edges.next, edges);
  await page.keyboard.press(".");
  const further = await page.evaluate(() => window.lttngGpu.measure.to.time);
  await page.keyboard.press(",");
  checkThat(", goes back", further > edges.next && (await page.evaluate(() => window.lttngGpu.measure.to.time)) === edges.next, [further, edges]);
  await page.keyboard.press("<");
  checkThat("< moves the begin", (await page.evaluate(() => window.lttngGpu.measure.from.time)) < edges.first);
  checkThat("what is measured is told to a screen reader", (await page.locator("output#measured").textContent()).includes("ns"));
  await page.keyboard.press("Escape");
  checkThat("Escape ends measuring first, and keeps the selected job", (await page.evaluate(() => window.lttngGpu.state.selected?.number)) === number);
  await page.keyboard.press("Escape");
}

export async function checkMeasure(browser, file) {
  const page = await openPage(browser, `file://${file}`);
  await page.evaluate(async () => {
    const { view, data } = window.lttngGpu;
    view.set(data.length * 0.4, data.length * 0.41);
    for (const ring of data.rings) for (const chunk of ring.chunks) await data.getJobs(chunk);
  });
  await checkPointer(page);
  await checkKeys(page);
  await page.evaluate(() => window.lttngGpu.view.whole());
  await page.keyboard.press("m");
  await page.mouse.move(400, 300);
  await page.mouse.down();
  await page.mouse.move(700, 300, { steps: 2 });
  await page.mouse.up();
  const about = await measured(page);
  checkThat("without edges, the length is said to be about so long", /^about /.test(about.text) && about.length > 0, about);
  check("no errors while measuring", page.faults);
  await page.close();
}
