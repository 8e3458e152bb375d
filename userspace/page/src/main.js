// SPDX-License-Identifier: MIT
//
// Brings the parts of the page together.
import { Application } from "./application.js";
import { openData } from "./data.js";
import { listen } from "./input.js";
import { ServerGone } from "./server.js";

async function start() {
  const data = await openData();
  const application = new Application(data);
  listen(application);
  application.resize();
  application.drawNow();
  // For those who drive the page by program: nothing of the page itself uses it.
  window.lttngGpu = application;
  document.documentElement.dataset.ready = "first picture";
  await application.link.follow();
  await application.following.read();
  document.documentElement.dataset.ready = "all";
  application.following.watch();
}

// What was asked for needs a server that does not answer; the page says so.
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof ServerGone) event.preventDefault();
});

start().catch((error) => {
  document.getElementById("account").textContent = `The page cannot show its data: ${error.message}`;
  throw error;
});
