// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Texts of a drawing that do not lie over each other.

import { place } from "./svg.js";

const sizes = new WeakMap(); // of texts, by what they depend on

/** The box of a text around its origin, in the units of its drawing. */
function extent(text) {
  const key = `${text.textContent} ${text.ownerSVGElement?.style.getPropertyValue("--unit")}`;
  let known = sizes.get(text);
  if (known?.key !== key) {
    known = { key, box: text.getBBox() };
    sizes.set(text, known);
  }
  return known.box;
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** A rectangle around [x, y]. */
export const around = ([x, y], width, height = width) => ({ x: x - width / 2, y: y - height / 2, width, height });

/**
 * Give each label the first of its places, moved into the drawing, where it is over nothing before
 * it; one without such a place is not shown. A label is `{text, places}`, with an SVG text
 * and a function from width and height to the centres that it may have, the best first; one with
 * `at` instead stays in its group, which is there. `{box}` is what labels after it leave free.
 */
export function arrange(drawing, labels) {
  const bounds = drawing.viewBox.baseVal;
  const taken = [];
  for (const { text, places, at, box } of labels) {
    if (box) {
      taken.push(box);
      continue;
    }
    const { x, y, width, height } = extent(text);
    const boxAt = (centre) => around(centre, width, height);
    const fits = (centre) => {
      const one = boxAt(centre);
      return !taken.some((other) => overlap(one, other));
    };
    const own = [x + width / 2, y + height / 2];
    const within = ([left, top]) => [clamp(left, bounds.x + width / 2, bounds.x + bounds.width - width / 2), clamp(top, bounds.y + height / 2, bounds.y + bounds.height - height / 2)];
    const centres = at ? [[at[0] + own[0], at[1] + own[1]]] : places(width, height).map(within);
    const found = text.textContent && centres.find(fits);
    text.classList.toggle("absent", !found);
    if (!found) continue;
    taken.push(boxAt(found));
    if (!at) place(text, found[0] - own[0], found[1] - own[1]);
  }
}

/** Centres below, above and beside something of a size, near by first. */
export function beside([x, y], size) {
  return (width, height) => [1, 2, 3].flatMap((ring) => {
    const [right, down] = [(size + width) / 2, size / 2 + height * (ring - 0.5)];
    return [[x, y + down], [x, y - down], [x + right, y + down], [x - right, y + down], [x + right, y - down], [x - right, y - down]]
      .concat(ring === 1 ? [[x + right, y], [x - right, y]] : []);
  });
}
