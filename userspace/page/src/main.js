// SPDX-License-Identifier: MIT
//
// Brings the parts of the page together.
import { Application } from "./application.js";
import { openData } from "./data.js";
import { listen } from "./input.js";

async function start() {
  const data = await openData();
  const application = new Application(data);
  listen(application);
  application.resize();
  application.drawNow();
  // For those who drive the page by program: nothing of the page itself uses it.
  window.lttngGpu = application;
  document.documentElement.dataset.ready = "first picture";
  await application.followReading();
  document.documentElement.dataset.ready = "all";
}

start().catch((error) => {
  document.getElementById("account").textContent = `The page cannot show its data: ${error.message}`;
  throw error;
});
