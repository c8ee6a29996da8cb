// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// One panel: a system, or all players of a team; its status, its drawing, the rates of its topics.

import { duration } from "./store.js";
import { Keyed, html } from "./svg.js";

const modules = new Map(); // by kind: the promise of the module that draws it

/** The module that draws systems of a kind; its default export is a class. */
function moduleOf(kind) {
  if (!modules.has(kind)) modules.set(kind, import(`/kinds/${encodeURIComponent(kind)}.js`));
  return modules.get(kind);
}

const MARKS = { connected: "●", connecting: "◌", disconnected: "○", fault: "✕", silent: "◍", gone: "○", found: "◌" };
const WORDS = {
  disconnected: "not connected",
  fault: "link lost",
  silent: "the bridge is silent",
  gone: "gone",
  found: "waiting for the bridge",
};

/** A status as a mark and words, and for how long where that matters. */
export function statusText(store, { status, since }) {
  const words = WORDS[status] ?? status;
  const live = status === "connected" || status === "found";
  return { mark: MARKS[status] ?? "◌", words, age: live ? "" : duration(store.age(since)) };
}

export class Panel {
  constructor(store, group, kind) {
    this.store = store;
    this.group = group;
    this.kind = kind;
    this.members = [];
    this.title = html("h2");
    this.page = html("a", "page", "play");
    this.page.hidden = true;
    this.page.target = "_blank";
    this.page.rel = "noopener";
    this.pill = html("span", "pill");
    this.scene = html("div", "scene");
    this.veil = html("div", "veil", html("p", "words"), html("p", "detail"));
    this.rates = html("ul", "rates");
    this.rates.setAttribute("aria-label", "Topics and their rates");
    this.chips = new Keyed(this.rates, () => html("li"));
    const heading = html("header", "", this.title, html("code", "", group || "/"), this.page, this.pill);
    const body = html("div", "body", this.scene, this.veil);
    this.element = html("section", "panel", heading, body, html("footer", "", this.rates));
    this.element.dataset.kind = kind;
    this.element.dataset.group = group;
    this.title.id = `panel${group.replaceAll("/", "-")}`;
    this.element.setAttribute("aria-labelledby", this.title.id);
    this.view = null; // until its module is loaded
    moduleOf(kind).then(({ default: View }) => {
      this.view = new View(store, this.scene);
      this.drawAll();
    });
  }

  /** The systems of this panel. */
  follow(members) {
    this.title.textContent = this.store.system(members[0]).title;
    const before = this.members.join(" ");
    this.members = members;
    if (before === members.join(" ")) return;
    this.drawAll();
  }

  /** Draw everything that is known of all members. */
  drawAll() {
    if (!this.view || !this.members.length) return;
    this.view.follow(this.members);
    for (const namespace of this.members) {
      for (const [name] of this.store.topics(namespace)) this.update(namespace, name);
    }
    this.view.refresh?.();
  }

  /** Draw what was read from a topic. */
  update(namespace, name) {
    const data = this.store.data(namespace, name);
    if (data) this.view?.update(namespace, name, data);
  }

  show(namespace, topic, bytes) {
    this.view?.show?.(namespace, topic, bytes);
  }

  /** Draw what changes with time: ages, rates, status. */
  refresh() {
    const { store } = this;
    const systems = this.members.map((namespace) => store.system(namespace)).filter(Boolean);
    if (!systems.length) return;
    const down = systems.filter(({ status }) => status !== "connected");
    const worst = down[0] ?? systems[0];
    const all = down.length === systems.length;
    const { mark, words, age } = statusText(store, worst);
    const some = down.length && !all ? `${systems.length - down.length} of ${systems.length} ` : "";
    const text = some ? `${mark} ${some}connected` : `${mark} ${words}${age ? ` ${age}` : ""}`;
    if (this.pill.textContent !== text) this.pill.textContent = text;
    this.element.dataset.status = worst.status;
    this.element.dataset.shown = all && down.length ? "old" : "live";
    const [title, detail] = this.veil.children;
    const last = Math.max(...this.members.map((namespace) => this.lastHeard(namespace)));
    const since = Number.isFinite(last) ? ` – what is shown is of ${duration(store.age(last))} ago` : "";
    setText(title, `${words}${age && ` for ${age}`}${since}`);
    const reported = !["connected", "silent", "gone"].includes(worst.status); // by the bridge, and now
    setText(detail, reported ? worst.detail ?? "" : "");
    const page = systems.map((system) => system.page).find(Boolean);
    this.page.hidden = !page || worst.status !== "connected";
    if (page && this.page.href !== page) this.page.href = page;
    this.refreshRates();
    this.view?.refresh?.();
  }

  /** When the newest message of a stream came. */
  lastHeard(namespace) {
    let last = -Infinity;
    for (const [, topic] of this.store.topics(namespace)) {
      if (topic.stream && topic.at) last = Math.max(last, topic.at);
    }
    return last;
  }

  /** One chip for each topic; the players of a team share them. */
  refreshRates() {
    const { store } = this;
    const topics = new Map();
    for (const namespace of this.members) {
      for (const [name, topic] of store.topics(namespace)) {
        if (!topic.stream && !topic.rate && !topic.problem) continue;
        if (!topics.has(name)) topics.set(name, []);
        topics.get(name).push({ ...topic, live: store.isLive(namespace, name) });
      }
    }
    this.chips.sync(topics, (chip, all, name) => {
      const problem = all.find((topic) => topic.problem)?.problem;
      const live = all.every((topic) => topic.live);
      const value = problem ?? (live ? `${all.map(({ rate }) => hertz(rate)).join(" · ")} Hz` : all.map((t) => ago(store, t)).join(" · "));
      const short = name.replace(/^camera\/image_raw\/compressed$/, "camera");
      const text = `${short} ${value}`;
      if (chip.dataset.text === text) return;
      chip.dataset.text = text;
      chip.classList.toggle("old", !live);
      chip.replaceChildren(`${short} `, html("b", "", value));
    });
  }
}

const hertz = (rate) => (rate >= 9.95 ? rate.toFixed(0) : rate.toFixed(1));

function ago(store, { live, rate, at }) {
  if (live) return `${hertz(rate)} Hz`;
  return at ? `${duration(store.age(at))} ago` : "none yet";
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
