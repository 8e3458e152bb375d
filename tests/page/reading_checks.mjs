// SPDX-License-Identifier: MIT
//
// `lttng-gpu view` while it still reads: the page shows what there is, says what is not read yet, and has all in the end. The
// program is stopped most of the time until the page has been looked at.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { watchPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** In hundredths of a second. */
function cpuTimeOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return Number(words[11]) + Number(words[12]);
}

/**
 * Lets the program have a hundredth of a second of CPU time now and then, but none while `isWanted` does not hold, until end() lets
 * it go. Machines may be busy, so the time by the clock says nothing. A browser that gets no processor seems to want something
 * for long, so each turn comes later than the one before: twenty turns take half a minute.
 */
function slowDown(process, isWanted) {
  let isOver = false;
  let wait = 60;
  const turns = (async () => {
    while (!isOver) {
      process.kill("SIGSTOP");
      await pause(wait);
      if (!isWanted()) continue;
      wait = Math.min(wait * 1.3, 5000);
      const before = cpuTimeOf(process.pid);
      process.kill("SIGCONT");
      for (let turn = 0; turn < 100 && !isOver && isWanted() && cpuTimeOf(process.pid) === before; ++turn) await pause(2);
    }
    process.kill("SIGCONT");
  })();
  return async () => {
    isOver = true;
    await turns;
  };
}

/** Whether the page waits for an answer. */
function countRequests(page) {
  const waiting = new Set();
  page.on("request", (request) => request.url().startsWith("http") && waiting.add(request));
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => waiting.delete(request));
  return () => waiting.size > 0;
}

function addressOf(server) {
  return new Promise((done, fail) => {
    let said = "";
    server.stdout.on("data", (data) => {
      said += data;
      if (said.includes("\n")) done(said.trim());
    });
    server.on("exit", (code) => fail(new Error(`view ended with ${code}`)));
  });
}

/** What the page has while it says that jobs are being read. */
function lookAt(page) {
  return page.evaluate(async () => {
    const application = window.lttngGpu;
    const { data, picture } = application;
    application.drawNow();
    // More may come while pieces are fetched.
    const { isReadingJobs, readUntil, length, jobCount } = data;
    const said = document.getElementById("account").textContent;
    // How much of a column of pixels is hatched as not read yet.
    const { raster, colours } = picture;
    const hatched = (time) => {
      let count = 0;
      for (let row = raster.top; row < raster.height; ++row) count += raster.pixels[row * raster.width + picture.deviceX(time)] === colours.lanePixel ? 1 : 0;
      return count / (raster.height - raster.top);
    };
    const hatching = [hatched(readUntil / 2), hatched(readUntil + (length - readUntil) * 0.6)];
    const hasBand = picture.labels.some(({ text }) => text === "not read yet");
    const rows = [];
    const pieces = await Promise.all(data.chunks.filter(Boolean).map(async (chunk) => [chunk, await data.getJobs(chunk)]));
    for (const [chunk, jobs] of pieces) {
      for (let place = 0; place < jobs.count; ++place) rows.push([data.clock(jobs.queued[place]), data.clock(jobs.completed[place]), data.describe(chunk, jobs, place).seqno].join());
    }
    return { isReadingJobs, said, rows, jobCount, readUntil: data.clock(readUntil), part: readUntil / length, hatching, hasBand };
  });
}

async function checkPart(page, expected) {
  const part = await lookAt(page);
  checkThat("a page that is opened while jobs are read says so", part.isReadingJobs && /reading jobs \d+ %/.test(part.said), part.said);
  checkThat("it has a part of the jobs", part.rows.length > 0 && part.rows.length === part.jobCount && part.rows.length < expected.length, [part.rows.length, part.jobCount, expected.length]);
  const known = new Set(expected.map((row) => [row.queued_ns, row.completed_ns, row.seqno].join()));
  check("each of them is a job of `jobs --format csv`", part.rows.filter((row) => !known.has(row)));
  const shown = new Set(part.rows);
  check("all jobs that began before the part that is not read are there", expected.filter((row) => BigInt(row.queued_ns) < BigInt(part.readUntil) && !shown.has([row.queued_ns, row.completed_ns, row.seqno].join()))
    .map((row) => `${row.queued_ns} is before ${part.readUntil}`));
  checkThat("the rest of the axis is marked as not read yet", part.hasBand && part.part < 1 && part.hatching[0] < 0.05 && part.hatching[1] > 0.2, [part.hasBand, part.hatching, part.part]);
}

export async function checkReading(browser, program, trace, expected, pageRows) {
  // On a busy machine it would have read all before the browser has the page.
  const server = spawn("nice", ["-n", "19", program, "view", "--no-browser", "--no-reasons", "--threads", "1", trace], { stdio: ["ignore", "pipe", "pipe"] });
  server.stderr.resume();
  const page = await watchPage(browser);
  const isAsked = countRequests(page);
  let hasAddress = false;
  const letGo = slowDown(server, () => !hasAddress || isAsked());
  const url = await addressOf(server);
  hasAddress = true;
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  await checkPart(page, expected);
  // What is selected and looked at stays when more comes.
  await page.evaluate(async () => {
    const application = window.lttngGpu;
    await application.select(application.data.chunks.find(Boolean).number * application.data.index.jobs_of_chunk + 3, true);
  });
  const before = await page.evaluate(() => ({ job: window.lttngGpu.state.selected.seqno, begin: window.lttngGpu.view.begin, end: window.lttngGpu.view.end }));
  await letGo();
  await page.waitForFunction(() => document.documentElement.dataset.ready === "all");
  const after = await page.evaluate(() => ({ job: window.lttngGpu.state.selected.seqno, begin: window.lttngGpu.view.begin, end: window.lttngGpu.view.end, said: document.getElementById("account").textContent,
    states: [...window.lttngGpu.threads.values()].reduce((sum, thread) => sum + (thread.states?.count ?? 0), 0), hasBand: window.lttngGpu.picture.labels.some(({ text }) => text === "not read yet") }));
  checkThat("the job that is selected and the time that is shown stay", after.job === before.job && after.begin === before.begin && after.end === before.end, [before, after]);
  checkThat("in the end nothing is said to be unread, and threads have their states", !/reading/.test(after.said) && !after.hasBand && after.states > 0, after);
  const wanted = expected.map((row) => Object.values(row).join(",")).sort();
  const rows = (await pageRows(page)).sort();
  check("in the end the page has the jobs of `jobs --format csv`", [...(rows.length === wanted.length ? [] : [`${rows.length} jobs, not ${wanted.length}`]), ...wanted.filter((row, place) => row !== rows[place])]);
  check("no errors on the page that was opened while reading", page.faults);
  await page.close();
  server.removeAllListeners("exit");
  const code = new Promise((done) => { server.on("exit", done); });
  server.kill("SIGINT");
  checkThat("Ctrl-C ends it then", (await code) === 0);
  await checkEarlyEnd(program, trace);
}

async function checkEarlyEnd(program, trace) {
  const server = spawn("nice", ["-n", "19", program, "view", "--no-browser", "--no-reasons", "--threads", "1", trace], { stdio: ["ignore", "pipe", "pipe"] });
  server.stderr.resume();
  const letGo = slowDown(server, () => true);
  await addressOf(server);
  server.removeAllListeners("exit");
  const code = new Promise((done) => { server.on("exit", done); });
  server.kill("SIGINT");
  await letGo();
  checkThat("Ctrl-C ends it while it reads", (await code) === 0, await code);
}
