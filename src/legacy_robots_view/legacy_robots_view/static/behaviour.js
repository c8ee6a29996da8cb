// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The state machines of a robot: where each is and for how long, a picture with these states lit, a history.

import { Keyed, html } from "./svg.js";

const LONGEST = 1000; // lines of the history

export class Behaviour {
  constructor(namespace) {
    this.namespace = namespace;
    this.history = [];
    this.known = new Set(); // transitions of the history: each message has the last ones
    this.data = null;
    this.title = html("summary");
    this.list = html("ul", "machines");
    this.rows = new Keyed(this.list, () => html("li"));
    this.picture = html("img", "machines");
    this.picture.alt = `State machines of ${namespace}`;
    this.picture.hidden = true;
    this.lines = html("ol", "history");
    this.lines.setAttribute("aria-label", `Transitions of ${namespace}, the newest first`);
    const words = html("div", "words", this.list, this.lines);
    this.element = html("details", "behaviour", this.title, html("div", "machines", this.picture, words));
    this.refresh("");
  }

  take(data) {
    this.data = data;
    const lines = data.transitions.map(lineOf).filter((line) => !this.known.has(line));
    if (!lines.length) return;
    this.history.push(...lines);
    for (const line of lines) this.known.add(line);
    for (const line of this.history.splice(0, this.history.length - LONGEST)) this.known.delete(line);
    this.lines.replaceChildren(
      ...this.history.toReversed().map((line) => html("li", "", line)),
    );
  }

  draw({ svg }) {
    this.picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    this.picture.hidden = false;
  }

  /** Draw what changes with time: how long each machine is in its state. */
  refresh(player) {
    const machines = this.data?.machines ?? [];
    const title = `State machines${player === "" ? "" : ` of ${player}`}: ${machines.map((m) => m.state).join(" · ") || "not known"}`;
    if (this.title.textContent !== title) this.title.textContent = title;
    const now = Date.now() / 1000;
    this.rows.sync(machines.map((m) => [m.machine, m]), (row, m) => {
      const by = m.event ? `, by ${m.event}${m.previous ? ` from ${m.previous}` : ""}` : "";
      const missed = m.missed === null ? ", what was missed is not known" : m.missed ? `, ${m.missed} missed` : "";
      const text = `${m.machine}: ${m.state} for ${Math.max(0, now - m.since).toFixed(1)} s${by}${missed}`;
      if (row.textContent !== text) row.textContent = text;
    });
  }
}

function lineOf({ at, number, machine, event, source, target }) {
  const time = new Date(1000 * at).toISOString().slice(11, 23);
  return `${time} ${number ? `${number} ` : ""}${machine}: ${source || "–"} → ${target}${event ? ` (${event})` : ""}`;
}
