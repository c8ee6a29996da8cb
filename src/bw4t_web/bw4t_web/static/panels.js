// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Everything beside the map that shows the state of the world and of the player's robot.


import { fill, ink, letter, swatch, words } from "/common/block_colors.js";
import { clockText } from "./log.js";

const $ = (id) => document.getElementById(id);
const BUSY = { traveling: "on its way", arrived: "standing", collided: "stopped" };

/** Show the sequence: delivered, due and later colours. */
export function showTask(task, start) {
  const { sequence, index, seconds, paused, done } = task;
  const { missing, begun, speed } = start;
  const people = `waiting for ${missing} ${missing === 1 ? "person" : "people"}`;
  $("clock").textContent = clockText(seconds) + (paused ? ` (${missing ? people : "paused"})` : "");
  showSpeed(speed);
  $("pause").textContent = !paused ? "Pause" : begun ? "Go on" : "Start";
  const list = $("sequence");
  const key = JSON.stringify([sequence, index]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(
    ...sequence.map((color, number) => {
      const item = document.createElement("li");
      const state = number < index ? "done" : number === index ? "due" : "later";
      item.className = state;
      item.style.background = fill(color);
      item.style.color = ink(color);
      item.title = `${number + 1}: ${words(color)}, ${{ done: "delivered", due: "due now", later: "later" }[state]}`;
      const mark = document.createElement("span");
      mark.setAttribute("aria-hidden", "true");
      mark.textContent = state === "done" ? "✓" : letter(color);
      const text = document.createElement("span");
      text.className = "hidden";
      text.textContent = item.title;
      item.append(mark, text);
      if (state === "due") item.setAttribute("aria-current", "step");
      return item;
    }),
  );
  list.dataset.done = done;
  list.querySelector(".due")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

function showSpeed(speed) {
  const select = $("speed");
  if (select.dataset.speed === String(speed)) return;
  select.dataset.speed = speed;
  const speeds = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
  select.replaceChildren(...speeds.map((value) => new Option(`${value} ×`, value, false, value === speed)));
}

function blocksInWords(held) {
  return held.map(([id, color]) => `${words(color)} block ${id}`).join(", ");
}

function heldMarks(held) {
  const marks = [...held].reverse().map(([id, color]) => {
    const mark = swatch(color);
    mark.title = `${words(color)} block ${id}`;
    return mark;
  });
  const text = document.createElement("span");
  text.className = "hidden";
  text.textContent = blocksInWords([...held].reverse());
  return [...marks, text];
}

/** Show the state of the player's robot. */
export function showMe(me) {
  $("me-title").textContent = `${me.name} (you)`;
  for (const element of document.querySelectorAll("[data-needs]")) element.hidden = !me[element.dataset.needs];
  const busy = BUSY[me.state] ?? me.state;
  $("me-state").textContent = me.unreachable ? `${busy}, old target unreachable` : busy;
  $("me-state").dataset.state = me.state;
  $("me-at").textContent = me.in ? `in ${me.in}` : me.at;
  $("me-battery").textContent = `${Math.round(me.battery)} %`;
  $("me-battery").classList.toggle("low", me.battery < 20);
  $("me-bumped").textContent = me.bumped.length ? me.bumped.join(", ") : "–";
  $("me-speed").textContent = `${Math.round(me.speed * 100)} %`;
  const held = $("me-held");
  const stack = me.held.length ? [...heldMarks(me.held), " "] : [];
  const carried = me.epartner ? `, and ${me.epartner}` : "";
  const eyes = me.colorBlind ? " (colour-blind)" : "";
  const room = `${me.held.length} of ${me.capacity}${me.held.length > 1 ? ", top first" : ""}`;
  held.replaceChildren(...stack, `${room}${carried}${eyes}`);
  $("epartner").firstChild.textContent = me.epartner ? "Put e-partner down " : "Take e-partner ";
}

/** Show which game of a study this is, how much time is left, who is not connected and, on a phone, who one is. */
export function showGame(screen, task, me) {
  const { game, away } = screen ?? {};
  $("game").hidden = !game;
  if (!game) return;
  const left = Math.max(0, game.limit - (task?.seconds ?? 0));
  const which = game.practice ? "Practice" : `Game ${game.number} of ${game.of}`;
  const missing = (away ?? []).map((name) => `${name} is not connected`);
  const parts = [which, `${clockText(left)} left`, ...missing];
  if (me) parts.push(`${me.name} (you)`);
  if ($("game").dataset.key === parts.join()) return;
  $("game").dataset.key = parts.join();
  $("game").replaceChildren(...parts.map((part, number) => {
    const text = document.createElement("span");
    text.textContent = part;
    const item = document.createElement("span");
    if (me && number === parts.length - 1) item.className = "own";
    item.append(...(number ? [" · ", text] : [text]));
    return item;
  }));
}

/** Show who else plays. */
export function showPlayers(names) {
  $("me-players").textContent = names.length ? names.join(", ") : "none";
}

/** List the blocks that can be gone to; `go` is called with the id of the one that is clicked. */
export function showBlocks(store, go) {
  const near = new Set(store.get("me")?.atBlocks ?? []);
  const blocks = [...store.of("block")]
    .map(([, block]) => block)
    .sort((a, b) => Number(a.faded) - Number(b.faded) || a.zone.localeCompare(b.zone) || a.id - b.id);
  const list = $("blocks");
  const key = JSON.stringify([blocks.map(({ id, color, faded, zone }) => [id, color, faded, zone]), [...near]]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const focused = document.activeElement?.dataset?.goto;
  list.replaceChildren(
    ...blocks.map((block) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.goto = block.id;
      button.className = block.faded ? "quiet faded" : "";
      const where = block.faded ? ` in ${block.zone}` : near.has(block.id) ? " (in reach)" : "";
      button.append(swatch(block.color), ` ${words(block.color)}${where}`);
      button.title = block.faded
        ? `Block ${block.id} was seen in ${block.zone}; go there`
        : `Go to block ${block.id}`;
      button.addEventListener("click", () => go(block));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }),
  );
  $("blocks-title").textContent = blocks.some(({ faded }) => !faded)
    ? "Blocks in sight"
    : blocks.length ? "Blocks remembered" : "No blocks in sight";
  if (focused) list.querySelector(`[data-goto="${focused}"]`)?.focus();
}

/** List the places to go to. */
export function showPlaces(store) {
  const groups = [["Rooms", ["ROOM", "DROPZONE"]], ["Charging zones", ["CHARGINGZONE"]], ["Corridors", ["CORRIDOR"]]];
  $("place").replaceChildren(
    ...groups.flatMap(([title, kinds]) => {
      const zones = store.places().filter(({ kind }) => kinds.includes(kind));
      if (!zones.length) return [];
      const group = document.createElement("optgroup");
      group.label = title;
      zones.sort((a, b) => a.name.localeCompare(b.name));
      group.append(...zones.map(({ name }) => new Option(name, name)));
      return [group];
    }),
  );
}

/** List the robots, for those who watch. */
export function showTeam(store) {
  const robots = [...store.of("robot")].map(([, robot]) => robot);
  const body = $("team");
  const key = JSON.stringify(robots.map(({ name, kind, state, held, battery }) => [name, kind, state, held, battery]));
  if (body.dataset.key === key) return;
  body.dataset.key = key;
  body.replaceChildren(
    ...robots.map((robot) => {
      const row = document.createElement("tr");
      const [name, state, holds] = [0, 1, 2].map((i) => document.createElement(i ? "td" : "th"));
      name.scope = "row";
      name.textContent = robot.kind === "human" ? `${robot.name} (person)` : robot.name;
      state.textContent = BUSY[robot.state] ?? robot.state;
      if (robot.battery !== null) state.textContent += `, ${robot.battery} %`;
      holds.append(...(robot.held.length ? heldMarks(robot.held) : ["–"]));
      row.append(name, state, holds);
      return row;
    }),
  );
}

/** Offer the human bots that wait for a person; `take` is called with the name of one. */
export function showLobby({ free }, take) {
  $("free").hidden = free.length === 0;
  const list = $("free-bots");
  if (list.dataset.key === free.join("\n")) return;
  list.dataset.key = free.join("\n");
  list.replaceChildren(
    ...free.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => take(name));
      return button;
    }),
  );
}

/** Show the measures at the end, or hide them. */
export function showMeasures(measures) {
  $("measures").hidden = !measures;
  if (!measures) return "";
  const text =
    `In ${measures.seconds.toFixed(1)} s, with ${measures.goodDrops} good and ${measures.wrongDrops} wrong drops, ` +
    `${measures.messages} messages, ${measures.roomsEntered} rooms entered and ${measures.idleSeconds} s idle.`;
  $("measures-text").textContent = text;
  $("measures-rows").replaceChildren(
    ...measures.robots.map((robot) => {
      const row = document.createElement("tr");
      const name = document.createElement("th");
      name.scope = "row";
      name.textContent = robot.name;
      const { goodDrops, wrongDrops, messages, idleSeconds, roomsEntered } = robot;
      row.append(
        name,
        ...[goodDrops, wrongDrops, messages, `${idleSeconds} s`, roomsEntered].map((value) => {
          const cell = document.createElement("td");
          cell.textContent = value;
          return cell;
        }),
      );
      return row;
    }),
  );
  return text;
}

/** Show what the last action did. */
export function showLast(kind, text) {
  const line = $("last");
  line.dataset.kind = kind;
  line.textContent = text;
}
