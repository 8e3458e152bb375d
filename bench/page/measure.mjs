// SPDX-License-Identifier: MIT
//
// measure.mjs FILE|URL...: for each page the time to the first paint and to the first picture, and what a frame costs while it
// is zoomed in and out and moved: frames per second, which the load of the machine changes, and CPU time of the page's main
// thread and of all of Chromium's processes, which it hardly does. Prints one line of JSON for each.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { launch, patience } from "../../tests/page/browser.mjs";

const framesOfPart = 30;
const rounded = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;

/** `count` frames: zooming in to a few hundred jobs and out again, at changing places; or moving there and back. */
const drive = async ([kind, first, count]) => {
  const { view } = window.lttngGpu;
  const times = [];
  let last = performance.now();
  for (let frame = first; frame < first + count; ++frame) {
    const isThere = frame % 120 < 60;
    if (kind === "zoom") {
      view.zoom(isThere ? 0.86 : 1 / 0.86, 0.3 + 0.4 * ((frame % 7) / 7));
    } else {
      // Moves through the whole trace, then where single jobs are drawn.
      if (frame % 120 === 0) view.set(view.length * 0.4, view.length * (0.4 + (frame % 240 === 0 ? 0.2 : 0.0004)));
      view.pan(isThere ? 0.02 : -0.02);
    }
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
};

/** Of this program's children and theirs, in ms. */
function cpuOfBrowser() {
  const children = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
      children.set(words[1], [...(children.get(words[1]) ?? []), { pid, ms: (Number(words[11]) + Number(words[12])) * 10 }]);
    } catch {
      // It ended meanwhile.
    }
  }
  const sum = (pid) => (children.get(pid) ?? []).reduce((all, child) => all + child.ms + sum(child.pid), 0);
  return sum(String(process.pid));
}

async function measureFrames(page, kind, seconds) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // CPU time of the thread
  const cpuOfPage = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  await page.evaluate(() => window.lttngGpu.view.whole());
  const times = [];
  const costs = [];
  const browserBefore = cpuOfBrowser();
  for (let part = 0; times.reduce((sum, time) => sum + time, 0) < seconds * 1000; ++part) {
    const before = await cpuOfPage();
    times.push(...(await page.evaluate(drive, [kind, part * framesOfPart, framesOfPart])));
    costs.push(((await cpuOfPage()) - before) / framesOfPart);
  }
  const browser = (cpuOfBrowser() - browserBefore) / times.length;
  await session.detach();
  times.sort((a, b) => a - b);
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  return {
    [kind]: {
      frames_per_second: rounded((times.length / times.reduce((sum, time) => sum + time, 0)) * 1000),
      frame_ms_p50: Math.round(times[Math.floor(times.length * 0.5)]), frame_ms_p95: Math.round(times[Math.floor(times.length * 0.95)]),
      main_thread_cpu_ms: rounded(mean, 2), main_thread_cpu_ms_of_the_dearest_30: rounded(Math.max(...costs), 2), browser_cpu_ms: rounded(browser, 2),
    },
  };
}

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.documentElement?.dataset.ready && !window.firstPicture) window.firstPicture = performance.now();
    }).observe(document, { attributes: true, subtree: true, childList: true });
  });
  await page.goto(file.startsWith("http") ? file : `file://${file}`, { waitUntil: "commit", timeout: patience });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "all" && document.readyState === "complete");
  const first = await page.evaluate(() => ({
    jobs: window.lttngGpu.data.jobCount,
    first_paint_ms: Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN),
    first_picture_ms: Math.round(window.firstPicture),
  }));
  const seconds = Number(process.env.SECONDS_OF_ZOOM ?? 20) / 2;
  const megabytes = file.startsWith("http") ? undefined : rounded(statSync(file).size / 1e6);
  console.log(JSON.stringify({ megabytes, ...first, ...(await measureFrames(page, "zoom", seconds)), ...(await measureFrames(page, "move", seconds)) }));
  await page.close();
}
await browser.close();
