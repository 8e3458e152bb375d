// SPDX-License-Identifier: MIT
//
// Keeps the page's place in the fragment of its address, goes to the place of a fragment, and copies the address.
import { namesOfRings, readPlace, writePlace } from "./place.js";

const settle = 400; // ms without a change: browsers allow few changes of the address

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Some browsers have none for files.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

export class PlaceLink {
  constructor(application) {
    this.application = application;
    this.awaited = null; // a place that may be in what is not read yet
    this.written = "";
    addEventListener("hashchange", () => this.follow());
  }

  now() {
    const { data, view, state } = this.application;
    const names = namesOfRings(data.rings);
    const isWhole = view.begin === 0 && view.end === view.length;
    const job = state.selected;
    const ringsOf = (rings) => [...rings].map((ring) => names.get(ring));
    return writePlace({
      view: isWhole ? null : { begin: data.clock(Math.floor(view.begin)), end: data.clock(Math.ceil(view.end)) },
      job: job ? { ring: names.get(job.ring), first: data.clock(job.first), context: job.context, seqno: job.seqno } : null,
      collapsed: ringsOf(state.kept.collapsed), pinned: ringsOf(state.kept.pinned),
    });
  }

  /** Something was changed: soon the address has it. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), settle);
  }

  write() {
    const text = this.now();
    if (this.awaited || text === this.written) return;
    this.written = text;
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // The address is not the page's to change; the button still copies it.
    }
  }

  /** Goes to the place of the address, now or when it is read; what is not a place of this trace changes nothing. */
  async follow() {
    const fragment = location.hash.replace(/^#/, "");
    if (fragment === this.written) return;
    this.awaited = readPlace(fragment);
    if (this.awaited) await this.retry();
    else if (fragment) this.application.tell("The address names no place of this page.");
  }

  /** More was read. */
  async retry() {
    const place = this.awaited;
    if (!place) return;
    const found = await this.find(place);
    if (place !== this.awaited) return;
    if (found) {
      this.awaited = null;
      await this.application.goTo(found);
    } else if (!this.application.data.isReadingJobs) {
      this.awaited = null;
      this.application.tell("The address names a place that is not in this trace.");
    }
  }

  /** Someone goes elsewhere meanwhile. */
  forget() {
    this.awaited = null;
  }

  /** All of it, or null. */
  async find(place) {
    const { data } = this.application;
    const rings = new Map([...namesOfRings(data.rings)].map(([ring, name]) => [name, ring]));
    const find = (names) => names.map((name) => rings.get(name));
    const [collapsed, pinned] = [find(place.collapsed), find(place.pinned)];
    if ([...collapsed, ...pinned].includes(undefined)) return null;
    const view = place.view && this.findView(place.view);
    if (place.view && !view) return null;
    if (!place.job) return { view, job: null, collapsed, pinned };
    const ring = rings.get(place.job.ring);
    const job = ring ? await data.findJob(ring, Number(place.job.first - data.origin), place.job.context, place.job.seqno) : null;
    return job === null ? null : { view, job, collapsed, pinned };
  }

  findView({ begin, end }) {
    const { data, view } = this.application;
    const [from, to] = [Number(begin - data.origin), Number(end - data.origin)];
    return from >= -view.margin - 1 && to <= view.length + view.margin + 1 ? { begin: from, end: to } : null;
  }

  async copy() {
    this.forget();
    this.write();
    const text = this.now();
    const address = `${location.href.replace(/#.*/s, "")}${text ? `#${text}` : ""}`;
    this.application.tell((await toClipboard(address)) ? "The link to this place is copied." : `The browser lets nothing be copied. The link: ${address}`);
  }
}
