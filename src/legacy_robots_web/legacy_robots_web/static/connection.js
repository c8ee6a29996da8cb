// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// A page's connection to its server, which reconnects by itself.

const FIRST_WAIT = 300; // ms
const LONGEST_WAIT = 4000;

/** Derived classes have `opened()`, `received(data)` and `closed()`; `wanted()` tells whether to reconnect. */
export class ReconnectingSocket {
  constructor() {
    this.socket = null;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    addEventListener("online", () => this.reopen());
    document.addEventListener("visibilitychange", () => document.hidden || this.reopen());
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.opened();
    };
    socket.onmessage = ({ data }) => this.received(data, socket);
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.closed();
      if (!this.wanted()) return;
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
  }

  /** Reconnect at once where an attempt is due later. */
  reopen() {
    const state = this.socket?.readyState ?? WebSocket.CLOSED;
    if (this.wanted() && state === WebSocket.CLOSED) this.open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  wanted() {
    return true;
  }
}
