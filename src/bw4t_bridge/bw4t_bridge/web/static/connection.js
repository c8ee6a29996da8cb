// SPDX-License-Identifier: Apache-2.0
// The connection to the server, which takes this page's robot over again when it reconnects.

import { ReconnectingSocket } from "/common/connection.js";

const TOKEN = "bw4t.token";
// The server sends a beat twice a second. It carries nothing out that was asked for more than 3 s
// after the last beat that this page had got (LATEST_S), so what is unanswered now stays undone.
const LONGEST_SILENCE = 4000; // ms

export class Connection extends ReconnectingSocket {
  /** `onMessage` gets every message, `onLink` one of connecting, connected, silent, lost, replaced, ended. */
  constructor(onMessage, onLink) {
    super();
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.number = 0;
    this.stopped = false;
    this.beat = null; // the number of the last one
    this.silence = 0; // the timer that finds out
  }

  open() {
    this.stopped = false;
    super.open();
  }

  opened() {
    this.beat = null;
    this.send({ type: "hello", token: sessionStorage.getItem(TOKEN) });
    this.onLink("connected");
    this.heard();
  }

  /** The server answers: note when it does not any more. */
  heard() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.onLink("silent");
      this.reconnect();
    }, LONGEST_SILENCE);
  }

  received(data) {
    const message = JSON.parse(data);
    this.heard();
    if (message.type === "beat") {
      this.beat = message.number;
      return;
    }
    if (message.type === "joined") sessionStorage.setItem(TOKEN, message.token);
    if (message.type === "left") sessionStorage.removeItem(TOKEN);
    if (message.type === "replaced") {
      this.stopped = true;
      this.onLink(message.type);
    }
    this.onMessage(message);
  }

  closed() {
    clearTimeout(this.silence);
    if (!this.stopped) this.onLink("lost");
  }

  wanted() {
    return !this.stopped;
  }

  /** Send a request; return its number, or null when there is no connection. */
  send(request) {
    if (!this.isOpen) return null;
    this.number += 1;
    const beat = this.beat === null ? {} : { beat: this.beat };
    this.socket.send(JSON.stringify({ ...request, ...beat, id: this.number }));
    return this.number;
  }
}
