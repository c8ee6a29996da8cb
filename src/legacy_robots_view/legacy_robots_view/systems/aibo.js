// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The dog as its joints say, the ball where its camera sees it, and the camera's field of view.

import { Robot } from "/static/robot.js";
import { drawing, html, svg } from "/static/svg.js";

const paint = (colour) => getComputedStyle(document.documentElement).getPropertyValue(`--ball-${colour}`).trim() || "#888"; // a canvas knows no variables
const TOP = 0.77; // of the image, in AiboBall's units: x goes from -1 to 1
const OPTICAL = "camera_optical_frame";

export default class AiboView {
  constructor(store, scene) {
    this.store = store;
    this.canvas = html("canvas", "dog");
    this.canvas.setAttribute("role", "img");
    this.robot = new Robot(this.canvas, { yaw: -0.6, pitch: 0.3, floor: /_foot$/, zoom: 0.82 });
    this.view = drawing("eye", "what the camera sees of the ball");
    this.view.setAttribute("viewBox", "-1 -0.77 2 1.54");
    this.view.append(
      svg("rect", { x: -1, y: -TOP, width: 2, height: 2 * TOP, rx: 0.06 }),
      svg("path", { class: "cross", d: "M-.1 0H.1M0-.1V.1" }),
    );
    this.spots = new Map();
    this.caption = html("p", "caption");
    this.eye = html("figure", "inset", this.view, html("figcaption", "", "camera"));
    scene.append(this.canvas, this.eye, this.caption);
  }

  follow([namespace]) {
    this.namespace = namespace;
  }

  update(namespace, name, data) {
    if (name === "robot_description") this.robot.describe(data.urdf);
    if (name === "joint_states") this.robot.move(data.names, data.positions);
    if (name.startsWith("ball/")) this.see(name);
    if (name === "battery") this.say();
  }

  /** All balls that are asked for: [name, colour, data, live]. */
  balls() {
    return [...this.store.topics(this.namespace)]
      .filter(([name]) => name.startsWith("ball/"))
      .map(([name]) => [name, name.slice(5), this.store.data(this.namespace, name), this.store.isLive(this.namespace, name)]);
  }

  see(name) {
    const colour = name.slice(5);
    const data = this.store.data(this.namespace, name);
    const seen = data?.visible && this.store.isLive(this.namespace, name);
    let spot = this.spots.get(colour);
    if (!spot && seen) {
      spot = svg("circle", { fill: paint(colour) });
      this.view.append(spot);
      this.spots.set(colour, spot);
    }
    if (spot) spot.classList.toggle("absent", !seen);
    if (seen) {
      const [x, y, area] = data.image;
      spot.setAttribute("cx", x);
      spot.setAttribute("cy", y);
      spot.setAttribute("r", Math.max(0.04, Math.sqrt(area / Math.PI)).toFixed(3));
    }
    this.robot.mark(colour, seen ? { frame: OPTICAL, direction: data.direction, colour: paint(colour) } : null);
    this.say();
  }

  say() {
    const balls = this.balls();
    const words = balls.map(([, colour, data, live]) => {
      if (!live || !data) return `${colour} ball: not asked for now`;
      if (!data.visible) return `no ${colour} ball in sight`;
      const degrees = data.azimuth === null ? null : Math.round((data.azimuth * 180) / Math.PI);
      const side = degrees === null ? "" : ` ${Math.abs(degrees)}° ${degrees >= 0 ? "left" : "right"}`;
      return `${colour} ball${side}`;
    });
    const charge = this.store.data(this.namespace, "battery")?.charge;
    if (charge !== undefined && charge !== null) words.push(`battery ${Math.round(charge * 100)} %`);
    const text = words.join(" · ");
    if (this.caption.textContent !== text) this.caption.textContent = text;
    this.canvas.setAttribute("aria-label", `The AIBO as its joints say: ${text}`);
  }

  refresh() {
    for (const [name] of this.balls()) this.see(name);
    this.canvas.classList.toggle("old", !this.store.isLive(this.namespace, "joint_states"));
  }
}
