// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Elements of HTML and SVG, made and kept.

const SVG = "http://www.w3.org/2000/svg";

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => measure(target)));

/** Tell the style how many units of a drawing a pixel is, for the least size of its text. */
function measure(element) {
  const unit = 1 / element.getScreenCTM()?.a;
  if (Number.isFinite(unit)) element.style.setProperty("--unit", unit);
}

/** Make an SVG element with attributes and children; a text child is its text. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (attributes["font-size"]) element.style.setProperty("--size", attributes["font-size"]);
  element.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
  return element;
}

/** Make an HTML element of a class with children. */
export function html(tag, className = "", ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Put a group where it is, in the units of its drawing; the style lets it glide there. */
export function place(element, x, y, turn = 0) {
  const where = `translate(${x.toFixed(3)}px, ${y.toFixed(3)}px) rotate(${turn.toFixed(3)}rad)`;
  if (element.style.transform !== where) element.style.transform = where;
}

/**
 * Elements by key in a layer: one for each that is drawn, made once, and taken away with its key.
 */
export class Keyed {
  constructor(layer, make) {
    this.layer = layer;
    this.make = make;
    this.elements = new Map();
  }

  /** Return an element for each key of `items` (an iterable of [key, item]); update it with `draw`. */
  sync(items, draw) {
    const seen = new Set();
    for (const [key, item] of items) {
      seen.add(key);
      let element = this.elements.get(key);
      if (!element) {
        element = this.make(item);
        this.elements.set(key, element);
        this.layer.append(element);
      }
      draw(element, item, key);
    }
    for (const [key, element] of this.elements) {
      if (seen.has(key)) continue;
      element.remove();
      this.elements.delete(key);
    }
  }
}

/** A drawing of a rectangle of the world with y up: [left, bottom, width, height]. */
export function drawing(className, label) {
  const element = svg("svg", { class: className, role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet" });
  sizes.observe(element);
  return element;
}

export function frame(element, [left, bottom, width, height]) {
  element.setAttribute("viewBox", `${left} ${-(bottom + height)} ${width} ${height}`);
  measure(element);
}
