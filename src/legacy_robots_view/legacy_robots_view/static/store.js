// SPDX-License-Identifier: Apache-2.0
// What the server has told: things by name, "system NAMESPACE", "topic NAMESPACE NAME" (how it is
// with a topic) and "data NAMESPACE NAME" (what was read from it).

export class Store {
  constructor() {
    this.things = new Map();
    this.offset = null; // seconds from this page's clock to the server's
  }

  clear() {
    this.things.clear();
    this.offset = null;
  }

  /** Take in a change; return the names of the things that it touched. */
  apply({ set = {}, gone = [] }) {
    for (const name of gone) this.things.delete(name);
    for (const [name, fields] of Object.entries(set)) {
      this.things.set(name, { ...this.things.get(name), ...fields });
    }
    if (set.clock) this.setClock(set.clock.now);
    return [...gone, ...Object.keys(set)];
  }

  /** The clock comes with a delay that varies: the least delay ever is the best estimate. */
  setClock(now) {
    const offset = now - performance.now() / 1000;
    this.offset = this.offset === null ? offset : Math.max(this.offset, offset);
    this.behind = Math.max(0, this.offset - offset);
  }

  /** The server's time, in seconds. */
  now() {
    return performance.now() / 1000 + (this.offset ?? 0);
  }

  /** Seconds since a time of the server. */
  age(at) {
    return Math.max(0, this.now() - at);
  }

  /** All systems, as [namespace, fields]. */
  *systems() {
    for (const [name, fields] of this.things) {
      if (name.startsWith("system ")) yield [name.slice(7), fields];
    }
  }

  system(namespace) {
    return this.things.get(`system ${namespace}`);
  }

  /** All topics of a system, as [name, fields]. */
  *topics(namespace) {
    const start = `topic ${namespace} `;
    for (const [name, fields] of this.things) {
      if (name.startsWith(start)) yield [name.slice(start.length), fields];
    }
  }

  topic(namespace, name) {
    return this.things.get(`topic ${namespace} ${name}`);
  }

  data(namespace, name) {
    return this.things.get(`data ${namespace} ${name}`);
  }

  /** Whether what was read from a topic is what the robot says now. */
  isLive(namespace, name) {
    const system = this.system(namespace);
    return system?.status === "connected" && Boolean(this.topic(namespace, name)?.fresh);
  }
}

/** Seconds in words: 0.4 s, 12 s, 3 min, 2 h. */
export function duration(seconds) {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
