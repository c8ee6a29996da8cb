// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Draws the map and everything on it. Lengths are map units, as the server tells them.

import { fill, ink, letter, words } from "/common/block_colors.js";
import { arrange, settle } from "./labels.js";
import { center } from "./store.js";
import { Viewport } from "./viewport.js";

const SVG = "http://www.w3.org/2000/svg";
const BLOCK = 1.8; // larger than it is, or its letter would not be readable
const HELD = 1.5;
const REPORTED = 1.5;
const MOST_REPORTED = 20; // of one colour in one room
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SLOWEST_FRAME = 250; // milliseconds; longer gaps are jumps

function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class MapView {
  constructor(svg, store) {
    this.svg = svg;
    this.store = store;
    this.view = new Viewport(svg);
    this.drawn = new Map(); // element and what it shows, by the name of the thing
    this.moving = new Map(); // robots between two pictures
    this.frameAt = 0;
    this.interval = 70;
    const draw = (now) => {
      this.move(now);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  /** Draw another map. */
  begin() {
    const { area, zones } = this.store.world;
    this.drawn.clear();
    this.moving.clear();
    this.doors = new Map();
    this.plates = []; // boxes of rooms' names
    this.labels = []; // names of other zones
    const order = { CORRIDOR: 0, CHARGINGZONE: 1, BLOCKADE: 2, ROOM: 3, DROPZONE: 3 };
    const sorted = [...zones].sort((a, b) => order[a.kind] - order[b.kind]);
    this.layers = Object.fromEntries(
      ["floor", "walls", "doors", "marks", "reports", "blocks", "epartners", "robots"].map((name) => [
        name,
        make("g", { class: name }),
      ]),
    );
    this.svg.replaceChildren(patterns(), ...Object.values(this.layers));
    for (const zone of sorted) this.drawZone(zone);
    settle(this.labels, this.plates);
    this.layers.walls.append(make("rect", { x: 0, y: 0, width: area[0], height: area[1], class: "edge" }));
    for (const zone of zones) {
      this.doors.set(zone.name, zone.doors.map((box) => this.drawDoor(box)));
    }
    this.target = make("g", { class: "target", hidden: "" });
    this.target.append(
      make("circle", { r: 0.9 }),
      make("path", { d: "M-1.4 0H1.4M0-1.4V1.4" }),
    );
    this.chosen = make("rect", { class: "chosen", hidden: "", rx: 0.4 });
    this.cross = make("path", { class: "cross", hidden: "", d: "M-1.5 0H1.5M0-1.5V1.5" });
    this.layers.marks.append(this.chosen, this.target, this.cross);
    this.view.begin(area);
  }

  drawZone({ name, kind, box: [x, y, width, height], label }) {
    const floor = make("rect", { x, y, width, height, class: `zone ${kind.toLowerCase()}` });
    this.layers.floor.append(floor);
    if (kind === "BLOCKADE") {
      this.layers.floor.append(make("rect", { x, y, width, height, fill: "url(#hatch)" }));
    }
    if (kind === "ROOM" || kind === "DROPZONE" || kind === "BLOCKADE") {
      this.layers.walls.append(make("rect", { x, y, width, height, class: "wall" }));
    }
    if (label && (kind === "ROOM" || kind === "DROPZONE")) this.drawPlate(name, [x, y, width, height]);
    else if (label) this.drawLabel(name, kind, [x, y, width, height]);
    if (kind === "DROPZONE") {
      this.dropStrip = make("g", { class: "strip" });
      this.layers.floor.append(this.dropStrip);
      this.dropBox = [x, y, width, height];
    }
  }

  drawLabel(name, kind, [x, y, width, height]) {
    const label = kind === "CHARGINGZONE" ? `⚡ ${name}` : name;
    const top = Math.max(y, 0); // maps have zones that reach beyond their area
    const text = make("text", {
      x: x + width / 2,
      y: (top + y + height) / 2 + 0.5,
      class: `label ${kind.toLowerCase()}`,
      "font-size": Math.min(1.35, (1.45 * width) / label.length),
    });
    text.textContent = label;
    this.layers.floor.append(text);
    this.labels.push({ text, box: [x, top, x + width, y + height] });
  }

  /** The name of a room stands below its wall, where no blocks are; inside where that is not free. */
  drawPlate(name, [x, y, width, height]) {
    const below = [x + width / 2, y + height + 0.9];
    const neighbour = this.store.zoneAt(...below);
    const outside = below[1] + 0.9 < this.store.world.area[1] && neighbour?.kind !== "ROOM";
    const size = Math.min(1.6, (1.25 * Math.max(1, width - 1.3)) / name.length);
    const top = outside ? y + height : y + height - 1.9;
    const length = name.length * size * 0.72 + 1.1;
    this.plates.push([below[0] - length / 2, top, below[0] + length / 2, top + 1.9]);
    const plate = make("rect", { x: below[0] - length / 2, y: top, width: length, height: 1.9, rx: 0.3, class: "plate" });
    const text = make("text", { x: below[0], y: top + 1.5, class: "plate-text", "font-size": size });
    text.textContent = name;
    this.layers.walls.append(plate, text);
  }

  drawDoor([x, y, width, height]) {
    const open = make("rect", { x, y, width, height, class: "opening" });
    const leaf =
      width >= height
        ? { x, y: y + height / 2 - 0.35, width, height: 0.7 }
        : { x: x + width / 2 - 0.35, y, width: 0.7, height };
    const bar = make("rect", { ...leaf, rx: 0.2, class: "leaf" });
    const mark = make("path", {
      class: "bolt",
      d: "M-.5-.5L.5.5M-.5 .5L.5-.5",
      transform: `translate(${x + width / 2} ${y + height / 2})`,
    });
    const door = make("g", { class: "door" }, open, bar, mark);
    this.layers.doors.append(door);
    return door;
  }

  /** Draw what has changed; `kinds` are the kinds of things that were touched. */
  update(kinds) {
    const now = performance.now();
    if (kinds.has("robot") || kinds.has("me") || kinds.has("epartner")) {
      const gap = now - this.frameAt;
      if (gap < SLOWEST_FRAME) this.interval += (gap - this.interval) * 0.1;
      this.frameAt = now;
    }
    if (kinds.has("room")) this.updateDoors();
    if (kinds.has("report")) this.updateReports();
    if (kinds.has("block")) this.sync("block", this.layers.blocks, drawBlock);
    if (kinds.has("epartner")) this.sync("epartner", this.layers.epartners, drawEPartner, now);
    if (kinds.has("robot")) this.sync("robot", this.layers.robots, drawRobot, now);
    if (kinds.has("me")) this.sync("me", this.layers.robots, drawRobot, now);
    if (kinds.has("task") && this.dropStrip) this.updateStrip();
    if (kinds.has("robot") || kinds.has("me") || kinds.has("epartner")) this.arrangeNames();
  }

  /** Keep the names apart where their things are drawn, which may be behind where they are. */
  arrangeNames() {
    const things = [];
    for (const { element, fields, at } of this.drawn.values()) {
      const name = element.querySelector(".name");
      if (name) things.push({ name, x: at[0], y: at[1], half: (fields.size ?? 1) / 2 });
    }
    arrange(things, this.plates, this.labels);
  }

  updateDoors() {
    for (const [room, doors] of this.doors) {
      const closed = Boolean(this.store.get(`room:${room}`));
      for (const door of doors) door.classList.toggle("closed", closed);
    }
  }

  /** What others have said of rooms, along their upper walls. */
  updateReports() {
    const reports = [...this.store.of("report")].map(([, report]) => report);
    this.layers.reports.replaceChildren(
      ...reports.filter(({ zone }) => this.store.zone(zone)).map((report) => drawReport(report, this.store)),
    );
  }

  /** The sequence in the drop zone: what is due and what comes next. */
  updateStrip() {
    const { sequence = [], index = 0 } = this.store.get("task") ?? {};
    const [x, y, width, height] = this.dropBox;
    const fits = Math.max(1, Math.floor((width - 2) / 2.6));
    const first = Math.max(0, Math.min(index - 1, sequence.length - fits));
    const shown = sequence.slice(first, first + fits);
    const left = x + width / 2 - (shown.length * 2.6) / 2 + 1.3;
    this.dropStrip.replaceChildren(
      ...shown.map((color, offset) => {
        const number = first + offset;
        const at = `translate(${left + offset * 2.6} ${y + height * 0.27})`;
        const state = number < index ? "done" : number === index ? "due" : "later";
        return make("g", { transform: at, class: state }, ...square(color, 2, number < index ? "✓" : null));
      }),
    );
  }

  sync(kind, layer, drawing, now = null) {
    const seen = new Set();
    for (const [name, fields] of this.store.of(kind)) {
      seen.add(name);
      let entry = this.drawn.get(name);
      if (!entry) {
        entry = { element: make("g", { class: kind }), kind, fields: null };
        layer.append(entry.element);
        this.drawn.set(name, entry);
      }
      if (entry.fields === fields) continue;
      const before = entry.fields;
      entry.fields = fields;
      const { x: _x, y: _y, ...looks } = fields;
      const look = JSON.stringify(looks);
      if (look !== entry.look) {
        entry.look = look;
        entry.element.replaceChildren();
        drawing(entry.element, fields, this.store);
      }
      if (!before || before.x !== fields.x || before.y !== fields.y) this.send(name, entry, now);
    }
    for (const [name, entry] of this.drawn) {
      if (entry.kind === kind && !seen.has(name)) {
        entry.element.remove();
        this.drawn.delete(name);
        this.moving.delete(name);
      }
    }
  }

  /** Let a thing glide to where it is now, within the time between two pictures. */
  send(name, entry, now) {
    const { x, y } = entry.fields;
    const from = entry.at ?? [x, y];
    const far = Math.hypot(x - from[0], y - from[1]) > 5;
    if (now === null || far || STILL.matches) {
      this.moving.delete(name);
      place(entry, x, y);
    } else {
      if (!entry.at) place(entry, x, y);
      this.moving.set(name, { entry, from, to: [x, y], start: now });
    }
  }

  move(now) {
    const moved = this.moving.size > 0;
    for (const [name, { entry, from, to, start }] of this.moving) {
      const part = Math.min(1, (now - start) / (this.interval * 1.15));
      place(entry, from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
      if (part >= 1) this.moving.delete(name);
    }
    if (moved) this.arrangeNames();
    const own = this.drawn.get("me")?.at;
    if (own) this.view.follow(own);
  }

  // --- Marks ---------------------------------------------------------------------------

  /** Show what is chosen: { zone }, { block } or { spot: [x, y] }, or nothing. */
  choose(choice) {
    if (!this.chosen) return;
    this.chosen.toggleAttribute("hidden", !choice?.zone && !choice?.block);
    this.cross.toggleAttribute("hidden", !choice?.spot);
    if (choice?.zone) {
      const [x, y, width, height] = choice.zone.box;
      frame(this.chosen, x + 0.4, y + 0.4, width - 0.8, height - 0.8);
      this.view.reveal(center(choice.zone));
    } else if (choice?.block) {
      frame(this.chosen, choice.block.x - 1.4, choice.block.y - 1.4, 2.8, 2.8);
      this.view.reveal([choice.block.x, choice.block.y]);
    } else if (choice?.spot) {
      this.cross.setAttribute("transform", `translate(${choice.spot.join(" ")})`);
      this.view.reveal(choice.spot);
    }
  }

  /** Show where the robot was told to go, or nothing. */
  aim(point) {
    if (!this.target) return;
    this.target.toggleAttribute("hidden", !point);
    if (point) this.target.setAttribute("transform", `translate(${point.join(" ")})`);
  }
}

function place(entry, x, y) {
  entry.at = [x, y];
  entry.element.setAttribute("transform", `translate(${x.toFixed(3)} ${y.toFixed(3)})`);
}

function frame(rect, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height })) rect.setAttribute(name, value);
}

function square(color, size, mark = null) {
  const text = make("text", { class: "letter", y: size * 0.26, "font-size": size * 0.74, fill: ink(color) });
  text.textContent = mark ?? letter(color);
  const box = { x: -size / 2, y: -size / 2, width: size, height: size, rx: size * 0.12 };
  return [make("rect", { ...box, class: "square", fill: fill(color) }), text];
}

function drawBlock(element, block) {
  element.classList.toggle("faded", Boolean(block.faded));
  const title = make("title");
  title.textContent = `${words(block.color)} block ${block.id}${block.faded ? ", remembered" : ""}`;
  element.dataset.block = block.id;
  element.append(title, ...square(block.color, BLOCK));
}

function drawReport({ zone, blocks, by }, store) {
  const [x, y, width] = store.zone(zone).box;
  const said = blocks.map(([color, count]) => `${count} ${words(color)}`).join(", ") || "no block";
  const element = make("g", { class: "report", "data-report": zone });
  const title = make("title");
  title.textContent = `${by} says: ${said} in ${zone}`;
  element.append(title);
  const squares = blocks.flatMap(([color, count]) => Array(Math.min(count, MOST_REPORTED)).fill(color));
  const step = Math.min(REPORTED + 0.2, (width - REPORTED - 0.6) / Math.max(1, squares.length - 1));
  const left = x + width / 2 - (step * (squares.length - 1)) / 2;
  squares.forEach((color, index) => {
    const one = make("g", { transform: `translate(${left + step * index} ${y + 1.5})` });
    one.append(...square(color, REPORTED));
    element.append(one);
  });
  if (!blocks.length) {
    const empty = make("text", { class: "label", x: x + width / 2, y: y + 2, "font-size": 1.4 });
    empty.textContent = "empty";
    element.append(empty);
  }
  return element;
}

function drawRobot(element, robot, store) {
  const own = robot === store.get("me");
  const half = robot.size / 2;
  element.classList.toggle("own", own);
  element.classList.toggle("human", robot.kind === "human");
  element.classList.toggle("idle", robot.played === false);
  element.classList.toggle("collided", robot.state === "collided");
  if (own) element.append(make("circle", { class: "halo", r: half + 0.9 }));
  element.append(
    robot.kind === "human"
      ? make("circle", { class: "body", r: half })
      : make("rect", { class: "body", x: -half, y: -half, width: robot.size, height: robot.size, rx: 0.45 }),
  );
  robot.held.forEach(([, color], level) => {
    const block = make("g", { class: "held", transform: `translate(0 ${-0.75 * level})` });
    block.append(...square(color, HELD));
    element.append(block);
  });
  const lowest = half + 1.5;
  const name = make("text", { class: "name", y: lowest, "font-size": 1.45 });
  name.textContent = robot.name || "robot";
  element.append(name);
  if (robot.state === "collided") {
    const badge = make("text", { class: "letter", y: 0.42, "font-size": 1.2, fill: "#fff" });
    badge.textContent = "!";
    element.append(
      make("g", { class: "badge", transform: `translate(${half} ${-half})` }, make("circle", { r: 0.75 }), badge),
    );
  }
  if (typeof robot.battery === "number" && robot.battery < 100) {
    const width = robot.size * (robot.battery / 100);
    element.append(
      make("rect", { class: "battery", x: -half, y: -half - 0.7, width: robot.size, height: 0.45 }),
      make("rect", { class: "charge", x: -half, y: -half - 0.7, width, height: 0.45 }),
    );
  }
}

function drawEPartner(element, other) {
  const mark = make("text", { class: "letter", y: 0.32, "font-size": 0.9, fill: "#fff" });
  mark.textContent = "E";
  const title = make("title");
  title.textContent = `e-partner ${other.name}${other.holder ? `, carried by ${other.holder}` : ""}`;
  element.append(title, make("path", { d: "M0-.95L.95 0 0 .95-.95 0Z" }), mark);
  if (!other.holder) {
    const name = make("text", { class: "name", y: 1.9, "font-size": 1.1 });
    name.textContent = other.name;
    element.append(name);
  }
}

function patterns() {
  const hatch = make("pattern", { id: "hatch", width: 1.2, height: 1.2, patternUnits: "userSpaceOnUse" });
  hatch.append(make("path", { d: "M0 1.2L1.2 0", class: "hatch" }));
  return make("defs", {}, hatch);
}
