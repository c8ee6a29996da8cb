// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// A robot's description: its shapes, and where they are for given joint positions.
// Transforms are rigid: [r00 r01 r02 x, r10 r11 r12 y, r20 r21 r22 z].

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export function product(a, b) {
  const result = new Array(12);
  for (let row = 0; row < 3; row += 1) {
    const [p, q, r, t] = a.slice(4 * row, 4 * row + 4);
    for (let column = 0; column < 4; column += 1) {
      result[4 * row + column] = p * b[column] + q * b[4 + column] + r * b[8 + column] + (column === 3 ? t : 0);
    }
  }
  return result;
}

export function apply(m, [x, y, z]) {
  return [
    m[0] * x + m[1] * y + m[2] * z + m[3],
    m[4] * x + m[5] * y + m[6] * z + m[7],
    m[8] * x + m[9] * y + m[10] * z + m[11],
  ];
}

export function turned(m, [x, y, z]) {
  return [m[0] * x + m[1] * y + m[2] * z, m[4] * x + m[5] * y + m[6] * z, m[8] * x + m[9] * y + m[10] * z];
}

/** A rotation by an angle about a unit axis. */
function rotation([x, y, z], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0,
    y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0,
    z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0,
  ];
}

function vector(text, otherwise) {
  const values = (text ?? "").trim().split(/\s+/).map(Number);
  return values.length === otherwise.length && values.every(Number.isFinite) ? values : otherwise;
}

function origin(element) {
  const tag = element.querySelector(":scope > origin");
  const [x, y, z] = vector(tag?.getAttribute("xyz"), [0, 0, 0]);
  const [roll, pitch, yaw] = vector(tag?.getAttribute("rpy"), [0, 0, 0]);
  const turn = product(rotation([0, 0, 1], yaw), product(rotation([0, 1, 0], pitch), rotation([1, 0, 0], roll)));
  return product([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z], turn);
}

const color = (element) => vector(element?.querySelector("color")?.getAttribute("rgba"), [0.6, 0.6, 0.6, 1]);

function shape(visual, materials) {
  const form = visual.querySelector("geometry")?.firstElementChild;
  if (!form) return null;
  const material = visual.querySelector("material");
  const named = materials.get(material?.getAttribute("name"));
  const common = { at: origin(visual), color: material?.querySelector("color") ? color(material) : named ?? color(null) };
  if (form.tagName === "box") return { ...common, form: "box", size: vector(form.getAttribute("size"), [0.1, 0.1, 0.1]) };
  const radius = Number(form.getAttribute("radius")) || 0.05;
  if (form.tagName === "sphere") return { ...common, form: "sphere", radius };
  if (form.tagName === "cylinder") return { ...common, form: "cylinder", radius, length: Number(form.getAttribute("length")) || 0.1 };
  return null; // meshes are not drawn
}

/** Take a URDF apart: { shapes: [{link, form, ...}], joints: [{name, parent, child, ...}], root }. */
export function readUrdf(text) {
  const robot = new DOMParser().parseFromString(text, "application/xml").documentElement;
  if (robot.tagName !== "robot") return null;
  const materials = new Map(
    [...robot.querySelectorAll(":scope > material")].map((element) => [element.getAttribute("name"), color(element)]),
  );
  const shapes = [...robot.querySelectorAll(":scope > link")].flatMap((link) =>
    [...link.querySelectorAll(":scope > visual")]
      .map((visual) => shape(visual, materials))
      .filter(Boolean)
      .map((found) => ({ ...found, link: link.getAttribute("name") })),
  );
  const joints = [...robot.querySelectorAll(":scope > joint")].map((joint) => ({
    name: joint.getAttribute("name"),
    kind: joint.getAttribute("type"),
    parent: joint.querySelector("parent")?.getAttribute("link"),
    child: joint.querySelector("child")?.getAttribute("link"),
    origin: origin(joint),
    axis: unit(vector(joint.querySelector("axis")?.getAttribute("xyz"), [1, 0, 0])),
  }));
  const children = new Set(joints.map(({ child }) => child));
  const root = [...robot.querySelectorAll(":scope > link")].map((l) => l.getAttribute("name")).find((n) => !children.has(n));
  return { shapes, joints, root };
}

function unit(v) {
  const length = Math.hypot(...v) || 1;
  return v.map((part) => part / length);
}

/** Return the transform of each link in the root's frame, for positions by joint name. */
export function linkPoses({ joints, root }, positions) {
  const poses = new Map([[root, IDENTITY]]);
  const waiting = new Set(joints);
  for (let found = true; found; ) {
    found = false;
    for (const joint of waiting) {
      const parent = poses.get(joint.parent);
      if (!parent) continue;
      let local = joint.origin;
      const position = positions.get(joint.name) ?? 0;
      if (joint.kind === "prismatic") {
        const [x, y, z] = joint.axis.map((part) => part * position);
        local = product(local, [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]);
      } else if (joint.kind !== "fixed") {
        local = product(local, rotation(joint.axis, position));
      }
      poses.set(joint.child, product(parent, local));
      waiting.delete(joint);
      found = true;
    }
  }
  return poses;
}
