// SPDX-License-Identifier: MIT
//
// The page on small screens: no errors, and nothing that is cut and cannot be reached.
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const sizes = [[320, 568], [470, 700], [800, 600], [1280, 800]];
const tabs = ["findings", "job", "worst", "statistics", "search", "frames"];

/** Elements with a part that neither is on the screen nor can be scrolled there. */
function unreachable(page) {
  return page.evaluate(() => {
    const scrolls = (element, axis) => ["auto", "scroll"].includes(getComputedStyle(element)[`overflow${axis}`]);
    const canScroll = (element, axis) => {
      for (let outer = element.parentElement; outer; outer = outer.parentElement) if (scrolls(outer, axis)) return true;
      return false;
    };
    const name = (element) => `${element.tagName} ${element.id || element.className || element.textContent.slice(0, 20)}`;
    const problems = [];
    for (const element of document.querySelectorAll("body *")) {
      if (["SCRIPT", "STYLE"].includes(element.tagName) || element.closest("[hidden], #said, dialog:not([open]), #ring-buttons, #pinned-buttons, #tall")) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if ((box.left < -1 || box.right > innerWidth + 1) && !canScroll(element, "X")) problems.push(`${name(element)}: from ${box.left} to ${box.right} of ${innerWidth}`);
      if ((box.top < -1 || box.bottom > innerHeight + 1) && !canScroll(element, "Y")) problems.push(`${name(element)}: from ${box.top} down to ${box.bottom} of ${innerHeight}`);
      const isCut = getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1 && !["BODY", "INPUT", "H1"].includes(element.tagName) && element.id !== "stage";
      if (isCut) problems.push(`${name(element)} hides ${element.scrollWidth - element.clientWidth} pixels`);
    }
    return problems;
  });
}

const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

async function checkSize(browser, file, [width, height]) {
  const words = `${width}×${height}`;
  const page = await openPage(browser, `file://${file}`, { viewport: { width, height } });
  await page.evaluate(() => window.lttngGpu.select(window.lttngGpu.data.index.longest.whole[0][0], true));
  const problems = [];
  for (const tab of tabs) {
    await page.evaluate((name) => window.lttngGpu.panel.open(name), tab);
    await drawn(page);
    problems.push(...(await unreachable(page)).map((problem) => `${tab}: ${problem}`));
  }
  await page.keyboard.press("?");
  problems.push(...(await unreachable(page)).map((problem) => `keys: ${problem}`));
  await page.locator("#keys button").click();
  check(`${words}: nothing is cut that cannot be reached`, problems);
  const room = await page.evaluate(() => {
    const { picture } = window.lttngGpu;
    return { picture: picture.width - picture.labelWidth, height: picture.height, panel: document.getElementById("panel-body").clientHeight, said: document.getElementById("account").offsetHeight };
  });
  checkThat(`${words}: picture and panel have room, and what was read is told`, room.picture >= 200 && room.height >= 100 && room.panel >= 100 && room.said > 10, room);
  const canvas = await page.locator("#picture").boundingBox();
  await page.keyboard.press("0");
  await page.mouse.move(canvas.x + canvas.width - 60, canvas.y + 60);
  const span = await page.evaluate(() => window.lttngGpu.view.span);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => window.lttngGpu.view.span < before, span);
  check(`${words}: no errors`, page.faults);
  await page.close();
}

/** Where windows are made narrower than anything fits in. */
async function checkTiny(browser, file) {
  const page = await openPage(browser, `file://${file}`, { viewport: { width: 1280, height: 800 } });
  for (const [width, height] of [[60, 60], [1, 1], [200, 2000], [1280, 40], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await drawn(page);
    await page.evaluate(() => window.lttngGpu.drawNow());
  }
  check("no errors at any size, also while it changes", page.faults);
  await page.close();
}

export async function checkWidths(browser, file) {
  for (const size of sizes) await checkSize(browser, file, size);
  await checkTiny(browser, file);
}
