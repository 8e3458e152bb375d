// SPDX-License-Identifier: MIT
//
// What was recorded inside of kernels: the panel and the curves of their commands have the values of
// `lttng-gpu device --format json`.
import { openPage } from "./browser.mjs";
import { startServer } from "./server_checks.mjs";
import { check, checkThat } from "./tap.mjs";

const commandOf = (page, seqno) => page.evaluate(async (wanted) => {
  const { data } = window.lttngGpu;
  for (const chunk of data.chunks) {
    const jobs = await data.getJobs(chunk);
    for (let place = 0; place < jobs.count; ++place) {
      const job = data.describe(chunk, jobs, place);
      if (job.ring.driver === "opencl" && job.seqno === wanted) return job.number;
    }
  }
  return null;
}, String(seqno));

async function select(page, seqno) {
  const number = await commandOf(page, seqno);
  if (number === null) return false;
  await page.evaluate((job) => window.lttngGpu.select(job, true), number);
  await page.waitForFunction((job) => window.lttngGpu.panel.job?.number === job, number);
  await page.evaluate(() => window.lttngGpu.drawNow());
  return true;
}

const shown = (page) => page.evaluate(() => ({
  facts: Object.fromEntries([...document.querySelectorAll("[data-inside]")].map((cell) => [cell.dataset.inside, cell.dataset.value])),
  locations: [...document.querySelectorAll("#locations tr[data-location]")].map(({ dataset, cells }) => ({ ...dataset, text: cells[0].textContent, share: cells[3].textContent })),
  missing: document.getElementById("inside-missing")?.textContent ?? "",
  basis: document.getElementById("inside")?.className ?? "",
}));

/** Numbers beyond 2^53 are compared as the document's own text. */
function timesOf(text, launch) {
  const part = text.slice(text.indexOf(`"launch": ${launch},`));
  return ["begin_ns", "end_ns"].map((name) => part.match(new RegExp(`"${name}": (\\d+|null)`))[1]);
}

function problemsOf(launch, kernel, number, text, page) {
  const problems = [];
  const same = (what, one, other) => String(one) === String(other) || problems.push(`${what}: the page has ${one}, device has ${other}`);
  const [begin, end] = timesOf(text, number);
  const { device } = launch;
  if (device) {
    for (const [field, value] of [["duration", device.duration_ns], ["begin", begin], ["end", end], ["error", device.error_ns], ["warps", device.warps], ["waves", device.waves],
      ["multiprocessors", device.multiprocessors], ["imbalance", device.imbalance], ["tail", device.tail_ns]]) same(field, page.facts[field], value);
    same("basis", page.basis, device.bounded_by);
  } else {
    same("basis", page.basis, "unknown");
  }
  same("locations", page.locations.length, launch.locations.length);
  const whole = launch.locations.reduce((sum, location) => sum + (location.time_ns ?? location.executions), 0);
  for (const location of launch.locations) {
    const row = page.locations.find((other) => other.location === String(location.location));
    const named = kernel.locations.find((other) => other.location === location.location);
    same("executions", row?.executions, location.executions);
    same("lanes", row?.lanes, location.lanes_mean ?? "");
    same("time", row?.time, location.time_ns ?? "");
    same("name", row?.text, `${named.function}:${named.line}:${named.column} ${named.kind}`);
    same("share", row?.share, `${(((location.time_ns ?? location.executions) / whole) * 100).toFixed(1)} %`);
  }
  return problems;
}

/** Where the curves are, in CSS pixels, and where the axis has the command's start and end. */
const strip = (page) => page.evaluate(() => {
  const { picture, state } = window.lttngGpu;
  const pick = picture.picks.find((other) => other.launch);
  if (!pick) return null;
  const { started, completed } = state.selected;
  return { left: pick.left, right: pick.right, top: pick.top, bottom: pick.bottom, start: picture.x(started), end: picture.x(completed), scale: picture.scale };
});

/** Pixels of a row of the canvas between two places, as colours with how often each is there. */
const coloursAt = (page, left, right, y) => page.evaluate(([from, to, row]) => {
  const { picture } = window.lttngGpu;
  const copy = new OffscreenCanvas(picture.canvas.width, picture.canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(picture.canvas, 0, 0);
  const { data } = copy.getImageData(Math.round(from * picture.scale), Math.round(row * picture.scale), Math.max(Math.round((to - from) * picture.scale), 1), 1);
  const counts = {};
  for (let place = 0; place < data.length; place += 4) {
    const colour = data.slice(place, place + 3).join(",");
    counts[colour] = (counts[colour] ?? 0) + 1;
  }
  return counts;
}, [left, right, y]);

async function panelProblems(page, text) {
  const told = JSON.parse(text);
  const numbers = [...text.matchAll(/"launch": (\d+),/g)].map((match) => match[1]);
  const problems = told.launches.length > 0 ? [] : ["there are no launches"];
  for (const [place, launch] of told.launches.entries()) {
    const kernel = told.kernels.find((other) => other.name === launch.kernel);
    if (!(await select(page, launch.command))) problems.push(`command ${launch.command} is not in the page`);
    else problems.push(...problemsOf(launch, kernel, numbers[place], text, await shown(page)).map((problem) => `command ${launch.command}: ${problem}`));
  }
  return problems;
}

/** `view` has them, too. */
export async function checkServedLaunches(browser, program, trace, text) {
  const { server, address } = startServer(program, trace);
  server.stderr.resume();
  const page = await openPage(browser, await address);
  check("the served page has the same of each launch", await panelProblems(page, text));
  check("no errors on the served page of launches", page.faults);
  await page.close();
  server.kill("SIGINT");
}

/** `text`: of `device --format json`. */
export async function checkLaunches(browser, file, text) {
  const told = JSON.parse(text);
  const page = await openPage(browser, `file://${file}`);
  check("the panel of each command has what `device` tells of its launch", await panelProblems(page, text));

  const sure = told.launches.find((launch) => launch.device?.bounded_by === "commands" && launch.records_lost === 0);
  await select(page, sure.command);
  const clear = await strip(page);
  checkThat("curves of a launch are on the axis of its command, inside of it", clear && clear.left >= clear.start - 1 && clear.right <= clear.end + 1 && clear.right - clear.left > (clear.end - clear.start) * 0.8, clear);
  const curve = await page.evaluate(() => {
    const { launch } = window.lttngGpu.state.inside;
    return [launch.device.over_time.warps, launch.device.over_time.multiprocessors];
  });
  checkThat("their values are those of `device`", JSON.stringify(curve) === JSON.stringify([sure.device.over_time.warps, sure.device.over_time.multiprocessors]), curve);

  const solid = await coloursAt(page, clear.left + 4, clear.left + (clear.right - clear.left) / 3, clear.top + 30);
  checkThat("a launch that its command bounds is drawn solid", Object.keys(solid).length === 1, solid);

  const lossy = told.launches.find((launch) => launch.records_lost > 0);
  await select(page, lossy.command);
  const { missing } = await shown(page);
  const partial = await strip(page);
  const hatched = await coloursAt(page, partial.left + 4, partial.left + (partial.right - partial.left) / 3, partial.top + 30);
  checkThat("of a launch that lost records, this is told and its curves are hatched", missing.includes(`${lossy.records_lost} records lost`) && Object.keys(hatched).length === 2, [missing, hatched]);

  const doubtful = told.launches.find((launch) => launch.device?.bounded_by === "calls");
  await select(page, doubtful.command);
  const loose = await strip(page);
  const words = await page.locator("#inside-basis").textContent();
  const pattern = await coloursAt(page, loose.left + 4, loose.left + (loose.right - loose.left) / 3, loose.top + 30);
  checkThat("one whose command contradicts the timer looks different, and its panel says what bounds it", words.includes("calls and completions only") && words.includes("contradict") && Object.keys(pattern).length === 2, [words, pattern]);

  const untimed = told.launches.find((launch) => launch.device === null);
  await select(page, untimed.command);
  const unknown = await page.locator("#inside-basis").textContent();
  checkThat("one without times of the device has none on the page, and no curves", unknown.includes("unknown") && (await strip(page)) === null && (await shown(page)).locations.length > 0, unknown);

  await page.keyboard.press("Escape");
  await page.evaluate(() => window.lttngGpu.drawNow());
  checkThat("Escape takes the curves away", (await page.evaluate(() => window.lttngGpu.state.inside)) === null && (await strip(page)) === null);
  check("no errors on the page of launches", page.faults);
  await page.close();
}
