// SPDX-License-Identifier: MIT
//
// Rings that are collapsed or pinned, by pointer and by keys.
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

const blocks = (page) => page.evaluate(() => {
  const { state, picture } = window.lttngGpu;
  window.lttngGpu.drawNow();
  return state.layout.blocks.filter(({ kind }) => kind === "ring").map((block) => ({ title: block.title, height: block.height, lanes: block.lanes.length, top: picture.top(block), isPinned: Boolean(block.isPinned) }));
});

const buttons = (page, number) => page.locator(`.ring-buttons[data-ring="${number}"]`);
const numberOf = (page, place) => page.evaluate((wanted) => window.lttngGpu.state.layout.blocks.filter(({ kind }) => kind === "ring")[wanted].ring.number, place);

async function checkCollapse(page) {
  const before = await blocks(page);
  const fold = buttons(page, await numberOf(page, 1)).locator(".fold");
  await fold.click();
  const after = await blocks(page);
  checkThat("a click collapses a ring to its name, and those below move up", after[1].lanes === 0 && after[1].height < 25 && after[2].top < before[2].top && after[0].lanes === 3, [before, after]);
  checkThat("it says so to a screen reader", (await fold.getAttribute("aria-expanded")) === "false" && (await fold.getAttribute("aria-label")).includes(before[1].title) && /collapsed/.test(await page.locator("#said").textContent()));
  const picks = await page.evaluate((title) => window.lttngGpu.picture.picks.filter((pick) => pick.block?.title === title).length, before[1].title);
  checkThat("nothing of a collapsed ring is drawn", picks === 0, picks);
  await fold.focus();
  await page.keyboard.press("Enter");
  checkThat("Enter on its button expands it", (await blocks(page))[1].lanes === 3 && (await fold.getAttribute("aria-expanded")) === "true");
  await page.keyboard.press("c");
  checkThat("c collapses the ring whose button has the focus", (await blocks(page))[1].lanes === 0);
  await page.locator("#stage").focus();
  const canvas = await page.locator("#picture").boundingBox();
  const first = (await blocks(page))[0];
  await page.mouse.move(canvas.x + 600, canvas.y + first.top + 40);
  await page.keyboard.press("c");
  checkThat("c collapses the ring under the pointer", (await blocks(page))[0].lanes === 0);
  await page.keyboard.press("C");
  checkThat("C collapses all", (await blocks(page)).every(({ lanes }) => lanes === 0));
  await page.keyboard.press("C");
  checkThat("and expands all", (await blocks(page)).every(({ lanes }) => lanes === 3));
  await page.keyboard.press("C");
  await page.evaluate(() => window.lttngGpu.select(window.lttngGpu.data.index.longest.whole[0][0], true));
  checkThat("who goes to a job sees its ring expanded", await page.evaluate(() => window.lttngGpu.state.layout.blocks.find(({ ring }) => ring === window.lttngGpu.state.selected.ring).lanes.length === 3));
  await page.keyboard.press("Escape");
  await page.keyboard.press("C");
  await page.keyboard.press("C");
}

/** The colours of all pixels between two heights, right of the names. */
const pixelsOf = (page, top, bottom) => page.evaluate(([from, to]) => {
  window.lttngGpu.drawNow();
  const { raster, scale, left } = window.lttngGpu.picture;
  const rows = [];
  for (let row = Math.round(from * scale); row < Math.round(to * scale); ++row) rows.push(raster.pixels.slice(row * raster.width + left, (row + 1) * raster.width).join());
  return rows.join();
}, [top, bottom]);

async function checkPin(page) {
  await page.locator("#stage").evaluate((stage) => { stage.scrollTop = 0; });
  await page.waitForFunction(() => window.lttngGpu.state.scroll === 0);
  const before = await blocks(page);
  const number = await numberOf(page, 2);
  const pin = buttons(page, number).locator(".pin");
  await pin.focus();
  await page.keyboard.press("Space");
  const start = await page.evaluate(() => window.lttngGpu.state.scroll);
  const after = await blocks(page);
  checkThat("a key on its button pins a ring to the top", after[0].title === before[2].title && after[0].isPinned && after[0].top < 40, [before, after]);
  checkThat("its button keeps the focus, and is pressed", await page.evaluate((ring) => document.activeElement.classList.contains("pin") && document.activeElement.closest(".ring-buttons").dataset.ring === String(ring) && document.activeElement.getAttribute("aria-pressed") === "true", number));
  const area = [after[0].top, after[0].top + after[0].height];
  const pixels = await pixelsOf(page, ...area);
  await page.locator("#stage").evaluate((stage) => { stage.scrollTop = 100; });
  await page.waitForFunction(() => window.lttngGpu.state.scroll === 100);
  const scrolled = await blocks(page);
  checkThat("it stays in sight when the others scroll", scrolled[0].top === after[0].top && scrolled[1].top === after[1].top - 100 + start, [after, scrolled]);
  checkThat("nothing that scrolls is drawn over it", pixels === (await pixelsOf(page, ...area)));
  const edge = await page.evaluate(() => window.lttngGpu.picture.scrolledTop);
  const found = await page.evaluate((bottom) => {
    const { picture } = window.lttngGpu;
    const wrong = picture.picks.filter((pick) => pick.block && !pick.block.isPinned && pick.top < bottom);
    return [wrong.length, picture.laneAt(bottom - 20)?.block.title, picture.laneAt(bottom + 30)?.block.title];
  }, edge);
  checkThat("the pointer finds there what is seen there", found[0] === 0 && found[1] === scrolled[0].title && found[2] !== scrolled[0].title, found);
  const seen = await page.evaluate((bottom) => {
    const stage = document.getElementById("stage").getBoundingClientRect();
    return [...document.querySelectorAll("#ring-buttons button")].filter((button) => {
      const box = button.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      return y < stage.top + bottom && document.elementFromPoint(x, y) === button;
    }).map((button) => button.getAttribute("aria-label"));
  }, edge);
  check("a button that is under the pinned ring is not in the way", seen);
  await page.locator("#stage").evaluate((stage) => { stage.scrollTop = 0; });
  await pin.click();
  checkThat("another click unpins it", JSON.stringify((await blocks(page)).map(({ title }) => title)) === JSON.stringify(before.map(({ title }) => title)));
}

export async function checkRings(browser, file) {
  const page = await openPage(browser, `file://${file}`, { viewport: { width: 1280, height: 460 } });
  await checkCollapse(page);
  await checkPin(page);
  check("no errors with collapsed and pinned rings", page.faults);
  await page.close();
}
