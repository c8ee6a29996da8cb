// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The connection to the server. All that the page sends is which state it has drawn; the next one
// comes only then.

import { ReconnectingSocket } from "/common/connection.js";

const HIDDEN_FOR = 10_000; // ms after which a hidden page disconnects: the robots need not tell it anything
const SILENCE = 4000; // ms; the server sends something each second

export class Connection extends ReconnectingSocket {
  /** `onText` gets every message, `onImage` a topic and the bytes of a file, `onLink` the link's state. */
  constructor({ onText, onImage, onLink }) {
    super();
    Object.assign(this, { onText, onImage, onLink });
    this.heardAt = 0;
    document.addEventListener("visibilitychange", () => this.see());
    setInterval(() => this.check(), 1000);
  }

  opened() {
    this.heardAt = performance.now();
    this.tell("connected");
  }

  received(data, socket) {
    this.opened();
    if (typeof data === "string") this.take(socket, JSON.parse(data));
    else this.takeImage(new Uint8Array(data));
  }

  closed() {
    this.tell("lost");
  }

  wanted() {
    return !document.hidden;
  }

  /** Draw a state, and acknowledge it with the next picture on the screen. */
  take(socket, message) {
    this.onText(message);
    requestAnimationFrame(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send(`{"seen":${message.number}}`);
    });
  }

  takeImage(bytes) {
    const end = bytes.indexOf(10);
    this.onImage(new TextDecoder().decode(bytes.subarray(0, end)), bytes.subarray(end + 1));
  }

  tell(link) {
    if (link === this.link) return;
    this.link = link;
    this.onLink(link);
  }

  check() {
    const silent = performance.now() - this.heardAt > SILENCE;
    if (this.isOpen && silent && !document.hidden) this.tell("silent"); // a hidden page asks for nothing
  }

  see() {
    clearTimeout(this.leave);
    if (document.hidden) this.leave = setTimeout(() => this.socket?.close(), HIDDEN_FOR);
  }
}
