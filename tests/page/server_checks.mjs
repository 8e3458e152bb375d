// SPDX-License-Identifier: MIT
//
// `lttng-gpu view`: the same page from a server of this machine, for who has its address.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { openPage } from "./browser.mjs";
import { check, checkThat } from "./tap.mjs";

export function startServer(program, trace) {
  const server = spawn(program, ["view", "--no-browser", trace], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const address = new Promise((done, fail) => {
    server.stdout.on("data", (data) => {
      said += data;
      if (said.includes("\n")) done(said.trim());
    });
    server.on("exit", (code) => fail(new Error(`view ended with ${code}`)));
  });
  return { server, address };
}

/** The first line of the answer to these bytes, or "closed". */
function ask(port, text) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("connect", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data;
      if (answer.includes("\r\n")) {
        socket.destroy();
        done(answer.split("\r\n")[0]);
      }
    });
    socket.on("error", () => done("closed"));
    socket.on("close", () => done(answer.split("\r\n")[0] || "closed"));
  });
}

export async function checkServer(browser, program, trace, pageRows) {
  const { server, address } = startServer(program, trace);
  server.stderr.resume();
  const url = await address;
  const { port, pathname } = new URL(url);
  checkThat("view prints an address of this machine with a secret", /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/.test(url), url);
  const page = await openPage(browser, url);
  const rows = await pageRows(page);
  checkThat("the served page has the trace's jobs", rows.length > 0 && rows.length === (await page.evaluate(() => window.lttngGpu.data.jobCount)), rows.length);
  check("no errors on the served page", page.faults);
  checkThat("it asks its own server only", page.requests.every((request) => request.startsWith(url) || request.startsWith("data:")), page.requests);
  await page.close();
  const request = (path, host = `127.0.0.1:${port}`, method = "GET") => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const answers = {
    "its address": [request(pathname), /200/],
    "the index": [request(`${pathname}index`), /200/],
    "no secret": [request("/"), /404/],
    "a wrong secret": [request(`/${"0".repeat(32)}/index`), /404/],
    "half of the secret": [request(`${pathname.slice(0, 17)}/index`), /404/],
    "another name of the host (DNS rebinding)": [request(pathname, `example.org:${port}`), /403/],
    "no host": [`GET ${pathname} HTTP/1.1\r\n\r\n`, /40[03]/],
    "another method": [request(pathname, undefined, "POST"), /405/],
    "a piece that is not there": [request(`${pathname}piece/4294967295`), /404/],
    "a piece that is no number": [request(`${pathname}piece/1x`), /404/],
    "a path out of it": [request(`${pathname}../../etc/passwd`), /404/],
    "a header of a megabyte": [`GET ${pathname} HTTP/1.1\r\nX: ${"x".repeat(1 << 20)}\r\n\r\n`, /4\d\d|closed/],
    "no HTTP": ["\0\x01\x02 \r\n\r\n", /400|closed/],
  };
  const problems = [];
  for (const [words, [text, wanted]] of Object.entries(answers)) {
    const answer = await ask(port, text);
    if (!wanted.test(answer)) problems.push(`${words}: ${answer}`);
  }
  check("the server answers who has the address, and nobody else", problems);
  const listening = readFileSync("/proc/net/tcp", "utf8").split("\n").map((line) => line.trim().split(/\s+/))
    .filter((words) => words[1]?.endsWith(`:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`) && words[3] === "0A");
  checkThat("it listens on the loopback address only", listening.length === 1 && listening[0][1].startsWith("0100007F"), listening);
  const ended = new Promise((done) => server.on("exit", (code) => done(code)));
  server.removeAllListeners("exit");
  server.on("exit", () => {});
  const code = new Promise((done) => server.on("exit", done));
  server.kill("SIGINT");
  checkThat("Ctrl-C ends it with 0", (await code) === 0);
  void ended;
}
