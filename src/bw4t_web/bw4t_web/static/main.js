// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Brings the parts of the page together.

import { Chooser } from "./chooser.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { useLanguage } from "./language.js";
import { Log } from "./log.js";
import { Experimenter } from "./experimenter.js";
import { MapView } from "./map_view.js";
import {
  showBlocks, showGame, showLast, showLobby, showMe, showMeasures, showPlaces, showPlayers, showTask, showTeam,
} from "./panels.js";
import { Screens } from "./screens.js";
import { Store, center } from "./store.js";

const $ = (id) => document.getElementById(id);
const LINK_TEXTS = {
  connecting: "Connecting", connected: "Connected", lost: "Connection lost, trying again",
  silent: "The server does not answer",
  replaced: "Used on another page", ended: "The world has ended",
};
const KINDS = new Set(["task", "start", "me", "block", "robot", "lobby", "player", "room", "measures",
  "screen", "experiment", "replay"]);

// The code of a study's participant, by the link /?p=P07.
const CODE = new URLSearchParams(location.search).get("p") || null;
const WORDS = {
  goTo: "Go", goToBlock: "Go to the block", pickUp: "Pick up", putDown: "Put down", navigateObstacles: "Go around",
  pickUpEPartner: "Take e-partner", putDownEPartner: "Put e-partner down",
};

const store = new Store();
const map = new MapView($("map"), store);
const chooser = new Chooser(store, map, $("choice"));
const composer = new Composer(
  { phrase: $("phrase"), sentence: $("sentence"), receiver: $("receiver") }, store,
);
const log = new Log($("log"), $("announcer"), $("aloud"));
const SECRET = new URLSearchParams(location.hash.slice(1)).get("experimenter") || null;
const connection = new Connection(receive, showLink, unanswered, { code: CODE, secret: SECRET });
const screens = new Screens(
  (form, answers) => ask({ type: "answers", form, answers }, { words: "Answers" }),
  (form, answers) => connection.send({ type: "draft", form, answers }),
  () => $("withdrawal").showModal(),
);
const experimenter = new Experimenter((request) => ask(request, { words: "Command" }));
const asked = new Map(); // what was asked for, by the number of the request
let player = null; // the name of this page's robot
let complete = false;
let translated = false;

const plays = () => player !== null;

// --- From the server -------------------------------------------------------------------------

function receive(message) {
  const handlers = { world, state, event, joined, left, replaced, error, ended, taken, draft };
  handlers[message.type]?.(message);
}

function world(message) {
  store.begin(message);
  map.begin();
  chooser.set(null);
  showPlaces(store);
  composer.begin();
  $("world-controls").hidden = !message.control;
  for (const id of ["reset", "speed"]) $(id).hidden = !message.owned;
  $("team-card").hidden = !message.watch && !SECRET;
  $("watch-hint").hidden = !message.watch;
  $("text-form").hidden = !message.freeText;
  complete = Boolean(showMeasures(null));
  if (message.language && !translated) useLanguage("/language.json");
  translated = Boolean(message.language);
}

function state(message) {
  const kinds = store.apply(message);
  map.update(kinds);
  display(kinds);
}

/** Show what of some kinds stands beside the map. */
function display(kinds) {
  if (!store.world) return; // the page has just been opened
  if ((kinds.has("task") || kinds.has("start")) && store.get("task")) {
    showTask(store.get("task"), store.get("start"));
  }
  if (["task", "screen", "me"].some((kind) => kinds.has(kind))) {
    showGame(store.get("screen"), store.get("task"), store.get("me"));
  }
  if (kinds.has("me") && store.get("me")) showMe(store.get("me"));
  if (plays() && (kinds.has("block") || kinds.has("me"))) showBlocks(store, goToBlock);
  if (!plays() && kinds.has("robot")) showTeam(store);
  if (kinds.has("lobby") && store.get("lobby")) showLobby(store.get("lobby"), takeOver);
  if (kinds.has("player") || kinds.has("me")) {
    const names = [...store.of("player")].map(([, { name }]) => name);
    composer.setPlayers(names, player);
    showPlayers(names);
  }
  if (kinds.has("measures")) {
    const text = showMeasures(store.get("measures"));
    if (text && !complete) log.announce(`Sequence complete. ${text}`);
    complete = Boolean(text);
  }
  if (kinds.has("screen")) screens.show(store.get("screen"));
  if (kinds.has("experiment") || kinds.has("replay")) {
    experimenter.show(store.get("experiment"), store.get("replay"));
  }
  if (kinds.has("block") || kinds.has("room")) refreshChoice();
  if (plays() && store.get("me")?.state !== "traveling") map.aim(null);
}

/** What is chosen may have changed or gone. */
function refreshChoice() {
  const { block, zone } = chooser.choice ?? {};
  if (block) {
    const now = store.get(`block:${block.id}`);
    if (now !== block) chooser.set(now ? { block: now } : null);
  } else if (zone) {
    chooser.set({ zone });
  }
}

function event(message) {
  log.add(message, player);
  const what = asked.get(message.id);
  asked.delete(message.id);
  if (plays() && ["begun", "done", "failed"].includes(message.kind)) {
    showLast(message.kind, message.text);
  }
  if (message.ok && what?.target) map.aim(what.target);
}

function draft({ form, answers }) {
  screens.restore(form, answers);
}

function taken({ id }) {
  asked.delete(id);
  $("experiment-fault").textContent = "";
}

function error({ text, id }) {
  asked.delete(id);
  if (covered() || SECRET) {
    fault(text);
    return;
  }
  if (plays()) showLast("failed", text);
  else showBanner(text);
  log.add({ kind: "failed", text }, player);
}

/** Whether a form or a text is shown in place of the game. */
const covered = () => !$("screen").hidden;

function fault(text) {
  if (covered()) screens.fault(text);
  else $("experiment-fault").textContent = text;
}

function joined({ name, resumed, past }) {
  player = name;
  document.body.dataset.mode = "play";
  document.title = `${name} · Blocks World for Teams`;
  hideBanner();
  if (resumed || CODE) log.clear(); // what was said in another game is not of this one
  for (const one of past) log.add({ ...one, past: true }, player);
  log.add({ kind: "news", text: resumed ? `You steer ${name} again.` : `You steer ${name}.` });
  showLast("none", "Choose where to go: click on the map, or use the list below.");
  display(KINDS);
  if (!resumed || document.activeElement === document.body) $("map").focus();
}

function left({ text }) {
  player = null;
  document.body.dataset.mode = "watch";
  document.title = "Blocks World for Teams";
  map.aim(null);
  chooser.set(null);
  display(KINDS);
  asked.clear();
  $("text").value = "";
  if (CODE) log.clear();
  if (!text) return; // the next screen says what comes
  log.add({ kind: "news", text });
  showBanner(text);
  $("name").focus();
}

function replaced({ text }) {
  showBanner(text, "Steer from here", () => connection.open());
}

function ended({ text }) {
  showLink("ended");
  showBanner(text);
}

/** Say that what was asked for is not done; an answer that comes yet is shown as any. */
function unanswered(number) {
  const what = asked.get(number)?.words;
  asked.delete(number);
  const text = `${what ?? "Request"}: no answer. It will not be carried out later.`;
  if (covered() || SECRET) fault(text);
  else if (plays()) showLast("failed", text);
  log.add({ kind: "failed", text }, player);
}

function showLink(now) {
  const line = $("link");
  line.dataset.state = now;
  line.textContent = LINK_TEXTS[now];
  if (now === "connected" && $("banner-button").textContent === "Steer from here") hideBanner();
}

function showBanner(text, label = "", action = null) {
  $("banner-text").textContent = text;
  const button = $("banner-button");
  button.hidden = false;
  button.textContent = label || "Dismiss";
  button.onclick = action ?? hideBanner;
  $("banner").hidden = false;
}

function hideBanner() {
  $("banner").hidden = true;
  $("banner-button").textContent = "";
}

// --- To the server ---------------------------------------------------------------------------

function ask(request, details = {}) {
  const number = connection.send(request, true);
  if (number === null) {
    const text = `${details.words}: not sent, there is no connection at the moment.`;
    if (covered() || SECRET) fault(text);
    else showLast("failed", text);
    log.announce(text);
    return;
  }
  asked.set(number, details);
}

function act(action, args = [], target = null) {
  if (plays()) ask({ type: "act", action, args }, { target, words: WORDS[action] });
}

const goToPlace = (name) => act("goTo", [name], center(store.zone(name)));
const goToSpot = (x, y) => act("goTo", [x, y], [x, y]);

/** Go to a block; to one that is only remembered, to its room. */
function goToBlock(block) {
  if (block.faded) goToPlace(block.zone);
  else act("goToBlock", [block.id], [block.x, block.y]);
}

function goToChoice() {
  const { zone, block, spot } = chooser.choice ?? {};
  if (spot) goToSpot(...spot);
  else if (block) goToBlock(block);
  else if (zone) goToPlace(zone.name);
}

function ePartner() {
  act(store.get("me")?.epartner ? "putDownEPartner" : "pickUpEPartner");
}

function takeOver(bot) {
  connection.send({ type: "join", bot, agentActs: $("agent-acts").checked, code: CODE });
}

// --- The person ------------------------------------------------------------------------------

$("join-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  const name = $("name").value.trim();
  if (connection.send({ type: "join", name, code: CODE }) === null) showBanner("There is no connection at the moment.");
});
localStorage.removeItem("bw4t.name"); // kept by pages of before: the next person is another one
$("leave").addEventListener("click", () => connection.send({ type: "leave" }));
$("go-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  goToPlace($("place").value);
});
$("spot-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  goToSpot($("x").valueAsNumber, $("y").valueAsNumber);
});
$("say-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  const message = composer.message();
  if (message) ask({ type: "say", to: $("receiver").value, message }, { words: "Message" });
  else showLast("failed", "The message has a blank for which there is nothing to choose yet.");
});
$("text-form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  ask({ type: "say", to: $("receiver").value, text: $("text").value }, { words: "Message" });
  $("text").value = "";
});
$("withdraw").addEventListener("click", () => $("withdrawal").showModal());
$("withdrawal").addEventListener("close", () => {
  if ($("withdrawal").returnValue === "yes") connection.send({ type: "withdraw" });
  $("withdrawal").returnValue = "";
});
for (const button of document.querySelectorAll("[data-action]")) {
  const { action } = button.dataset;
  button.addEventListener("click", () => (action === "epartner" ? ePartner() : act(action)));
}
$("pause").addEventListener("click", () => {
  connection.send({ type: "control", command: store.get("task")?.paused ? "resume" : "pause" });
});
$("speed").addEventListener("change", () => {
  connection.send({ type: "control", command: "speed", speed: Number($("speed").value) });
});
$("reset").addEventListener("click", () => {
  $("again").returnValue = "";
  $("again").showModal();
});
$("again").addEventListener("close", () => {
  if ($("again").returnValue === "yes") connection.send({ type: "control", command: "reset" });
});
$("help-button").addEventListener("click", () => $("help").showModal());
$("spot").addEventListener("click", () => {
  const on = $("spot").getAttribute("aria-pressed") !== "true";
  $("spot").setAttribute("aria-pressed", String(on));
});
$("zoom-in").addEventListener("click", () => map.view.scale(1.4));
$("zoom-out").addEventListener("click", () => map.view.scale(1 / 1.4));
$("zoom-fit").addEventListener("click", () => map.view.fit());
for (const id of ["shortcuts", "aloud"]) {
  $(id).checked = localStorage.getItem(`bw4t.${id}`) !== "off";
  $(id).addEventListener("change", () => localStorage.setItem(`bw4t.${id}`, $(id).checked ? "on" : "off"));
}

$("map").addEventListener("click", (click) => {
  if (!store.world || map.view.dragged) return;
  const [x, y] = map.view.point(click).map((value) => Math.round(value * 100) / 100);
  const zone = store.zoneAt(x, y);
  const exact = click.shiftKey || $("spot").getAttribute("aria-pressed") === "true";
  if (exact && store.get("me")?.exactSpots) {
    chooser.set({ spot: [x, y] });
  } else {
    const hit = click.target.closest("[data-block]");
    const block = hit && store.get(`block:${hit.dataset.block}`);
    if (block) chooser.set({ block });
    else if (zone && zone.kind !== "BLOCKADE") chooser.set({ zone });
    else return;
  }
  goToChoice();
});

$("map").addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.altKey || press.metaKey || !store.world) return;
  if (press.key === "Enter") goToChoice();
  else if (!chooser.key(press)) return;
  press.preventDefault();
});

const SHORTCUTS = {
  g: () => $("map").focus(),
  m: () => plays() && $("phrase").focus(),
  l: () => $("log").focus(),
  p: () => act("pickUp"),
  d: () => act("putDown"),
  n: () => act("navigateObstacles"),
  e: ePartner,
  b: () => { chooser.nextBlock(); $("map").focus(); },
  B: () => { chooser.nextBlock(-1); $("map").focus(); },
  "+": () => map.view.scale(1.4),
  "-": () => map.view.scale(1 / 1.4),
  0: () => map.view.fit(),
  "?": () => $("help").showModal(),
};

document.addEventListener("keydown", (press) => {
  if (press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return;
  if (!$("shortcuts").checked || document.querySelector("dialog[open]")) return;
  if (covered() || press.target.closest("input:not([type=checkbox]), select, textarea")) return;
  const shortcut = SHORTCUTS[press.key];
  if (!shortcut) return;
  press.preventDefault();
  shortcut();
});

connection.open();
