// SPDX-License-Identifier: MIT
//
// Follows the server of `lttng-gpu view`: what it has read since, and whether it is still there.
import { ServerGone } from "./server.js";

const whileReading = 300; // ms until it is asked again
const whileDone = 2000;

const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
const named = (id) => document.getElementById(id);

export class Following {
  constructor(application) {
    Object.assign(this, { application, wasGone: false, states: null });
  }

  /** Shows more whenever the server has read more; returns when it has read all. */
  async read() {
    const { application } = this;
    while (!(await this.readMore())) await pause(application.data.isServerGone ? whileDone : whileReading);
    if (application.state.selected && application.panel.tab === "job") await application.select(application.state.selected.number);
  }

  /** True when there is no more. */
  async readMore() {
    const { application } = this;
    const { data } = application;
    try {
      if (data.isServerGone) await data.source.look();
      this.show();
      if (!data.isReadingJobs && data.relations.states.length !== this.states) {
        await application.loadThreads(this.states === null);
        this.states = data.relations.states.length;
      }
      if (!data.isReading) return true;
      if (await data.refresh()) await application.showRead();
      else application.describe();
    } catch (error) {
      this.forgive(error);
    }
    return false;
  }

  /** Whether it is still there, for ever. */
  async watch() {
    for (; this.application.data.source.isLive; await pause(whileDone)) {
      try {
        await this.application.data.source.look();
        this.show();
      } catch (error) {
        this.forgive(error);
      }
    }
  }

  /** What needs a server that does not answer is not there; all else goes on. */
  forgive(error) {
    if (!(error instanceof ServerGone)) throw error;
    this.show();
  }

  /** Says when it goes and when it comes back; then the page asks for what it lacked. */
  show() {
    const { application } = this;
    const isGone = application.data.isServerGone;
    if (isGone === this.wasGone) return;
    this.wasGone = isGone;
    named("server").hidden = !isGone;
    if (isGone) {
      application.say(named("server").textContent);
      return;
    }
    application.tell("lttng-gpu answers again.");
    application.overview.forget();
    const { panel, state } = application;
    if (panel.tab !== "job") panel.draw();
    else if (panel.isPartial) application.select(state.selected.number);
    application.redraw();
  }
}
