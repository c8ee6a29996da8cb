// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Choosing something on the map with the keys: a place, a block, or an exact spot.

import { words } from "/common/block_colors.js";
import { center } from "./store.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Chooser {
  constructor(store, map, text) {
    this.store = store;
    this.map = map;
    this.text = text;
    this.choice = null;
  }

  set(choice) {
    this.choice = choice;
    this.map.choose(choice);
    this.text.textContent = choice ? this.describe(choice) : "";
  }

  /** Take a key that was pressed on the map; return whether it meant something. */
  key(event) {
    const direction = ARROWS[event.key];
    if (direction && event.shiftKey && this.store.get("me")?.exactSpots) this.moveSpot(direction);
    else if (direction) this.moveZone(direction);
    else if (event.key === "Escape") this.set(null);
    else return false;
    return true;
  }

  get from() {
    const { zone, block, spot } = this.choice ?? {};
    if (spot) return spot;
    if (block) return [block.x, block.y];
    if (zone) return center(zone);
    const me = this.store.get("me");
    return me ? [me.x, me.y] : this.store.world.area.map((length) => length / 2);
  }

  moveSpot([dx, dy]) {
    const [width, height] = this.store.world.area;
    const [x, y] = this.from.map(Math.round);
    const clamp = (value, most) => Math.min(Math.max(value, 0), most);
    this.set({ spot: [clamp(x + dx, width), clamp(y + dy, height)] });
  }

  /** Choose the nearest place in a direction; what lies aside counts as farther. */
  moveZone([dx, dy]) {
    const [x, y] = this.from;
    const current = this.choice?.zone ?? (this.choice ? null : undefined);
    if (current === undefined) {
      const here = this.store.zoneAt(x, y) ?? this.store.places()[0];
      this.set({ zone: here });
      return;
    }
    let best = null;
    let least = Infinity;
    for (const zone of this.store.places()) {
      if (zone === current) continue;
      const [zx, zy] = center(zone);
      const ahead = (zx - x) * dx + (zy - y) * dy;
      const aside = Math.abs((zx - x) * dy) + Math.abs((zy - y) * dx);
      const distance = ahead + 2 * aside;
      if (ahead > 0.1 && aside <= 2 * ahead && distance < least) [best, least] = [zone, distance];
    }
    if (best) this.set({ zone: best });
  }

  /** Choose the next block, those in sight first. */
  nextBlock(step = 1) {
    const blocks = [...this.store.of("block")]
      .map(([, block]) => block)
      .sort((a, b) => Number(Boolean(a.faded)) - Number(Boolean(b.faded)) || a.id - b.id);
    if (!blocks.length) {
      this.set(null);
      this.text.textContent = "No blocks are known.";
      return;
    }
    const at = blocks.findIndex(({ id }) => id === this.choice?.block?.id);
    const next = at < 0 ? (step > 0 ? 0 : blocks.length - 1) : at + step;
    this.set({ block: blocks[(next + blocks.length) % blocks.length] });
  }

  describe({ zone, block, spot }) {
    if (spot) return `Spot ${spot.map((value) => Math.round(value * 10) / 10).join(", ")} in ${this.store.zoneAt(...spot)?.name ?? "no place"}`;
    if (block) {
      const where = block.faded ? `remembered in ${block.zone}` : `in ${block.zone ?? "no place"}`;
      return `${words(block.color)} block ${block.id}, ${where}`;
    }
    const kinds = { ROOM: "room", DROPZONE: "drop zone", CORRIDOR: "corridor", CHARGINGZONE: "charging zone", BLOCKADE: "blockade" };
    const facts = [kinds[zone.kind]];
    if (this.store.get(`room:${zone.name}`)) facts.push("occupied");
    const counts = {};
    for (const [, { zone: place, color }] of this.store.of("block")) {
      if (place === zone.name) counts[color] = (counts[color] ?? 0) + 1;
    }
    const list = Object.entries(counts).map(([color, count]) => `${count} ${words(color)}`);
    if (list.length) facts.push(list.join(", "));
    return `${zone.name}: ${facts.join("; ")}`;
  }
}
