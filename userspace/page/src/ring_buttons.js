// SPDX-License-Identifier: MIT
//
// Before the name of each ring: what collapses it, and what pins it. They are elements, not part of the picture, so that they
// can be reached by keys and are told by screen readers.
import { element, ringName } from "./format.js";
import { axisHeight } from "./lanes.js";

export class RingButtons {
  /** `actions`: collapse(ring), pin(ring). */
  constructor(scrolled, pinned, actions) {
    Object.assign(this, { scrolled, pinned, actions });
    this.boxes = new Map();
  }

  boxOf(ring) {
    if (!this.boxes.has(ring)) {
      const fold = element("button", { class: "fold", "aria-label": `lanes of ${ringName(ring)}`, onclick: () => this.actions.collapse(ring) });
      const pin = element("button", { class: "pin", "aria-label": `pin ${ringName(ring)}`, onclick: () => this.actions.pin(ring) });
      this.boxes.set(ring, { fold, pin, box: element("div", { class: "ring-buttons", "data-ring": ring.number }, fold, pin) });
    }
    return this.boxes.get(ring);
  }

  update(layout) {
    const { activeElement } = document;
    const wanted = new Map([[this.scrolled, []], [this.pinned, []]]);
    for (const block of layout.blocks.filter(({ kind }) => kind === "ring")) {
      const { box, fold, pin } = this.boxOf(block.ring);
      box.style.top = `${axisHeight + block.top}px`;
      fold.setAttribute("aria-expanded", String(!block.isCollapsed));
      fold.title = block.isCollapsed ? "expand (c)" : "collapse (c)";
      const isPinned = layout.pinnedRings.has(block.ring);
      pin.setAttribute("aria-pressed", String(isPinned));
      pin.title = isPinned ? "unpin (i)" : "pin to the top (i)";
      wanted.get(block.isPinned ? this.pinned : this.scrolled).push(box);
    }
    for (const [place, boxes] of wanted) {
      const isSame = place.children.length === boxes.length && boxes.every((box, number) => place.children[number] === box);
      if (!isSame) place.replaceChildren(...boxes);
    }
    // What moved has lost it.
    if (activeElement !== document.activeElement && activeElement?.isConnected) activeElement.focus({ preventScroll: true });
  }

  /** Below the axis and the pinned rings only. */
  clip(scroll, pinnedHeight) {
    this.scrolled.style.clipPath = `inset(${scroll + axisHeight + pinnedHeight}px 0 0 0)`;
  }
}
