// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The connection to the server, which takes this page's robot over again when it reconnects.

import { ReconnectingSocket } from "/common/connection.js";

const TOKEN = "bw4t.token";
const PING = 1000; // ms between two signs of life that are asked for
const SILENCE = 3000; // ms without one after which the server is taken to be out of reach
const HOPELESS = 10000; // ms of silence after which another connection is tried

export class Connection extends ReconnectingSocket {
  /** `onMessage` gets every message, `onLink` one of connecting, connected, silent, lost, replaced,
   *  ended. `onUnanswered` gets the number of each request without an answer in time: the server
   *  does not carry it out later. */
  constructor(onMessage, onLink, onUnanswered, who) {
    super();
    this.who = who; // the participant's code or the experimenter's secret
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.onUnanswered = onUnanswered;
    this.waits = new Map(); // timers by the number of a request
    this.pinged = null; // since when a sign of life is waited for
    this.silent = false;
    setInterval(() => this.watch(), PING);
    this.number = 0;
    this.stopped = false;
  }

  open() {
    this.stopped = false;
    super.open();
  }

  opened() {
    this.pinged = null;
    this.silent = false;
    this.send({ type: "hello", token: sessionStorage.getItem(TOKEN), ...this.who });
    this.onLink("connected");
  }

  received(data, socket) {
    if (socket !== this.socket) return; // one that was given up
    this.pinged = null;
    if (this.silent) {
      this.silent = false;
      this.onLink("connected");
    }
    const message = JSON.parse(data);
    clearTimeout(this.waits.get(message.id));
    this.waits.delete(message.id);
    if (message.type === "joined" && message.token) sessionStorage.setItem(TOKEN, message.token);
    if (message.type === "left") sessionStorage.removeItem(TOKEN);
    if (message.type === "replaced") {
      this.stopped = true;
      this.onLink(message.type);
    }
    this.onMessage(message);
  }

  /** Ask for a sign of life, and say when there has been none for some seconds. */
  watch() {
    if (!this.isOpen) return;
    if (this.pinged === null) {
      this.pinged = performance.now();
      this.send({ type: "ping" });
      return;
    }
    const silence = performance.now() - this.pinged;
    if (silence > SILENCE && !this.silent) {
      this.silent = true;
      this.onLink("silent");
    }
    if (silence > HOPELESS) this.abandon();
  }

  /** Give this connection up, and try another one. */
  abandon() {
    const socket = this.socket;
    this.pinged = null;
    this.closed();
    this.open();
    socket.close();
  }

  closed() {
    for (const number of [...this.waits.keys()]) this.unanswered(number);
    if (!this.stopped) this.onLink("lost");
  }

  wanted() {
    return !this.stopped;
  }

  unanswered(number) {
    clearTimeout(this.waits.get(number));
    this.waits.delete(number);
    this.onUnanswered(number);
  }

  /** Send a request; return its number, or null when there is no connection. One that is
   *  `answered` by the server is given up after some seconds. */
  send(request, answered = false) {
    if (!this.isOpen || this.silent) return null;
    this.number += 1;
    const number = this.number;
    this.socket.send(JSON.stringify({ ...request, id: number, sent: performance.now() }));
    if (answered) this.waits.set(number, setTimeout(() => this.unanswered(number), SILENCE));
    return number;
  }
}
