// SPDX-License-Identifier: MIT
//
// The server of `lttng-gpu view`: what it has, and whether it answers.
const patience = 10_000; // ms until a server that has read all and says nothing is gone

/** It does not answer: the page has to do with what it has. */
export class ServerGone extends Error {}

export class Server {
  constructor() {
    this.isGone = false;
    this.isLive = true; // it can go, and come back
  }

  index() {
    return this.ask("index");
  }

  piece(number) {
    return this.ask(`piece/${number}`);
  }

  /** Also asked while it is gone. A server that reads may be slow to answer. */
  async state(signal) {
    const answer = await this.fetched("state", signal);
    this.isGone = false;
    return answer;
  }

  /** Throws unless it is there. */
  async look() {
    await this.state(AbortSignal.timeout(patience));
  }

  /** While it is gone nothing is asked: each draw would ask for all that is missing. */
  ask(name) {
    return this.isGone ? Promise.reject(new ServerGone(name)) : this.fetched(name);
  }

  async fetched(name, signal) {
    let answer;
    let bytes;
    try {
      answer = await fetch(name, { signal });
      bytes = new Uint8Array(await answer.arrayBuffer());
    } catch (error) {
      this.isGone = true;
      throw new ServerGone(`${name}: ${error.message}`);
    }
    if (answer.ok) return bytes;
    // Another one that listens there now does not know this page's secret.
    if (name === "state") {
      this.isGone = true;
      throw new ServerGone(`${name}: ${answer.status}`);
    }
    throw new Error(`${name}: ${answer.status}`);
  }
}
