# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""All browsers: they get what the node shows, as fast as they can draw it, and ask for nothing.

Everything here runs on the loop of the web server.
"""

from __future__ import annotations

import re
from asyncio import Event
from collections.abc import Callable

from legacy_robots_view.pictures import ImagePicture, StatePicture
from legacy_robots_web import Client

STATE = "state"
_SEEN = re.compile(r'\{"seen":(\d{1,15})\}')


class _Viewer:
    """One browser. It has drawn everything up to a state when it says that it has seen that.

    Until then nothing more is sent: what is under way is at most one state, and one image of each
    camera. Buffers on the way to a slow browser, of which there are several megabytes, stay empty.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._awaited: int | None = None
        self._state: StatePicture | None = None
        self._images: dict[str, ImagePicture] = {}

    def show(self, state: StatePicture) -> None:
        """Show a state, and the images that came before it: now, or when the browser is ready."""
        self._state = state
        if self._awaited is None:
            self._send()

    def show_image(self, image: ImagePicture) -> None:
        """Show an image together with the next state."""
        self._images[image.topic] = image

    def saw(self, number: int) -> None:
        """Handle the acknowledgement of the state ``number``."""
        if number == self._awaited:
            self._awaited = None
            if self._state is not None:
                self._send()

    def forget(self, topic: str) -> None:
        """Forget a camera that is gone."""
        self._images.pop(topic, None)
        self._client.forget(topic)

    def finish(self) -> None:
        """End the connection."""
        self._client.finish()

    def _send(self) -> None:
        assert self._state is not None
        for topic, image in self._images.items():
            self._client.show(image, topic)
        self._client.show(self._state, STATE)
        self._awaited = self._state.number
        self._state = None
        self._images.clear()


class ViewHub:
    """Passes on states and images; ``on_browsers`` gets the number of browsers."""

    def __init__(self, on_browsers: Callable[[int], None]) -> None:
        self._on_browsers = on_browsers
        self._viewers: dict[Client, _Viewer] = {}
        self._state: StatePicture | None = None
        self._cameras: set[str] = set()

    async def run(self) -> None:
        """Wait: the node is what drives it."""
        await Event().wait()

    async def close(self) -> None:
        """End all connections."""
        for viewer in self._viewers.values():
            viewer.finish()

    def enter(self, client: Client) -> None:
        """Send a new browser the state, unless no browser was connected: it may be old."""
        viewer = self._viewers[client] = _Viewer(client)
        if self._state is not None:
            viewer.show(self._state)
        self._on_browsers(len(self._viewers))

    def exit(self, client: Client) -> None:
        """Handle a closed browser connection."""
        self._viewers.pop(client, None)
        if not self._viewers:
            self._state = None
        self._on_browsers(len(self._viewers))

    async def receive(self, client: Client, text: str) -> None:
        """Handle an acknowledgement; a client that sends anything else is disconnected."""
        viewer = self._viewers.get(client)
        match = _SEEN.fullmatch(text)
        if match is None:
            client.finish()
        elif viewer is not None:
            viewer.saw(int(match[1]))

    def show(self, state: StatePicture) -> None:
        """Show all browsers a state."""
        gone = {topic for topic in self._cameras if f"topic {topic}" not in state.state}
        self._cameras -= gone
        if self._viewers:
            self._state = state
        for viewer in self._viewers.values():
            for topic in gone:
                viewer.forget(topic)
            viewer.show(state)

    def show_image(self, image: ImagePicture) -> None:
        """Show all browsers an image, together with the next state."""
        self._cameras.add(image.topic)
        for viewer in self._viewers.values():
            viewer.show_image(image)
