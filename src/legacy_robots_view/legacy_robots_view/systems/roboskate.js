// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// RoboSkate: the camera's picture, with board and crane as their joints say, speed and way.

import { CameraView } from "/static/camera.js";
import { Robot } from "/static/robot.js";
import { html, svg } from "/static/svg.js";

const TRAIL = 600; // places of the way that are kept
const JUMP = 3; // m; a board that comes so far at once was put there

export default class RoboSkateView {
  constructor(store, scene) {
    this.store = store;
    this.camera = new CameraView("RoboSkate's camera");
    this.speed = html("b", "", "–");
    this.place = html("p", "place");
    this.trail = [];
    this.line = svg("polyline", { class: "trail" });
    this.head = svg("circle", { class: "head", r: 3 });
    this.way = svg("svg", { class: "way", viewBox: "0 0 100 60", role: "img", "aria-label": "the way from above" }, this.line, this.head);
    const facts = html("div", "hud", html("div", "", fact(this.speed, "m/s"), this.place), this.way);
    this.canvas = html("canvas", "crane");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "board and crane");
    this.robot = new Robot(this.canvas, { yaw: -0.75, pitch: 0.32, zoom: 1.5 });
    facts.append(this.canvas);
    scene.append(html("div", "film", html("div", "screen", this.camera.element), facts));
  }

  follow([namespace]) {
    this.namespace = namespace;
  }

  update(namespace, name, data) {
    if (name === "robot_description") this.robot.describe(data.urdf);
    if (name === "joint_states") this.robot.move(data.names, data.positions);
    if (name === "odom") this.drive(data);
  }

  drive({ at, speed }) {
    this.speed.textContent = speed === null ? "–" : speed.toFixed(1);
    const [x, y, z] = at.map((value) => (value === null ? "–" : value.toFixed(1)));
    this.place.textContent = `at ${x}, ${y}, ${z} m`;
    if (at.includes(null)) return;
    const last = this.trail.at(-1);
    if (last && Math.hypot(at[0] - last[0], at[1] - last[1]) > JUMP) this.trail = [];
    if (!last || Math.hypot(at[0] - last[0], at[1] - last[1]) > 0.05) this.trail.push(at.slice(0, 2));
    if (this.trail.length > TRAIL) this.trail.shift();
    this.drawTrail();
  }

  drawTrail() {
    const xs = this.trail.map(([x]) => x);
    const ys = this.trail.map(([, y]) => y);
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min(90 / Math.max(right - left, 4), 50 / Math.max(high - low, 4));
    const point = ([x, y]) => [50 + (x - (left + right) / 2) * scale, 30 - (y - (low + high) / 2) * scale];
    this.line.setAttribute("points", this.trail.map((at) => point(at).map((v) => v.toFixed(1)).join()).join(" "));
    const [x, y] = point(this.trail.at(-1) ?? [left, low]);
    this.head.setAttribute("cx", x.toFixed(1));
    this.head.setAttribute("cy", y.toFixed(1));
  }

  show(_, topic, bytes) {
    this.camera.show(bytes);
  }

  refresh() {
    this.camera.refresh(this.store, this.namespace, "camera/image_raw/compressed");
    const { store, namespace } = this;
    this.canvas.classList.toggle("old", !store.isLive(namespace, "joint_states"));
    this.speed.closest(".hud").classList.toggle("old", !store.isLive(namespace, "odom"));
  }
}

function fact(value, unit) {
  return html("p", "", value, ` ${unit}`);
}
