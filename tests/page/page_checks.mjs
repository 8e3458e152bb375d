// SPDX-License-Identifier: MIT
//
// page_checks.mjs LTTNG_GPU OUT BUNDLE NAME=TRACE...: see test_page.py.
import { execFileSync, spawnSync } from "node:child_process";
import { statSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkColours } from "./colour_checks.mjs";
import { checkFindings } from "./findings_checks.mjs";
import { checkFrames } from "./frame_checks.mjs";
import { checkGone } from "./gone_checks.mjs";
import { launch, openPage } from "./browser.mjs";
import { checkLanes } from "./lane_checks.mjs";
import { checkLaunches, checkServedLaunches } from "./launch_checks.mjs";
import { checkMeasure } from "./measure_checks.mjs";
import { checkNames } from "./name_checks.mjs";
import { checkPicture } from "./picture_checks.mjs";
import { checkPlaces } from "./place_checks.mjs";
import { checkRings } from "./ring_checks.mjs";
import { check, checkThat, finish } from "./tap.mjs";
import { checkScreenshots } from "./screenshot_checks.mjs";
import { checkReading } from "./reading_checks.mjs";
import { checkServer } from "./server_checks.mjs";
import { checkWidths } from "./width_checks.mjs";

const [program, out, bundle, ...named] = process.argv.slice(2);
const pictures = fileURLToPath(new URL("pictures", import.meta.url));
const traces = Object.fromEntries(named.map((word) => word.split(/=(.*)/s)));

function read(command, trace) {
  return spawnSync(program, [command[0], ...command.slice(1), trace], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
}

/** Names of the simulator have no commas. */
function rowsOf(trace) {
  const [header, ...lines] = read(["jobs", "--format", "csv"], trace).trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, place) => [names[place], cell])));
}

function makePage(name) {
  const file = join(out, `${name}.html`);
  const run = spawnSync(program, ["report", "--html", file, traces[name]], { encoding: "utf8" });
  if (![0, 4].includes(run.status)) throw new Error(`report --html ended with ${run.status}: ${run.stderr}`);
  return file;
}

/** All jobs as the page has them, as rows of CSV. */
function pageRows(page) {
  return page.evaluate(async () => {
    const { data } = window.lttngGpu;
    const rows = [];
    for (const chunk of data.chunks) {
      const jobs = await data.getJobs(chunk);
      for (let place = 0; place < jobs.count; ++place) {
        const job = data.describe(chunk, jobs, place);
        rows.push([job.ring.device, job.ring.name, job.ring.driver, job.context ?? "", job.seqno ?? "", job.process.pid ?? "", job.tid ?? "", job.comm,
          data.clock(job.queued), data.clock(job.submitted), data.clock(job.started), job.startedBasis, data.clock(job.completed), job.completedBasis,
          job.status, job.call].join(","));
      }
    }
    return rows;
  });
}

/** What the panel says of the selected job. */
function panelFields(page) {
  return page.$$eval("#panel-body [data-field]", (cells) => Object.fromEntries(cells.map((cell) => [cell.dataset.field, cell.textContent])));
}

const columns = ["device", "ring", "driver", "context", "seqno", "pid", "tid", "comm", "queued_ns", "submitted_ns", "started_ns", "completed_ns", "status"];

function differences(fields, row) {
  return row ? columns.filter((name) => (fields[name] ?? "") !== row[name]).map((name) => `${name}: the page has ${fields[name]}, jobs has ${row[name]}`) : ["no such row"];
}

const rowOf = (rows, fields) => rows.find((row) => row.context === fields.context && row.seqno === fields.seqno && row.queued_ns === (fields.queued_ns ?? ""));

async function checkValues(browser, name) {
  const page = await openPage(browser, `file://${makePage(name)}`);
  const expected = rowsOf(traces[name]).map((row) => Object.values(row).join(",")).sort();
  const shown = (await pageRows(page)).sort();
  check(`${name}: the page has the jobs of \`jobs --format csv\``, [
    ...(shown.length === expected.length && shown.length > 0 ? [] : [`${shown.length} jobs, not ${expected.length}`]),
    ...expected.filter((row, place) => row !== shown[place]),
  ]);
  check(`${name}: no errors on the page`, page.faults);
  checkThat(`${name}: nothing is asked from anywhere`, page.requests.every((url, place) => place === 0 || url.startsWith("data:")), page.requests);
  await page.close();
}

/** The middle of some job that is drawn large enough. */
function someJob(page, place) {
  return page.evaluate((wanted) => {
    const { picture } = window.lttngGpu;
    const large = picture.picks.filter((pick) => pick.lane?.place === wanted && pick.right - pick.left > 8 && pick.left > 200 && pick.right < picture.width && pick.bottom - pick.top > 4);
    const pick = large[Math.floor(large.length / 2)];
    const frame = picture.canvas.getBoundingClientRect();
    return pick && { x: frame.left + (pick.left + pick.right) / 2, y: frame.top + (pick.top + pick.bottom) / 2, number: pick.number };
  }, place);
}

const view = (page) => page.evaluate(() => {
  const { begin, end } = window.lttngGpu.view;
  return { begin, end, span: end - begin };
});

async function isDrawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function checkPointer(page, rows) {
  const canvas = await page.locator("#picture").boundingBox();
  const x = canvas.x + 600;
  const before = await view(page);
  await page.mouse.move(x, canvas.y + 120);
  for (let turn = 0; turn < 8; ++turn) await page.mouse.wheel(0, -300);
  await page.waitForFunction((span) => window.lttngGpu.view.span < span / 8, before.span);
  const after = await view(page);
  const part = (600 - 190) / (canvas.width - 190);
  const fixed = [before.begin + before.span * part, after.begin + after.span * part];
  checkThat("the wheel zooms, and the time under the pointer stays", Math.abs(fixed[0] - fixed[1]) < after.span * 0.01, fixed);
  await page.waitForFunction(() => {
    window.lttngGpu.drawNow();
    return window.lttngGpu.picture.picks.some((pick) => pick.lane?.place === "execution" && pick.right - pick.left > 8 && pick.left > 200);
  });
  for (const place of ["execution", "host"]) {
    const job = await someJob(page, place);
    if (!job) {
      checkThat(`a job in ${place} is large enough to be clicked`, false);
      continue;
    }
    await page.mouse.click(job.x, job.y);
    await page.waitForFunction((number) => window.lttngGpu.panel.job?.number === number, job.number);
    const fields = await panelFields(page);
    check(`a click on a job (${place}) shows its values as jobs has them`, differences(fields, rowOf(rows, fields)));
  }
  await page.mouse.move(x + 1, canvas.y + 121);
  const start = await view(page);
  await page.mouse.down();
  await page.mouse.move(x - 200, canvas.y + 121, { steps: 5 });
  await page.mouse.up();
  const moved = await view(page);
  checkThat("dragging moves in time", Math.abs(moved.begin - start.begin - (201 / (canvas.width - 190)) * start.span) < start.span * 0.02, [start, moved]);
}

async function checkKeys(page, rows) {
  await page.keyboard.press("0");
  const whole = await view(page);
  checkThat("0 shows the whole trace", whole.begin <= 0 && whole.end >= (await page.evaluate(() => window.lttngGpu.data.length)), whole);
  await page.keyboard.press("w");
  await page.waitForFunction(() => window.lttngGpu.state.selected?.number === window.lttngGpu.data.index.longest.whole[0][0]);
  const fields = await panelFields(page);
  const length = (row) => (row.queued_ns && row.completed_ns ? Number(BigInt(row.completed_ns) - BigInt(row.queued_ns)) : -1);
  const longest = Math.max(...rows.map(length));
  checkThat("w selects the job that took longest", length(rowOf(rows, fields) ?? {}) === longest, [fields, longest]);
  const first = await page.evaluate(() => window.lttngGpu.state.selected.number);
  await page.keyboard.press("n");
  await page.waitForFunction((number) => window.lttngGpu.state.selected.number !== number, first);
  const second = await page.evaluate(() => window.lttngGpu.state.selected.number);
  await page.keyboard.press("]");
  await page.waitForFunction((number) => window.lttngGpu.state.selected.number !== number, second);
  checkThat("n goes to the next worst, ] to the next job of the ring", true);
  await page.keyboard.press("Escape");
  checkThat("Escape selects nothing", (await page.evaluate(() => window.lttngGpu.state.selected)) === null);
}

async function checkSearch(page, rows) {
  const found = async (query) => {
    await page.keyboard.press("/");
    await page.locator("#query").fill(query);
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => window.lttngGpu.panel.found?.query === text && window.lttngGpu.panel.found.found, query);
    const text = await page.locator("#found-count").textContent();
    await page.locator("#stage").focus();
    return text;
  };
  const { seqno, pid, ring, comm } = rows[Math.floor(rows.length / 2)];
  const expected = (test) => {
    const number = rows.filter(test).length;
    return `${Math.min(number, 500)}${number > 500 ? " and more" : ""} jobs`;
  };
  for (const [query, test] of [
    [`seqno:${seqno}`, (row) => row.seqno === seqno],
    [`pid:${pid} ring:${ring}`, (row) => row.pid === pid && row.ring === ring],
    [`comm:${comm} seqno:${seqno}`, (row) => row.comm.includes(comm) && row.seqno === seqno],
    ["call:clEnqueueNothing", () => false],
  ]) {
    const [text, wanted] = [await found(query), expected(test)];
    checkThat(`search ${query.replace(/:.*? /, ":… ").replace(/:[^:]*$/, ":…")} finds as many jobs as there are`, text === wanted, [query, text, wanted]);
  }
}

async function checkStatistics(page, trace) {
  const report = JSON.parse(read(["report", "--format", "json"], trace));
  await page.keyboard.press("3");
  await page.waitForSelector("#panel-body table.statistics");
  const number = await page.locator("#statistics-ring").inputValue();
  const ring = await page.evaluate((place) => window.lttngGpu.data.rings[place], Number(number));
  const queue = report.queues.find((other) => other.device === ring.device && other.ring === ring.name);
  const shown = await page.evaluate(async (name) => (await window.lttngGpu.data.report()).queues.find((other) => other.ring === name.ring && other.device === name.device), queue);
  checkThat("the statistics are the report's", JSON.stringify(shown) === JSON.stringify(queue));
  const counted = ring.latencies.whole.reduce((sum, [, jobs]) => sum + jobs, 0);
  checkThat("the histogram counts each complete job", counted > 0 && counted <= ring.jobs, [counted, ring.jobs]);
  checkThat("curves are drawn", (await page.locator("#panel-body .chart canvas").count()) === 2);
}

/** Zoomed out: the picture's areas are the integrals of the jobs' times. */
async function checkDepths(page, rows) {
  const problems = await page.evaluate(() => {
    const { data } = window.lttngGpu;
    return Promise.all(data.rings.flatMap((ring) => ring.levels.map(async (level) => {
      const sums = [0, 0, 0, 0];
      for (const piece of level.tiles) {
        if (piece < 0) continue;
        const tile = await data.get(piece, data.unpackTile);
        tile.forEach((bins, column) => bins.forEach((depth) => { sums[column >> 3] += depth * 2 ** level.shift; }));
      }
      return [ring.device, ring.name, ring.jobs, level.shift, sums];
    })));
  });
  const time = (row, from, to) => (row[from] && row[to] ? Number(BigInt(row[to]) - BigInt(row[from])) : 0);
  check("each level of detail has the jobs' time in each queue", problems.flatMap(([device, ring, jobs, shift, sums]) => {
    const own = rows.filter((row) => row.device === device && row.ring === ring);
    const wanted = [["queued_ns", "submitted_ns"], ["submitted_ns", "started_ns"], ["started_ns", "completed_ns"]]
      .map(([from, to]) => own.reduce((sum, row) => sum + time(row, from, to), 0));
    return wanted.map((length, place) => [length, sums[place]]).filter(([length, sum]) => Math.abs(length - sum) > length * 0.05 + 2 ** shift * 8)
      .map((pair) => `${ring}, bins of 2^${shift} ns: ${pair}`);
  }));
}

async function checkThemes(browser, file) {
  const colours = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage(browser, `file://${file}`, { colorScheme });
    colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    if (colorScheme === "dark") {
      await page.keyboard.press("t");
      await isDrawn(page);
      colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      check("no errors in either theme", page.faults);
    }
    await page.close();
  }
  checkThat("light and dark follow the system, and t changes it", colours[0] !== colours[1] && colours[0] === colours[2], colours);
}

/** The worst job's panel against `diagnose`; only texts are compared, because numbers of JSON.parse end at 2^53. */
async function checkDiagnosis(page, trace) {
  await page.evaluate(() => window.lttngGpu.select(window.lttngGpu.data.index.longest.whole[0][0], true));
  const fields = await panelFields(page);
  const told = JSON.parse(read(["diagnose", "--format", "json", "--job", `${fields.device}/${fields.ring}:${fields.seqno}`], trace));
  const expected = told.jobs.find((job) => String(job.context) === fields.context);
  const wanted = [];
  const add = (part, depth) => {
    wanted.push([depth, part.before ? "before" : "", part.reason, part.basis, part.time_ns, part.text].join("|"));
    for (const root of part.root ?? []) add(root, depth + 1);
  };
  for (const isBefore of [false, true]) {
    for (const part of expected.parts.filter((other) => other.before === isBefore)) add(part, 0);
  }
  const rows = await page.$$eval("#diagnosis tr", (all) => all.map(({ dataset, classList, lastChild }) => ({
    depth: Number(dataset.depth), time: Number(dataset.time), isBefore: classList.contains("before"),
    text: [dataset.depth, classList.contains("before") ? "before" : "", dataset.reason, classList.item(classList.length - 1), dataset.time, lastChild.textContent].join("|"),
  })));
  checkThat("the panel tells why the worst job was late as diagnose does", rows.length > 1 && JSON.stringify(rows.map((row) => row.text)) === JSON.stringify(wanted), [rows, wanted]);
  const sum = rows.filter((row) => row.depth === 0 && !row.isBefore).reduce((all, row) => all + row.time, 0);
  const latency = Number(BigInt(fields.completed_ns) - BigInt(fields.queued_ns));
  checkThat("its parts add up to the job's latency", sum === latency && sum === expected.latency_ns, [sum, latency, expected.latency_ns]);
  const link = page.locator("#diagnosis .link").first();
  const [number, text] = [Number(await link.getAttribute("data-job")), await link.textContent()];
  await link.click();
  await page.waitForFunction((job) => window.lttngGpu.panel.job?.number === job, number);
  const { context, seqno } = await panelFields(page);
  checkThat("a part leads to the job that it names", text.includes(`${context}:${seqno}`), [text, context, seqno]);
  const counts = await page.evaluate(async () => {
    const { data } = window.lttngGpu;
    let told = 0;
    for (const chunk of data.chunks) {
      for (let place = 0; place < chunk.jobs; ++place) told += (await data.diagnosisOf(chunk.number * data.index.jobs_of_chunk + place)) ? 1 : 0;
    }
    return [told, data.jobCount];
  });
  checkThat("each job of a trace of this size has its reasons", counts[0] === counts[1] && told.summary.jobs === counts[0], [counts, told.summary.jobs]);
}

async function checkRelations(browser) {
  const page = await openPage(browser, `file://${makePage("recorded")}`);
  const number = await page.evaluate(async () => {
    const { data } = window.lttngGpu;
    for (const chunk of data.chunks) {
      for (let place = 0; place < chunk.jobs; ++place) {
        const all = await data.dependenciesOf(chunk.number * data.index.jobs_of_chunk + place);
        if (all.some((dependency) => dependency.producer !== null)) return chunk.number * data.index.jobs_of_chunk + place;
      }
    }
    return null;
  });
  checkThat("a recorded trace has a job that waited for another", number !== null);
  await page.evaluate((job) => window.lttngGpu.select(job, true), number);
  const links = await page.locator("#panel-body li .link").count();
  checkThat("its panel links to what it waited for, with an arrow", links > 0 && (await page.evaluate(() => window.lttngGpu.state.arrows.length)) > 0, links);
  await page.locator("#panel-body li .link").first().click();
  await page.waitForFunction((job) => window.lttngGpu.state.selected?.number !== job, number);
  checkThat("the link leads to the other job", true);
  checkThat("threads that waited have a lane", (await page.evaluate(() => window.lttngGpu.state.layout.blocks.filter((block) => block.kind === "thread" && block.thread.waits?.count > 0).length)) > 0);
  check("no errors with a recorded trace", page.faults);
  await page.close();
}

async function checkLoss(browser) {
  const page = await openPage(browser, `file://${makePage("lossy")}`);
  const account = await page.locator("#account .bad").textContent();
  const gaps = await page.evaluate(() => window.lttngGpu.data.index.gaps.length);
  checkThat("a lossy trace says what was lost and has gaps in the picture", /events lost/.test(account) && gaps > 0, [account, gaps]);
  await page.close();
}

function checkWithoutNpm() {
  const folder = join(out, "without-npm");
  const run = spawnSync("/bin/bash", [bundle, folder], { encoding: "utf8", env: { PATH: join(out, "no-programs-here") + ":/usr/sbin:/sbin" } });
  // Only bash's own words are left, so mkdir and dirname are missing, too: the build must not go on as if it had a page.
  const isEmpty = run.status !== 0 || statSync(join(folder, "page.html")).size === 0;
  checkThat("without programs there is no page", isEmpty, run.stderr);
}

const browser = await launch();
try {
  checkColours();
  checkLanes();
  for (const name of ["whole", "lossy", "parallel", "drawn", "recorded", "inside"]) await checkValues(browser, name);
  const rows = rowsOf(traces.whole);
  const file = makePage("whole");
  checkThat("the page is one file that names no other", !/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/.test(readFileSync(file, "utf8")));
  const page = await openPage(browser, `file://${file}`);
  await checkPointer(page, rows);
  await checkKeys(page, rows);
  await checkSearch(page, rows);
  await checkStatistics(page, traces.whole);
  await checkDepths(page, rows);
  await checkDiagnosis(page, traces.whole);
  check("no errors after all that", page.faults);
  await page.close();
  await checkThemes(browser, file);
  await checkRelations(browser);
  await checkLoss(browser);
  const drawn = makePage("drawn");
  await checkFindings(browser, { whole: file, lossy: makePage("lossy"), drawn }, rows, JSON.parse(read(["diagnose", "--format", "json", "--worst", "1"], traces.whole)));
  await checkWidths(browser, drawn);
  await checkRings(browser, file);
  await checkMeasure(browser, file);
  await checkNames(browser, drawn, rowsOf(traces.drawn), file);
  await checkPlaces(browser, program, traces.whole, file);
  for (const name of ["whole", "drawn"]) await checkPicture(browser, makePage(name), name, rowsOf(traces[name]));
  await checkScreenshots(browser, makePage, pictures, out);
  await checkFrames(browser, makePage("drawn"), read(["frames", "--format", "csv"], traces.drawn), read(["frames", "--late", "--format", "csv", "--top", "1000"], traces.drawn), join(out, "drawn-threads.json"));
  const inside = read(["device", "--format", "json"], traces.inside);
  await checkLaunches(browser, makePage("inside"), inside);
  await checkServedLaunches(browser, program, traces.inside, inside);
  checkWithoutNpm();
  await checkGone(browser, program, traces.whole);
  await checkServer(browser, program, traces.whole, pageRows);
  await checkReading(browser, program, traces.long, rowsOf(traces.long), pageRows);
} finally {
  await browser.close();
}
process.exitCode = finish();
