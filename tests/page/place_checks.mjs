// SPDX-License-Identifier: MIT
//
// Links to a place of the page: what is written is read again, in a file and from `view`, and what is damaged changes nothing.
import { namesOfRings, readPlace, writePlace } from "../../userspace/page/src/place.js";
import { openPage } from "./browser.mjs";
import { startServer } from "./server_checks.mjs";
import { check, checkThat } from "./tap.mjs";

const ring = "0000:04:00.0/gfx, 1&=#%";
const someText = `view=100,2000&job=${encodeURIComponent(ring)},150,18446744073709551615,7&collapsed=a%2Fb,${encodeURIComponent(ring)}&pinned=a%2Fb`;

const damaged = [
  "view", "view=", "view=1", "view=1,2,3", "view=2,1", "view=1,1", "view=1.5,2", "view=1e3,2e3", "view=NaN,Infinity", "view=0x10,0x20", "view=,5", "view=1,2&view=1,2", `view=1,${"9".repeat(21)}`,
  "job=", "job=a", "job=a,1,2", "job=a,1,2,3,4", "job=a,x,2,3", "job=a,1,-2,3", "job=%E0%A4,1,2,3", "job=a,1,2,<script>", "pinned=%", "pinned=%zz", "collapsed=a,a", "pinned=", "&", "&&view=1,2", "view=1,2&",
  "__proto__=1", "constructor=1", "toString=1", "hasOwnProperty=x", "other=1", "VIEW=1,2", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "view=1,2\n&job", `pinned=${"a".repeat(1 << 16)}`,
  `collapsed=${Array.from({ length: 1001 }, (_, place) => place).join(",")}`, "\0", "%00", "view=1,2&pinned=\ud800%",
];

function checkText() {
  const read = readPlace(`#${someText}`);
  const isRead = read.view.begin === 100n && read.view.end === 2000n && read.job.ring === ring && read.job.first === 150n && read.job.context === "18446744073709551615" && read.job.seqno === "7" &&
    read.collapsed.join("|") === `a/b|${ring}` && read.pinned.join("|") === "a/b";
  checkThat("a link is read as it was written, whatever rings are called", isRead && writePlace(read) === someText, [writePlace(read), someText]);
  check("what is damaged is no place", damaged.filter((text) => readPlace(text) !== null).map((text) => text.slice(0, 80)));
  const rings = [{ device: "a", name: "b" }, { device: "a", name: "b" }, { device: "a", name: "b" }];
  checkThat("rings of one name have each a name in links", new Set(namesOfRings(rings).values()).size === 3, [...namesOfRings(rings).values()]);
}

/** All that a link holds, and some that it does not. */
const placeOf = (page) => page.evaluate(() => {
  const { view, state, data } = window.lttngGpu;
  const names = (rings) => [...rings].map(({ device, name }) => `${device} ${name}`).join();
  const { selected } = state;
  return { begin: data.clock(Math.floor(view.begin)), end: data.clock(Math.ceil(view.end)), job: selected && [selected.ring.name, selected.context, selected.seqno, selected.first].join(), collapsed: names(state.kept.collapsed), pinned: names(state.kept.pinned) };
});

const near = (one, other) => ["job", "collapsed", "pinned"].every((name) => one[name] === other[name]) && ["begin", "end"].every((name) => Math.abs(Number(BigInt(one[name]) - BigInt(other[name]))) <= 2);

async function goSomewhere(page) {
  await page.evaluate(async () => {
    const application = window.lttngGpu;
    const { data, view } = application;
    await application.select(data.index.longest.whole[3][0], true);
    application.toggleCollapsed(data.rings.find((other) => other !== application.state.selected.ring));
    application.togglePinned(application.state.selected.ring);
    view.set(view.begin - 1000.4, view.end + 3000.7);
  });
  await page.waitForFunction(() => location.hash.length > 1);
  await page.waitForFunction(() => location.hash.slice(1) === window.lttngGpu.link.now());
}

async function checkCopied(browser, address, words) {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const open = async (url) => {
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(error.stack));
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForFunction(() => document.documentElement.dataset.ready === "all");
    return page;
  };
  const page = await open(address);
  checkThat(`${words}: the address of a page that was just opened has no place`, (await page.evaluate(() => location.hash)) === "");
  await goSomewhere(page);
  await page.locator("#link").click();
  await page.waitForFunction(() => !document.getElementById("told").hidden);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const wanted = await placeOf(page);
  checkThat(`${words}: the button copies the address, which has the place`, link === page.url() && link.startsWith(`${address}#view=`) && /copied/.test(await page.locator("#told").textContent()), [link, page.url()]);
  const other = await open(link);
  const found = await placeOf(other);
  checkThat(`${words}: the link opens the page at that place`, near(found, wanted), [found, wanted]);
  checkThat(`${words}: with the panel of the job`, (await other.locator("#tabs [aria-selected=true]").textContent()) === "Job");
  await other.reload();
  await other.waitForFunction(() => document.documentElement.dataset.ready === "all");
  checkThat(`${words}: also when it is loaded again`, near(await placeOf(other), wanted), await placeOf(other));
  check(`${words}: no errors`, [...page.faults, ...other.faults]);
  await context.close();
  return new URL(link).hash;
}

/** In an open page: what is no place of this trace changes nothing at all. */
async function checkDamaged(browser, file, hash) {
  const page = await openPage(browser, `file://${file}`);
  await goSomewhere(page);
  const before = JSON.stringify(await placeOf(page));
  const elsewhere = ["view=1,2", `view=1,${"9".repeat(20)}`, hash.slice(1).replace(/(job=[^,]*),\d+/, "$1,12345"), hash.slice(1).replace(/pinned=.*/, "pinned=no%2Fring"), hash.slice(1).replace(/job=[^,]*/, "job=no%2Fring")];
  const problems = [];
  for (const text of [...damaged, ...elsewhere]) {
    await page.evaluate(async (fragment) => {
      window.lttngGpu.told = null;
      location.hash = fragment;
      await new Promise((done) => { setTimeout(done, 0); });
      await window.lttngGpu.link.follow();
    }, text);
    const after = JSON.stringify(await placeOf(page));
    if (after !== before) problems.push(`${text.slice(0, 80)}: ${after}, not ${before}`);
  }
  check("a hostile or damaged link changes nothing", problems);
  checkThat("it is told that the link is none of this trace", /names a place that is not in this trace|names no place/.test(await page.locator("#told").textContent()));
  await page.evaluate((fragment) => { location.hash = fragment; }, hash);
  await page.waitForFunction((text) => window.lttngGpu.link.now() === text, hash.slice(1));
  checkThat("a link that is put into the address of an open page is followed", true);
  check("no errors with damaged links", page.faults);
  await page.close();
}

export async function checkPlaces(browser, program, trace, file) {
  checkText();
  const hash = await checkCopied(browser, `file://${file}`, "a link to a place of a file");
  await checkDamaged(browser, file, hash);
  const { server, address } = startServer(program, trace);
  server.stderr.resume();
  const served = await checkCopied(browser, await address, "a link to a place of view");
  checkThat("file and view have the same place in their links", served === hash, [served, hash]);
  server.removeAllListeners("exit");
  server.kill("SIGINT");
}
