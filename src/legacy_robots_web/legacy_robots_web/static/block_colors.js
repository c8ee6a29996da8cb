// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Block colours: how they are painted, and the letter that tells them apart without colour.

const LIGHT = new Set(["Orange", "Yellow", "Pink", "White", "Cyan"]);

/** A colour that was never seen is grey. */
export const fill = (color) => (color ? `var(--block-${color.toLowerCase().replace("_", "-")}, #9aa0a8)` : "#9aa0a8");
export const ink = (color) => (!color || LIGHT.has(color) ? "#1b1b1f" : "#fff");

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
