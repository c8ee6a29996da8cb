// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// What a participant of an experiment is shown in place of the game: forms, and texts to wait with.

const $ = (id) => document.getElementById(id);
const RADIOS = 11; // a scale with more points is a slider
const DRAFT_PAUSE = 300; // ms
const TITLES = { end: "The end", refused: "This link does not work", wait: "Please wait" };

const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

export class Screens {
  /** `onAnswers(form, answers)` gets what was filled in, `onDraft(form, answers)` what is so far,
   *  `onRefuse` that a person declines. */
  constructor(onAnswers, onDraft, onRefuse) {
    this.key = "";
    this.items = [];
    this.draft = null; // of a form that is still to be shown
    this.timer = 0;
    for (const event of ["input", "change", "click"]) {
      $("screen-items").addEventListener(event, () => this.keep(onDraft));
    }
    $("screen-form").addEventListener("submit", (submit) => {
      submit.preventDefault();
      const answers = this.answers();
      clearTimeout(this.timer);
      this.timer = 0;
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
    $("withdraw").hidden = !screen || ["end", "refused"].includes(screen.kind);
    $("leave").hidden = Boolean(screen); // a participant leaves the study, not the robot
    if (!covers) return;
    this.form = screen.form ?? null;
    $("screen-form").hidden = !this.form;
    const { title, text, items, submit, refuse } = this.form ?? { items: [] };
    $("screen-title").textContent = title ?? TITLES[screen.kind];
    $("screen-note").textContent = screen.note ?? "";
    $("screen-note").hidden = !screen.note;
    const missing = screen.missing ? [missingText(screen.missing)] : [];
    $("screen-text").replaceChildren(...[text ?? screen.text, ...missing].flatMap(paragraphs));
    this.fault("");
    this.items = items;
    $("screen-items").replaceChildren(...items.map(question));
    $("screen-submit").textContent = submit ?? "";
    $("screen-refuse").textContent = refuse ?? "";
    $("screen-refuse").hidden = !refuse;
    if (this.draft?.form === this.form?.id) this.enter(this.draft?.answers ?? {});
    this.draft = null;
    window.scrollTo(0, 0);
    $("screen-title").focus();
  }

  /** Say what is wrong: at the question `item`, if it is one, else below the form. */
  fault(text, item = null) {
    const line = $("screen-fault");
    line.textContent = text;
    if (item) $(`item-${item.id}`).append(line);
    else $("screen-items").after(line);
  }

  /** Have the server keep what is filled in, shortly after the last change. */
  keep(onDraft) {
    if (!this.form || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.form) onDraft(this.form.id, this.filledIn());
    }, DRAFT_PAUSE);
  }

  filledIn() {
    const values = this.items.map((item) => [item.id, answerOf(item)]);
    return Object.fromEntries(values.filter(([, value]) => value !== null));
  }

  /** Fill in what the server has kept of a form, now or when it is shown. */
  restore(form, answers) {
    if (this.form?.id === form) this.enter(answers);
    else this.draft = { form, answers };
  }

  enter(answers) {
    for (const item of this.items) {
      const value = answers[item.id];
      if (value === undefined) continue;
      const set = $(`item-${item.id}`);
      const radio = [...set.querySelectorAll("input[type=radio]")].find((one) => one.value === String(value));
      const input = $(`answer-${item.id}`);
      if (radio) radio.checked = true;
      else if (input) {
        input.value = value;
        input.dispatchEvent(new Event("input"));
      }
    }
  }

  /** The answers by the ids of the questions, or null where one is missing. */
  answers() {
    const answers = {};
    for (const item of this.items) {
      const value = answerOf(item);
      if (value === null && !item.optional) {
        this.fault(item.bounds ? `Please answer with a number ${item.bounds}: ${item.ask}` : `Please answer: ${item.ask}`, item);
        $(`item-${item.id}`).querySelector("input, textarea").focus();
        return null;
      }
      if (value !== null) answers[item.id] = value;
    }
    return answers;
  }
}

const missingText = (number) =>
  number === 1 ? "1 participant is missing." : `${number} participants are missing.`;

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
    const input = make("input", { id: name, type: "number", step: "any" });
    if (item.min !== null) input.min = item.min;
    if (item.max !== null) input.max = item.max;
    box.append(input);
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
  if (item.kind === "number") {
    const number = input.valueAsNumber;
    const fits = number >= (item.min ?? -Infinity) && number <= (item.max ?? Infinity);
    return Number.isFinite(number) && fits ? number : null;
  }
  if (!input) return chosen ? Number(chosen.value) : null;
  return input.dataset.touched ? Number(input.value) : null;
}
