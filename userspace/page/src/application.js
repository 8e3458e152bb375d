// SPDX-License-Identifier: MIT
//
// The state of the page, and what can be done with it.
import { makeColours, preferredTheme } from "./colours.js";
import { Following } from "./following.js";
import { duration, ringName } from "./format.js";
import { begins, describeFrame, findSurfaces, frameRow, worstFrames } from "./frames.js";
import { describeTrace } from "./header.js";
import { axisHeight, layOut } from "./lanes.js";
import { drawLegend } from "./legend.js";
import { Measure } from "./measure.js";
import { NameColours } from "./names.js";
import { Overview } from "./overview.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { PlaceLink } from "./place_link.js";
import { RingButtons } from "./ring_buttons.js";
import { firstFault, search } from "./search.js";
import { findThreads } from "./threads.js";
import { TimeView } from "./time_view.js";

const named = (id) => document.getElementById(id);
const toldFor = 6000; // ms

export class Application {
  constructor(data) {
    this.data = data;
    this.view = new TimeView(data.length);
    this.state = {
      layout: layOut(data, new Map(), [], 0), kept: { collapsed: new Set(), pinned: new Set() }, names: null, measure: null, scroll: 0, selected: null, inside: null, frame: null, hovered: null, highlighted: null, arrows: [],
      highlightedClass: () => (this.state.highlighted === null ? null : data.processes[this.state.highlighted].colour),
    };
    this.picture = new Picture(named("picture"), data, this.view, this.state);
    this.overview = new Overview(named("overview"), data, this.view);
    this.panel = new Panel(data, this.view, {
      select: (number, shows) => this.select(number, shows), show: (number) => this.show(number), step: (by) => this.step(by),
      scrollTo: (ring) => this.scrollTo(ring), highlight: (process) => this.highlight(process), selectFrame: (frame, shows) => this.selectFrame(frame, shows), stepFrame: (by) => this.stepFrame(by),
      selectFault: (ring, fault) => this.selectFault(ring, fault), showTime: (begin, end) => this.view.show(begin, end), colours: () => this.picture.colours,
    });
    this.ringButtons = new RingButtons(named("ring-buttons"), named("pinned-buttons"), { collapse: (ring) => this.toggleCollapsed(ring), pin: (ring) => this.togglePinned(ring) });
    this.measure = new Measure(this.picture, this.view, () => this.showMeasure());
    this.link = new PlaceLink(this);
    this.following = new Following(this);
    this.threads = new Map();
    this.surfaces = [];
    this.worstFrames = [];
    this.worstFrame = -1;
    this.frameRow = frameRow; // for those who drive the page by program
    this.worst = -1;
    this.frames = 0;
    this.searches = 0;
    this.setTheme(preferredTheme());
    this.view.onChange = () => {
      this.link.later();
      this.redraw();
    };
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
    describeTrace(this.data);
  }

  drawLegend() {
    drawLegend(this, named("legend"));
  }

  highlight(process) {
    this.state.highlighted = this.state.highlighted === process ? null : process;
    this.state.names = null;
    this.drawLegend();
    this.redraw();
  }

  /** Colours of the highlighted process' jobs: one for the process, or those of calls and kernels. */
  async toggleNames() {
    const { state } = this;
    if (state.names || state.highlighted === null) {
      state.names = null;
      this.drawLegend();
      this.redraw();
      return;
    }
    await this.showNames();
  }

  async showNames() {
    const { state } = this;
    const names = (state.names = new NameColours(state.highlighted, this.data));
    const show = () => {
      this.drawLegend();
      this.redraw();
    };
    show();
    const isDone = await names.count(() => state.names !== names, (progress) => {
      names.progress = progress;
      this.drawLegend();
    });
    if (isDone) show();
  }

  resize() {
    const stage = named("stage");
    this.picture.resize(stage.clientWidth, stage.clientHeight);
    this.picture.canvas.style.width = `${this.picture.width}px`;
    this.picture.canvas.style.height = `${this.picture.height}px`;
    this.overview.resize(named("view").clientWidth, 44);
    this.layOut();
    this.redraw();
  }

  layOut() {
    const { state } = this;
    const stage = named("stage");
    state.layout = { ...layOut(this.data, this.threads, this.surfaces, stage.clientHeight - axisHeight, state.inside, state.kept), pinnedRings: state.kept.pinned };
    named("tall").style.height = `${state.layout.height + axisHeight}px`;
    stage.style.scrollPaddingTop = `${axisHeight + state.layout.pinnedHeight}px`;
    this.ringButtons.update(state.layout);
    this.scrolled(stage.scrollTop);
  }

  scrolled(top) {
    this.state.scroll = top;
    this.ringButtons.clip(top, this.state.layout.pinnedHeight);
  }

  toggleCollapsed(ring) {
    this.toggleKept("collapsed", [ring]);
  }

  togglePinned(ring) {
    this.toggleKept("pinned", [ring]);
  }

  /** Collapses all rings, or expands them if they are. */
  toggleAll() {
    const { kept } = this.state;
    const drawn = this.data.rings.filter((ring) => ring.levels.length > 0);
    this.toggleKept("collapsed", drawn.every((ring) => kept.collapsed.has(ring)) ? drawn : drawn.filter((ring) => !kept.collapsed.has(ring)));
  }

  toggleKept(kind, rings) {
    const set = this.state.kept[kind];
    for (const ring of rings) if (!set.delete(ring)) set.add(ring);
    this.say(rings.length === 1 ? `${ringName(rings[0])} ${set.has(rings[0]) ? "" : "not "}${kind}` : set.size > 0 ? "all rings collapsed" : "all rings expanded");
    this.keptChanged();
  }

  keptChanged() {
    this.layOut();
    this.link.later();
    this.redraw();
  }

  /** To a place that a link names. */
  async goTo({ view, job, collapsed, pinned }) {
    this.state.kept = { collapsed: new Set(collapsed), pinned: new Set(pinned) };
    this.keptChanged();
    if (view) this.view.set(view.begin, view.end);
    else this.view.whole();
    if (job !== null) await this.select(job, view === null);
    else this.selectNothing();
    if (job !== null && view) this.scrollTo(this.state.selected.ring);
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

  /** There is more than before: the part that is looked at stays, or is the whole again. */
  async showRead() {
    this.view.grow(this.data.length);
    this.describe();
    this.drawLegend();
    this.overview.forget();
    this.layOut();
    if (this.panel.tab !== "job") this.panel.draw();
    if (this.state.names && !this.data.isReadingJobs) await this.showNames();
    this.redraw();
    await this.link.retry();
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
    let isPartial = false;
    const known = async (promise, nothing) => {
      try {
        return await promise;
      } catch (error) {
        this.following.forgive(error);
        isPartial = true;
        return nothing;
      }
    };
    const job = await known(this.data.job(number), null);
    if (job === null) return this.tell("The job is not there: lttng-gpu does not answer.");
    const dependencies = await known(this.data.dependenciesOf(number), []);
    const dependents = await known(this.data.dependentsOf(number), []);
    const diagnosis = await known(this.data.diagnosisOf(number), null);
    const launch = await known(this.data.launchOf(job), null);
    const related = [...dependencies.slice(0, 30), ...dependents.slice(0, 30)];
    await known(this.describeRelations(related), null);
    if (turn !== this.turn) return; // another one was selected meanwhile
    this.state.selected = job;
    this.state.arrows = related.filter((dependency) => dependency.described?.producer)
      .map((dependency) => ({
        from: dependency.described.producer, to: dependency.described.waiter, isBlocking: dependency.isBlocking,
        time: Number.isNaN(dependency.until) ? dependency.since : dependency.until,
      }));
    this.showInside(job, launch);
    if (shows) this.showJob(job);
    this.say(`job ${job.seqno ?? "of unknown seqno"} of ${job.comm || "unknown"} on ${ringName(job.ring)}, ${duration(job.completed - job.queued)} from queued to completed`);
    this.panel.showJob(job, { dependencies, dependents, diagnosis, launch, isPartial });
    this.link.later();
    this.redraw();
  }

  selectNothing() {
    const { state } = this;
    this.turn = (this.turn ?? 0) + 1;
    state.selected = state.frame = null;
    this.showInside(null, null);
    state.arrows = [];
    this.link.later();
    this.redraw();
  }

  /** The first job of a ring that ended so. */
  async selectFault(ring, fault) {
    const number = await firstFault(this.data, ring, fault);
    return number === null ? this.scrollTo(ring) : this.select(number, true);
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

  /** For all, for some time. */
  tell(text) {
    this.say(text);
    Object.assign(named("told"), { textContent: text, hidden: false });
    clearTimeout(this.toldUntil);
    this.toldUntil = setTimeout(() => { named("told").hidden = true; }, toldFor);
  }

  showMeasure() {
    const { measure } = this;
    this.state.measure = measure.isOn ? measure : null;
    named("measure").setAttribute("aria-pressed", String(measure.isOn));
    Object.assign(named("measured"), { hidden: !measure.isOn, textContent: measure.isOn ? measure.describe() : "" });
    this.redraw();
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
    if (this.state.kept.collapsed.has(job.ring)) this.toggleCollapsed(job.ring);
    this.view.show(job.first, Math.max(job.end, job.first + 100));
    this.scrollTo(job.ring);
  }

  scrollTo(ring) {
    this.scrollToBlock(this.state.layout.blocks.find((other) => other.ring === ring));
  }

  scrollToBlock(block) {
    const stage = named("stage");
    if (!block) return;
    const { pinnedHeight } = this.state.layout;
    const top = block.top - this.state.scroll;
    const isSeen = block.isPinned || (top >= pinnedHeight && top + block.height <= stage.clientHeight - axisHeight);
    if (!isSeen) stage.scrollTop = Math.max(0, block.top - pinnedHeight - 30);
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
    }).catch((error) => {
      this.following.forgive(error);
      this.panel.showFound(query, { isStopped: true });
      return null;
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
}
