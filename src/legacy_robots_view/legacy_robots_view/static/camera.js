// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// A camera's picture. Images that come while one is being decoded are dropped, but for the last.

import { html } from "./svg.js";
import { duration } from "./store.js";

export class CameraView {
  constructor(label) {
    this.canvas = html("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.caption = html("figcaption", "", "no image yet");
    this.badge = html("span", "badge");
    this.element = html("figure", "camera", this.canvas, this.badge, this.caption);
    this.element.dataset.state = "none";
    this.context = this.canvas.getContext("2d");
    this.frames = 0;
  }

  async show(bytes) {
    this.next = bytes;
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const blob = new Blob([this.next]);
      this.next = null;
      try {
        this.paint(await createImageBitmap(blob));
      } catch {
        this.caption.textContent = "an image that this browser cannot show";
      }
    }
    this.busy = false;
  }

  paint(image) {
    const { canvas } = this;
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width;
      canvas.height = image.height;
      this.element.parentElement?.style.setProperty("--ratio", image.width / image.height);
    }
    this.context.drawImage(image, 0, 0);
    image.close();
    this.frames += 1;
    this.element.dataset.frames = this.frames;
  }

  /** Say whether the image that is shown is what the camera sees now. */
  refresh(store, namespace, name) {
    const topic = store.topic(namespace, name);
    const live = store.isLive(namespace, name);
    const state = !this.frames ? "none" : live ? "live" : "old";
    const words = {
      none: topic?.problem ?? "no image yet",
      live: "",
      old: topic?.at ? `image of ${duration(store.age(topic.at))} ago` : "old image",
    }[state];
    this.element.dataset.state = state;
    if (this.caption.textContent !== words) this.caption.textContent = words;
  }
}
