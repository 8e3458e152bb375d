// SPDX-License-Identifier: MIT
//
// first_picture.mjs LTTNG_GPU TRACE: how long after the command `view` begins a browser that runs already shows the first picture,
// how much of the trace that is, when all jobs are there and when all is read; with what lttng-gpu took until then. One line of JSON.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { launch, patience } from "../../tests/page/browser.mjs";

const [program, trace] = process.argv.slice(2);
const rounded = (value, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits;

/** Seconds of CPU time, of all its threads. */
function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(words[11]) + Number(words[12])) / 100;
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(patience);
await page.goto("about:blank");

const begin = performance.now();
const server = spawn(program, ["view", "--no-browser", trace], { stdio: ["ignore", "pipe", "inherit"] });
let mostMemory = 0;
const sampler = setInterval(() => {
  const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  mostMemory = Math.max(mostMemory, Number(kilobytes ?? 0) / 1024);
}, 50);
const figures = {};
const note = (name, more = {}) => {
  figures[name] = { ...now(), ...more };
  console.error(name, JSON.stringify(figures[name]));
};
const now = () => ({ s: rounded((performance.now() - begin) / 1000), cpu_s: rounded(cpuOf(server.pid)), most_memory_mb: Math.round(mostMemory) });

const url = await new Promise((done, fail) => {
  let said = "";
  server.stdout.on("data", (data) => {
    said += data;
    if (said.includes("\n")) done(said.trim());
  });
  server.on("exit", (code) => fail(new Error(`view ended with ${code}`)));
});
server.removeAllListeners("exit");
note("address");
await page.goto(url, { waitUntil: "commit", timeout: patience });
await page.waitForFunction(() => document.documentElement.dataset.ready);
note("first_picture", await page.evaluate(() => ({ jobs: window.lttngGpu.data.jobCount, ratio: window.lttngGpu.data.index.ratio ?? 1 })));
await page.waitForFunction(() => !window.lttngGpu.data.isReadingJobs);
note("all_jobs", { jobs: await page.evaluate(() => window.lttngGpu.data.jobCount) });
await page.waitForFunction(() => !window.lttngGpu.data.isReading);
note("all_read");
await page.waitForFunction(() => document.documentElement.dataset.ready === "all");
note("page_has_all");
console.log(JSON.stringify(figures));
clearInterval(sampler);
await page.close();
server.kill("SIGINT");
await browser.close();
