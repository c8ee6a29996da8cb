# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Clients of the page and of the Foxglove server that run for as long as a measurement."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

import aiohttp

CAMERA = "/roboskate/camera/image_raw/compressed"
TOPICS = 30
"""To which the Foxglove client subscribes, one of them CAMERA."""


class WebSocketClient(ABC):
    """One connection on a thread of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.messages = self.images = self.size = 0
        """What has come so far: messages, images on frames of their own, and bytes of both."""
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._look())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @abstractmethod
    async def _look(self) -> None:
        """Connect and take what comes, until the server ends the connection."""

    def _run(self) -> None:
        # It does not raise what ends the task: ``fault`` has it.
        self._loop.run_until_complete(asyncio.wait({self._task}))

    @property
    def fault(self) -> str:
        """Why the connection has ended before ``close``; empty while it is open."""
        if not self._task.done() or self._task.cancelled():
            return ""
        error = self._task.exception()
        return "the server has closed it" if error is None else repr(error)

    def close(self) -> None:
        """Disconnect."""
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self._loop.close()


class FoxgloveClient(WebSocketClient):
    """Subscribes to TOPICS topics and counts what comes."""

    def __init__(self, url: str) -> None:
        self.subscribed = threading.Event()
        super().__init__(url)

    async def _look(self) -> None:
        known: dict[str, int] = {}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(
                self._url, protocols=("foxglove.sdk.v1",), max_msg_size=0
            ) as socket,
        ):
            async for frame in socket:
                if frame.type is aiohttp.WSMsgType.BINARY:
                    self.messages += 1
                    self.size += len(frame.data)
                    continue
                known |= {c["topic"]: c["id"] for c in json.loads(frame.data).get("channels", ())}
                if len(known) > TOPICS and CAMERA in known and not self.subscribed.is_set():
                    raw = "/roboskate/camera/image_raw"
                    names = [CAMERA, *sorted(known.keys() - {CAMERA, raw})[: TOPICS - 1]]
                    entries = [{"id": known[n], "channelId": known[n]} for n in names]
                    await socket.send_json({"op": "subscribe", "subscriptions": entries})
                    self.subscribed.set()


class PageClient(WebSocketClient):
    """Does with its socket what the page does, and counts what the page would draw anew."""

    def __init__(self, url: str) -> None:
        self._begun = time.monotonic()
        self._drawn: Counter[tuple[str, int]] = Counter()
        self._statuses: dict[str, str] = {}
        super().__init__(url)

    async def _look(self) -> None:
        origin = {"Origin": self._url.rstrip("/")}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self._url}ws", headers=origin, max_msg_size=0) as socket,
        ):
            async for frame in socket:
                self.size += len(frame.data)
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    self.images += 1
                    continue
                self.messages += 1
                message = json.loads(frame.data)
                minute = int((time.monotonic() - self._begun) / 60.0)
                for name, fields in message.get("set", {}).items():
                    if match := re.match(r"data /(\w+)", name):
                        self._drawn[match[1], minute] += 1
                    elif name.startswith("system ") and "status" in fields:
                        self._statuses[name] = fields["status"]
                await socket.send_str(f'{{"seen":{message["number"]}}}')

    @property
    def links(self) -> int:
        """How many links are up."""
        return sum(status == "connected" for status in self._statuses.values())

    def changes(self, panels: Sequence[str], minutes: int) -> dict[str, list[int]]:
        """Return how often the panel of each robot changed in each of the first minutes."""
        return {panel: [self._drawn[panel, m] for m in range(minutes)] for panel in panels}
