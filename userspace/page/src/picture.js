// SPDX-License-Identifier: MIT
//
// Draws the picture: queues of rings and threads on one axis of time.
import { depthsOf, drawDepths, largest, totals } from "./depths.js";
import { begins } from "./frames.js";
import { axisHeight, labelWidthOf } from "./lanes.js";
import { drawLaunch } from "./launches.js";
import { Raster } from "./raster.js";
import { drawFrames, drawThread } from "./rows.js";
import { stack, visibleJobs } from "./stacks.js";
import { drawAxis, drawNames, drawTexts, findTicks } from "./texts.js";
import { isAlive } from "./packed.js";

const mostJobs = 2000; // single ones in one picture
const mostPieces = 3000; // of one lane
const leastWidth = 40;

const evenScale = (depth) => 2 ** Math.max(2, Math.ceil(Math.log2(Math.max(depth, 1))));

export class Picture {
  constructor(canvas, data, view, state) {
    Object.assign(this, { canvas, data, view, state });
    this.context = canvas.getContext("2d");
    this.raster = new Raster();
    this.picks = [];
  }

  resize(width, height) {
    this.scale = Math.min(window.devicePixelRatio || 1, 2);
    this.width = Math.max(width, leastWidth);
    this.height = Math.max(height, axisHeight + 1);
    this.labelWidth = labelWidthOf(this.width);
    this.canvas.width = Math.round(this.width * this.scale);
    this.canvas.height = Math.round(this.height * this.scale);
    this.raster.resize(this.canvas.width, this.canvas.height);
    this.left = Math.round(this.labelWidth * this.scale);
    this.raster.left = this.left;
    this.raster.top = Math.round(axisHeight * this.scale);
  }

  /** CSS pixels. */
  x(time) {
    return this.labelWidth + ((time - this.view.begin) / this.view.span) * (this.width - this.labelWidth);
  }
  time(x) {
    return this.view.begin + ((x - this.labelWidth) / (this.width - this.labelWidth)) * this.view.span;
  }
  deviceX(time) {
    const x = this.left + ((time - this.view.begin) / this.view.span) * (this.raster.width - this.left);
    return Math.round(Math.min(Math.max(x, -10), this.raster.width + 10));
  }
  timeOfDeviceX(x) {
    return this.view.begin + ((x - this.left) / (this.raster.width - this.left)) * this.view.span;
  }

  draw() {
    const { state, raster, colours } = this;
    this.picks = [];
    this.labels = [];
    raster.clear(colours.backgroundPixel);
    const visible = state.layout.blocks.filter((block) => this.top(block) < this.height && this.top(block) + block.height > (block.isPinned ? axisHeight : this.scrolledTop));
    const rings = visible.filter((block) => block.kind === "ring").length;
    this.jobsForEach = Math.max(300, Math.floor(mostJobs / Math.max(rings, 1)));
    this.drawGaps();
    this.drawUnread();
    findTicks(this);
    for (const { x } of this.ticks) raster.rect(x, raster.top, x + 1, raster.height, colours.gridPixel);
    this.drawBlocks(visible);
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.putImageData(raster.image, 0, 0);
    this.context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    drawTexts(this);
    drawNames(this, visible);
    drawAxis(this);
    this.drawSelection();
    state.measure?.draw(this);
  }

  /** What scrolls goes below the pinned rings. */
  drawBlocks(visible) {
    const { raster, colours, state } = this;
    const { top } = raster;
    raster.top = Math.round(this.scrolledTop * this.scale);
    for (const block of visible) if (!block.isPinned) this.drawBlock(block);
    raster.top = top;
    if (state.layout.pinnedHeight === 0) return;
    this.picks = this.picks.filter((pick) => pick.bottom > this.scrolledTop);
    for (const pick of this.picks) pick.top = Math.max(pick.top, this.scrolledTop);
    this.labels = this.labels.filter((label) => label.middle > this.scrolledTop + 6);
    for (const block of visible) if (block.isPinned) this.drawBlock(block);
    const edge = Math.round(this.scrolledTop * this.scale);
    raster.rect(this.left, edge - 2, raster.width, edge, colours.faintPixel);
  }

  drawBlock(block) {
    if (block.kind === "ring") this.drawRing(block);
    else if (block.kind === "thread") drawThread(this, block);
    else if (block.kind === "frames") drawFrames(this, block);
    else if (block.kind === "launch") drawLaunch(this, block);
  }

  /** Where blocks that scroll begin. */
  get scrolledTop() {
    return axisHeight + (this.state.layout.pinnedHeight ?? 0);
  }

  top(block) {
    return axisHeight + block.top - (block.isPinned ? 0 : this.state.scroll);
  }

  drawGaps() {
    const { raster, colours, data } = this;
    for (const [begin, end] of data.index.gaps) {
      const left = this.deviceX(begin);
      raster.hatch(left, raster.top, Math.max(this.deviceX(end), left + 2), raster.height, colours.gapPale, colours.backgroundPixel);
    }
    const [begin, end] = data.index.window;
    raster.rect(this.left, raster.top, this.deviceX(begin), raster.height, colours.lanePixel);
    raster.rect(this.deviceX(end), raster.top, raster.width, raster.height, colours.lanePixel);
  }

  /** What follows is not known yet; jobs that began before may reach into it. */
  drawUnread() {
    const { raster, colours, data } = this;
    if (!data.isReadingJobs) return;
    const left = Math.max(this.deviceX(data.readUntil), this.left);
    raster.hatch(left, raster.top, raster.width, raster.height, colours.lanePixel, colours.backgroundPixel);
    this.labels.push({ text: "not read yet", left: left / this.scale, right: raster.width / this.scale, middle: this.height / 2, colour: "pale", isDim: true });
  }

  drawRing(block) {
    const { data, view, raster, colours } = this;
    const top = this.top(block);
    this.drawUnseen(block, top);
    block.depths = null;
    block.isDetailed = false;
    if (block.isCollapsed) return;
    const parts = visibleJobs(data, block.ring, view.begin, view.end, this.jobsForEach);
    const stays = parts && this.staysOf(parts);
    const width = raster.width - this.left;
    let depths = null;
    block.isDetailed = stays !== null && stays !== undefined;
    for (const lane of block.lanes) {
      const bottom = Math.round((top + lane.top + lane.height) * this.scale);
      const height = Math.round(lane.height * this.scale);
      raster.rect(this.left, bottom, raster.width, bottom + 1, colours.linePixel);
      const stacked = stays && stack(stays[lane.place], mostPieces);
      if (stacked) {
        lane.most = lane.place === "execution" ? Math.max(1, stacked.depth) : evenScale(stacked.depth);
        this.drawPieces(block, lane, stacked.pieces, bottom, height);
        this.drawStubs(stays.stubs.filter((stub) => stub.place === lane.place), bottom, height);
        continue;
      }
      block.isDetailed = false;
      depths ??= depthsOf(data, block.ring, view.begin, view.end, width);
      const most = largest(totals(depths, lane.place, width));
      lane.most = lane.place === "execution" ? Math.max(1, Math.ceil(most - 0.01)) : evenScale(most);
      const { names } = this.state;
      if (names?.counts) names.draw(this, block.ring, depths, lane.place, bottom, height, lane.most);
      else drawDepths(raster, depths, lane.place, this.left, bottom, height, lane.most, colours, this.state.highlightedClass());
    }
    block.depths = depths;
  }

  drawUnseen(block, top) {
    const { data, raster, colours } = this;
    for (const [ring, begin, end] of data.index.unseen) {
      if (ring !== block.ring.number) continue;
      const left = this.deviceX(begin);
      const y = Math.round((top + 12) * this.scale);
      raster.hatch(left, y, Math.max(this.deviceX(end), left + 2), y + Math.round(4 * this.scale), colours.gapPixel, colours.backgroundPixel);
    }
  }

  /** When each job was where, and what is known of one end only. */
  staysOf(parts) {
    const result = { host: [], device: [], execution: [], stubs: [] };
    const { length } = this.data;
    for (const { chunk, jobs, from, to } of parts) {
      for (let job = from; job < to; ++job) {
        const put = (place, enter, leave, isUnknown) => {
          const isOpen = Number.isNaN(leave);
          if (Number.isNaN(enter)) {
            if (!isOpen && place === "execution" && Number.isNaN(jobs.submitted[job])) result.stubs.push({ place, time: leave, isEnd: true, chunk, jobs, job });
            return;
          }
          if (isOpen && !isAlive(jobs, job)) result.stubs.push({ place, time: enter, isEnd: false, chunk, jobs, job });
          else if (isOpen || leave > enter) result[place].push({ enter, leave: isOpen ? length : leave, chunk, jobs, job, isUnknown, since: 0 });
        };
        const submitted = jobs.submitted[job];
        const started = jobs.started[job];
        put("host", jobs.queued[job], submitted, false);
        if (!Number.isNaN(started)) put("device", submitted, started, false);
        else if (!Number.isNaN(submitted)) put("device", submitted, jobs.completed[job], true);
        put("execution", started, jobs.completed[job], false);
      }
    }
    return result;
  }

  colourOf(stay) {
    const process = this.data.actors[stay.jobs.actor[stay.job]].process;
    const { names } = this.state;
    if (names !== null && names.process === process.number) return [names.of(stay.jobs.call[stay.job]), false];
    const isDim = this.state.highlighted !== null && this.state.highlighted !== process.number;
    return [process.colour, isDim];
  }

  numberOf(stay) {
    return stay.chunk.number * this.data.index.jobs_of_chunk + stay.job;
  }

  drawPieces(block, lane, pieces, bottom, height) {
    const { raster, colours, scale } = this;
    const unit = Math.min(height / lane.most, lane.place === "execution" ? height : 14 * scale);
    const gap = unit >= 4 ? 1 : 0;
    for (const { stay, begin, end, row } of pieces) {
      if (end < this.view.begin || begin > this.view.end) continue;
      const left = this.deviceX(begin);
      const right = Math.max(this.deviceX(end), left + 1);
      const low = bottom - Math.round(row * unit);
      const high = Math.min(bottom - Math.round((row + 1) * unit) + gap, low - 1);
      const [colour, isDim] = this.colourOf(stay);
      const fill = isDim ? colours.dim[colour] : colours.pixels[colour];
      if (stay.isUnknown) raster.hatch(left, high, right, low, fill, colours.pale[colour]);
      else raster.rect(left, high, right, low, fill);
      if (right - left >= 4) {
        raster.rect(right - 1, high, right, low, colours.edgePixel);
        const states = stay.jobs.states[stay.job];
        const isWide = right - left >= 10 * scale;
        if (isWide && lane.place === "execution" && (states & 3) === 2 && begin === stay.enter) raster.dashes(left, high, low, Math.round(2 * scale), colours.markPixel);
        if (isWide && lane.place === "execution" && ((states >> 2) & 3) === 2 && end === stay.leave) raster.dashes(right - 2, high, low, Math.round(2 * scale), colours.markPixel);
      }
      const number = this.numberOf(stay);
      this.picks.push({ left: left / scale, top: high / scale, right: right / scale, bottom: low / scale, number, stay, lane, block });
      if (right - left > 44 * scale && low - high >= 11 * scale) this.label(stay, Math.max(left, this.left), Math.min(right, raster.width), high, low, colour, isDim);
    }
  }

  label(stay, left, right, top, bottom, colour, isDim) {
    if (right - left < 44 * this.scale) return;
    const call = this.data.index.api_calls[stay.jobs.call[stay.job]];
    const text = call || `${this.data.actors[stay.jobs.actor[stay.job]].comm} ${stay.jobs.seqnoLow[stay.job]}`;
    this.labels.push({ text, left: left / this.scale, right: right / this.scale, middle: (top + bottom) / 2 / this.scale, colour, isDim });
  }

  /** Jobs of which one end only is known. */
  drawStubs(stubs, bottom, height) {
    const { raster, colours, scale } = this;
    for (const stub of stubs) {
      const at = this.deviceX(stub.time);
      const left = stub.isEnd ? at - Math.round(6 * scale) : at;
      const [colour] = this.colourOf(stub);
      const top = bottom - Math.round(Math.min(height, 12 * scale));
      raster.hatch(left, top, left + Math.round(6 * scale), bottom, colours.pixels[colour], colours.backgroundPixel);
      this.picks.push({ left: left / scale, top: top / scale, right: left / scale + 6, bottom: bottom / scale, number: this.numberOf(stub), stay: stub, lane: null });
    }
  }

  /** A text inside a span of a row, where it has room. */
  labelSpan(text, left, right, middle, colour, least = 44) {
    const [from, to] = [Math.max(left, this.left), Math.min(right, this.raster.width)];
    if (to - from > least * this.scale) this.labels.push({ text, left: from / this.scale, right: to / this.scale, middle: middle / this.scale, colour, isDim: false });
  }

  /** Outlines of the job that is selected or under the pointer, lines at its times, and arrows of its dependencies. */
  drawSelection() {
    const { context, colours, state } = this;
    context.save();
    context.beginPath();
    context.rect(this.labelWidth, axisHeight, this.width - this.labelWidth, this.height);
    context.clip();
    for (const pick of this.picks) {
      if (pick.number === undefined || (pick.number !== state.selected?.number && pick.number !== state.hovered)) continue;
      context.strokeStyle = colours.mark;
      const isSelected = pick.number === state.selected?.number;
      context.lineWidth = isSelected ? 2 : 1;
      // Around a chosen job, so that its name can be read; inside of the one under the pointer.
      const out = isSelected ? 1 : -0.5;
      context.strokeRect(pick.left - out, pick.top - out, Math.max(pick.right - pick.left + 2 * out, 1), pick.bottom - pick.top + 2 * out);
    }
    if (state.frame) this.drawFrameBounds(state.frame);
    const job = state.selected;
    if (job) {
      context.setLineDash([3, 3]);
      context.lineWidth = 1;
      for (const time of [job.queued, job.submitted, job.started, job.completed]) {
        if (Number.isNaN(time)) continue;
        context.beginPath();
        context.moveTo(Math.round(this.x(time)) + 0.5, axisHeight);
        context.lineTo(Math.round(this.x(time)) + 0.5, this.height);
        context.stroke();
      }
      context.setLineDash([]);
      for (const arrow of state.arrows) this.drawArrow(arrow);
    }
    context.restore();
  }

  /** The time of the selected frame, through all rows. */
  drawFrameBounds(frame) {
    const { context, colours } = this;
    const [left, right] = [this.x(begins(frame)), this.x(frame.end)];
    context.fillStyle = context.strokeStyle = colours.mark;
    context.globalAlpha = 0.06;
    context.fillRect(left, axisHeight, right - left, this.height);
    context.globalAlpha = 1;
    context.lineWidth = 1;
    for (const x of [left, right]) context.fillRect(Math.round(x), axisHeight, 1, this.height);
    for (const pick of this.picks) {
      if (pick.frame !== frame) continue;
      context.lineWidth = 2;
      context.strokeRect(pick.left + 0.5, pick.top + 4.5, Math.max(pick.right - pick.left - 1, 1), pick.bottom - pick.top - 5);
    }
  }

  middleOf(ring, place) {
    const block = this.state.layout.blocks.find((other) => other.ring === ring);
    if (!block) return null; // a ring of whose jobs no time is known
    const lane = block.lanes.find((other) => other.place === place);
    return this.top(block) + (lane ? lane.top + lane.height - 6 : block.height / 2);
  }

  /** From the end of a job to the queue of the one that waited for it. */
  drawArrow({ from, to, time, isBlocking }) {
    const { context, colours } = this;
    const startX = this.x(Number.isNaN(from.completed) ? time : from.completed);
    const startY = this.middleOf(from.ring, "execution");
    const endX = this.x(time);
    const endY = this.middleOf(to.ring, "host");
    if (startY === null || endY === null) return;
    context.strokeStyle = context.fillStyle = colours.mark;
    context.lineWidth = isBlocking ? 2.5 : 1.2;
    context.beginPath();
    context.moveTo(startX, startY);
    const bend = Math.max(24, Math.abs(endX - startX) / 2);
    context.bezierCurveTo(startX + bend, startY, endX - bend, endY, endX, endY);
    context.stroke();
    context.beginPath();
    context.moveTo(endX, endY);
    context.lineTo(endX - 8, endY - 4);
    context.lineTo(endX - 8, endY + 4);
    context.fill();
  }

  pickAt(x, y) {
    for (let place = this.picks.length - 1; place >= 0; --place) {
      const pick = this.picks[place];
      if (pick.left - 1 <= x && x <= pick.right + 1 && pick.top <= y && y <= pick.bottom) return pick;
    }
    return null;
  }

  /** The block and lane at a height of the canvas. */
  laneAt(y) {
    const isInPinned = y < this.scrolledTop;
    for (const block of this.state.layout.blocks) {
      if (Boolean(block.isPinned) !== isInPinned) continue;
      const top = this.top(block);
      if (y < top || y > top + block.height) continue;
      const lane = block.lanes?.find((other) => y >= top + other.top - 2 && y <= top + other.top + other.height);
      return { block, lane };
    }
    return null;
  }
}
