// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The list of all links: state, peer, reason, what the bridge counts.

import { statusText } from "./panel.js";
import { duration } from "./store.js";
import { Keyed, html } from "./svg.js";

const LEVELS = { 1: "warning", 2: "error" };

export class Links {
  constructor(list, announcer) {
    this.announcer = announcer;
    this.said = new Map();
    this.rows = new Keyed(list, () => {
      const row = html("li", "", html("p", "head", html("span", "mark"), html("b"), html("code"), html("span", "status")));
      row.append(html("p", "detail"), html("p", "counts"));
      return row;
    });
  }

  refresh(store) {
    const systems = [...store.systems()].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    this.rows.sync(systems, (row, system, namespace) => {
      const { mark, words, age } = statusText(store, system);
      const [head, detail, counts] = row.children;
      const up = system.status === "connected" ? ` for ${duration(store.age(system.since))}` : "";
      row.dataset.status = system.status;
      row.dataset.namespace = namespace;
      const texts = [mark, system.title, namespace, `${words}${up || (age && ` ${age}`)}`];
      texts.forEach((text, index) => setText(head.children[index], text));
      const peer = system.peer && system.peer !== "this process" ? `${system.peer}: ` : "";
      const level = LEVELS[system.level] && system.status === "connected" ? `${LEVELS[system.level]}: ${system.note}` : "";
      const last = ["silent", "gone"].includes(system.status) ? "before that: " : "";
      setText(detail, level || (system.detail ? `${last}${peer}${system.detail}` : ""));
      detail.dataset.level = level ? system.level : 0;
      const rates = Object.entries(system.rates ?? {}).filter(([, rate]) => rate > 0);
      const shown = system.status === "connected" && !level;
      setText(counts, shown ? rates.map(([name, rate]) => `${name} ${rate}/s`).join(" · ") : "");
      detail.title = detail.textContent;
      counts.title = counts.textContent;
      this.announce(namespace, system, words);
    });
  }

  /** Tell those who do not see the page of a change. */
  announce(namespace, { title, status }, words) {
    if (this.said.get(namespace) === status) return;
    this.said.set(namespace, status);
    this.announcer.append(html("p", "", `${title}, ${namespace}: ${words}`));
    while (this.announcer.childElementCount > 5) this.announcer.firstChild.remove();
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
