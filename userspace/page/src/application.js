// SPDX-License-Identifier: MIT
//
// The state of the page, and what can be done with it.
import { makeColours, preferredTheme } from "./colours.js";
import { count, duration, element, processName, ringName } from "./format.js";
import { begins, describeFrame, findSurfaces, frameRow, worstFrames } from "./frames.js";
import { axisHeight, layOut } from "./lanes.js";
import { Overview } from "./overview.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { search } from "./search.js";
import { findThreads } from "./threads.js";
import { TimeView } from "./time_view.js";

const named = (id) => document.getElementById(id);
const mostInLegend = 24;
const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

export class Application {
  constructor(data) {
    this.data = data;
    this.view = new TimeView(data.length);
    this.state = {
      layout: layOut(data, new Map(), [], 0), scroll: 0, selected: null, inside: null, frame: null, hovered: null, highlighted: null, arrows: [],
      highlightedClass: () => (this.state.highlighted === null ? null : data.processes[this.state.highlighted].colour),
    };
    this.picture = new Picture(named("picture"), data, this.view, this.state);
    this.overview = new Overview(named("overview"), data, this.view);
    this.panel = new Panel(data, this.view, {
      select: (number, shows) => this.select(number, shows), show: (number) => this.show(number), step: (by) => this.step(by),
      scrollTo: (ring) => this.scrollTo(ring), highlight: (process) => this.highlight(process), selectFrame: (frame, shows) => this.selectFrame(frame, shows), stepFrame: (by) => this.stepFrame(by),
      showTime: (begin, end) => this.view.show(begin, end), colours: () => this.picture.colours,
    });
    this.threads = new Map();
    this.surfaces = [];
    this.worstFrames = [];
    this.worstFrame = -1;
    this.frameRow = frameRow; // for those who drive the page by program
    this.worst = -1;
    this.frames = 0;
    this.searches = 0;
    this.setTheme(preferredTheme());
    this.view.onChange = () => this.redraw();
    data.onArrival = () => this.redraw();
    this.describe();
    this.drawLegend();
    this.panel.draw();
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    this.picture.colours = this.overview.colours = makeColours(theme);
    this.overview.forget();
    this.redraw();
    if (this.panel.tab === "statistics") this.panel.draw();
  }

  toggleTheme() {
    this.setTheme(this.picture.colours.theme === "dark" ? "light" : "dark");
  }

  describe() {
    const { index } = this.data;
    named("title").textContent = index.traces.map((trace) => trace.replace(/\/+$/, "").split("/").pop()).join(", ") || "lttng-gpu";
    document.title = `${named("title").textContent} – lttng-gpu`;
    const isWhole = (index.loss === "nothing lost" || this.data.isReadingJobs) && index.gaps.length === 0 && index.unseen.length === 0;
    const unseen = index.unseen.reduce((sum, [, , , number]) => sum + number, 0);
    named("account").replaceChildren(
      element("b", {}, count(this.data.jobCount)), this.data.jobCount === 1 ? " job · " : " jobs · ", element("b", {}, String(this.data.rings.length)), this.data.rings.length === 1 ? " ring · " : " rings · ",
      this.data.isReadingJobs ? "about " : "", element("b", {}, duration(this.data.length)), " · ",
      ...this.describeReading(), element("span", { class: isWhole ? "" : "bad" }, index.loss + (unseen ? `, ${count(unseen)} jobs without any event` : "")));
  }

  describeReading() {
    const { index, state } = this.data;
    if (!this.data.isReading) return [];
    const what = { jobs: "reading jobs", reasons: "reading what threads did, and why jobs were late" }[index.stage];
    const part = typeof state?.ratio === "number" ? ` ${Math.floor(state.ratio * 100)} %` : "";
    return [element("span", { id: "reading" }, `${what}${part} …`), index.loss ? " · " : ""];
  }

  drawLegend() {
    const processes = [...this.data.processes].sort((a, b) => b.shownJobs - a.shownJobs).filter((process) => process.shownJobs > 0);
    const { colours } = this.picture;
    named("legend").replaceChildren(...processes.slice(0, mostInLegend).map((process) =>
      element("button", { "aria-pressed": String(this.state.highlighted === process.number), "data-process": process.number, title: "highlight this process", onclick: () => this.highlight(process.number) },
        element("i", { style: `background:${colours.processes[process.colour]}` }), processName(process), element("span", {}, count(process.shownJobs)))),
    processes.length > mostInLegend ? element("span", {}, `and ${processes.length - mostInLegend} more`) : "");
  }

  highlight(process) {
    this.state.highlighted = this.state.highlighted === process ? null : process;
    this.drawLegend();
    this.redraw();
  }

  resize() {
    const stage = named("stage");
    this.picture.resize(stage.clientWidth, stage.clientHeight);
    this.picture.canvas.style.width = `${stage.clientWidth}px`;
    this.picture.canvas.style.height = `${stage.clientHeight}px`;
    this.overview.resize(named("view").clientWidth, 44);
    this.layOut();
    this.redraw();
  }

  layOut() {
    this.state.layout = layOut(this.data, this.threads, this.surfaces, named("stage").clientHeight - axisHeight, this.state.inside);
    named("tall").style.height = `${this.state.layout.height + axisHeight}px`;
  }

  redraw() {
    this.pending ??= requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    cancelAnimationFrame(this.pending);
    this.pending = undefined;
    this.picture.draw();
    this.overview.draw();
    ++this.frames;
  }

  /** Shows more whenever the server has read more; returns when it has read all. */
  async followReading() {
    for (let states = null; ; await pause(300)) {
      const { data } = this;
      if (!data.isReadingJobs && data.relations.states.length !== states) {
        await this.loadThreads(states === null);
        states = data.relations.states.length;
      }
      if (!data.isReading) break;
      try {
        if (await data.refresh()) this.showRead();
        else this.describe();
      } catch {
        named("account").append(element("span", { class: "bad" }, " · lttng-gpu has ended; the rest is not there"));
        return;
      }
    }
    if (this.state.selected && this.panel.tab === "job") await this.select(this.state.selected.number);
  }

  /** There is more than before: the part that is looked at stays, or is the whole again. */
  showRead() {
    this.view.grow(this.data.length);
    this.describe();
    this.drawLegend();
    this.overview.forget();
    this.layOut();
    if (this.panel.tab !== "job") this.panel.draw();
    this.redraw();
  }

  async loadThreads(isFirst) {
    if (isFirst) {
      this.surfaces = await findSurfaces(this.data);
      this.worstFrames = worstFrames(this.surfaces);
    }
    this.threads = await findThreads(this.data);
    this.panel.setFrames(this.surfaces, this.worstFrames, this.threads);
    this.layOut();
    this.redraw();
  }

  /** Selects a job by its number; `shows`: and brings it into the picture. */
  async select(number, shows = false) {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const job = await this.data.job(number);
    const dependencies = await this.data.dependenciesOf(number);
    const dependents = await this.data.dependentsOf(number);
    const diagnosis = await this.data.diagnosisOf(number);
    const launch = await this.data.launchOf(job);
    await this.describeRelations([...dependencies.slice(0, 30), ...dependents.slice(0, 30)]);
    if (turn !== this.turn) return; // another one was selected meanwhile
    this.state.selected = job;
    this.state.arrows = [...dependencies.slice(0, 30), ...dependents.slice(0, 30)].filter((dependency) => dependency.described.producer)
      .map((dependency) => ({
        from: dependency.described.producer, to: dependency.described.waiter, isBlocking: dependency.isBlocking,
        time: Number.isNaN(dependency.until) ? dependency.since : dependency.until,
      }));
    this.showInside(job, launch);
    if (shows) this.showJob(job);
    this.say(`job ${job.seqno ?? "of unknown seqno"} of ${job.comm || "unknown"} on ${ringName(job.ring)}, ${duration(job.completed - job.queued)} from queued to completed`);
    this.panel.showJob(job, dependencies, dependents, diagnosis, launch);
    this.redraw();
  }

  /** Beneath the ring of a command: what was recorded inside of its kernel; null: nothing. */
  showInside(job, launch) {
    const before = this.state.inside;
    this.state.inside = launch ? { launch, ring: job.ring, command: job.seqno, colour: job.process.colour } : null;
    if (before || launch) this.layOut();
  }

  /** Selects a frame; `shows`: and brings it into the picture. */
  selectFrame(frame, shows = false) {
    this.state.frame = frame;
    if (shows) {
      this.view.show(begins(frame), frame.end);
      this.scrollToBlock(this.state.layout.blocks.find((block) => block.surface === frame.of));
    }
    this.panel.showFrame(frame);
    this.say(describeFrame(frame).join(", "));
    this.redraw();
  }

  /** For those who hear the page. */
  say(text) {
    named("said").textContent = text;
  }

  stepFrame(by) {
    const { frame } = this.state;
    const other = frame?.of.frames[frame.place + by];
    if (other) this.selectFrame(other, true);
  }

  /** The frame that was late by the most; then the next ones. */
  showWorstFrame(by) {
    if (this.worstFrames.length === 0) return;
    this.worstFrame = (this.worstFrame + by + this.worstFrames.length) % this.worstFrames.length;
    this.selectFrame(this.worstFrames[this.worstFrame], true);
  }

  async describeRelations(dependencies) {
    for (const dependency of dependencies) {
      dependency.described = {
        waiter: await this.data.job(dependency.waiter),
        producer: dependency.producer === null ? null : await this.data.job(dependency.producer),
      };
    }
  }

  async show(number) {
    this.showJob(await this.data.job(number));
  }

  showJob(job) {
    this.view.show(job.first, Math.max(job.end, job.first + 100));
    this.scrollTo(job.ring);
  }

  scrollTo(ring) {
    this.scrollToBlock(this.state.layout.blocks.find((other) => other.ring === ring));
  }

  scrollToBlock(block) {
    const stage = named("stage");
    if (!block) return;
    const top = block.top - this.state.scroll;
    if (top < 0 || top + block.height > stage.clientHeight - axisHeight) stage.scrollTop = Math.max(0, block.top - 30);
    this.redraw();
  }

  async showWorst(by) {
    const worst = this.data.index.longest[this.panel.phase];
    if (worst.length === 0) return;
    this.worst = by === 0 ? 0 : (this.worst + by + worst.length) % worst.length;
    await this.select(worst[this.worst][0], true);
  }

  /** The job before or after the selected one on its ring. */
  async step(by) {
    const job = this.state.selected;
    if (!job) return;
    const chunks = job.ring.chunks;
    const size = this.data.index.jobs_of_chunk;
    const here = chunks.findIndex((chunk) => chunk.number === Math.floor(job.number / size));
    const place = (job.number % size) + by;
    if (0 <= place && place < chunks[here].jobs) return this.select(job.number + by, true);
    const other = chunks[here + by];
    if (other) await this.select(other.number * size + (by > 0 ? 0 : other.jobs - 1), true);
  }

  async search(query) {
    const turn = ++this.searches;
    if (!query.trim()) return;
    this.panel.showFound(query, { progress: 0 });
    const isOver = () => turn !== this.searches;
    const result = await search(this.data, query, isOver, (progress) => {
      if (!isOver()) this.panel.showFound(query, { progress });
    });
    if (result === null) return;
    this.panel.showFound(query, result);
    if (result.found.length > 0) await this.selectKeepingTab(result.found[0].number);
  }

  async selectKeepingTab(number) {
    const { tab } = this.panel;
    await this.select(number, true);
    this.panel.open(tab);
  }

  /** The job of a lane at a time, also where single jobs are not drawn. */
  async jobAt(ring, place, time) {
    const chunks = ring.chunks.filter((chunk) => chunk.first <= time && chunk.end >= time);
    let nearest = null;
    for (const chunk of chunks.slice(0, 4)) {
      const jobs = await this.data.getJobs(chunk);
      const [begins, ends] = { host: [jobs.queued, jobs.submitted], device: [jobs.submitted, jobs.started], execution: [jobs.started, jobs.completed] }[place ?? "execution"];
      for (let job = 0; job < jobs.count; ++job) {
        const begin = begins[job];
        const end = Number.isNaN(ends[job]) ? jobs.end[job] : ends[job];
        if (Number.isNaN(begin)) continue;
        const distance = time < begin ? begin - time : time > end ? time - end : 0;
        if (!nearest || distance < nearest.distance) nearest = { distance, number: chunk.number * this.data.index.jobs_of_chunk + job };
      }
    }
    return nearest?.number ?? null;
  }
}
