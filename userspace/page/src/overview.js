// SPDX-License-Identifier: MIT
//
// The whole trace in one strip: how busy its rings were, how full their host queues, and which part
// is looked at.
import { depthsOf, largest, totals } from "./depths.js";
import { labelWidthOf } from "./lanes.js";

export class Overview {
  constructor(canvas, data, view) {
    Object.assign(this, { canvas, data, view });
    this.context = canvas.getContext("2d");
    this.curves = null;
  }

  resize(width, height) {
    this.scale = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(this, { width: Math.max(width, 40), height, labelWidth: labelWidthOf(Math.max(width, 40)) });
    this.canvas.width = Math.round(this.width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.forget();
  }

  forget() {
    this.curves = null;
  }

  x(time) {
    return this.labelWidth + (time / this.data.length) * (this.width - this.labelWidth);
  }
  time(x) {
    return ((x - this.labelWidth) / (this.width - this.labelWidth)) * this.data.length;
  }

  measure() {
    const points = Math.max(10, Math.floor(this.width - this.labelWidth));
    const host = new Float32Array(points);
    const busy = new Float32Array(points);
    const rings = this.data.rings.slice(0, 300);
    for (const ring of rings) {
      const depths = depthsOf(this.data, { levels: ring.levels.slice(-1) }, 0, this.data.length, points);
      const waiting = totals(depths, "host", points);
      const executing = totals(depths, "execution", points);
      const onDevice = totals(depths, "device", points);
      for (let x = 0; x < points; ++x) {
        host[x] += waiting[x];
        busy[x] += Math.min(1, executing[x] + onDevice[x]) / rings.length;
      }
    }
    this.curves = { host, busy, most: Math.max(largest(host), 1e-9), mostBusy: Math.max(largest(busy), 1e-9) };
  }

  draw() {
    const { context, colours, width, height, labelWidth } = this;
    if (!this.curves) this.measure();
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.fillStyle = colours.background;
    context.fillRect(0, 0, width, height);
    const { host, busy, most, mostBusy } = this.curves;
    for (const [values, colour, limit] of [[busy, colours.processes[2], mostBusy], [host, colours.processes[1], most]]) {
      context.beginPath();
      context.moveTo(this.labelWidth, height);
      for (let x = 0; x < values.length; ++x) context.lineTo(this.labelWidth + x, height - (values[x] / limit) * (height - 6));
      context.lineTo(this.labelWidth + values.length, height);
      context.globalAlpha = 0.7;
      context.fillStyle = colour;
      context.fill();
      context.globalAlpha = 1;
    }
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = colours.processes[1];
    context.fillRect(8, 10, 10, 10);
    context.fillStyle = colours.processes[2];
    context.fillRect(8, 26, 10, 10);
    context.fillStyle = colours.faint;
    const isNarrow = labelWidth < 120;
    context.fillText(isNarrow ? "in queues" : "jobs in host queues", 24, 15);
    context.fillText(isNarrow ? "on device" : "rings with jobs on device", 24, 31);
    if (this.data.isReadingJobs) {
      const from = this.x(this.data.readUntil);
      context.fillStyle = colours.lane;
      context.fillRect(from, 0, width - from, height);
      context.fillStyle = colours.faint;
      if (width - from > 80) context.fillText("not read yet", from + 6, height / 2);
    }
    const left = Math.max(this.x(this.view.begin), this.labelWidth);
    const right = Math.max(this.x(this.view.end), left + 3);
    context.globalAlpha = 0.5;
    context.fillStyle = colours.lane;
    context.fillRect(this.labelWidth, 0, left - this.labelWidth, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.mark;
    context.strokeRect(left + 0.5, 0.5, right - left - 1, height - 1);
  }
}
