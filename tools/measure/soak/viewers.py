# SPDX-License-Identifier: Apache-2.0
"""Who looks at a demonstration for hours: a page, a Foxglove client and a recorder."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import aiohttp

from legacy_robots_common.testing.machine import ros2
from legacy_robots_common.testing.process import Process
from measure.bench.systems.foxglove import PATIENCE_S
from measure.bench.systems.foxglove import Client as FoxgloveClient

RECORDED = "regex:=(?!.*(/image_raw|parameter_events|rosout)$)/.*"
"""All but raw images, of which an hour has 40 GB."""


class PageClient:
    """Does what a browser's page does with its socket, and counts what it would draw anew.

    On a thread of its own. Raises aiohttp.ClientError from ``close`` when the page went away.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._begun = time.monotonic()
        self.drawn: Counter[tuple[str, int]] = Counter()
        """How often a panel changed, by its namespace and the minute."""
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._look())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        # It does not raise what ends the task: ``close`` does.
        self._loop.run_until_complete(asyncio.wait({self._task}))

    async def _look(self) -> None:
        origin = {"Origin": self._url.rstrip("/")}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{self._url}ws", headers=origin, max_msg_size=0) as socket,
        ):
            async for frame in socket:
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    continue  # an image
                message = json.loads(frame.data)
                minute = int((time.monotonic() - self._begun) / 60.0)
                for name in message.get("set", {}):
                    if match := re.match(r"data (/\w+)", name):
                        self.drawn[match[1], minute] += 1
                await socket.send_str(f'{{"seen":{message["number"]}}}')
        raise aiohttp.ClientConnectionError("the page's socket was closed")

    def quiet_minutes(self) -> dict[str, list[int]]:
        """Return the whole minutes in which nothing changed, for each panel."""
        minutes = range(int((time.monotonic() - self._begun) / 60.0))
        panels = sorted({panel for panel, _ in self.drawn})
        return {p: [m for m in minutes if not self.drawn[p, m]] for p in panels}

    def close(self) -> None:
        """Disconnect. Raises what had ended it before."""
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self._loop.close()
        if not self._task.cancelled() and (error := self._task.exception()) is not None:
            raise error


class Viewers:
    """A page with a client, a Foxglove server with a client, a recording. A context.

    ``launch`` is a demonstration with ``view:=web``; ``directory`` is where the recording goes.
    """

    def __init__(self, launch: Process, directory: Path) -> None:
        self._launch = launch
        self.file = directory / "demonstration.mcap"
        self._stack = ExitStack()

    def __enter__(self) -> Viewers:
        """Start them and wait until they get something. Raises TimeoutError."""
        with ExitStack() as stack:
            found = self._launch.wait_for_line(r"the view is at http://\S+", PATIENCE_S)
            url = re.findall(r"http://\S+", found)[0]
            self.page = PageClient(url)
            stack.callback(self.page.close)
            command = ros2("run", "legacy_robots_view", "foxglove", "--ros-args", "-p", "port:=0")
            self.foxglove = stack.enter_context(Process(command))
            found = self.foxglove.wait_for_line("open a connection", PATIENCE_S)
            self.client = FoxgloveClient(re.findall(r"ws://\S+", found)[0])
            stack.callback(self.client.close)
            arguments = ["--ros-args", "-p", f"file:={self.file}", "-p", RECORDED]
            command = ros2("run", "legacy_robots_examples", "record", *arguments)
            self.recorder = stack.enter_context(Process(command))
            self.recorder.wait_for_line("receiving /nao/link_state", PATIENCE_S)
            if not self.client.subscribed.wait(PATIENCE_S):
                raise TimeoutError("the Foxglove server does not offer all topics")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End them."""
        self._stack.close()

    @property
    def processes(self) -> list[Process]:
        """The processes besides those of the launch."""
        return [self.foxglove, self.recorder]
