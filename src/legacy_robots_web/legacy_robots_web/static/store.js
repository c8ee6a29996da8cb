// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The state of a page's server: things by name, each an object with its fields, that changes add up to.

export class Things {
  constructor() {
    this.things = new Map();
  }

  clear() {
    this.things.clear();
  }

  /** Take in a change; return the names of the things that it touched. */
  apply({ set = {}, gone = [] }) {
    for (const name of gone) this.things.delete(name);
    for (const [name, fields] of Object.entries(set)) {
      this.things.set(name, { ...this.things.get(name), ...fields });
    }
    return [...gone, ...Object.keys(set)];
  }

  get(name) {
    return this.things.get(name);
  }
}
