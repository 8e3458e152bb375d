// SPDX-License-Identifier: MIT
//
// Depths of a ring's queues where single jobs are too small to be seen, from the levels of detail
// that lttng-gpu made.

const classes = 8;
export const depthClasses = classes;
export const places = { host: [0], device: [1, 3], execution: [2] };

/** Mean depths for each pixel of [begin, end): one array per place and class, null where all is 0. */
export function depthsOf(data, ring, begin, end, width) {
  const result = new Array(4 * classes).fill(null);
  if (ring.levels.length === 0) return result;
  const perPixel = (end - begin) / width;
  const fine = data.levelFor(ring, perPixel);
  const coarse = ring.levels[ring.levels.length - 1];
  const size = data.index.bins_of_tile;
  const firstTile = Math.max(0, Math.floor(begin / 2 ** fine.shift / size));
  const lastTile = Math.min(fine.tiles.length - 1, Math.floor(end / 2 ** fine.shift / size));
  for (let number = firstTile; number <= lastTile; ++number) {
    if (fine.tiles[number] < 0) continue;
    let level = fine;
    let tile = data.peekTile(fine.tiles[number]);
    let first = number * size;
    if (!tile) {
      if (coarse.tiles[0] < 0) continue;
      tile = data.peekTile(coarse.tiles[0]);
      level = coarse;
      first = 0;
      if (!tile) continue;
    }
    const tileBegin = number * size * 2 ** fine.shift;
    const from = Math.max(0, Math.floor((tileBegin - begin) / perPixel));
    const to = Math.min(width, Math.ceil((tileBegin + size * 2 ** fine.shift - begin) / perPixel));
    for (let column = 0; column < tile.length; ++column) {
      if (tile[column]) fill((result[column] ??= new Float32Array(width)), tile[column], first, level, from, to);
    }
  }
  return result;

  function fill(target, bins, first, level, from, to) {
    const unit = perPixel / 2 ** level.shift;
    const start = begin / 2 ** level.shift - first;
    for (let x = from; x < to; ++x) {
      const low = Math.floor(start + x * unit);
      const high = Math.max(low + 1, Math.floor(start + (x + 1) * unit));
      let sum = 0;
      for (let bin = Math.max(low, 0); bin < Math.min(high, bins.length); ++bin) sum += bins[bin];
      target[x] += sum / (high - low);
    }
  }
}

/** The sum over processes for each pixel. */
export function totals(depths, place, width) {
  const sum = new Float32Array(width);
  for (const kind of places[place]) {
    for (let number = 0; number < classes; ++number) {
      const values = depths[kind * classes + number];
      if (values) for (let x = 0; x < width; ++x) sum[x] += values[x];
    }
  }
  return sum;
}

export function largest(values) {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Draws the stacked areas of processes with their lower edge at `bottom`. */
export function drawDepths(raster, depths, place, left, bottom, height, most, colours, highlighted) {
  const columns = [];
  for (let number = 0; number < classes; ++number) {
    const isDim = highlighted !== null && highlighted !== number;
    for (const kind of places[place]) {
      const values = depths[kind * classes + number];
      if (values) columns.push({ values, colour: isDim ? colours.dim[number] : colours.pixels[number], pale: colours.pale[number], isHatched: kind === 3 });
    }
  }
  drawColumns(raster, columns, left, bottom, height, most);
}

/** Areas, the first at the bottom. */
export function drawColumns(raster, columns, left, bottom, height, most) {
  if (columns.length === 0) return;
  const unit = height / most;
  const width = columns[0].values.length;
  for (let x = 0; x < width; ++x) {
    let sum = 0;
    let edge = bottom;
    for (const { values, colour, pale, isHatched } of columns) {
      if (values[x] <= 0) continue;
      sum += values[x];
      const top = Math.max(bottom - height, Math.min(bottom - Math.round(sum * unit), bottom - 1));
      if (top >= edge) continue;
      if (isHatched) raster.hatch(left + x, top, left + x + 1, edge, colour, pale);
      else raster.column(left + x, top, edge, colour);
      edge = top;
    }
  }
}
