// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// A robot in space on a canvas: shapes of its description, sorted by depth, on a floor with a shadow.

import { apply, linkPoses, product, readUrdf, turned } from "./urdf.js";

const SIDES = 14; // of a cylinder
const GLIDE = 110; // ms between two states of the page, which the joints take to get there
const FRAME = 30; // ms between two drawings on the way
const LIGHT = normal([-0.35, -0.6, 0.75]);
const MARK_RADIUS = 0.035; // m, of a ball
const MARK_FAR = 0.15; // m along its ray at which a ball is drawn: its distance is not known
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Robot {
  /** `floor` names the links that stand on the floor; without it the lowest point does. */
  constructor(canvas, { yaw, pitch, floor = null, zoom = 1 }) {
    Object.assign(this, { canvas, yaw, pitch, floor, zoom });
    this.context = canvas.getContext("2d");
    this.positions = new Map();
    this.marks = new Map();
    this.radius = 0;
    new ResizeObserver(() => this.later()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.later());
    this.listen();
  }

  describe(text) {
    this.model = readUrdf(text);
    this.radius = 0;
    this.later();
  }

  move(names, positions) {
    const now = performance.now();
    this.from = new Map(this.positions);
    this.to = new Map(names.map((name, index) => [name, positions[index] ?? 0]));
    this.start = now;
    if (!this.from.size || STILL.matches) this.from = this.to;
    const still = [...this.to].every(([name, value]) => Math.abs((this.positions.get(name) ?? Infinity) - value) < 1e-3);
    if (!still) this.later();
  }

  /** Draw a ball of a name in a direction of a frame; null takes it away. */
  mark(name, mark) {
    if (JSON.stringify(this.marks.get(name) ?? null) === JSON.stringify(mark)) return;
    if (mark) this.marks.set(name, mark);
    else this.marks.delete(name);
    this.later();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const part = Math.min(1, (performance.now() - (this.start ?? 0)) / GLIDE);
      for (const [name, value] of this.to ?? []) {
        const before = this.from.get(name) ?? value;
        this.positions.set(name, before + (value - before) * part);
      }
      if (this.model && this.to) this.draw();
      if (part < 1) setTimeout(() => this.later(), FRAME);
    });
  }

  draw() {
    const poses = linkPoses(this.model, this.positions);
    const faces = this.model.shapes.flatMap((shape) => facesOf(shape, poses.get(shape.link)));
    const points = faces.flatMap(({ points: corners, center, radius }) => corners ?? ball(center, radius));
    if (!points.length) return;
    const low = Math.min(...(this.feet(poses) ?? points.map(([, , z]) => z)));
    const marks = [...this.marks.values()].map((mark) => placed(mark, poses, low)).filter(Boolean);
    this.fit(points, low);
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.paintFloor(low);
    this.paintShadow(faces, low);
    for (const mark of marks) this.paintRay(mark);
    const all = [...faces, ...marks.map((mark) => ({ ...mark, sphere: true }))];
    all.sort((a, b) => this.depth(a) - this.depth(b));
    for (const face of all) this.paint(face);
    this.canvas.dataset.drawn = (Number(this.canvas.dataset.drawn) || 0) + 1;
  }

  feet(poses) {
    if (!this.floor) return null;
    const heights = this.model.shapes
      .filter(({ link }) => this.floor.test(link))
      .map((shape) => apply(poses.get(shape.link), [0, 0, 0])[2] - (shape.radius ?? 0));
    return heights.length ? heights : null;
  }

  /** Choose scale and middle once, and let them grow when the robot reaches farther. */
  fit(points, low) {
    const ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const high = Math.max(...points.map(([, , z]) => z));
    const wide = Math.max(...points.map(([x, y]) => Math.hypot(x, y)));
    this.radius = Math.max(this.radius, wide, (high - low) * 0.62);
    Object.assign(this, { ratio, width, height });
    this.center = [0, 0, low + this.radius * 0.62];
    this.scale = (this.zoom * Math.min(width / 2.4, height / 2.05)) / this.radius;
  }

  /** Where a point is on the canvas, and how near (greater is nearer). */
  project([x, y, z]) {
    const [c, s] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const [cp, sp] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    const [dx, dy, dz] = [x - this.center[0], y - this.center[1], z - this.center[2]];
    const right = c * dx - s * dy;
    const away = s * dx + c * dy;
    const near = -away * cp + dz * sp;
    const up = away * sp + dz * cp;
    const size = this.scale / (1 - near / (this.radius * 9));
    return [this.width / 2 + right * size, this.height / 2 - up * size, near, size];
  }

  depth({ points, center }) {
    if (center) return this.project(center)[2];
    return points.reduce((sum, point) => sum + this.project(point)[2], 0) / points.length;
  }

  paintFloor(low) {
    const { context } = this;
    const style = getComputedStyle(this.canvas);
    context.strokeStyle = style.getPropertyValue("--grid");
    context.lineWidth = 1;
    const reach = this.radius * 1.5;
    const step = reach / 5;
    context.beginPath();
    for (let k = -5; k <= 5; k += 1) {
      const half = Math.sqrt(Math.max(0, 1 - (k / 5.6) ** 2)) * reach;
      for (const [a, b] of [[[k * step, -half, low], [k * step, half, low]], [[-half, k * step, low], [half, k * step, low]]]) {
        const [x1, y1] = this.project(a);
        const [x2, y2] = this.project(b);
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
      }
    }
    context.stroke();
  }

  paintShadow(faces, low) {
    const { context } = this;
    context.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--shadow");
    const path = new Path2D();
    for (const { points, center, radius } of faces) {
      const flat = (points ?? ball(center, radius)).map(([x, y]) => this.project([x, y, low]));
      const area = flat.reduce((sum, [x, y], i) => {
        const [u, v] = flat[(i + 1) % flat.length];
        return sum + x * v - u * y;
      }, 0);
      const corners = area < 0 ? flat.reverse() : flat; // all the same way round, so that none cuts a hole
      corners.forEach(([x, y], index) => (index ? path.lineTo(x, y) : path.moveTo(x, y)));
      path.closePath();
    }
    context.fill(path, "nonzero");
  }

  paintRay({ eye, end, colour }) {
    const { context } = this;
    const [x1, y1] = this.project(eye);
    const [x2, y2] = this.project(end);
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.setLineDash([]);
  }

  paint({ points, center, radius, color, colour, outward }) {
    const { context } = this;
    if (center) {
      const [x, y, , size] = this.project(center);
      const r = radius * size;
      const shine = context.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.1, x, y, r);
      shine.addColorStop(0, colour ?? shade(color, 1.18));
      shine.addColorStop(1, colour ? mixed(colour) : shade(color, 0.62));
      context.fillStyle = shine;
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fill();
      return;
    }
    const corners = points.map((point) => this.project(point));
    const [[x1, y1], [x2, y2], [x3, y3]] = corners;
    if ((x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1) >= 0) return; // its back
    const light = outward[0] * LIGHT[0] + outward[1] * LIGHT[1] + outward[2] * LIGHT[2];
    const fill = shade(color, 0.8 + 0.26 * light);
    context.fillStyle = context.strokeStyle = fill;
    context.lineWidth = 1.2;
    context.lineJoin = "round";
    context.beginPath();
    corners.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fill();
    context.stroke();
  }

  /** Drag turns the view. */
  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      this.held = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      this.yaw += (event.clientX - this.held[0]) * 0.01;
      this.pitch = Math.max(-0.1, Math.min(1.5, this.pitch + (event.clientY - this.held[1]) * 0.01));
      this.held = [event.clientX, event.clientY];
      this.later();
    });
    const end = () => { this.held = null; };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }
}

/** Where a ball is drawn, on the ray on which it is seen. */
function placed({ frame, direction, colour }, poses, low) {
  const pose = poses.get(frame);
  if (!pose || !direction || direction.includes(null)) return null;
  const eye = apply(pose, [0, 0, 0]);
  const [x, y, z] = turned(pose, direction);
  const height = low + MARK_RADIUS - eye[2];
  const meets = z < -0.02 ? height / z : Infinity;
  const along = (far) => [eye[0] + far * x, eye[1] + far * y, eye[2] + far * z];
  return { eye, center: along(Math.min(meets, MARK_FAR)), end: along(Math.min(meets, 1)), radius: MARK_RADIUS, colour };
}

function facesOf(shape, pose) {
  if (!pose) return [];
  const at = product(pose, shape.at);
  if (shape.form === "sphere") return [{ center: apply(at, [0, 0, 0]), radius: shape.radius, color: shape.color }];
  const solid = shape.form === "box" ? boxFaces(shape.size) : cylinderFaces(shape);
  return solid.map(({ points, outward }) => ({
    points: points.map((point) => apply(at, point)),
    outward: turned(at, outward),
    color: shape.color,
  }));
}

function boxFaces(size) {
  const [a, b, c] = size.map((length) => length / 2);
  const face = (outward, points) => ({ outward, points });
  return [
    face([1, 0, 0], [[a, -b, -c], [a, b, -c], [a, b, c], [a, -b, c]]),
    face([-1, 0, 0], [[-a, b, -c], [-a, -b, -c], [-a, -b, c], [-a, b, c]]),
    face([0, 1, 0], [[a, b, -c], [-a, b, -c], [-a, b, c], [a, b, c]]),
    face([0, -1, 0], [[-a, -b, -c], [a, -b, -c], [a, -b, c], [-a, -b, c]]),
    face([0, 0, 1], [[-a, -b, c], [a, -b, c], [a, b, c], [-a, b, c]]),
    face([0, 0, -1], [[-a, b, -c], [a, b, -c], [a, -b, -c], [-a, -b, -c]]),
  ];
}

function cylinderFaces({ radius, length }) {
  const half = length / 2;
  const around = Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * k) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const sides = around.map(([x, y], k) => {
    const [u, v] = around[(k + 1) % SIDES];
    return { outward: normal([x + u, y + v, 0]), points: [[x, y, -half], [u, v, -half], [u, v, half], [x, y, half]] };
  });
  const top = { outward: [0, 0, 1], points: around.map(([x, y]) => [x, y, half]) };
  const bottom = { outward: [0, 0, -1], points: around.map(([x, y]) => [x, y, -half]).reverse() };
  return [...sides, top, bottom];
}

/** Points around a sphere, for its shadow and its extent. */
function ball([x, y, z], r) {
  return Array.from({ length: 8 }, (_, k) => {
    const angle = (Math.PI * k) / 4;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle), z - r];
  });
}

function normal(v) {
  const length = Math.hypot(...v) || 1;
  return v.map((part) => part / length);
}

function shade([r, g, b, a], factor) {
  const part = (value) => Math.round(255 * Math.max(0, Math.min(1, value * factor)));
  return `rgba(${part(r)}, ${part(g)}, ${part(b)}, ${a})`;
}

const mixed = (colour) => `color-mix(in srgb, ${colour} 70%, black)`;
