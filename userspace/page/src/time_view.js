// SPDX-License-Identifier: MIT
//
// The part of time that is looked at.

const shortest = 50; // ns

export class TimeView {
  constructor(length) {
    this.length = length;
    this.begin = 0;
    this.end = length;
    this.onChange = () => {};
  }

  /** The whole is longer, or known better. */
  grow(length) {
    const isWhole = this.begin === 0 && this.end === this.length;
    this.length = length;
    if (isWhole) this.whole();
    else this.set(this.begin, this.end);
  }

  get span() {
    return this.end - this.begin;
  }

  /** A little may be seen beyond both ends. */
  get margin() {
    return this.length * 0.02 + 100;
  }

  set(begin, end) {
    const { margin } = this;
    const span = Math.min(Math.max(end - begin, shortest), this.length + 2 * margin);
    const middle = (begin + end) / 2;
    this.begin = Math.min(Math.max(middle - span / 2, -margin), this.length + margin - span);
    this.end = this.begin + span;
    this.onChange();
  }

  /** The time at `part` (0 to 1) of the width stays where it is. */
  zoom(factor, part = 0.5) {
    const fixed = this.begin + this.span * part;
    const span = Math.min(Math.max(this.span * factor, shortest), this.length * 1.04 + 200);
    this.set(fixed - span * part, fixed + span * (1 - part));
  }

  pan(part) {
    const by = this.span * part;
    this.set(this.begin + by, this.end + by);
  }

  whole() {
    this.set(0, this.length);
  }

  /** Shows all of [begin, end] with some room. */
  show(begin, end) {
    const room = Math.max((end - begin) * 0.35, 500);
    this.set(begin - room, end + room);
  }
}
