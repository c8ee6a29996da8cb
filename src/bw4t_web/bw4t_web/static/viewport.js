// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Which part of the map is seen: zoom, drag, and following the player's robot.

const MARGIN = 0.6;
const MOST = 5;

export class Viewport {
  constructor(svg) {
    this.svg = svg;
    this.area = [1, 1];
    this.zoom = 1;
    this.middle = [0.5, 0.5];
    this.following = true;
    this.dragged = false;
    this.listen();
  }

  begin(area) {
    this.area = area;
    this.fit();
  }

  fit() {
    this.zoom = 1;
    this.following = true;
    this.middle = this.area.map((length) => length / 2);
    this.show();
  }

  /** Zoom by a factor, around a point or the middle. */
  scale(factor, around = this.middle) {
    const zoom = Math.min(MOST, Math.max(1, this.zoom * factor));
    const part = this.zoom / zoom;
    this.middle = this.middle.map((m, axis) => around[axis] + (m - around[axis]) * part);
    this.zoom = zoom;
    this.show();
  }

  follow(point) {
    if (this.zoom > 1 && this.following && !this.pointer) {
      this.middle = point;
      this.show();
    }
  }

  /** Let a point be seen. */
  reveal(point) {
    const [left, top, width, height] = this.seen;
    const [x, y] = point;
    if (x < left || x > left + width || y < top || y > top + height) {
      this.following = false;
      this.middle = point;
      this.show();
    }
  }

  show() {
    const [width, height] = this.area.map((length) => (length + 2 * MARGIN) / this.zoom);
    const keep = (middle, length, all) =>
      Math.min(Math.max(middle, length / 2 - MARGIN), all + MARGIN - length / 2);
    this.middle = [keep(this.middle[0], width, this.area[0]), keep(this.middle[1], height, this.area[1])];
    this.seen = [this.middle[0] - width / 2, this.middle[1] - height / 2, width, height];
    const box = this.seen.map((value) => value.toFixed(3)).join(" ");
    if (box !== this.shown) this.svg.setAttribute("viewBox", box);
    this.shown = box;
  }

  /** The map coordinates of a mouse event. */
  point(event) {
    const matrix = this.svg.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("wheel", (event) => {
      const pageScrolls = document.documentElement.scrollHeight > innerHeight;
      if (pageScrolls && !event.ctrlKey) return;
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.point(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (this.zoom > 1 && event.button === 0) this.pointer = { at: this.point(event), id: event.pointerId };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!this.pointer) return;
      const [x, y] = this.point(event);
      const step = [this.pointer.at[0] - x, this.pointer.at[1] - y];
      if (!this.dragged && Math.hypot(...step) < 0.5) return;
      this.dragged = true;
      this.following = false;
      svg.setPointerCapture(this.pointer.id);
      this.middle = this.middle.map((value, axis) => value + step[axis]);
      this.show();
    });
    const end = () => { this.pointer = null; };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  }
}
