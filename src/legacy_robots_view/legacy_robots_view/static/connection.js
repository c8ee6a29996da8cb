// SPDX-License-Identifier: Apache-2.0
// The connection to the server, which comes back by itself. The page only listens: all that it sends is
// which state it has drawn, and the next one comes only then.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;
const HIDDEN_FOR = 10_000; // ms after which a page that nobody sees lets go
const SILENCE = 4000; // ms; the server says something each second

export class Connection {
  /** `onText` gets every message, `onImage` a topic and the bytes of a file, `onLink` the link's state. */
  constructor({ onText, onImage, onLink }) {
    Object.assign(this, { onText, onImage, onLink });
    this.wait = FIRST_WAIT;
    this.heardAt = 0;
    document.addEventListener("visibilitychange", () => this.see());
    addEventListener("online", () => this.see());
    setInterval(() => this.check(), 1000);
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.heardAt = performance.now();
      this.tell("connected");
    };
    socket.onmessage = ({ data }) => {
      this.heardAt = performance.now();
      this.tell("connected");
      if (typeof data === "string") this.take(socket, JSON.parse(data));
      else this.receive(new Uint8Array(data));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.tell("lost");
      if (document.hidden) return;
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 1.6, LONGEST_WAIT);
    };
  }

  /** Draw a state, and say so with the next picture on the screen. */
  take(socket, message) {
    this.onText(message);
    requestAnimationFrame(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send(`{"seen":${message.number}}`);
    });
  }

  receive(bytes) {
    const end = bytes.indexOf(10);
    this.onImage(new TextDecoder().decode(bytes.subarray(0, end)), bytes.subarray(end + 1));
  }

  tell(link) {
    if (link === this.link) return;
    this.link = link;
    this.onLink(link);
  }

  check() {
    const open = this.socket?.readyState === WebSocket.OPEN;
    const silent = performance.now() - this.heardAt > SILENCE;
    if (open && silent && !document.hidden) this.tell("silent"); // a hidden page asks for nothing
  }

  /** Nobody looks at a page in the background: the robots need not tell it anything. */
  see() {
    clearTimeout(this.leave);
    if (document.hidden) {
      this.leave = setTimeout(() => this.socket?.close(), HIDDEN_FOR);
    } else if (!this.socket || this.socket.readyState >= WebSocket.CLOSING) {
      this.open();
    }
  }
}
