// SPDX-License-Identifier: MIT
//
// Measures the time between two points of the picture. Near an edge of a job, a frame or a span, a point is that edge, exactly;
// elsewhere it is as exact as a pixel.
import { count, duration } from "./format.js";
import { begins } from "./frames.js";
import { axisHeight } from "./lanes.js";
import { isAlive } from "./packed.js";

const near = 7; // CSS pixels
const namesOf = { host: ["queued", "submitted"], device: ["submitted", "started"], execution: ["started", "completed"] };
const stepsOfWidth = 100; // where there are no edges

function edgesOfStay({ stay, lane }, length) {
  const seqno = stay.jobs.seqnoLow[stay.job];
  if (!lane) return [[stay.time, `the known time of job ${seqno}`]];
  const [begin, end] = namesOf[lane.place];
  const isOpen = isAlive(stay.jobs, stay.job) && stay.leave === length; // it had not left when the trace ended
  const edges = [[stay.enter, `${begin} of job ${seqno}`]];
  if (!isOpen) edges.push([stay.leave, `${stay.isUnknown ? "completed" : end} of job ${seqno}`]);
  return edges;
}

/** Times at which something that is drawn begins or ends, with words. */
function edgesOf(pick, length) {
  if (pick.stay) return edgesOfStay(pick, length);
  if (pick.frame) return [[begins(pick.frame), `begin of frame ${pick.frame.number}`], [pick.frame.end, `end of frame ${pick.frame.number}`]];
  if (pick.spans) return [[pick.spans.begin[pick.place], "begin of a span"], [pick.spans.end[pick.place], "end of a span"]];
  return [];
}

export class Measure {
  /** `onChange`: what is shown of it is another. */
  constructor(picture, view, onChange) {
    Object.assign(this, { picture, view, onChange, isOn: false, from: null, to: null, isOpen: false });
  }

  turn(isOn) {
    Object.assign(this, { isOn, from: null, to: null, isOpen: false });
    this.onChange();
  }

  /** The edge nearest to a place: of the row that is there first, then of any. */
  pointAt(x, y) {
    let best = null;
    for (const pick of this.picture.picks) {
      const isThere = pick.top - 2 <= y && y <= pick.bottom + 2;
      for (const [time, words] of edgesOf(pick, this.picture.data.length)) {
        const distance = Math.abs(this.picture.x(time) - x) + (isThere ? 0 : near);
        if (distance <= (isThere ? near : 2 * near) && !(distance >= best?.distance)) best = { distance, time, words };
      }
    }
    return best ? { time: best.time, words: best.words } : { time: this.picture.time(x), words: null };
  }

  /** A press begins, or ends what a click began. */
  press(x, y) {
    const point = this.pointAt(x, y);
    if (this.isOpen) this.to = point;
    else Object.assign(this, { from: point, to: null });
    this.onChange();
  }

  move(x, y) {
    if (!this.from) return;
    this.to = this.pointAt(x, y);
    this.onChange();
  }

  release(hasMoved) {
    this.isOpen = !hasMoved && !this.isOpen;
    if (this.isOpen) this.to = null;
    this.onChange();
  }

  /** Moves one end (`name`: from, to) to the next edge of a job, or where none is drawn by a part of the width. */
  step(name, by, start) {
    this.from ??= start ?? this.pointAt(this.picture.x((this.view.begin + this.view.end) / 2), -1);
    this.to ??= this.from;
    this.isOpen = false;
    const now = this[name].time;
    this[name] = this.nextEdge(now, by) ?? { time: now + (by * this.view.span) / stepsOfWidth, words: null };
    const { time } = this[name];
    if (time < this.view.begin || time > this.view.end) this.view.set(time - this.view.span / 2, time + this.view.span / 2);
    this.onChange();
  }

  nextEdge(now, by) {
    let best = null;
    for (const pick of this.picture.picks) {
      if (!pick.stay) continue;
      for (const [time, words] of edgesOf(pick, this.picture.data.length)) {
        const isNext = (time - now) * by > 0 && (best === null || (best.time - time) * by > 0);
        if (isNext) best = { time, words };
      }
    }
    return best;
  }

  get length() {
    return this.from && this.to ? Math.abs(this.to.time - this.from.time) : NaN;
  }

  /** The duration, and exactly between what; without both ends how one measures. */
  describe() {
    if (Number.isNaN(this.length)) return this.from ? "Click the other end." : "Drag, or click two points. , . move the end, < > the begin. Escape ends it.";
    const isExact = this.from.words !== null && this.to.words !== null;
    const between = `from ${this.from.words ?? "a point"} to ${this.to.words ?? "a point"}`;
    return isExact ? `${duration(this.length)} (${count(this.length)} ns), ${between}` : `about ${duration(this.length)}, ${between}`;
  }

  draw(picture) {
    if (!this.from) return;
    const { context, colours, labelWidth, width, height } = picture;
    const [left, right] = [this.from, this.to ?? this.from].map(({ time }) => picture.x(time)).sort((a, b) => a - b);
    context.save();
    context.beginPath();
    context.rect(labelWidth, axisHeight, width - labelWidth, height);
    context.clip();
    context.fillStyle = colours.mark;
    context.globalAlpha = 0.1;
    context.fillRect(left, axisHeight, right - left, height);
    context.globalAlpha = 1;
    for (const x of [left, right]) context.fillRect(Math.round(x) - 1, axisHeight, 2, height);
    if (!Number.isNaN(this.length)) this.drawLength(picture, left, right);
    context.restore();
  }

  drawLength({ context, colours, labelWidth, width }, left, right) {
    const text = duration(this.length);
    const room = context.measureText(text).width + 12;
    const middle = (Math.max(left, labelWidth) + Math.min(right, width)) / 2;
    const begin = Math.min(Math.max(middle - room / 2, labelWidth), width - room);
    context.fillRect(begin, axisHeight + 2, room, 18);
    context.fillStyle = colours.background;
    context.fillText(text, begin + 6, axisHeight + 12);
  }
}
