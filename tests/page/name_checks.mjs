// SPDX-License-Identifier: MIT
//
// Colours by call or kernel, for the jobs of one process.
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

/** The process with the most names, and how many jobs each name has, from the rows. */
function namesOf(rows) {
  const processes = new Map();
  for (const row of rows) {
    const names = processes.get(row.pid) ?? processes.set(row.pid, new Map()).get(row.pid);
    const name = row.api_call || "unknown call";
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  return [...processes].sort((a, b) => b[1].size - a[1].size)[0];
}

const legend = (page) => page.$$eval("#names .name", (entries) => entries.map((entry) => {
  const [sign, words] = entry.childNodes;
  return { name: words.textContent, jobs: Number(entry.dataset.jobs), colour: sign.style.background };
}));

/**
 * The jobs of one process get names, of which the simulator has none. Where jobs are areas, the pixels of each name's colour are
 * the time that its jobs were in that queue.
 */
async function checkAreas(browser, file) {
  const page = await openPage(browser, `file://${file}`);
  const problems = await page.evaluate(async () => {
    const application = window.lttngGpu;
    const { data, picture, state } = application;
    const process = data.processes.findIndex(({ shownJobs }) => shownJobs > 0);
    data.index.api_calls = ["", "first", "second", "third"];
    const times = new Map(); // by ring, place and name
    const sumOf = (...words) => times.get(words.join()) ?? 0;
    for (const chunk of data.chunks) {
      const jobs = await data.getJobs(chunk);
      for (let job = 0; job < jobs.count; ++job) {
        if (data.actors[jobs.actor[job]].process.number !== process) continue;
        jobs.call[job] = [1, 1, 1, 2, 2, 3, 0][job % 7];
        for (const [place, begin, end] of [["host", jobs.queued, jobs.submitted], ["device", jobs.submitted, jobs.started], ["execution", jobs.started, jobs.completed]]) {
          const key = [chunk.ring, place, jobs.call[job]].join();
          if (end[job] > begin[job]) times.set(key, (times.get(key) ?? 0) + end[job] - begin[job]);
        }
      }
    }
    application.highlight(process);
    await application.toggleNames();
    application.drawNow();
    const wrong = [];
    if (state.names.shown.map(([call]) => call).join() !== "1,2,3") wrong.push(`names are ${state.names.shown}`);
    const perPixel = application.view.span / (picture.raster.width - picture.left);
    for (const block of state.layout.blocks.filter(({ kind }) => kind === "ring")) {
      if (block.isDetailed) wrong.push(`${block.title}: jobs are drawn, not areas`);
      for (const lane of block.lanes) {
        const [top, bottom] = [lane.top, lane.top + lane.height].map((y) => Math.round((picture.top(block) + y) * picture.scale));
        if (bottom > picture.raster.height) continue;
        [1, 2, 3].forEach((call, colour) => {
          let pixels = 0;
          for (let y = top; y < bottom; ++y) for (let x = picture.left; x < picture.raster.width; ++x) pixels += picture.raster.pixels[y * picture.raster.width + x] === picture.colours.pixels[colour] ? 1 : 0;
          const [drawn, wanted] = [pixels * perPixel * (lane.most / (bottom - top)), sumOf(block.ring.number, lane.place, call)];
          const pixel = (perPixel * lane.most) / (bottom - top);
          if (Math.abs(drawn - wanted) > wanted * 0.2 + pixel * (picture.raster.width - picture.left) * 0.3) wrong.push(`${block.title} ${lane.place} ${call}: ${Math.round(drawn)} ns are drawn, not ${wanted}`);
          if (lane.place === "execution" && pixels === 0) wrong.push(`${block.title}: nothing of ${call} is drawn`);
        });
      }
    }
    return wrong;
  });
  check("areas have the colours of names, as much as jobs have time there", problems);
  const texts = await page.$$eval("#names .name", (entries) => entries.map((entry) => entry.childNodes[1].textContent));
  checkThat("jobs without a known call are told as such, and are grey", texts.join() === "first,second,third,unknown call" && (await legend(page)).at(-1).colour === "rgb(112, 112, 112)", [texts, await legend(page)]);
  check("no errors with areas by name", page.faults);
  await page.close();
}

export async function checkNames(browser, file, rows, large) {
  const page = await openPage(browser, `file://${file}`);
  const [pid, names] = namesOf(rows);
  checkThat("there are no colours by call before a process is chosen", (await page.locator("#by-name").count()) === 0);
  const process = await page.evaluate((wanted) => window.lttngGpu.data.processes.findIndex((other) => String(other.pid) === wanted && other.shownJobs > 0), pid);
  await page.locator(`#legend [data-process="${process}"]`).focus();
  await page.keyboard.press("Enter");
  checkThat("the focus stays on the process that a key chose", await page.evaluate((wanted) => document.activeElement.dataset.process === String(wanted), process));
  await page.locator("#by-name").click();
  await page.waitForFunction(() => document.querySelector("#names .name"));
  const shown = await legend(page);
  const wanted = [...names].sort((a, b) => b[1] - a[1]).slice(0, 7);
  checkThat("the calls and kernels of its jobs are told with how many jobs each has", shown.length > 0 && wanted.every(([name, jobs]) => shown.find((entry) => entry.name === name)?.jobs === jobs), [shown, wanted]);
  checkThat("each has a colour of its own", new Set(shown.map(({ colour }) => colour)).size === shown.length && (await page.locator("#by-name").getAttribute("aria-pressed")) === "true");
  const problems = await page.evaluate(({ chosen }) => {
    const { picture, data, state } = window.lttngGpu;
    window.lttngGpu.drawNow();
    const wrong = [];
    let seen = 0;
    for (const pick of picture.picks.filter(({ stay, lane, left, right }) => stay && lane?.place === "execution" && right - left > 1 && left > picture.labelWidth)) {
      const job = data.describe(pick.stay.chunk, pick.stay.jobs, pick.stay.job);
      const x = Math.round(pick.left * picture.scale);
      const pixel = picture.raster.pixels[Math.round(((pick.top + pick.bottom) / 2) * picture.scale) * picture.raster.width + x];
      const isOwn = job.process.number === chosen;
      const place = isOwn ? state.names.shown.findIndex(([call]) => data.index.api_calls[call] === job.call) : job.process.colour;
      const expected = isOwn ? picture.colours.pixels[place < 0 ? 7 : place] : picture.colours.dim[place];
      const hasMark = pixel === picture.colours.markPixel;
      seen += isOwn ? 1 : 0;
      if (!hasMark && pixel !== expected) wrong.push(`job ${job.seqno} of ${job.comm}: ${pixel}, not ${expected}`);
    }
    return seen > 10 ? wrong : [`only ${seen} jobs of the process are drawn`];
  }, { chosen: process });
  check("its jobs have the colours of their names, and those of others are pale", problems);
  await page.keyboard.press("k");
  checkThat("k gives the process one colour again", await page.evaluate(() => window.lttngGpu.state.names === null && window.lttngGpu.state.highlighted !== null));
  await page.keyboard.press("k");
  await page.waitForFunction(() => document.querySelector("#names .name"));
  await page.keyboard.press("Escape");
  checkThat("Escape ends it", await page.evaluate(() => window.lttngGpu.state.names === null && window.lttngGpu.state.highlighted === null && !document.getElementById("names")));
  check("no errors with colours by call", page.faults);
  await page.close();
  await checkAreas(browser, large);
}
