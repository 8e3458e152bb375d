// SPDX-License-Identifier: MIT
//
// The rows of threads and of surfaces. Of many spans in one pixel one is drawn, and the search goes
// on behind that pixel, so that a row costs no more than its width.
import { begins } from "./frames.js";
import { lowerBound } from "./stacks.js";

const rowsOfThread = [["calls", 0, 12], ["states", 12, 5], ["waits", 17, 6]];

/** Whether it ran, above it its API calls, below it its waits for fences. */
export function drawThread(picture, block) {
  const { raster, colours, scale } = picture;
  const { thread } = block;
  const top = picture.top(block);
  for (const [kind, from, height] of rowsOfThread) {
    if (!thread[kind]) continue;
    const high = Math.round((top + from + 1) * scale);
    drawSpans(picture, thread, thread[kind], high, high + Math.max(2, Math.round((height - 1) * scale)));
  }
  const bottom = Math.round((top + block.height) * scale);
  raster.rect(picture.left, bottom, raster.width, bottom + 1, colours.linePixel);
}

function drawSpans(picture, thread, spans, top, bottom) {
  const { scale, view } = picture;
  const end = lowerBound(spans.begin, view.end, 0, spans.count);
  let place = lowerBound(spans.latest, view.begin, 0, spans.count);
  while (place < end) {
    if (spans.end[place] >= view.begin) {
      const left = picture.deviceX(spans.begin[place]);
      const right = Math.max(picture.deviceX(spans.end[place]), left + 1);
      drawSpan(picture, thread, spans, place, left, right, top, bottom);
      picture.picks.push({ left: left / scale, top: top / scale, right: right / scale, bottom: bottom / scale, spans, place, thread });
      if (right - left <= 1) {
        place = Math.max(place + 1, lowerBound(spans.latest, picture.timeOfDeviceX(left + 0.5), place + 1, end));
        continue;
      }
    }
    ++place;
  }
}

function drawSpan(picture, thread, spans, place, left, right, top, bottom) {
  const { raster, colours, scale } = picture;
  const { names } = picture.state;
  const colour = names !== null && spans.kind === "calls" && names.process === thread.actor.process.number ? names.of(spans.value[place]) : thread.actor.process.colour;
  if (spans.kind === "calls") {
    raster.rect(left, top, right, bottom, colours.pixels[colour]);
    if (right - left >= 4) raster.rect(right - 1, top, right, bottom, colours.edgePixel);
    picture.labelSpan(picture.data.index.api_calls[spans.value[place]], left, right, (top + bottom) / 2, colour);
  } else if (spans.kind === "states") {
    const state = spans.value[place];
    if (state === 1) raster.hatch(left, top, right, bottom, colours.gapPixel, colours.backgroundPixel);
    else raster.rect(left, state === 0 ? top : bottom - 1, right, bottom, state === 0 ? colours.faintPixel : colours.linePixel);
  } else {
    raster.rect(left, top, right, bottom, colours.waitPixel);
    const signaled = spans.signaled[place];
    if (!Number.isNaN(signaled) && right - left > 4) raster.rect(picture.deviceX(signaled), top, picture.deviceX(signaled) + Math.round(2 * scale), bottom, colours.markPixel);
  }
}

/** Frames one after another; late ones are in front of the others, and have a mark above them. */
export function drawFrames(picture, block) {
  const { raster, colours, scale } = picture;
  const { surface } = block;
  const top = Math.round((picture.top(block) + 5) * scale);
  const bottom = Math.round((picture.top(block) + block.height - 1) * scale);
  drawRow(picture, surface.frames, surface.ends, top, bottom, false);
  drawRow(picture, surface.late, surface.lateEnds, top, bottom, true);
  raster.rect(picture.left, bottom, raster.width, bottom + 1, colours.linePixel);
}

function drawRow(picture, frames, ends, top, bottom, areLate) {
  const { view } = picture;
  let place = lowerBound(ends, view.begin);
  while (place < frames.length && begins(frames[place]) <= view.end) {
    const frame = frames[place];
    const left = picture.deviceX(begins(frame));
    const right = Math.max(picture.deviceX(frame.end), left + 1);
    // The late ones are drawn after the others, so that none is hidden by them.
    if (areLate || frame.lateness !== 2) drawOneFrame(picture, frame, left, right, top, bottom);
    place = right - left <= 1 ? Math.max(place + 1, lowerBound(ends, picture.timeOfDeviceX(left + 0.5), place + 1)) : place + 1;
  }
}

function drawOneFrame(picture, frame, left, right, top, bottom) {
  const { raster, colours, scale } = picture;
  const { colour } = frame.of.process;
  const isLate = frame.lateness === 2;
  const fill = isLate ? colours.gapPixel : frame.number % 2 ? colours.edges[colour] : colours.pale[colour];
  if (Number.isNaN(frame.begin)) raster.hatch(left, top, right, bottom, fill, colours.backgroundPixel);
  else raster.rect(left, top, right, bottom, fill);
  if (right - left >= 4) raster.rect(right - 1, top, right, bottom, colours.edgePixel);
  if (isLate) raster.rect(left, top - Math.round(3 * scale), Math.max(right - 1, left + Math.round(2 * scale)), top - 1, colours.markPixel);
  picture.picks.push({ left: left / scale, top: top / scale - 4, right: right / scale, bottom: bottom / scale, frame });
  picture.labelSpan(isLate ? `${frame.number} late` : String(frame.number), left, right, (top + bottom) / 2, isLate ? "late" : "pale", isLate ? 40 : 26);
}
