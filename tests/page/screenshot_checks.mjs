// SPDX-License-Identifier: MIT
//
// Screenshots of the page against pictures that were looked at (tests/page/pictures), in both themes. Texts are not drawn, and all
// boxes that they are in have fixed sizes, so that fonts do not matter: what is compared are bars, areas, curves, marks and
// arrows. NEW_PICTURES=1 writes the pictures anew; what differs is left in the folder of the test, with the places marked.
// SCENES=jobs-light,areas-dark: only these.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const size = 8; // pixels of a screenshot that are one of a picture, in each direction
const tile = 8; // pixels of a picture: what is wrong anywhere must not be lost among all that is right
const mostDifferent = 0.06; // of the pixels of a tile: a line that lies one pixel away is no fault
const leastDifference = 20; // of 255, in one colour; pictures have 32 steps

const fixedSizes = `
  *, *::before, *::after, *::placeholder { color: transparent !important; caret-color: transparent !important; text-decoration-color: transparent !important;
    font: 10px/16px monospace !important; transition: none !important; animation: none !important; letter-spacing: 0 !important; }
  header { height: 44px; overflow: hidden; flex: none; }
  header h1 { width: 160px; }
  header input { height: 26px; } header button { width: 28px; height: 26px; padding: 0 !important; }
  #legend { height: 30px; flex: none; overflow: hidden !important; flex-wrap: nowrap !important; }
  #legend button { flex: none; width: 110px; height: 20px; overflow: hidden; }
  #tabs { height: 34px; flex: none; overflow: hidden; } #tabs button { width: 16%; flex: none; padding: 0; }
  #panel-body * { white-space: nowrap !important; overflow: hidden; }
  #panel-body table { table-layout: fixed; } #panel-body tr { height: 24px; } #panel-body p, #panel-body li { height: 16px; }
  #panel-body button, #panel-body select { height: 22px; } #panel-body .buttons button { width: 60px; }
  #panel-body .u-legend { display: none; }
  ::-webkit-scrollbar { width: 0; }`;

/** A page without texts, of the same sizes everywhere. */
async function openBare(browser, file, colorScheme) {
  const page = await openPage(browser, `file://${file}`, { colorScheme });
  await page.evaluate((style) => {
    CanvasRenderingContext2D.prototype.fillText = function () {};
    CanvasRenderingContext2D.prototype.measureText = (text) => ({ width: 6 * text.length });
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
    window.lttngGpu.resize();
  }, fixedSizes);
  await settled(page);
  return page;
}

/** All pieces have come that the picture is drawn of. */
async function settled(page) {
  let last = "";
  for (let turn = 0; turn < 50; ++turn) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const now = await page.evaluate(() => {
      window.lttngGpu.drawNow();
      return document.getElementById("picture").toDataURL();
    });
    if (now === last) return;
    last = now;
  }
}

/** The mean of each square of `size` pixels, as [width, height, bytes of red, green and blue]. */
function shrunk(page, png, by) {
  return page.evaluate(async ([data, unit]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    const [width, height] = [Math.floor(image.width / unit), Math.floor(image.height / unit)];
    const pixels = [];
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        for (let channel = 0; channel < 3; ++channel) {
          let sum = 0;
          for (let dy = 0; dy < unit; ++dy) for (let dx = 0; dx < unit; ++dx) sum += bytes[((y * unit + dy) * image.width + x * unit + dx) * 4 + channel];
          pixels.push(sum / (unit * unit));
        }
      }
    }
    return { width, height, pixels };
  }, [png.toString("base64"), by]);
}

/** A picture as a file; colours have 32 steps, which makes it smaller. Pixels in `marked` are red. */
async function fileOf(page, { width, height, pixels }, marked = new Set()) {
  const text = await page.evaluate(([w, h, values, red]) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: w, height: h });
    const context = canvas.getContext("2d");
    const image = context.createImageData(w, h);
    for (let place = 0; place < w * h; ++place) {
      for (let channel = 0; channel < 3; ++channel) image.data[place * 4 + channel] = Math.min(255, Math.round(values[place * 3 + channel] / 8) * 8);
      image.data[place * 4 + 3] = 255;
    }
    for (const place of red) image.data.set([255, 0, 0, 255], place * 4);
    context.putImageData(image, 0, 0);
    return canvas.toDataURL("image/png").split(",")[1];
  }, [width, height, pixels, [...marked]]);
  return Buffer.from(text, "base64");
}

/** Tiles that differ, as texts, and the pixels in which they do. */
function compare(shown, wanted) {
  if (shown.width !== wanted.width || shown.height !== wanted.height) return { problems: [`${shown.width}×${shown.height} pixels, not ${wanted.width}×${wanted.height}`], marked: new Set() };
  const problems = [];
  const marked = new Set();
  for (let top = 0; top < shown.height; top += tile) {
    for (let left = 0; left < shown.width; left += tile) {
      const different = [];
      const [bottom, right] = [Math.min(top + tile, shown.height), Math.min(left + tile, shown.width)];
      for (let y = top; y < bottom; ++y) {
        for (let x = left; x < right; ++x) {
          const place = y * shown.width + x;
          const isDifferent = [0, 1, 2].some((channel) => Math.abs(shown.pixels[place * 3 + channel] - wanted.pixels[place * 3 + channel]) > leastDifference);
          if (isDifferent) different.push(place);
        }
      }
      if (different.length <= mostDifferent * (bottom - top) * (right - left)) continue;
      problems.push(`at ${left * size},${top * size}: ${different.length} of ${(bottom - top) * (right - left)} pixels differ`);
      different.forEach((place) => marked.add(place));
    }
  }
  return { problems, marked };
}

const ofWorst = (page) => page.evaluate(() => window.lttngGpu.select(window.lttngGpu.data.index.longest.whole[0][0], true));

/** A job that waited for another one, in a time in which both are seen. */
async function ofArrow(page) {
  await page.evaluate(async () => {
    const { data, view } = window.lttngGpu;
    for (let number = 0; number < data.jobCount; ++number) {
      const found = (await data.dependenciesOf(number)).find((dependency) => dependency.producer !== null && dependency.producer !== number);
      if (!found) continue;
      const [job, producer] = [await data.job(number), await data.job(found.producer)];
      if (job.ring === producer.ring || Number.isNaN(producer.completed) || Number.isNaN(job.completed)) continue;
      await window.lttngGpu.select(number);
      view.show(Math.min(job.first, producer.first), Math.max(job.end, producer.end));
      return;
    }
  });
}

/** What is shown of which trace: [name, trace, how it comes to be shown]. */
const scenes = [
  ["areas", "whole", () => {}],
  ["jobs", "whole", ofWorst],
  ["statistics", "whole", (page) => page.keyboard.press("3")],
  ["lost", "lossy", (page) => page.evaluate(() => {
    const { data, view } = window.lttngGpu;
    const [begin, end] = data.index.gaps[Math.floor(data.index.gaps.length / 2)];
    view.show(begin - data.length / 200, end + data.length / 200);
  })],
  ["frames", "drawn", (page) => page.keyboard.press("l")],
  ["kept", "whole", async (page) => {
    await ofWorst(page);
    await page.evaluate(() => {
      const application = window.lttngGpu;
      const { data, state, measure } = application;
      const [first, second] = data.rings.filter((ring) => ring !== state.selected.ring);
      application.togglePinned(first);
      application.toggleCollapsed(second);
      measure.turn(true);
      Object.assign(measure, { from: { time: state.selected.first, words: null }, to: { time: state.selected.end, words: null } });
      application.showMeasure();
    });
  }],
  ["arrows", "recorded", ofArrow],
  ["inside", "inside", (page) => page.evaluate(async () => {
    const { data } = window.lttngGpu;
    for (let number = 0; number < data.jobCount; ++number) {
      if (await data.launchOf(await data.job(number))) return window.lttngGpu.select(number, true);
    }
    return null;
  })],
];

/** What must not go unnoticed: [scene, words, what breaks the page]. */
const faults = [
  ["jobs", "the bars of the device queue are not drawn", () => {
    const { picture } = window.lttngGpu;
    const { drawPieces } = picture;
    picture.drawPieces = function (block, lane, ...rest) {
      if (lane.place !== "device") drawPieces.call(this, block, lane, ...rest);
    };
  }],
  ["areas", "the areas of the device queue are not drawn", () => {
    const { picture, state } = window.lttngGpu;
    const { column } = picture.raster;
    const lanes = () => state.layout.blocks.flatMap((block) => (block.lanes ?? []).filter((lane) => lane.place === "device").map((lane) => (picture.top(block) + lane.top) * picture.scale + 1));
    picture.raster.column = function (x, top, bottom, colour) {
      const height = state.layout.blocks.find((block) => block.lanes).lanes.find((lane) => lane.place === "device").height * picture.scale;
      if (!lanes().some((from) => top >= from - 2 && bottom <= from + height)) column.call(this, x, top, bottom, colour);
    };
  }],
  ["jobs", "two processes have each other's colour", () => {
    const { pixels } = window.lttngGpu.picture.colours;
    [pixels[0], pixels[1]] = [pixels[1], pixels[0]];
  }],
  ["jobs", "the lane of what executes is moved by its height", () => {
    for (const block of window.lttngGpu.state.layout.blocks) block.lanes?.forEach((lane) => { if (lane.place === "execution") lane.top -= lane.height; });
  }],
  ["jobs", "all times are 1 % too late", () => {
    const { picture } = window.lttngGpu;
    const { deviceX } = picture;
    picture.deviceX = function (time) { return deviceX.call(this, time + this.view.span / 100); };
  }],
  ["kept", "what is measured is not marked", () => { window.lttngGpu.state.measure = null; }],
  ["kept", "the pinned ring is not at the top", () => window.lttngGpu.togglePinned([...window.lttngGpu.state.kept.pinned][0])],
  ["kept", "no ring is collapsed", () => window.lttngGpu.toggleCollapsed([...window.lttngGpu.state.kept.collapsed][0])],
  ["arrows", "the arrows are not drawn", () => { window.lttngGpu.picture.drawArrow = () => {}; }],
  ["lost", "gaps are not hatched", () => { window.lttngGpu.picture.drawGaps = () => {}; }],
  ["frames", "there are no threads", () => {
    const { layout } = window.lttngGpu.state;
    layout.blocks = layout.blocks.filter((block) => block.kind !== "thread");
  }],
  ["frames", "there are no frames", () => {
    const { layout } = window.lttngGpu.state;
    layout.blocks = layout.blocks.filter((block) => block.kind !== "frames");
  }],
  ["statistics", "there are no curves", () => { document.querySelectorAll("#panel-body .chart canvas").forEach((canvas) => canvas.remove()); }],
];

async function shot(page) {
  await settled(page);
  await page.mouse.move(640, 2); // nothing is under the pointer
  return page.screenshot();
}

async function checkScene(browser, [name, trace, prepare], { fileOfTrace, folder, out, theme }) {
  const page = await openBare(browser, fileOfTrace(trace), theme);
  await prepare(page);
  const first = await shot(page);
  writeFileSync(join(out, `${name}-${theme}.png`), first);
  const shown = await shrunk(page, first, size);
  const file = join(folder, `${name}-${theme}.png`);
  if (process.env.NEW_PICTURES) writeFileSync(file, await fileOf(page, shown));
  if (!existsSync(file)) {
    checkThat(`${name}, ${theme}: there is a picture to compare with`, false, file);
  } else {
    const wanted = await shrunk(page, readFileSync(file), 1);
    const { problems, marked } = compare(shown, wanted);
    if (marked.size > 0) writeFileSync(join(out, `${name}-${theme}-different.png`), await fileOf(page, shown, marked));
    check(`${name}, ${theme}: the page looks as it did`, problems);
    for (const [, words, fault] of theme === "light" ? faults.filter(([scene]) => scene === name) : []) {
      const other = await openBare(browser, fileOfTrace(trace), theme);
      await prepare(other);
      await other.evaluate(fault);
      const { problems: noticed } = compare(await shrunk(other, await shot(other), size), wanted);
      checkThat(`${name}: it is noticed when ${words}`, noticed.length > 0);
      await other.close();
    }
  }
  check(`${name}, ${theme}: no errors`, page.faults);
  await page.close();
}

/** Scenes of the traces' pages; `fileOfTrace` makes the page of a trace. */
export async function checkScreenshots(browser, fileOfTrace, folder, out) {
  const only = process.env.SCENES?.split(",") ?? [];
  const files = new Map();
  const once = (trace) => files.get(trace) ?? files.set(trace, fileOfTrace(trace)).get(trace);
  for (const theme of ["light", "dark"]) {
    for (const scene of scenes.filter(([name]) => only.length === 0 || only.includes(`${name}-${theme}`))) await checkScene(browser, scene, { fileOfTrace: once, folder, out, theme });
  }
}
