// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Keeps texts on the map apart. Boxes are [left, top, right, bottom] in map units.

const LETTER = 0.66; // width of a letter, in parts of the font's size
const LINES = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5]; // where a name is tried: below its thing, above it, farther

export function textBox(text, x, y) {
  const size = Number(text.getAttribute("font-size"));
  const half = (text.textContent.length * size * LETTER) / 2;
  return [x - half, y - size, x + half, y + size * 0.3];
}

function overlap(box, others) {
  let sum = 0;
  for (const other of others) {
    const width = Math.min(box[2], other[2]) - Math.max(box[0], other[0]);
    const height = Math.min(box[3], other[3]) - Math.max(box[1], other[1]);
    if (width > 0 && height > 0) sum += width * height;
  }
  return sum;
}

/** Move the labels of zones off the plates of rooms; hide one for which there is no place. */
export function settle(labels, plates) {
  const taken = [...plates];
  for (const { text, box: [, top, , bottom] } of labels) {
    const [x, y] = ["x", "y"].map((name) => Number(text.getAttribute(name)));
    const place = LINES.map((line) => y + line * 1.2).find((at) => {
      const box = textBox(text, x, at);
      return box[1] >= top && box[3] <= bottom && overlap(box, taken) === 0;
    });
    text.toggleAttribute("hidden", place === undefined);
    if (place === undefined) continue;
    text.setAttribute("y", place);
    taken.push(textBox(text, x, place));
  }
}

/** Place the names of things apart from each other and from plates; labels below them step back. */
export function arrange(things, plates, labels) {
  const taken = [...plates];
  for (const { name, x, y, half } of things) {
    const under = half + 1.5;
    const over = -half - 0.6;
    const places = LINES.map((line) => (line < 0 ? over + (line + 1) * 1.6 : under + line * 1.6));
    const now = Number(name.getAttribute("y"));
    let best = null;
    for (const at of [now, ...places]) {
      const box = textBox(name, x, y + at);
      const cost = overlap(box, taken);
      if (!best || cost < best.cost) best = { at, box, cost };
      if (cost === 0) break;
    }
    if (best.at !== now) name.setAttribute("y", best.at);
    taken.push(best.box);
  }
  const names = taken.slice(plates.length);
  for (const { text } of labels) {
    const [x, y] = ["x", "y"].map((name) => Number(text.getAttribute(name)));
    text.classList.toggle("covered", overlap(textBox(text, x, y), names) > 0);
  }
}
