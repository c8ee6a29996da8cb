// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The state of the server: "system NAMESPACE", "topic NAMESPACE NAME" (rate and age of a topic) and
// "data NAMESPACE NAME" (what was read from it).

import { Things } from "/common/store.js";

export class Store extends Things {
  constructor() {
    super();
    this.offset = null; // seconds from this page's clock to the server's
  }

  clear() {
    super.clear();
    this.offset = null;
  }

  apply(change) {
    if (change.set?.clock) this.setClock(change.set.clock.now);
    return super.apply(change);
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
    return this.get(`system ${namespace}`);
  }

  /** All topics of a system, as [name, fields]. */
  *topics(namespace) {
    const start = `topic ${namespace} `;
    for (const [name, fields] of this.things) {
      if (name.startsWith(start)) yield [name.slice(start.length), fields];
    }
  }

  topic(namespace, name) {
    return this.get(`topic ${namespace} ${name}`);
  }

  data(namespace, name) {
    return this.get(`data ${namespace} ${name}`);
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
