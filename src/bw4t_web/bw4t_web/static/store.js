// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The map, and the state of the server: things by name ("robot:Bot_1").

import { Things } from "/common/store.js";

export class Store extends Things {
  constructor() {
    super();
    this.world = null;
  }

  /** Begin with another map. */
  begin(world) {
    this.world = world;
    this.clear();
  }

  /** Take in a change; return the kinds of things that it touched ("robot", "me", ...). */
  apply(change) {
    return new Set(super.apply(change).map(kindOf));
  }

  /** All things of a kind, with their names. */
  *of(kind) {
    for (const [name, fields] of this.things) {
      if (kindOf(name) === kind) yield [name, fields];
    }
  }

  zone(name) {
    return this.world?.zones.find((zone) => zone.name === name);
  }

  zoneAt(x, y) {
    return this.world?.zones.find(
      ({ box: [left, top, width, height] }) =>
        left <= x && x < left + width && top <= y && y < top + height,
    );
  }

  /** The rooms in which blocks can be, and the drop zone. */
  rooms() {
    return this.world.zones.filter(({ kind }) => kind === "ROOM" || kind === "DROPZONE");
  }

  /** Places that a robot can be sent to. */
  places() {
    return this.world.zones.filter(({ kind }) => kind !== "BLOCKADE");
  }
}

const kindOf = (name) => name.split(":", 1)[0];

export const center = ({ box: [left, top, width, height] }) => [left + width / 2, top + height / 2];
