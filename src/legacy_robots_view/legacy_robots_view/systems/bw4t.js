// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The blocks world from above, with the sequence that the team has to deliver.

import { fill, ink, letter } from "/common/block_colors.js";
import { arrange, around, beside } from "/static/labels.js";
import { Keyed, drawing, frame, html, place, svg } from "/static/svg.js";

const NEAR = 0.6; // m; what is held stands on its robot

export default class Bw4tView {
  constructor(store, scene) {
    this.store = store;
    this.drawing = drawing("map blocks-world", "the blocks world");
    const names = ["floor", "walls", "doors", "ways", "blocks", "robots", "labels"];
    this.layers = Object.fromEntries(names.map((name) => [name, svg("g", { class: name })]));
    this.drawing.append(...Object.values(this.layers));
    this.blocks = new Keyed(this.layers.blocks, ([, , color]) => square(color, 1.5));
    this.ways = new Keyed(this.layers.ways, () => svg("line", { class: "way" }));
    this.robots = new Keyed(this.layers.robots, ({ size }) => robot(size));
    this.names = new Keyed(this.layers.labels, ({ name }) => svg("text", { class: "name glide", "font-size": 1.5 }, name));
    this.places = []; // the names of zones, each with where it may be
    this.doors = new Map();
    this.sequence = html("ol", "sequence");
    this.clock = html("span", "clock");
    const strip = html("div", "strip", html("span", "word", "Deliver"), this.sequence, this.clock);
    scene.append(html("div", "stack", strip, this.drawing));
  }

  follow([namespace]) {
    this.namespace = namespace;
  }

  update(_, name, data) {
    if (name === "map") {
      this.drawMap(data);
      for (const other of ["occupied_rooms", "markers"]) {
        const known = this.store.data(this.namespace, other);
        if (known) this.update(this.namespace, other, known);
      }
    }
    if (name === "task") this.drawTask(data);
    if (name === "occupied_rooms") this.drawDoors(data);
    if (name === "markers") this.drawThings(data);
    if (name === "world_state") this.world = data;
  }

  /** A map that is taller than wide lies on its left side: panels are wider than tall. */
  at([x, y]) {
    return this.turned ? [-y, this.width - x] : [x, -y];
  }

  rectangle([left, bottom, width, height]) {
    const [x1, y1] = this.at([left, bottom]);
    const [x2, y2] = this.at([left + width, bottom + height]);
    return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
  }

  drawMap({ size: [width, height], zones }) {
    this.width = width;
    this.turned = height > width;
    const { x: left, y: top, width: across, height: down } = this.rectangle([0, -height, width, height]);
    frame(this.drawing, [left - 0.5, -(top + down) - 0.5, across + 1, down + 1]);
    const { floor, walls, doors } = this.layers;
    for (const layer of [floor, walls, doors]) layer.replaceChildren();
    for (const { text } of this.places) text.remove();
    this.places = [];
    this.doors.clear();
    for (const { name, kind, box, doors: openings } of zones) {
      const area = this.rectangle(box);
      floor.prepend(svg("rect", { ...area, class: `zone ${kind}` }));
      const closed = ["room", "drop", "blockade"].includes(kind);
      if (closed) walls.append(svg("rect", { ...area, class: "wall" }));
      if (kind === "room" || kind === "drop") {
        const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
        const text = svg("text", { "font-size": Math.min(1.8, (1.5 * area.width) / name.length), class: "place" }, name);
        this.layers.labels.prepend(text);
        const inside = (high) => [1, -1, 0, 0.5, -0.5].map((row) => [x, y + row * ((area.height - high) / 2 - 0.3)]);
        const outside = (wide) => [0, 0.3, -0.3].flatMap((row) => [1, -1].map((way) => [x + way * ((area.width + wide) / 2 + 0.5), y + row * area.height]));
        this.places.push({ text, places: (wide, high) => [...inside(high), ...outside(wide)] });
      }
      const leaves = openings.map((opening) => {
        const rect = svg("rect", { ...this.rectangle(opening), rx: 0.2, class: "door" });
        doors.append(rect);
        return rect;
      });
      this.doors.set(name, leaves);
    }
  }

  drawDoors({ rooms }) {
    for (const [room, doors] of this.doors) {
      for (const door of doors) door.classList.toggle("closed", rooms.includes(room));
    }
  }

  drawTask({ sequence, index, done, seconds, wrong }) {
    const key = `${sequence.join()} ${index}`;
    if (this.shown !== key) {
      this.shown = key;
      this.sequence.replaceChildren(
        ...sequence.map((color, number) => {
          const state = number < index ? "done" : number === index ? "due" : "later";
          const item = html("li", state, state === "done" ? "✓" : letter(color));
          item.title = `${color}: ${state}`;
          [item.style.background, item.style.color] = [fill(color), ink(color)];
          return item;
        }),
      );
    }
    const whole = Math.floor(seconds ?? 0);
    const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    const state = done ? "complete" : this.world?.paused ? "paused" : "";
    const words = [state, wrong ? `${wrong} wrong` : "", time].filter(Boolean).join(" · ");
    if (this.clock.textContent !== words) this.clock.textContent = words;
    const delivered = `${index} of ${sequence.length} delivered`;
    this.drawing.setAttribute("aria-label", `Blocks world: ${delivered}${state && `, ${state}`}`);
  }

  drawThings({ blocks, held, robots, ways }) {
    if (this.width === undefined) return; // the map is drawn first
    this.blocks.sync(blocks.map((block) => [block.join(), block]), (element, [x, y]) => {
      element.setAttribute("transform", `translate(${this.at([x, y]).join(" ")})`);
    });
    this.ways.sync(ways.map((way, index) => [index, way]), (element, [fromX, fromY, toX, toY]) => {
      const [[x1, y1], [x2, y2]] = [this.at([fromX, fromY]), this.at([toX, toY])];
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) element.setAttribute(name, value);
    });
    this.robots.sync(robots.map((one) => [one.id, one]), (element, { at: [x, y], kind }) => {
      place(element, ...this.at([x, y]));
      element.dataset.kind = kind;
      const load = held.filter(([bx, by]) => Math.hypot(bx - x, by - y) < NEAR).map(([, , color]) => color);
      if (element.dataset.load === load.join()) return;
      element.dataset.load = load.join();
      const stack = element.querySelector(".load");
      stack.replaceChildren(...load.map((color, level) => {
        const block = square(color, 1.35, level === load.length - 1);
        block.setAttribute("transform", `translate(0 ${-0.5 * level})`);
        return block;
      }));
    });
    this.names.sync(robots.map((one) => [one.id, one]), (text, { name }) => {
      if (text.textContent !== name) text.textContent = name;
    });
    this.things = { blocks, robots };
    this.refresh();
  }

  /** Arrange all texts: letters, names of zones, names of robots. */
  refresh() {
    if (!this.things) return;
    const { blocks, robots } = this.things;
    const where = robots.map(({ id, at, size }) => [id, this.at(at), size]);
    const letters = blocks.map((block) => [this.blocks.elements.get(block.join()), this.at(block)]);
    const loads = where.map(([id, [x, y]]) => {
      const stack = this.robots.elements.get(id).querySelector(".load");
      return [stack.lastChild, [x, y - 0.5 * (stack.childElementCount - 1)]];
    });
    const own = ([block, at]) => ({ text: block.querySelector("text"), at });
    arrange(this.drawing, [
      ...loads.filter(([block]) => block).map(own),
      ...letters.map(own),
      ...letters.map(([, at]) => ({ box: around(at, 1.5) })),
      ...where.map(([, at, size]) => ({ box: around(at, size) })),
      ...this.places,
      ...where.map(([id, at, size]) => ({ text: this.names.elements.get(id), places: beside(at, size) })),
    ]);
  }
}

function square(color, size, withLetter = true) {
  const half = size / 2;
  return svg("g", { class: "block" },
    svg("rect", { x: -half, y: -half, width: size, height: size, rx: size * 0.14, fill: fill(color) }),
    ...(withLetter ? [svg("text", { y: size * 0.29, "font-size": size * 0.8, fill: ink(color), stroke: fill(color) }, letter(color))] : []));
}

function robot(size) {
  const half = size / 2;
  return svg("g", { class: "bot glide" },
    svg("rect", { class: "body", x: -half, y: -half, width: size, height: size, rx: half * 0.35 }),
    svg("g", { class: "load" }));
}
