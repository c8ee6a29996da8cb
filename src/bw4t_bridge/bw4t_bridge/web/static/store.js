// SPDX-License-Identifier: Apache-2.0
// What the server has told: the map, and the state that its changes add up to.

export class Store {
  constructor() {
    this.world = null;
    /** Things by name ("robot:Bot_1"), each an object with its fields. */
    this.things = new Map();
  }

  /** Begin with another map. */
  begin(world) {
    this.world = world;
    this.things.clear();
  }

  /** Take in a change; return the kinds of things that it touched ("robot", "me", ...). */
  apply({ set = {}, gone = [] }) {
    const kinds = new Set();
    for (const name of gone) {
      this.things.delete(name);
      kinds.add(kindOf(name));
    }
    for (const [name, fields] of Object.entries(set)) {
      this.things.set(name, { ...this.things.get(name), ...fields });
      kinds.add(kindOf(name));
    }
    return kinds;
  }

  get(name) {
    return this.things.get(name);
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
