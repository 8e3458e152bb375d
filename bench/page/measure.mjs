// SPDX-License-Identifier: MIT
//
// measure.mjs FILE...: for each page the time to the first paint and to the first picture, and frames per second while it is
// zoomed in and out. Prints one line of JSON for each.
import { statSync } from "node:fs";
import { launch, patience } from "../../tests/page/browser.mjs";

const zooms = async (seconds) => {
  const { view } = window.lttngGpu;
  const times = [];
  const begin = performance.now();
  let last = begin;
  for (let frame = 0; last - begin < seconds * 1000; ++frame) {
    // Forty seconds of wheel: in to a few hundred jobs and out again, at changing places.
    const isIn = frame % 120 < 60;
    view.zoom(isIn ? 0.86 : 1 / 0.86, 0.3 + 0.4 * ((frame % 7) / 7));
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  times.sort((a, b) => a - b);
  return {
    frames_per_second: Math.round((times.length / (last - begin)) * 10_000) / 10,
    frame_ms_p50: Math.round(times[Math.floor(times.length * 0.5)]), frame_ms_p95: Math.round(times[Math.floor(times.length * 0.95)]),
    frame_ms_max: Math.round(times[times.length - 1]),
  };
};

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
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
  const zoomed = await page.evaluate(zooms, Number(process.env.SECONDS_OF_ZOOM ?? 20));
  const megabytes = file.startsWith("http") ? undefined : Math.round(statSync(file).size / 1e5) / 10;
  console.log(JSON.stringify({ megabytes, ...first, ...zoomed }));
  await page.close();
}
await browser.close();
