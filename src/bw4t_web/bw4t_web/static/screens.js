// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// What a participant of an experiment is shown in place of the game: forms, and texts to wait with.

const $ = (id) => document.getElementById(id);
const RADIOS = 11; // a scale with more points is a slider

const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

export class Screens {
  /** `onAnswers(form, answers)` gets what was filled in, `onRefuse` that a person declines. */
  constructor(onAnswers, onRefuse) {
    this.key = "";
    this.items = [];
    $("screen-form").addEventListener("submit", (submit) => {
      submit.preventDefault();
      const answers = this.answers();
      if (answers) onAnswers(this.form.id, answers);
    });
    $("screen-refuse").addEventListener("click", onRefuse);
  }

  /** Show a screen, or the game where there is none or it is time to play. */
  show(screen) {
    const key = JSON.stringify(screen ?? null);
    if (key === this.key) return;
    this.key = key;
    const covers = Boolean(screen) && screen.kind !== "play";
    document.body.dataset.screen = covers ? screen.kind : "none";
    $("screen").hidden = !covers;
    $("withdraw").hidden = !screen || screen.kind === "end";
    if (!covers) return;
    this.form = screen.form ?? null;
    $("screen-form").hidden = !this.form;
    const { title, text, items, submit, refuse } = this.form ?? { items: [] };
    $("screen-title").textContent = title ?? (screen.kind === "end" ? "The end" : "Please wait");
    $("screen-text").replaceChildren(...paragraphs(text ?? screen.text));
    this.fault("");
    this.items = items;
    $("screen-items").replaceChildren(...items.map(question));
    $("screen-submit").textContent = submit ?? "";
    $("screen-refuse").textContent = refuse ?? "";
    $("screen-refuse").hidden = !refuse;
    window.scrollTo(0, 0);
    $("screen-title").focus();
  }

  fault(text) {
    $("screen-fault").textContent = text;
  }

  /** The answers by the ids of the questions, or null where one is missing. */
  answers() {
    const answers = {};
    for (const item of this.items) {
      const value = answerOf(item);
      if (value === null && !item.optional) {
        this.fault(`Please answer: ${item.ask}`);
        $(`item-${item.id}`).querySelector("input, textarea").focus();
        return null;
      }
      if (value !== null) answers[item.id] = value;
    }
    return answers;
  }
}

const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => make("p", { textContent: part.trim() }));

function question(item) {
  if (item.kind === "choice" || (item.kind === "scale" && item.points <= RADIOS)) return radios(item);
  const name = `answer-${item.id}`;
  const box = make("div", { id: `item-${item.id}`, className: "question" });
  const label = make("label", { htmlFor: name, textContent: item.ask });
  box.append(label);
  if (item.kind === "text") {
    box.append(make("textarea", { id: name, rows: 3, maxLength: item.most }));
  } else if (item.kind === "number") {
    box.append(make("input", { id: name, type: "number", step: "any" }));
  } else {
    box.append(...slider(item, name));
  }
  return box;
}

/** A slider counts as answered when it was touched. */
function slider({ points, low, high }, name) {
  const middle = Math.ceil(points / 2);
  const input = make("input", { id: name, type: "range", min: 1, max: points, step: 1, value: middle });
  const shown = make("output", { htmlFor: name, textContent: "not answered" });
  input.setAttribute("aria-valuetext", "not answered");
  input.className = "untouched";
  const touch = () => {
    input.dataset.touched = "yes";
    input.className = "";
    shown.textContent = `${input.value} of ${points}`;
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  for (const event of ["input", "click"]) input.addEventListener(event, touch);
  input.addEventListener("keydown", ({ key }) => key === " " && touch());
  return [input, make("p", { className: "ends" }, make("span", { textContent: low }), shown, make("span", { textContent: high }))];
}

function radios(item) {
  const set = make("fieldset", { id: `item-${item.id}`, className: "question" });
  set.append(make("legend", { textContent: item.ask }));
  const values = item.kind === "choice" ? item.options : Array.from({ length: item.points }, (_, i) => String(i + 1));
  const row = make("div", { className: item.kind === "choice" ? "choices" : "points" });
  for (const value of values) {
    const input = make("input", { type: "radio", name: `answer-${item.id}`, value });
    row.append(make("label", {}, input, make("span", { textContent: value })));
  }
  set.append(row);
  if (item.kind === "scale") {
    set.append(make("p", { className: "ends" }, make("span", { textContent: item.low }), make("span", { textContent: item.high })));
  }
  return set;
}

function answerOf(item) {
  const chosen = document.querySelector(`input[name="answer-${CSS.escape(item.id)}"]:checked`);
  if (item.kind === "choice") return chosen?.value ?? null;
  const input = $(`answer-${item.id}`);
  if (item.kind === "text") return input.value.trim() || null;
  if (item.kind === "number") return Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : null;
  if (!input) return chosen ? Number(chosen.value) : null;
  return input.dataset.touched ? Number(input.value) : null;
}
