// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The page: a panel for each system that has one, and the list of all links.

import { Connection } from "./connection.js";
import { Store, duration } from "./store.js";
import { Panel } from "./panel.js";
import { Links } from "./links.js";

const FAR_BEHIND = 2; // seconds

const store = new Store();
const byId = (id) => document.getElementById(id);
const links = new Links(byId("links"), byId("announcer"));
/** Panels by group: the namespace of a system, or of all players of a team. */
const panels = new Map();
let lostAt = 0;
let isNew = true; // the next state is the first of a connection

/** Systems that have a panel; of others the list of links tells all that is known. */
function groups() {
  const found = new Map();
  for (const [namespace, system] of store.systems()) {
    if (!system.kind) continue;
    if (!found.has(system.group)) found.set(system.group, []);
    found.get(system.group).push(namespace);
  }
  for (const members of found.values()) members.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return found;
}

/** The order of two panels: kinds in their order, namespaces within. */
function compare([a], [b]) {
  return store.system(a).order - store.system(b).order || a.localeCompare(b, "en", { numeric: true });
}

function arrange() {
  const found = groups();
  for (const [group, panel] of panels) {
    if (found.has(group)) continue;
    panel.element.remove();
    panels.delete(group);
  }
  const sorted = [...found].sort(([, a], [, b]) => compare(a, b));
  for (const [group, members] of sorted) {
    const kind = store.system(members[0]).kind;
    let panel = panels.get(group);
    if (panel && panel.kind !== kind) {
      panel.element.remove();
      panel = null;
    }
    if (!panel) {
      panel = new Panel(store, group, kind);
      panels.set(group, panel);
    }
    panel.follow(members);
  }
  const main = byId("panels");
  const wanted = [...sorted.map(([group]) => panels.get(group).element), byId("systems")];
  wanted.forEach((element, index) => {
    if (main.children[index] !== element) main.insertBefore(element, main.children[index] ?? null);
  });
  byId("no-systems").hidden = [...store.systems()].length > 0;
}

function refresh() {
  for (const panel of panels.values()) panel.refresh();
  links.refresh(store);
  const systems = [...store.systems()].map(([, system]) => system.status);
  const up = systems.filter((status) => status === "connected").length;
  const link = document.body.dataset.link;
  byId("summary").textContent = systems.length && link === "connected" ? `${up} of ${systems.length} links up` : "";
  const behind = store.behind > FAR_BEHIND ? `The page is ${duration(store.behind)} behind.` : "";
  const lost = `The view does not answer: everything below is of ${duration((performance.now() - lostAt) / 1000)} ago.`;
  const words = link === "connected" ? behind : link === "connecting" ? "" : lost;
  byId("banner").hidden = !words;
  if (byId("banner").textContent !== words) byId("banner").textContent = words;
}

const connection = new Connection({
  onText(message) {
    if (message.type !== "state") return;
    const touched = isNew ? [...store.things.keys()] : [];
    if (isNew) {
      store.clear();
      document.body.dataset.connections = Number(document.body.dataset.connections ?? 0) + 1;
    }
    isNew = false;
    touched.push(...store.apply(message));
    if (touched.some((name) => name.startsWith("system "))) arrange();
    const namespaces = new Set();
    for (const name of touched) {
      const [kind, namespace, topic] = name.split(" ");
      if (kind === "data") panels.get(store.system(namespace)?.group)?.update(namespace, topic);
      if (namespace !== undefined) namespaces.add(namespace);
    }
    if (touched.some((name) => !name.startsWith("data "))) refresh();
  },
  onImage(name, bytes) {
    const [namespace, topic] = name.split(" ");
    panels.get(store.system(namespace)?.group)?.show(namespace, topic, bytes);
  },
  onLink(link) {
    if (link !== "connected" && document.body.dataset.link === "connected") lostAt = performance.now();
    if (link === "lost") isNew = true;
    document.body.dataset.link = link;
    byId("link").textContent = { connected: "live", connecting: "connecting", lost: "not connected", silent: "silent" }[link];
    refresh();
  },
});

connection.open();
setInterval(refresh, 1000);
