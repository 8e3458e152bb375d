// SPDX-License-Identifier: MIT
//
// Debian's Chromium without a window, by Playwright, which NODE_PATH names the folder of.
import { createRequire } from "node:module";

const { chromium } = createRequire(`${process.env.NODE_PATH}/`)("playwright-core");
export const patience = 240_000; // ms; machines may be busy

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"], timeout: patience });
}

/** A page that remembers what it should not do. */
export async function watchPage(browser, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light", ...options });
  page.setDefaultTimeout(patience);
  page.faults = [];
  page.requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.stack));
  page.on("request", (request) => page.requests.push(request.url()));
  return page;
}

/** The same with all that it shows. */
export async function openPage(browser, address, options = {}) {
  const page = await watchPage(browser, options);
  await page.goto(address, { waitUntil: "commit", timeout: patience });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "all");
  return page;
}
