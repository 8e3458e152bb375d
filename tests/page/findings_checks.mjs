// SPDX-License-Identifier: MIT
//
// What the page opens on, against `report` and `diagnose`.
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const time = (row, from, to) => (row[from] && row[to] ? Number(BigInt(row[to]) - BigInt(row[from])) : 0);
const waitOf = (row) => time(row, "queued_ns", "submitted_ns") + time(row, "submitted_ns", "started_ns");

/** [device and name, ns] of the rings, where jobs waited most first, from the rows alone. */
function waits(rows) {
  const sums = new Map();
  for (const row of rows) {
    const name = `${row.device} ${row.ring || "unknown ring"}`.trim();
    sums.set(name, (sums.get(name) ?? 0) + waitOf(row));
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], "en", { numeric: true }));
}

const selected = (page) => page.evaluate(() => {
  const { state, view } = window.lttngGpu;
  return { number: state.selected?.number, isShown: state.selected ? view.begin <= state.selected.first && state.selected.end <= view.end : false, begin: view.begin, end: view.end };
});

async function checkWorst(page, told) {
  const [{ latency_ns: latency, parts }] = told.jobs;
  const link = page.locator("#worst-finding .link");
  const number = Number(await link.getAttribute("data-job"));
  const length = await page.evaluate(async (job) => {
    const { queued, completed } = await window.lttngGpu.data.job(job);
    return completed - queued;
  }, number);
  const longest = parts.filter((part) => !part.before).reduce((most, part) => (part.time_ns > most.time_ns ? part : most));
  const cause = await page.locator("#worst-cause").textContent();
  checkThat("the page opens on its findings: the job that diagnose calls the worst, and the longest part of its latency", length === latency && cause.includes(longest.text), [length, latency, cause, longest.text]);
  await link.click();
  await page.waitForFunction((job) => window.lttngGpu.state.selected?.number === job, number);
  checkThat("it leads to the job", (await selected(page)).isShown, await selected(page));
  await page.keyboard.press("h");
  checkThat("h shows the findings again", (await page.locator("#tabs [aria-selected=true]").textContent()) === "Findings" && (await page.locator("#worst-finding").count()) === 1);
}

async function checkWaits(page, rows) {
  const wanted = waits(rows);
  const shown = await page.$$eval("#rings-finding .link", (links) => links.map((link) => link.textContent));
  checkThat("rings are in the order of the time that jobs waited there", JSON.stringify(shown) === JSON.stringify(wanted.map(([name]) => name)), [shown, wanted]);
  const sums = await page.evaluate(() => window.lttngGpu.data.rings.map((ring) => [`${ring.device} ${ring.name || "unknown ring"}`.trim(), ring.waited_ns]));
  check("that time is the sum over the rows of jobs", sums.filter(([name, sum]) => new Map(wanted).get(name) !== sum).map(([name, sum]) => `${name}: ${sum}, not ${new Map(wanted).get(name)}`));
  const blocks = await page.evaluate(() => window.lttngGpu.state.layout.blocks.filter(({ kind }) => kind === "ring").map(({ title }) => title));
  checkThat("the picture has them in the same order", JSON.stringify(blocks) === JSON.stringify(shown.filter((name) => blocks.includes(name))), [blocks, shown]);
  const link = page.locator("#rings-finding .link").first();
  const [name, number] = [await link.textContent(), Number(await link.getAttribute("data-job"))];
  await link.click();
  await page.waitForFunction((job) => window.lttngGpu.state.selected?.number === job, number);
  const job = await page.evaluate(() => {
    const { queued, submitted, started } = window.lttngGpu.state.selected;
    return (submitted - queued || 0) + (started - submitted || 0);
  });
  const longest = Math.max(...rows.filter((row) => `${row.device} ${row.ring}` === name).map(waitOf));
  checkThat("a ring leads to the job that waited longest there", job === longest && (await selected(page)).isShown, [job, longest, await selected(page)]);
}

async function checkLost(browser, file) {
  const page = await openPage(browser, `file://${file}`);
  const [text, loss, gaps] = await page.evaluate(() => [document.getElementById("lost-finding").textContent, window.lttngGpu.data.index.loss, window.lttngGpu.data.index.gaps]);
  const longest = gaps.reduce((most, gap) => (gap[1] - gap[0] > most[1] - most[0] ? gap : most));
  await page.locator("#gaps .link").first().click();
  const { begin, end } = await selected(page);
  checkThat("what was lost is a finding, and leads to the longest gap", /events lost/.test(text) && text === loss && begin <= longest[0] && longest[1] <= end && end - begin < 0.1 * (await page.evaluate(() => window.lttngGpu.data.length)), [text, begin, end, longest]);
  check("no errors on the findings of a lossy trace", page.faults);
  await page.close();
}

async function checkFrames(browser, file) {
  const page = await openPage(browser, `file://${file}`);
  await page.locator("#frames-finding .link").focus();
  await page.keyboard.press("Enter");
  checkThat("the latest frame is a finding, which a key opens", await page.evaluate(() => window.lttngGpu.state.frame !== null && window.lttngGpu.state.frame === window.lttngGpu.worstFrames[0] && window.lttngGpu.panel.tab === "frames"));
  await page.close();
}

/** A fault that the simulator does not make is put into the report and the jobs. */
async function checkFaults(browser, file) {
  const page = await openPage(browser, `file://${file}`);
  const wanted = await page.evaluate(async () => {
    const { data, panel } = window.lttngGpu;
    const ring = data.rings[0];
    const chunk = ring.chunks[0];
    const jobs = await data.getJobs(chunk);
    jobs.states[7] |= 1 << 6;
    const report = await data.report();
    report.queues.find((queue) => queue.device === ring.device && queue.ring === ring.name).faults.timed_out = 1;
    panel.draw();
    return chunk.number * data.index.jobs_of_chunk + 7;
  });
  await page.locator("#faults .link").click();
  await page.waitForFunction(() => window.lttngGpu.state.selected);
  checkThat("a ring whose job timed out is a finding, and leads to it", (await selected(page)).number === wanted, [await selected(page), wanted]);
  await page.close();
}

/** `told`: what `diagnose` has of the worst job; `files`: pages of whole, lossy and drawn traces. */
export async function checkFindings(browser, files, rows, told) {
  const page = await openPage(browser, `file://${files.whole}`);
  await checkWorst(page, told);
  await checkWaits(page, rows);
  check("no errors on the findings", page.faults);
  await page.close();
  await checkLost(browser, files.lossy);
  await checkFrames(browser, files.drawn);
  await checkFaults(browser, files.whole);
}
