// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The list of what is going on, and the voice for screen readers.

const KEPT = 300;
const PAUSE = 400; // milliseconds in which announcements are gathered

export function clockText(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export class Log {
  constructor(list, announcer, aloud) {
    this.list = list;
    this.announcer = announcer;
    this.aloud = aloud;
    this.waiting = [];
    this.timer = 0;
    this.follows = true; // until the person scrolls back
    list.addEventListener("scroll", () => {
      this.follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    });
    new ResizeObserver(() => this.follow()).observe(list);
  }

  follow() {
    if (this.follows) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Forget all, also what is still to be announced. */
  clear() {
    this.list.replaceChildren();
    this.waiting = [];
    this.announcer.replaceChildren();
  }

  /** Add an event; `own` is the name of the player at this page. */
  add(event, own) {
    const item = document.createElement("li");
    item.setAttribute("role", "none"); // its list has the role of a log
    const mine = Boolean(own) && event.sender === own;
    item.dataset.kind = mine ? "mine" : event.kind;
    const time = document.createElement("time");
    time.textContent = event.seconds === undefined ? "" : clockText(event.seconds);
    const who = event.sender ? whoSays(event, mine) : "";
    const said = document.createElement("span");
    if (who) {
      const name = document.createElement("b");
      name.textContent = who;
      said.append(name, " ");
    }
    const text = document.createElement("bdi");
    text.textContent = event.text;
    if (event.kind === "message") text.translate = false; // it stays as it was said
    said.append(text);
    item.append(time, said);
    this.list.append(item);
    while (this.list.childElementCount > KEPT) this.list.firstChild.remove();
    this.follow();
    const wanted = event.kind !== "message" || (this.aloud.checked && !mine);
    if (wanted && !event.past) this.announce(said.cloneNode(true));
  }

  /** Say something, a text or a node, to those who do not see the page. */
  announce(line) {
    this.waiting.push(line);
    this.timer ||= setTimeout(() => {
      this.timer = 0;
      const lines = this.waiting.splice(0).slice(-5);
      this.announcer.replaceChildren(
        ...lines.map((content) => {
          const paragraph = document.createElement("p");
          paragraph.append(content);
          return paragraph;
        }),
      );
    }, PAUSE);
  }
}

function whoSays({ sender, to }, mine) {
  const name = mine ? "You" : sender;
  if (!to || to === "all") return mine ? `${name} to all:` : `${name}:`;
  return `${name} to ${to}:`;
}
