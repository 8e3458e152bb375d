// SPDX-License-Identifier: MIT
//
// Pixels of the picture, set directly: a hundred thousand small areas in each frame are too much
// for a canvas' own operations.

export class Raster {
  resize(width, height) {
    if (this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    this.image = new ImageData(Math.max(width, 1), Math.max(height, 1));
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  clear(colour) {
    this.pixels.fill(colour);
  }

  /** Whole pixels; what is outside is cut off. */
  rect(left, top, right, bottom, colour) {
    left = Math.max(left, this.left ?? 0);
    right = Math.min(right, this.width);
    top = Math.max(top, this.top ?? 0);
    bottom = Math.min(bottom, this.height);
    if (right <= left) return;
    for (let row = top; row < bottom; ++row) this.pixels.fill(colour, row * this.width + left, row * this.width + right);
  }

  hatch(left, top, right, bottom, colour, other) {
    left = Math.max(left, this.left ?? 0);
    right = Math.min(right, this.width);
    top = Math.max(top, this.top ?? 0);
    bottom = Math.min(bottom, this.height);
    for (let row = top; row < bottom; ++row) {
      const begin = row * this.width;
      for (let column = left; column < right; ++column) this.pixels[begin + column] = (column + row) % 6 < 3 ? colour : other;
    }
  }

  /** A broken line that is `width` wide. */
  dashes(left, top, bottom, width, colour) {
    for (let row = Math.max(top, this.top ?? 0); row < Math.min(bottom, this.height); ++row) {
      if ((row - top) % 4 < 2) this.rect(left, row, left + width, row + 1, colour);
    }
  }

  column(x, top, bottom, colour) {
    if (x < (this.left ?? 0) || x >= this.width) return;
    const last = Math.min(bottom, this.height) * this.width + x;
    for (let place = Math.max(top, this.top ?? 0) * this.width + x; place < last; place += this.width) this.pixels[place] = colour;
  }
}
