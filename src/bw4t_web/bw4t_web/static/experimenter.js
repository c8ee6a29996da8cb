// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The experimenter's part of the page: participants, games, commands, and replay of games.

import { clockText } from "./log.js";

const $ = (id) => document.getElementById(id);
const WORDS = {
  start: "Start", pause: "Pause", resume: "Go on", abort: "Abort this game", repeat: "Repeat the last game",
  end: "End the session",
};
const ASKED_TWICE = new Set(["abort", "repeat", "end"]);
const STEP = 250; // ms between two moments of a replay

export class Experimenter {
  /** `send(request)` sends a request of the experimenter. */
  constructor(send) {
    this.send = send;
    this.file = null;
    this.timer = 0;
    $("replay-play").addEventListener("click", () => (this.timer ? this.pause() : this.play()));
    $("replay-line").addEventListener("input", () => this.seek(Number($("replay-line").value)));
    $("replay-end").addEventListener("click", () => this.leave());
  }

  show(experiment, replay) {
    $("experiment").hidden = !experiment;
    $("replay").hidden = !replay;
    if (replay) {
      $("replay-line").max = replay.length;
      $("replay-title").textContent = `Replay of game ${Number(replay.file.split("_")[1])}`;
      $("replay-title").title = replay.file;
    }
    if (!experiment) return;
    $("lobby").hidden = true;
    const { group, phase, participants, seats, trials, connected, paused, frozen } = experiment;
    const missing = seats - participants.length;
    const waits = missing ? `, ${missing} of ${seats} participants missing` : "";
    $("experiment-phase").textContent =
      `Group ${group}: ${phase}${waits}${frozen ? ", questions" : paused && experiment.commands.includes("pause") ? ", paused" : ""}`;
    this.commands(experiment.commands.filter((name) => name !== (paused ? "pause" : "resume") && !(frozen && name === "resume")));
    fill($("experiment-people"), participants, ({ code, robot, at }) => [
      code, robot, connected.includes(code) ? at : `${at} (not connected)`,
    ]);
    fill($("experiment-games"), trials, (trial) => [
      String(trial.number), trial.condition + (trial.practice ? " (practice)" : ""), trial.map, this.state(trial),
    ]);
  }

  state({ state, file }) {
    if (!state || state === "playing") return state || "to come";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = "Replay";
    button.addEventListener("click", () => this.enter(file));
    const cell = document.createElement("span");
    cell.append(state, " ", button);
    return cell;
  }

  commands(names) {
    const box = $("experiment-commands");
    if (box.dataset.key === names.join()) return;
    box.dataset.key = names.join();
    box.replaceChildren(...names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.command = name;
      button.textContent = WORDS[name];
      button.addEventListener("click", () => {
        if (ASKED_TWICE.has(name) && !button.dataset.asked) {
          button.dataset.asked = "yes";
          button.textContent = `${WORDS[name]}: press again`;
          return;
        }
        box.dataset.key = "";
        this.send({ type: "command", command: name });
      });
      return button;
    }));
  }

  // --- Replay --------------------------------------------------------------------------

  enter(file) {
    this.file = file;
    $("replay-line").value = 0;
    this.seek(0);
  }

  seek(seconds) {
    $("replay-line").setAttribute("aria-valuetext", clockText(seconds));
    this.send({ type: "show", file: this.file, seconds });
  }

  play() {
    $("replay-play").textContent = "Pause";
    this.timer = setInterval(() => {
      const line = $("replay-line");
      const next = Number(line.value) + (STEP / 1000) * Number($("replay-speed").value);
      line.value = Math.min(next, Number(line.max));
      this.seek(Number(line.value));
      if (next >= Number(line.max)) this.pause();
    }, STEP);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    $("replay-play").textContent = "Play";
  }

  leave() {
    this.pause();
    this.file = null;
    this.send({ type: "show", file: "" });
  }
}

/** Fill the rows of a table, if they are others; `cells` gives the cells of a row. */
function fill(body, rows, cells) {
  const key = JSON.stringify(rows.map((row) => cells(row).map((cell) => cell.textContent ?? cell)));
  if (body.dataset.key === key) return;
  body.dataset.key = key;
  body.replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr");
    cells(row).forEach((content, index) => {
      const cell = document.createElement(index ? "td" : "th");
      if (!index) cell.scope = "row";
      cell.append(content);
      line.append(cell);
    });
    return line;
  }));
}
