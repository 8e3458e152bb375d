// SPDX-License-Identifier: MIT
//
// A `view` that does not answer any more: the page says so and goes on with what it has; when it answers again the page has all.
import { createServer, connect } from "node:net";
import { watchPage } from "./browser.mjs";
import { startServer } from "./server_checks.mjs";
import { check, checkThat } from "./tap.mjs";

/** Hands bytes on to the server's port, as what leads to a machine far away does, until it is cut. The name of the host is the server's. */
async function startWay(port) {
  const open = new Set();
  const way = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => open.delete(socket));
    }
    client.on("data", (data) => server.write(data.toString("latin1").replace(/^Host: .*$/im, `Host: 127.0.0.1:${port}`), "latin1"));
    server.pipe(client);
    client.on("close", () => server.destroy());
  });
  const listen = (at) => new Promise((done) => { way.listen(at, "127.0.0.1", done); });
  await listen(0);
  const own = way.address().port;
  return {
    port: own,
    mend: () => listen(own),
    cut: () => new Promise((done) => {
      way.close(done);
      for (const socket of open) socket.destroy();
    }),
  };
}

const isSaid = (page, isGone) => page.waitForFunction((wanted) => document.getElementById("server").hidden !== wanted, isGone);
const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.ready === "all");
/** What the browser itself writes of requests that fail is no fault of the page. */
const faultsOf = (page) => page.faults.filter((fault) => !/Failed to load resource/.test(fault));

/** A job of a piece that the page has, and one of a piece that it has not. */
const someJobs = (page) => page.evaluate(async () => {
  const { data } = window.lttngGpu;
  const [one, other] = data.chunks.filter(Boolean);
  await data.getJobs(one);
  data.loaded.delete(other.piece);
  for (const { piece } of data.relations.dependencies) data.loaded.delete(piece);
  for (const [piece] of data.index.diagnoses?.chunks ?? []) data.loaded.delete(piece);
  const size = data.index.jobs_of_chunk;
  return { there: one.number * size + 1, missing: other.number * size + 1 };
});

async function checkWithout(page, jobs) {
  await page.evaluate((number) => window.lttngGpu.select(number, true), jobs.there);
  const seen = await page.evaluate(() => ({ job: window.lttngGpu.state.selected?.number, tab: window.lttngGpu.panel.tab, partial: document.getElementById("partial")?.textContent, values: document.querySelectorAll("#panel-body [data-field]").length }));
  checkThat("meanwhile a job that the page has is shown, and what is missing of it is said", seen.job === jobs.there && seen.values > 10 && /does not answer/.test(seen.partial ?? ""), seen);
  await page.evaluate((number) => window.lttngGpu.select(number, true), jobs.missing);
  checkThat("of one that it has not it says so, and stays where it is", (await page.evaluate(() => window.lttngGpu.state.selected.number)) === jobs.there && /not there/.test(await page.locator("#told").textContent()));
  const frames = await page.evaluate(() => window.lttngGpu.frames);
  await page.keyboard.press("0");
  await page.keyboard.press("e");
  await page.waitForFunction((before) => window.lttngGpu.frames > before, frames);
  await page.keyboard.press("/");
  await page.locator("#query").fill("seqno:5");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /could be searched/.test(document.getElementById("panel-body").textContent));
  checkThat("zooming goes on, and a search says that it is not whole", true);
  await page.evaluate((number) => window.lttngGpu.select(number, true), jobs.there);
}

async function checkBack(page, jobs) {
  await isSaid(page, false);
  await page.waitForFunction(() => !document.getElementById("partial"));
  checkThat("when it is back the notice goes, and the panel has what was missing", /answers again/.test(await page.locator("#told").textContent()) && (await page.locator("#diagnosis").count()) === 1);
  await page.evaluate((number) => window.lttngGpu.select(number, true), jobs.missing);
  checkThat("and the other job is there", (await page.evaluate(() => window.lttngGpu.state.selected.number)) === jobs.missing);
}

/** The way to it is cut, and mended. */
async function checkCut(browser, url) {
  const { port, pathname } = new URL(url);
  const way = await startWay(Number(port));
  const page = await watchPage(browser);
  await page.goto(`http://127.0.0.1:${way.port}${pathname}`, { waitUntil: "commit" });
  await ready(page);
  checkThat("while view answers nothing is said of it", await page.locator("#server").isHidden());
  const jobs = await someJobs(page);
  await way.cut();
  await isSaid(page, true);
  checkThat("when view does not answer the page says so", /does not answer/.test(await page.locator("#server").textContent()) && (await page.locator("#server").isVisible()));
  const asked = page.requests.length;
  await checkWithout(page, jobs);
  const pieces = page.requests.slice(asked).filter((request) => /piece/.test(request));
  check("nothing is asked from it but whether it is back", pieces);
  await way.mend();
  await checkBack(page, jobs);
  check("no errors while it was gone", faultsOf(page));
  await page.close();
  await way.cut();
}

/** It is stopped, so that it takes requests and answers none. */
async function checkStopped(browser, url, server) {
  const page = await watchPage(browser);
  await page.goto(url, { waitUntil: "commit" });
  await ready(page);
  server.kill("SIGSTOP");
  await isSaid(page, true);
  server.kill("SIGCONT");
  await isSaid(page, false);
  checkThat("a view that is stopped is told as one that is gone, until it goes on", /answers again/.test(await page.locator("#told").textContent()));
  server.removeAllListeners("exit");
  const ended = new Promise((done) => { server.on("exit", done); });
  server.kill("SIGINT");
  await ended;
  await isSaid(page, true);
  const rows = await page.evaluate(async () => {
    const { data } = window.lttngGpu;
    return [data.rings.length, document.querySelectorAll("#rings-finding tr").length];
  });
  checkThat("after Ctrl-C the page goes on with what it has", rows[0] > 0 && rows[1] === rows[0] + 1, rows);
  check("no errors after the end of view", faultsOf(page));
  await page.close();
}

export async function checkGone(browser, program, trace) {
  const { server, address } = startServer(program, trace);
  server.stderr.resume();
  const url = await address;
  await checkCut(browser, url);
  await checkStopped(browser, url, server);
}
