// SPDX-License-Identifier: Apache-2.0
// The connection to the server. It comes back by itself, and brings back the robot of this page.

const TOKEN = "bw4t.token";
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Connection {
  /** `onMessage` gets every message, `onLink` one of connecting, connected, lost, replaced, ended. */
  constructor(onMessage, onLink) {
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.number = 0;
    this.stopped = false;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  open() {
    this.stopped = false;
    clearTimeout(this.timer);
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.send({ type: "hello", token: sessionStorage.getItem(TOKEN) });
      this.onLink("connected");
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => {
      if (socket !== this.socket || this.stopped) return;
      this.onLink("lost");
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
  }

  /** Do not wait any longer before the next attempt. */
  hurry() {
    if (!this.stopped && this.socket?.readyState === WebSocket.CLOSED) this.open();
  }

  receive(message) {
    if (message.type === "joined") sessionStorage.setItem(TOKEN, message.token);
    if (message.type === "left") sessionStorage.removeItem(TOKEN);
    if (message.type === "replaced") {
      this.stopped = true;
      this.onLink(message.type);
    }
    this.onMessage(message);
  }

  /** Send a request; return its number, or null when there is no connection. */
  send(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) return null;
    this.number += 1;
    this.socket.send(JSON.stringify({ ...request, id: this.number }));
    return this.number;
  }
}
