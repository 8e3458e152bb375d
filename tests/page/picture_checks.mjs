// SPDX-License-Identifier: MIT
//
// The picture's pixels against the rows of `jobs --format csv`: colours are compared exactly where no text or edge is.
import { openPage } from "./browser.mjs";
import { check } from "./tap.mjs";

// Okabe and Ito, "Color Universal Design", in the order of processes with the most jobs; all others are grey.
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];
const others = "#707070";

const number = (row, name) => (row[name] === "" ? null : BigInt(row[name]));

/** What each ring's lanes show at the middles of `columns`: [{name, lane, columns: [[colour, pixels]...]}]. */
function shownLanes(page) {
  return page.evaluate(() => {
    window.lttngGpu.drawNow();
    const { picture, state } = window.lttngGpu;
    const copy = new OffscreenCanvas(picture.canvas.width, picture.canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(picture.canvas, 0, 0);
    const image = copy.getImageData(0, 0, picture.canvas.width, picture.canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    const colour = (pixel) => `#${[pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
    const lanes = [];
    for (const block of state.layout.blocks.filter((other) => other.kind === "ring")) {
      for (const lane of block.lanes) {
        const bottom = Math.round((picture.top(block) + lane.top + lane.height) * picture.scale);
        const top = Math.round((picture.top(block) + lane.top) * picture.scale);
        if (bottom >= image.height) continue;
        const columns = [];
        for (let x = picture.left; x < image.width; ++x) {
          const counts = {};
          for (let y = top; y < bottom; ++y) {
            const name = colour(pixels[y * image.width + x]);
            counts[name] = (counts[name] ?? 0) + 1;
          }
          columns.push(counts);
        }
        lanes.push({ device: block.ring.device, ring: block.ring.name, place: lane.place, most: lane.most, height: bottom - top, columns });
      }
    }
    const { begin, end } = window.lttngGpu.view;
    return { lanes, begin, end, origin: String(window.lttngGpu.data.origin) };
  });
}

/** Colours of processes by their numbers of jobs, from the rows alone. Equal numbers may have either order. */
function coloursOf(rows) {
  const jobs = new Map();
  for (const row of rows) jobs.set(row.pid, (jobs.get(row.pid) ?? 0) + 1);
  return new Map([...jobs].map(([pid, count]) => {
    const [before, equal] = [[...jobs.values()].filter((other) => other > count).length, [...jobs.values()].filter((other) => other === count).length];
    return [pid, Array.from({ length: equal }, (_, place) => palette[before + place] ?? others)];
  }));
}

const between = { host: ["queued_ns", "submitted_ns"], device: ["submitted_ns", "started_ns"], execution: ["started_ns", "completed_ns"] };

/** Areas: the height of each colour, summed over the picture, is the jobs' time in that queue. */
function checkAreas(what, shown, rows) {
  const colours = coloursOf(rows);
  const problems = [];
  const names = (all) => [...new Set(all)].sort().join("; ");
  const [there, wantedLanes] = [names(shown.lanes.map((lane) => `${lane.device} ${lane.ring} ${lane.place}`)),
    names(rows.flatMap((row) => Object.keys(between).map((place) => `${row.device} ${row.ring} ${place}`)))];
  if (there !== wantedLanes) problems.push(`lanes are ${there}, not ${wantedLanes}`);
  for (const lane of shown.lanes) {
    const own = rows.filter((row) => row.device === lane.device && row.ring === lane.ring);
    const [from, to] = between[lane.place];
    const perPixel = (shown.end - shown.begin) / lane.columns.length;
    const wanted = new Map();
    for (const row of own) {
      const [begin, end] = [number(row, from), number(row, to)];
      if (begin === null || end === null) continue;
      const names = colours.get(row.pid).join();
      wanted.set(names, (wanted.get(names) ?? 0) + Number(end - begin));
    }
    const total = [...wanted.values()].reduce((sum, time) => sum + time, 0);
    for (const [names, time] of wanted) {
      const pixels = lane.columns.reduce((sum, counts) => sum + names.split(",").reduce((all, name) => all + (counts[name] ?? 0), 0), 0);
      const drawn = pixels * perPixel * (lane.most / lane.height);
      // Single pixels are drawn for what is smaller.
      const tolerance = time * 0.12 + total * 0.03 + (lane.columns.length * perPixel * lane.most) / lane.height;
      if (Math.abs(drawn - time) > tolerance) problems.push(`${lane.ring} ${lane.place} ${names}: ${Math.round(drawn)} ns are drawn, ${time} ns are in the rows`);
    }
    const known = new Set([...wanted.keys()].flatMap((names) => names.split(",")));
    for (const name of [...palette, others].filter((other) => !known.has(other))) {
      if (lane.columns.some((counts) => counts[name])) problems.push(`${lane.ring} ${lane.place}: ${name} is of no process there`);
    }
  }
  check(`${what}: the areas of each queue and process are the time of its jobs`, problems);
}

/** Single jobs: in the middle of an execution is its process' colour, and where nothing executes there is none. */
async function checkExecutions(page, rows) {
  await page.evaluate(() => {
    const { view, data } = window.lttngGpu;
    view.set(data.length * 0.5, data.length * 0.5 + data.length / 60);
  });
  // The pieces of jobs may have to come first.
  await page.waitForFunction(() => {
    window.lttngGpu.drawNow();
    return window.lttngGpu.picture.picks.some((pick) => pick.lane?.place === "execution");
  });
  const shown = await shownLanes(page);
  const colours = coloursOf(rows);
  const origin = BigInt(shown.origin);
  const problems = [];
  let seen = 0;
  for (const lane of shown.lanes.filter((other) => other.place !== "device")) {
    const [from, to] = between[lane.place];
    const own = rows.filter((row) => row.device === lane.device && row.ring === lane.ring && row[from] && row[to])
      .map((row) => ({ begin: Number(number(row, from) - origin), end: Number(number(row, to) - origin), pid: row.pid }));
    const perPixel = (shown.end - shown.begin) / lane.columns.length;
    lane.columns.forEach((counts, x) => {
      const [begin, end] = [shown.begin + (x - 1.5) * perPixel, shown.begin + (x + 2.5) * perPixel];
      const there = own.filter((job) => job.begin < end && job.end > begin);
      const steady = there.filter((job) => job.begin <= begin && job.end >= end);
      if (there.length !== steady.length) return; // something begins or ends about here
      const drawn = new Set([...palette, others].filter((name) => counts[name]));
      if (there.length === 0) {
        if (drawn.size > 0) problems.push(`${lane.ring} ${lane.place}, pixel ${x}: ${[...drawn]} where no job is`);
        return;
      }
      ++seen;
      for (const job of there) {
        if (!colours.get(job.pid).some((name) => drawn.has(name))) problems.push(`${lane.ring} ${lane.place}, pixel ${x}: ${[...drawn]}, not ${colours.get(job.pid)}`);
      }
      // With the letters of labels; background, edges and lines are light.
      const isLight = (name) => [1, 3, 5].every((place) => parseInt(name.slice(place, place + 2), 16) > 0xd0);
      const height = Object.entries(counts).reduce((sum, [name, pixels]) => sum + (isLight(name) ? 0 : pixels), 0);
      const unit = Math.min(lane.height / lane.most, lane.place === "execution" ? lane.height : 14);
      // Gaps between rows take pixels away; none may be added.
      if (height > there.length * unit + 1 || height < there.length * unit * 0.55) problems.push(`${lane.ring} ${lane.place}, pixel ${x}: ${height} pixels for ${there.length} jobs`);
    });
  }
  check("single jobs have the colours of their processes, as many as the rows have at that time", seen > 100 ? problems : [`only ${seen} columns have jobs`, ...problems]);
}

export async function checkPicture(browser, file, name, rows) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage(browser, `file://${file}`, { colorScheme });
    checkAreas(`${name}, ${colorScheme}`, await shownLanes(page), rows);
    if (colorScheme === "light") await checkExecutions(page, rows);
    check(`${name}, ${colorScheme}: no errors`, page.faults);
    await page.close();
  }
}
