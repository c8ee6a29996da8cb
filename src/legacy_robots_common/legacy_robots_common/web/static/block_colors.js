// SPDX-License-Identifier: Apache-2.0
// Block colours: how they are painted, and the letter that tells them apart without colour.

const PAINT = {
  Red: ["#d62728", "#fff"],
  Orange: ["#ff961e", "#1b1b1f"],
  Yellow: ["#fadc28", "#1b1b1f"],
  Green: ["#2e8b3c", "#fff"],
  Blue: ["#2d5fd2", "#fff"],
  Pink: ["#f58cc8", "#1b1b1f"],
  White: ["#ffffff", "#1b1b1f"],
  Dark_gray: ["#5a5a5a", "#fff"],
  Cyan: ["#3cd2dc", "#1b1b1f"],
  Magenta: ["#b41ea0", "#fff"],
};

export const fill = (color) => (PAINT[color] ?? ["#9aa0a8"])[0];
export const ink = (color) => (PAINT[color] ?? ["", "#1b1b1f"])[1];

/** The initial of a colour; they all differ. A colour that was never seen is a question mark. */
export const letter = (color) => (color ? color[0] : "?");

/** A colour in words. */
export const words = (color) => (color ? color.toLowerCase().replace("_", " ") : "unknown");

/** Return a small square with the letter of a colour. */
export function swatch(color) {
  const mark = document.createElement("span");
  mark.className = "swatch";
  mark.textContent = letter(color);
  mark.style.background = fill(color);
  mark.style.color = ink(color);
  mark.setAttribute("aria-hidden", "true");
  return mark;
}
