// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The field from above with all players of a team or match: where each is and takes the ball to be; cameras.

import { Behaviour } from "/static/behaviour.js";
import { CameraView } from "/static/camera.js";
import { arrange, beside } from "/static/labels.js";
import { Keyed, drawing, frame, html, place, svg } from "/static/svg.js";

const RADIUS = 0.17;

export default class LuarView {
  constructor(store, scene) {
    this.store = store;
    this.members = [];
    this.cameras = new Map();
    this.drawing = drawing("map field", "the field");
    this.floor = svg("g", { class: "floor" });
    const [spread, balls, robots, numbers] = ["spreads", "balls", "robots", "numbers"].map((name) => svg("g", { class: name }));
    this.drawing.append(this.floor, spread, balls, robots, numbers);
    this.spreads = new Keyed(spread, () => svg("ellipse", { class: "spread" }));
    this.balls = new Keyed(balls, () =>
      svg("g", {}, svg("line", { class: "gaze" }), svg("g", { class: "glide" }, svg("circle", { r: 0.1, class: "ball" }))));
    this.robots = new Keyed(robots, robot);
    this.numbers = new Keyed(numbers, () => svg("text", { class: "number glide", "font-size": 0.25 }, ""));
    this.side = html("div", "side");
    this.game = html("p", "caption");
    this.wrap = html("div", "split", html("div", "stack", this.drawing, this.game), this.side);
    this.behaviours = new Map(); // by namespace
    this.behaviour = html("div", "behaviours");
    scene.append(this.wrap, this.behaviour);
  }

  follow(members) {
    this.members = members;
    for (const [key, camera] of this.cameras) {
      if (members.includes(camera.source[0])) continue;
      camera.element.remove();
      this.cameras.delete(key);
    }
    this.arrangeCameras();
    for (const [namespace, machines] of this.behaviours) {
      if (members.includes(namespace)) continue;
      machines.element.remove();
      this.behaviours.delete(namespace);
    }
  }

  /** Rows and columns of about a square. */
  arrangeCameras() {
    const columns = Math.max(1, Math.round(Math.sqrt(this.cameras.size / 1.3)));
    this.side.style.setProperty("--columns", columns);
    this.side.style.setProperty("--rows", Math.max(1, Math.ceil(this.cameras.size / columns)));
  }

  update(namespace, name, data) {
    if (name === "behaviour") this.machines(namespace).take(data);
    else if (name === "behaviour_graph") this.machines(namespace).draw(data);
    else if (name === "field") this.drawField(data);
    else this.draw();
  }

  drawField({ carpet: [length, width], lines, posts }) {
    frame(this.drawing, [-length / 2, -width / 2, length, width]);
    const points = (line) => line.map(([x, y]) => `${x},${-y}`).join(" ");
    this.floor.replaceChildren(
      svg("rect", { x: -length / 2, y: -width / 2, width: length, height: width, rx: 0.15, class: "carpet" }),
      ...lines.map((line) => svg("polyline", { points: points(line), class: "line" })),
      ...goals(posts),
    );
    this.draw();
  }

  poses() {
    return this.members
      .map((namespace) => [namespace, this.store.data(namespace, "pose")])
      .filter(([, pose]) => pose && !pose.at.includes(null));
  }

  draw() {
    const { store } = this;
    const poses = this.poses();
    this.robots.sync(poses, (element, { at: [x, y, heading] }, namespace) => {
      const team = store.data(namespace, "team");
      const color = team?.color ?? "none";
      if (element.dataset.color !== color) element.dataset.color = color;
      element.classList.toggle("old", !store.isLive(namespace, "pose"));
      element.classList.toggle("penalised", this.isPenalised(namespace));
      place(element, x, -y);
      element.querySelector(".nose").style.transform = `rotate(${-heading}rad)`;
    });
    this.numbers.sync(poses, (text, _, namespace) => {
      const team = store.data(namespace, "team");
      const number = team && team.player >= 0 ? String(team.player) : "";
      if (text.textContent !== number) text.textContent = number;
    });
    const where = poses.map(([namespace, { at: [x, y] }]) => [this.numbers.elements.get(namespace), [x, -y]]);
    arrange(this.drawing, where.map(([text, at]) => ({ text, places: (...size) => [at, ...beside(at, 2 * RADIUS)(...size)] })));
    this.spreads.sync(poses, (element, { at: [x, y], variance }) => {
      const [long, short, turn] = ellipse(variance);
      element.setAttribute("rx", long.toFixed(3));
      element.setAttribute("ry", short.toFixed(3));
      element.setAttribute("transform", `translate(${x} ${-y}) rotate(${((-turn * 180) / Math.PI).toFixed(1)})`);
    });
    const balls = poses
      .map(([namespace, pose]) => [namespace, [pose.at, store.data(namespace, "ball")?.at]])
      .filter(([, [, ball]]) => ball && !ball.includes(null));
    this.balls.sync(balls, (element, [[x, y, heading], [forward, left]], namespace) => {
      const [c, s] = [Math.cos(heading), Math.sin(heading)];
      const at = [x + c * forward - s * left, y + s * forward + c * left];
      element.classList.toggle("old", !store.isLive(namespace, "ball"));
      const ends = { x1: x, y1: -y, x2: at[0], y2: -at[1] };
      for (const [name, value] of Object.entries(ends)) element.firstChild.setAttribute(name, value.toFixed(3));
      place(element.lastChild, at[0], -at[1]);
    });
    this.describe(poses);
  }

  /** The state machines of a player, shown below the field. */
  machines(namespace) {
    let machines = this.behaviours.get(namespace);
    if (!machines) {
      machines = new Behaviour(namespace);
      this.behaviours.set(namespace, machines);
      this.behaviour.append(machines.element);
    }
    return machines;
  }

  isPenalised(namespace) {
    const game = this.store.data(namespace, "game_state");
    return Boolean(game?.valid && game.penalised.includes(this.store.data(namespace, "team")?.player));
  }

  /** A player's number, with its team's colour where there are two teams. */
  nameOf(namespace) {
    const colors = new Set(this.members.map((n) => this.store.data(n, "team")?.color));
    const { color, player } = this.store.data(namespace, "team") ?? {};
    return colors.size > 1 && color ? `${color} ${player}` : player ?? "";
  }

  describe(poses) {
    const { store } = this;
    const valid = (topic) => this.members.map((n) => store.data(n, topic)).find((g) => g?.valid);
    const game = valid("referee") ?? valid("game_state");
    const team = this.members.map((n) => store.data(n, "team")).find((t) => t?.valid);
    const left = game && game.left !== null ? ` · ${clock(game.left)} left` : "";
    const half = game?.half ? ` · half ${game.half}` : "";
    const role = this.members.length === 1 && team?.role ? ` · ${team.role}` : "";
    const score = game?.score?.length === 2 ? ` · ${scoreText(game.score)}` : "";
    const standing = this.members.filter((n) => this.isPenalised(n)).map((n) => this.nameOf(n)).join(", ");
    const penalised = standing ? ` · ${standing} penalised` : "";
    const words = game ? `${game.state ?? "unknown"}${half}${left}${score}${role}${penalised}` : "the game is not known";
    if (this.game.textContent !== words) this.game.textContent = words;
    const places = poses.map(([namespace, { at }]) => `player ${this.nameOf(namespace)} at ${at[0].toFixed(1)}, ${at[1].toFixed(1)} m`);
    this.drawing.setAttribute("aria-label", `Field: ${words}; ${places.join("; ") || "no player"}`);
  }

  show(namespace, topic, bytes) {
    this.camera(namespace, topic).show(bytes);
  }

  camera(namespace, topic) {
    const key = `${namespace} ${topic}`;
    let camera = this.cameras.get(key);
    if (!camera) {
      camera = new CameraView(`Camera of ${namespace}`);
      camera.source = [namespace, topic];
      this.cameras.set(key, camera);
      this.side.append(camera.element);
      this.arrangeCameras();
    }
    return camera;
  }

  refresh() {
    for (const namespace of this.members) {
      for (const [topic, { camera }] of this.store.topics(namespace)) {
        if (camera) this.camera(namespace, topic);
      }
    }
    for (const camera of this.cameras.values()) {
      const [namespace, topic] = camera.source;
      const player = this.members.length > 1 ? this.nameOf(namespace) : "";
      const lens = topic.includes("/") ? topic.split("/")[0] : "";
      const badge = [player, lens].filter((part) => part !== "").join(" ");
      if (camera.badge.textContent !== badge) camera.badge.textContent = badge;
      camera.refresh(this.store, namespace, topic);
    }
    for (const [namespace, machines] of this.behaviours) machines.refresh(this.members.length > 1 ? this.nameOf(namespace) : "");
    this.draw();
  }
}

function robot() {
  return svg("g", { class: "player glide" },
    svg("path", { class: "nose", d: `M0 ${-RADIUS * 0.62} L${RADIUS * 2.1} 0 L0 ${RADIUS * 0.62}Z` }),
    svg("circle", { class: "disc", r: RADIUS }));
}

/** Half axes and the long one's direction of the ellipse of one standard deviation. */
function ellipse([xx, yy, xy]) {
  const mean = ((xx ?? 0) + (yy ?? 0)) / 2;
  const difference = ((xx ?? 0) - (yy ?? 0)) / 2;
  const root = Math.hypot(difference, xy ?? 0);
  const axis = (variance) => Math.min(3, Math.sqrt(Math.max(0, variance)));
  return [axis(mean + root), axis(mean - root), Math.atan2(xy ?? 0, difference) / 2];
}

function goals(posts) {
  return ["yellow", "cyan"].flatMap((color) => {
    const two = posts.filter((post) => post.color === color).map(({ at }) => at);
    if (two.length !== 2) return [];
    const [[x, y1], [, y2]] = two;
    const depth = 0.35 * Math.sign(x);
    return [
      svg("polyline", { class: `net ${color}`, points: `${x},${-y1} ${x + depth},${-y1} ${x + depth},${-y2} ${x},${-y2}` }),
      ...two.map(([px, py]) => svg("circle", { class: `post ${color}`, cx: px, cy: -py, r: 0.08 })),
    ];
  });
}

function scoreText([[one, scored], [other, against]]) {
  return `${one ?? "team"} ${scored} : ${against} ${other ?? "team"}`;
}

function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
