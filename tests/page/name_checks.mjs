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

export async function checkNames(browser, file, rows) {
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
}
