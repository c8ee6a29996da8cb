// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The Nao's maze from above: rooms with their marker ids, the robot, what it carries and sees.

import { arrange } from "/static/labels.js";
import { Keyed, drawing, frame, html, place, svg } from "/static/svg.js";

const FIGURE = 1.25; // the robot, in sizes of a room
const HELD = [0.25, 0.08]; // where it carries something, in its own size, y down
const SIGHT = 4; // s for which a drawing of sightings counts; a Nao repeats what it still sees

export default class NaoView {
  constructor(store, scene) {
    this.store = store;
    this.objects = new Map(); // room by object: what was put down while this page looked
    this.drawing = drawing("map", "the maze");
    this.layers = Object.fromEntries(
      ["passages", "rooms", "sights", "labels", "things", "robots"].map((name) => {
        const layer = svg("g", { class: name });
        this.drawing.append(layer);
        return [name, layer];
      }),
    );
    this.robot = svg("g", { class: "robot glide" });
    this.layers.robots.append(this.robot);
    this.sights = new Keyed(this.layers.sights, () => svg("g", { class: "sight" }, svg("line"), svg("circle")));
    this.things = new Keyed(this.layers.things, () => thing(this.size));
    this.caption = html("p", "caption");
    scene.append(html("div", "stack", this.drawing, this.caption));
  }

  follow([namespace]) {
    this.namespace = namespace;
  }

  get(name) {
    return this.store.data(this.namespace, name);
  }

  update(_, name, data) {
    if (name === "rooms") this.drawMap(data);
    if (name === "dropped" && data.stamp !== this.droppedAt) {
      this.droppedAt = data.stamp;
      if (data.object !== null) this.objects.set(data.object, this.get("location")?.room);
    }
    this.draw();
  }

  drawMap({ size: distance, rooms, passages }) {
    const size = 0.8 * distance; // walls stand between the rooms
    this.size = size;
    this.rooms = new Map(rooms.map(({ id, at }) => [id, at]));
    const xs = rooms.map(({ at }) => at[0]);
    const ys = rooms.map(({ at }) => at[1]);
    const margin = size * 0.75;
    const [left, bottom] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    frame(this.drawing, [left, bottom, Math.max(...xs) + margin - left, Math.max(...ys) + margin - bottom]);
    this.layers.passages.replaceChildren(
      ...passages.map(([x1, y1, x2, y2]) =>
        svg("line", { x1, y1: -y1, x2, y2: -y2, class: "passage", "stroke-width": size * 0.42 }),
      ),
    );
    this.layers.rooms.replaceChildren(
      ...rooms.map(({ id, at: [x, y] }) => {
        const half = size * 0.5;
        return svg("g", { transform: `translate(${x} ${-y})`, "data-room": id },
          svg("rect", { x: -half, y: -half, width: size, height: size, rx: size * 0.22, class: "room" }));
      }),
    );
    this.layers.labels.replaceChildren(
      ...rooms.map(({ id, at: [x, y] }) =>
        svg("text", { x: x - size * 0.4, y: -y - size * 0.22, "font-size": size * 0.25 }, id),
      ),
    );
    this.robot.replaceChildren(...figure(size * FIGURE));
  }

  draw() {
    if (!this.rooms) return;
    const [location, state, held] = ["location", "state", "held_object"].map((name) => this.get(name));
    const known = location?.valid && this.rooms.has(location.room);
    const here = known ? this.rooms.get(location.room) : null;
    const { robot } = this;
    robot.classList.toggle("absent", !here);
    if (here) place(robot, here[0], -here[1] + this.size * 0.1);
    robot.classList.toggle("walking", Boolean(state?.valid && state.state === "walking"));
    const carried = held?.valid ? held.object : null;
    if (carried !== null) this.objects.delete(carried);
    robot.querySelector(".held").classList.toggle("absent", carried === null);
    robot.querySelector(".held text").textContent = carried ?? "";
    for (const room of this.layers.rooms.children) {
      room.classList.toggle("here", Boolean(here) && Number(room.dataset.room) === location.room);
    }
    this.drawSights(here);
    const lying = [...this.objects].filter(([, room]) => this.rooms.has(room));
    const spots = new Map(); // side by side in the corner of their room
    for (const [object, room] of lying) {
      const [x, y] = this.rooms.get(room);
      const before = lying.slice(0, lying.findIndex(([other]) => other === object)).filter(([, other]) => other === room);
      spots.set(object, [x + this.size * (0.27 * before.length - 0.33), -y + this.size * 0.33]);
    }
    this.things.sync(spots, (element, [x, y], object) => {
      element.setAttribute("transform", `translate(${x} ${y})`);
      element.querySelector("text").textContent = object;
    });
    const numbers = [...this.layers.labels.children].map((text) => ({ text, at: [0, 0] }));
    if (here && carried !== null) {
      const [x, y] = HELD.map((part) => part * FIGURE * this.size);
      numbers.push({ text: robot.querySelector(".held text"), at: [here[0] + x, -here[1] + this.size * 0.1 + y] });
    }
    for (const [object, at] of spots) numbers.push({ text: this.things.elements.get(object).querySelector("text"), at });
    arrange(this.drawing, numbers);
    const words = !here ? "its place is not known" : `in room ${location.room}, ${state?.valid ? state.state : "state unknown"}`;
    const load = carried === null ? "" : `, carries object ${carried}`;
    this.drawing.setAttribute("aria-label", `Maze of the Nao: ${words}${load}`);
    const text = `${words}${load}`;
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }

  drawSights(here) {
    const at = this.store.topic(this.namespace, "markers")?.at ?? -Infinity;
    const fresh = this.store.age(at) < SIGHT;
    const seen = here && fresh ? this.get("markers")?.seen ?? [] : [];
    const rooms = seen.filter((id) => this.rooms.has(id)).map((id) => [id, this.rooms.get(id)]);
    this.sights.sync(rooms, (sight, [x, y]) => {
      const ends = { x1: here[0], y1: -here[1], x2: x, y2: -y, "stroke-width": this.size * 0.035 };
      for (const [name, value] of Object.entries(ends)) sight.firstChild.setAttribute(name, value);
      for (const [name, value] of Object.entries({ cx: x, cy: -y, r: this.size * 0.07 })) sight.lastChild.setAttribute(name, value);
    });
  }

  refresh() {
    this.draw();
  }
}

/** A Nao, seen a little from the front: head, body, what it carries. */
function figure(size) {
  const u = size;
  return [
    svg("ellipse", { class: "ring", rx: u * 0.3, ry: u * 0.3, cy: u * 0.04 }),
    svg("rect", { class: "body", x: -u * 0.15, y: -u * 0.06, width: u * 0.3, height: u * 0.27, rx: u * 0.1 }),
    svg("circle", { class: "head", r: u * 0.12, cy: -u * 0.11 }),
    svg("circle", { class: "eye", r: u * 0.025, cx: -u * 0.045, cy: -u * 0.11 }),
    svg("circle", { class: "eye", r: u * 0.025, cx: u * 0.045, cy: -u * 0.11 }),
    svg("g", { class: "held absent" }, thing(u, `translate(${u * HELD[0]} ${u * HELD[1]})`)),
  ];
}

function thing(size, at = "") {
  return svg("g", { transform: at },
    svg("rect", { x: -0.1 * size, y: -0.1 * size, width: 0.2 * size, height: 0.2 * size, rx: 0.03 * size, class: "thing" }),
    svg("text", { y: 0.06 * size, "font-size": 0.17 * size }, ""));
}
