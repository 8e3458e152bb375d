// SPDX-License-Identifier: MIT
//
// The panel beside the picture: findings, one job's whole life, the worst jobs, statistics of a ring, what a search found.
import { latencyChart, occupancyChart } from "./charts.js";
import { diagnosisTable } from "./diagnosis.js";
import { drawFindings } from "./findings.js";
import { drawFrame, drawFrameList } from "./frames.js";
import { count, duration, element, percent, processName, ringName } from "./format.js";
import { launchSection } from "./launches.js";

const phaseTitles = { whole: "queued to completed", host_queue: "host queue", device_queue: "device queue", execution: "execution" };

export class Panel {
  /** `actions`: select(number), show(number), scrollTo(ring), highlight(process). */
  constructor(data, view, actions) {
    Object.assign(this, { data, view, actions });
    this.body = document.getElementById("panel-body");
    this.tab = "findings";
    for (const button of document.querySelectorAll("#tabs button")) button.addEventListener("click", () => this.open(button.dataset.tab));
    this.phase = "whole";
    this.ring = null;
    this.found = null;
    this.job = null;
    Object.assign(this, { surfaces: [], worstFrames: [], threads: new Map(), frame: null });
  }

  open(tab) {
    this.tab = tab;
    for (const button of document.querySelectorAll("#tabs button")) button.setAttribute("aria-selected", String(button.dataset.tab === tab));
    this.draw();
  }

  draw() {
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.finding : undefined;
    this.body.replaceChildren();
    ({ findings: () => drawFindings(this.body, this.data, this.surfaces, this.worstFrames, this.actions), job: () => this.drawJob(), worst: () => this.drawWorst(), statistics: () => this.drawStatistics(), search: () => this.drawFound(), frames: () => this.drawFrames() })[this.tab]();
    if (focused) this.body.querySelector(`[data-finding="${CSS.escape(focused)}"]`)?.focus();
  }

  setFrames(surfaces, worstFrames, threads) {
    Object.assign(this, { surfaces, worstFrames, threads });
    document.querySelector('#tabs [data-tab="frames"]').hidden = surfaces.length === 0;
    if (this.tab === "findings") this.draw();
  }

  showFrame(frame) {
    this.frame = frame;
    this.open("frames");
  }

  drawFrames() {
    const actions = { ...this.actions, link: (number, text) => this.jobLink(number, text) };
    const list = element("div");
    if (this.frame) {
      const place = element("div", { id: "frame" });
      this.body.append(place);
      drawFrame(place, this.data, this.frame, this.threads, this.actions.colours(), actions);
    }
    this.body.append(list);
    drawFrameList(list, this.surfaces, this.worstFrames, actions);
  }

  jobLink(job, text) {
    return element("button", { class: "link", "data-job": job, onclick: () => this.actions.select(job, true) }, text);
  }

  showJob(job, { dependencies, dependents, diagnosis, launch, isPartial }) {
    Object.assign(this, { job, ring: job.ring, dependencies, dependents, diagnosis, launch, isPartial });
    this.open("job");
  }

  drawJob() {
    const { job, data } = this;
    if (!job) {
      this.body.append(element("p", { class: "hint" }, "No job is selected. Click one in the picture, or press w for the worst one."));
      return;
    }
    const facts = [
      ["device", job.ring.device], ["ring", job.ring.name], ["driver", job.ring.driver], ["pid", job.process.pid], ["tid", job.tid],
      ["comm", job.comm], ["context", job.context], ["seqno", job.seqno], ["api_call", job.call], ["status", job.status],
      ["fault", job.fault || null], ["interval", job.interval || null],
    ];
    this.body.append(
      element("h2", {}, `${job.call || `job ${job.seqno ?? "of unknown seqno"}`}`),
      element("p", { class: "buttons" },
        element("button", { onclick: () => this.actions.show(job.number) }, "zoom to it (f)"),
        element("button", { onclick: () => this.actions.step(-1) }, "‹ previous ([)"),
        element("button", { onclick: () => this.actions.step(1) }, "next (]) ›")),
      this.lifeTable(job));
    if (this.isPartial) this.body.append(element("p", { class: "late", id: "partial" }, "lttng-gpu does not answer: some of what follows is missing."));
    this.drawDiagnosis();
    if (this.launch) this.body.append(launchSection(this.launch, data));
    this.body.append(element("table", { class: "facts" }, ...facts.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) =>
      element("tr", {}, element("th", {}, name), element("td", { "data-field": name }, String(value))))));
    if (!Number.isNaN(job.clockError)) this.body.append(element("p", { class: "hint" }, `times of the device's clock, each within ± ${duration(job.clockError)}`));
    this.drawRelations();
    this.body.append(element("p", { class: "hint" }, data.isReadingJobs ? "Dependencies come when all jobs are read." : data.relations.dependencies.length ? "" : "The trace tells of no dependencies."));
  }

  lifeTable(job) {
    const stages = [["queued", job.queued, ""], ["runnable", job.runnable, ""], ["submitted", job.submitted, ""], ["started", job.started, job.startedBasis],
      ["completed", job.completed, job.completedBasis], ["observed", job.observed, ""]];
    const rows = stages.filter(([name, time]) => !["runnable", "observed"].includes(name) || !Number.isNaN(time)).map(([name, time, basis]) =>
      element("tr", { class: Number.isNaN(time) ? "unknown" : basis },
        element("th", {}, name),
        element("td", {}, Number.isNaN(time) ? "unknown" : `+${duration(time - job.first)}`),
        element("td", { class: "clock", "data-field": `${name}_ns` }, this.data.clock(time)),
        element("td", { "data-field": `${name}_basis` }, basis)));
    const lengths = [["host queue", job.submitted - job.queued], ["device queue", job.started - job.submitted], ["execution", job.completed - job.started], ["queued to completed", job.completed - job.queued]];
    return element("div", {},
      element("div", { class: "lengths" }, ...lengths.map(([name, length]) => element("div", {}, element("b", {}, duration(length)), element("span", {}, name)))),
      element("table", { class: "life" }, element("tbody", {}, ...rows)));
  }

  drawDiagnosis() {
    const { job, diagnosis, data } = this;
    if (diagnosis) {
      this.body.append(element("h3", {}, "why it took so long"), diagnosisTable(job.number, diagnosis, data.index.diagnoses.reasons, (number, text) => this.jobLink(number, text)));
    } else {
      this.body.append(element("p", { class: "hint", id: "no-diagnosis" }, data.isReading ? "The reasons come when all is read." : data.index.diagnoses
        ? "Only the longest jobs of this trace have their reasons here; lttng-gpu diagnose --job tells those of any."
        : "The page was made without reasons; lttng-gpu diagnose --job tells them."));
    }
  }

  drawRelations() {
    const lists = [["waited for", this.dependencies, "producer"], ["was waited for by", this.dependents, "waiter"]];
    for (const [title, all, end] of lists) {
      if (!all?.length) continue;
      this.body.append(element("h3", {}, title), element("ul", {}, ...all.slice(0, 30).map((dependency) => {
        const other = dependency[end];
        const length = `${duration(dependency.until - dependency.since)}${dependency.isBlocking ? ", blocking" : ""}`;
        const job = dependency.described?.[end];
        const name = job ? `${ringName(job.ring)} ${job.comm} ${job.seqno}` : `fence ${this.data.index.contexts[dependency.context]}:${dependency.seqno ?? "?"} of no known job`;
        return element("li", {}, other === null ? name : this.jobLink(other, name), ` ${length}`);
      })));
    }
  }

  drawWorst() {
    const choice = element("select", { id: "worst-phase", onchange: (event) => { this.phase = event.target.value; this.draw(); } },
      ...Object.entries(phaseTitles).map(([name, title]) => element("option", { value: name, selected: name === this.phase }, title)));
    this.body.append(element("label", {}, "longest by ", choice));
    const all = this.data.index.longest[this.phase];
    const list = element("ol", { id: "worst" }, ...all.map(([job, length]) => element("li", {}, this.jobLink(job, duration(length)), element("span", { class: "who" }))));
    this.body.append(list);
    // The names come when their pieces are there.
    all.slice(0, 50).forEach(async ([number], place) => {
      const job = await this.data.job(number);
      const who = list.children[place]?.querySelector(".who");
      if (who) who.textContent = ` ${ringName(job.ring)} · ${job.comm} · ${job.call || (job.seqno ?? "")}`;
    });
  }

  async drawStatistics() {
    const { data, body } = this;
    this.ring ??= data.rings.reduce((most, ring) => (ring.jobs > most.jobs ? ring : most), data.rings[0]);
    if (!this.ring) return;
    const rings = [...data.rings].sort((a, b) => ringName(a).localeCompare(ringName(b), "en", { numeric: true }));
    body.append(element("select", { id: "statistics-ring", onchange: (event) => { this.ring = data.rings[event.target.value]; this.actions.scrollTo(this.ring); this.draw(); } },
      ...rings.map((ring) => element("option", { value: ring.number, selected: ring === this.ring }, `${ringName(ring)} (${count(ring.jobs)})`))));
    const occupancy = element("div", { class: "chart" });
    const latency = element("div", { class: "chart" });
    body.append(element("h3", {}, "jobs in each queue, over the time that is shown"), occupancy, element("h3", {}, "jobs by latency"), latency);
    const { colours } = this.actions;
    occupancyChart(occupancy, data, this.ring, this.view, colours(), body.clientWidth - 24);
    latencyChart(latency, this.ring, colours(), body.clientWidth - 24);
    const ring = this.ring;
    const report = await data.report();
    if (this.tab !== "statistics" || this.ring !== ring) return;
    if (report === null) {
      body.append(element("p", { class: "hint" }, "Latencies of what is read so far; the report's figures come when all jobs are read."));
      return;
    }
    const queue = report.queues.find((other) => other.device === ring.device && other.ring === ring.name);
    if (queue) body.append(this.statisticsTable(queue));
  }

  statisticsTable(queue) {
    const rows = [["host queue", queue.host_queue], ["device queue", queue.device_queue], ["execution", queue.execution]].map(([title, phase]) => {
      const { latency_ns: latency } = phase;
      const cells = latency?.count ? [latency.p50, latency.p90, latency.p99, latency.max].map((value) => duration(value)) : ["-", "-", "-", "-"];
      return element("tr", {}, element("th", {}, title), ...cells.map((cell) => element("td", {}, cell)));
    });
    const starved = queue.state_ns?.host_only;
    return element("div", {},
      element("p", {}, `${count(queue.jobs)} jobs in the window · busy ${percent(queue.execution.busy_ratio)} · GPU idle while jobs waited ${duration(starved)}`),
      element("table", { class: "statistics" }, element("tr", {}, ...["", "p50", "p90", "p99", "max"].map((title) => element("th", {}, title))), ...rows));
  }

  showFound(query, result) {
    this.found = { query, ...result };
    this.open("search");
  }

  drawFound() {
    const { found, data, body } = this;
    if (!found) {
      body.append(element("p", { class: "hint" }, "Words find rings, processes and API calls, numbers find seqno, pid, tid and context. ring:gfx pid:42 seqno:7 status:lost are more exact."));
      return;
    }
    if (found.isStopped) {
      body.append(element("p", { class: "late" }, "lttng-gpu does not answer: not all jobs could be searched."));
      return;
    }
    if (found.progress !== undefined) {
      body.append(element("p", {}, `searching … ${Math.round(found.progress * 100)} %`));
      return;
    }
    const words = found.query.toLowerCase().split(/\s+/);
    const isNamed = (text) => words.some((word) => text.toLowerCase().includes(word));
    for (const ring of data.rings.filter((other) => isNamed(ringName(other))).slice(0, 10)) {
      body.append(element("button", { class: "link", onclick: () => this.actions.scrollTo(ring) }, `ring ${ringName(ring)}`));
    }
    for (const process of data.processes.filter((other) => isNamed(processName(other))).slice(0, 10)) {
      body.append(element("button", { class: "link", onclick: () => this.actions.highlight(process.number) }, `process ${processName(process)}`));
    }
    body.append(element("p", { id: "found-count" }, `${found.found.length}${found.hasMore ? " and more" : ""} jobs${data.isReadingJobs ? " of those read so far" : ""}`),
      element("ol", { id: "found" }, ...found.found.slice(0, 200).map(({ number, first }) => element("li", {}, this.jobLink(number, `at ${(first / 1e6).toFixed(3)} ms`)))));
  }
}
