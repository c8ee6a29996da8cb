// SPDX-License-Identifier: Apache-2.0
// The connection to the server, which takes this page's robot over again when it reconnects.

import { ReconnectingSocket } from "/common/connection.js";

const TOKEN = "bw4t.token";

export class Connection extends ReconnectingSocket {
  /** `onMessage` gets every message, `onLink` one of connecting, connected, lost, replaced, ended. */
  constructor(onMessage, onLink) {
    super();
    this.onMessage = onMessage;
    this.onLink = onLink;
    this.number = 0;
    this.stopped = false;
  }

  open() {
    this.stopped = false;
    super.open();
  }

  opened() {
    this.send({ type: "hello", token: sessionStorage.getItem(TOKEN) });
    this.onLink("connected");
  }

  received(data) {
    const message = JSON.parse(data);
    if (message.type === "joined") sessionStorage.setItem(TOKEN, message.token);
    if (message.type === "left") sessionStorage.removeItem(TOKEN);
    if (message.type === "replaced") {
      this.stopped = true;
      this.onLink(message.type);
    }
    this.onMessage(message);
  }

  closed() {
    if (!this.stopped) this.onLink("lost");
  }

  wanted() {
    return !this.stopped;
  }

  /** Send a request; return its number, or null when there is no connection. */
  send(request) {
    if (!this.isOpen) return null;
    this.number += 1;
    this.socket.send(JSON.stringify({ ...request, id: this.number }));
    return this.number;
  }
}
