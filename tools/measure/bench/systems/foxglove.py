# SPDX-License-Identifier: Apache-2.0
"""CPU time of the server for Foxglove beside the demonstration: idle, and with 30 topics."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import threading
import time
from contextlib import ExitStack

import aiohttp

from legacy_robots_common.testing.machine import own_domain, ros2
from legacy_robots_common.testing.process import Process
from measure.bench.table import Table
from measure.processes import cpu_percent

CAMERA = "/roboskate/camera/image_raw/compressed"
TOPICS = 30
PATIENCE_S = 60.0


class Client:
    """Subscribes to TOPICS topics, one of them a camera, and counts what comes. On a thread."""

    def __init__(self, url: str) -> None:
        self.messages = self.size = 0
        self.subscribed = threading.Event()
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._look())
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass

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

    def close(self) -> None:
        """Disconnect."""
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self._loop.close()


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 0."""
    parser = argparse.ArgumentParser(prog="tools/bench foxglove", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement")
    options = parser.parse_args(argv)
    table = Table(f"The server for Foxglove beside the demonstration, {TOPICS} topics")
    with ExitStack() as stack:
        own_domain(stack)
        command = ros2("launch", "legacy_robots_bringup", "demo.launch.py")
        stack.enter_context(Process([*command, f"luar_user:=bench{os.getpid()}"]))
        command = ros2("run", "legacy_robots_view", "foxglove", "--ros-args", "-p", "port:=0")
        server = stack.enter_context(Process(command))
        found = re.search(r"ws://\S+", server.wait_for_line("open a connection", PATIENCE_S))
        assert found is not None
        pid = server.pid
        time.sleep(10.0)  # the systems come up
        idle = cpu_percent(pid, options.seconds)
        client = Client(found[0])
        try:
            if not client.subscribed.wait(PATIENCE_S):
                raise TimeoutError(f"fewer than {TOPICS} topics, or no {CAMERA}")
            begun, messages, size = time.monotonic(), client.messages, client.size
            watched = cpu_percent(pid, options.seconds)
            seconds = time.monotonic() - begun
            messages, size = client.messages - messages, client.size - size
        finally:
            client.close()
    table.add("CPU without a client", f"{idle:.1f} % of a core")
    table.add(f"CPU with {TOPICS} topics, one a camera", f"{watched:.1f} % of a core")
    table.add("messages to the client", f"{messages / seconds:.0f} a second")
    table.add("data to the client", f"{size / seconds / 1000:.0f} kB a second")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
