// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// Composes a message of the fixed set: a sentence whose blanks are lists.

import { words } from "/common/block_colors.js";

const ANY_PLACE = new Set(["goingToRoom", "goToRoom"]);
const MOST = 20; // of blocks, in a list of numbers

const option = (value, text = value) => new Option(text, value);

export class Composer {
  constructor(elements, store) {
    Object.assign(this, elements); // phrase, sentence, receiver
    this.store = store;
    this.phrases = [];
    this.phrase.addEventListener("change", () => this.compose());
  }

  /** List the messages of another world. */
  begin() {
    const groups = this.store.world.phrases;
    this.phrases = groups.flatMap(({ messages }) => messages);
    let number = 0;
    this.phrase.replaceChildren(
      ...groups.map(({ title, messages }) => {
        const group = document.createElement("optgroup");
        group.label = title;
        for (const { text } of messages) {
          group.append(option(String(number), text.replace(/{(\w+)}/g, (_, name) => `‹${name}›`)));
          number += 1;
        }
        return group;
      }),
    );
    this.compose();
  }

  /** Update the lists of players; what is chosen stays. */
  setPlayers(names, own) {
    this.own = own;
    this.players = names;
    refill(this.receiver, [["all", "everybody"], ...names.map((name) => [name, name])]);
    for (const list of this.sentence.querySelectorAll('select[data-blank="player"]')) {
      refill(list, this.playerChoices());
    }
  }

  playerChoices() {
    const names = [...(this.players ?? []), this.own].filter(Boolean);
    return names.map((name) => [name, name === this.own ? `${name} (you)` : name]);
  }

  get chosen() {
    return this.phrases[Number(this.phrase.value)];
  }

  compose() {
    const { text, type } = this.chosen;
    const parts = text.split(/{(\w+)}/);
    this.sentence.replaceChildren(
      ...parts.map((part, index) => (index % 2 ? this.blank(part, type) : part)),
    );
  }

  blank(name, type) {
    const list = document.createElement("select");
    list.dataset.blank = name;
    list.setAttribute("aria-label", name === "color" ? "colour" : name);
    const me = this.store.get("me");
    if (name === "room") {
      const zones = ANY_PLACE.has(type) ? this.store.places() : this.store.rooms();
      const rank = { ROOM: 0, DROPZONE: 1 };
      const sorted = [...zones].sort(
        (a, b) => (rank[a.kind] ?? 2) - (rank[b.kind] ?? 2) || a.name.localeCompare(b.name),
      );
      refill(list, sorted.map((zone) => [zone.name, zone.name]));
      if (me?.in && sorted.some((zone) => zone.name === me.in)) list.value = me.in;
    } else if (name === "color") {
      refill(list, this.store.world.colors.map((color) => [color, words(color)]));
      const { sequence = [], index = 0 } = this.store.get("task") ?? {};
      if (sequence[index]) list.value = sequence[index];
    } else if (name === "player") {
      refill(list, this.playerChoices());
    } else {
      const known = [...this.store.of("block")].map(([, { id }]) => id).sort((a, b) => a - b);
      const held = (me?.held ?? []).map(([id]) => id);
      const numbers = type === "atBox" ? [...new Set([...held, ...known])] : range(1, MOST);
      refill(list, numbers.map((number) => [String(number), String(number)]));
    }
    list.disabled = list.options.length === 0;
    return list;
  }

  /** The message as it is sent, or null while a blank has nothing to choose from. */
  message() {
    const message = { type: this.chosen.type };
    for (const list of this.sentence.querySelectorAll("select")) {
      if (!list.value) return null;
      const { blank } = list.dataset;
      message[blank] = blank === "number" ? Number(list.value) : list.value;
    }
    return message;
  }
}

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Give a list other choices, if they are others; keep what is chosen if it is among them. */
export function refill(list, choices) {
  const key = JSON.stringify(choices);
  if (list.dataset.choices === key) return;
  list.dataset.choices = key;
  const before = list.value;
  list.replaceChildren(...choices.map(([value, text]) => option(value, text)));
  if (choices.some(([value]) => value === before)) list.value = before;
}
