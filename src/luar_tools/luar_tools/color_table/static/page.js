// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The picking page: shows a picture and its labels, sends what is picked.

const at = (id) => document.getElementById(id);
let shown = "";
let chosen = "field";
let start = null;

async function ask(request) {
  const answer = await fetch("/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ picture: shown, class: chosen, ...request }),
  });
  const state = await answer.json();
  at("error").textContent = state.error ?? "";
  if (!state.error) await show(state);
}

async function draw(canvas, url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").drawImage(image, 0, 0);
}

function button(text, action) {
  const made = document.createElement("button");
  made.textContent = text;
  made.addEventListener("click", action);
  return made;
}

function row(name, paint, count, labelled) {
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: "class", value: name, checked: name === chosen });
  input.addEventListener("change", () => { chosen = name; });
  const swatch = document.createElement("span");
  swatch.className = "swatch";
  swatch.style.background = `rgb(${paint.join()})`;
  const label = document.createElement("label");
  label.append(input, swatch, name);
  const line = document.createElement("tr");
  for (const text of ["", count, labelled]) {
    line.append(Object.assign(document.createElement("td"), { textContent: text }));
  }
  line.firstChild.append(label);
  line.dataset.class = name;
  return line;
}

async function show(state) {
  if (!state.picture && state.pictures.length) {
    shown = state.pictures[0];
    await ask({ do: "show" });
    return;
  }
  shown = state.picture;
  at("picture").replaceChildren(...state.pictures.map((name) => new Option(name, name, false, name === shown)));
  at("cameras").replaceChildren(...state.cameras.map((name) =>
    button(`Take a picture of ${name}`, () => ask({ do: "take", picture: name }))));
  if (shown) {
    await Promise.all([draw(at("image"), state.image), draw(at("labels"), state.labels)]);
  }
  at("classes").replaceChildren(...Object.entries(state.paint).map(([name, paint]) =>
    row(name, paint, state.counts[name], state.labelled?.[name] ?? "")));
  at("overlaps").textContent = state.overlaps
    .map(([one, other, count]) => `${count} colours are picked for ${one} and ${other}.`).join(" ");
  document.body.dataset.picks = state.picks;
}

function place(event) {
  const canvas = at("image");
  const box = canvas.getBoundingClientRect();
  const within = (value, size) => Math.max(0, Math.min(size - 1, Math.floor(value)));
  return [
    within((event.clientX - box.left) * canvas.width / box.width, canvas.width),
    within((event.clientY - box.top) * canvas.height / box.height, canvas.height),
  ];
}

at("image").addEventListener("pointerdown", (event) => { start = place(event); });
at("image").addEventListener("pointerup", (event) => {
  if (!start || !shown) return;
  const [[x0, y0], [x1, y1]] = [start, place(event)];
  start = null;
  ask({ do: at("tool").value, x0, y0, x1, y1 });
});
at("undo").addEventListener("click", () => ask({ do: "undo" }));
at("picture").addEventListener("change", () => {
  shown = at("picture").value;
  ask({ do: "show" });
});
ask({ do: "show", picture: "" });
