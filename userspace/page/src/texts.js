// SPDX-License-Identifier: MIT
//
// Texts of the picture: in bars, beside the lanes, and on the axis of time.
import { tickStep, ticks } from "d3-array";
import { axisTime, duration } from "./format.js";
import { axisHeight } from "./lanes.js";

const font = "12px system-ui, 'DejaVu Sans', sans-serif";
const leastWide = 120; // of the names: less has no room for whole ones
export const buttonsWidth = 40; // before the name of a ring

/** What bars are called. */
export function drawTexts({ context, colours, labels }) {
  context.font = font;
  context.textBaseline = "middle";
  for (const { text, left, right, middle, colour, isDim } of labels) {
    context.save();
    context.beginPath();
    context.rect(left, middle - 8, right - left, 16);
    context.clip();
    context.fillStyle = isDim ? colours.faint : colour === "pale" ? colours.text : colour === "late" ? colours.background : colours.inks[colour];
    context.fillText(text, left + 4, middle + 1);
    context.restore();
  }
}

/** The column of names beside the lanes. */
export function drawNames(picture, visible) {
  const { context, colours, labelWidth, width, height, scrolledTop } = picture;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, labelWidth, height);
  context.fillStyle = colours.line;
  context.fillRect(labelWidth - 1, 0, 1, height);
  context.save();
  context.beginPath();
  context.rect(0, scrolledTop, width, height - scrolledTop);
  context.clip();
  for (const block of visible) if (!block.isPinned) drawName(picture, block);
  context.restore();
  for (const block of visible) if (block.isPinned) drawName(picture, block);
  if (scrolledTop > axisHeight) context.fillRect(0, scrolledTop - 1, labelWidth, 1);
}

function drawName(picture, block) {
  const top = picture.top(block);
  const { labelWidth, context } = picture;
  if (block.kind === "ring") {
    title(picture, block.title, top + 9, buttonsWidth);
    drawLaneNames(picture, block, top);
  } else if (block.kind === "launch") {
    title(picture, block.title, top + 9, 8);
    drawLaneNames(picture, block, top);
  } else if (block.kind === "title") {
    title(picture, block.title, top + block.height / 2, 8);
  } else {
    const isFrames = block.kind === "frames";
    context.fillStyle = picture.colours.text;
    clipped(context, block.title, isFrames || labelWidth < leastWide ? 8 : 16, top + block.height / 2 + (isFrames ? 2 : 0), labelWidth - (labelWidth < leastWide ? 12 : 22));
  }
}

function drawLaneNames({ context, colours, labelWidth }, block, top) {
  const isNarrow = labelWidth < leastWide;
  context.fillStyle = colours.faint;
  for (const lane of block.lanes) {
    const isNumbered = lane.place !== "execution" || lane.most > 1;
    const middle = top + lane.top + lane.height / 2;
    if (isNarrow) clipped(context, lane.brief ?? lane.label, 8, middle + (isNumbered && lane.height < 30 ? 4 : 0), labelWidth - 12);
    else context.fillText(lane.label, 16, middle);
    if (!isNumbered) continue;
    context.textAlign = "right";
    context.fillText(`${lane.most}`, labelWidth - 6, top + lane.top + 7);
    context.textAlign = "left";
  }
}

/** What has a line of its own may be longer than the names are wide. */
function title({ context, colours, labelWidth, width }, text, y, left) {
  context.font = `600 ${font}`;
  const right = left + Math.min(context.measureText(text).width, width - left - 8);
  if (right > labelWidth - 6) {
    context.fillStyle = colours.background;
    context.fillRect(labelWidth - 1, y - 8, right - labelWidth + 9, 16);
  }
  context.fillStyle = colours.text;
  clipped(context, text, left, y, width - left - 8);
  context.font = font;
}

function clipped(context, text, x, y, width) {
  let shown = text;
  while (shown.length > 4 && context.measureText(shown).width > width) shown = `${shown.slice(0, -2)}…`.replace("……", "…");
  context.fillText(shown, x, y);
}

/** Where the axis has times, in pixels of the device. */
export function findTicks(picture) {
  const { view, width, labelWidth } = picture;
  const wanted = Math.max(2, Math.floor((width - labelWidth) / 130));
  const step = tickStep(view.begin, view.end, wanted);
  picture.ticks = ticks(view.begin, view.end, wanted).map((tick) => ({ x: picture.deviceX(tick), text: axisTime(tick, step, view.end) })).filter(({ x }) => x >= picture.left);
}

export function drawAxis(picture) {
  const { context, colours, view, width, labelWidth } = picture;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, axisHeight);
  context.fillStyle = colours.faint;
  let free = labelWidth; // from here on
  for (const { x, text } of picture.ticks) {
    const left = x / picture.scale;
    context.fillRect(left, axisHeight - 6, 1, 6);
    const right = left + 8 + context.measureText(text).width;
    if (left < free || right >= width) continue;
    context.fillText(text, left + 4, axisHeight / 2);
    free = right;
  }
  context.fillText(labelWidth < leastWide ? duration(view.span) : `${duration(view.span)} shown`, 8, axisHeight / 2);
  context.fillStyle = colours.line;
  context.fillRect(0, axisHeight - 1, width, 1);
}
