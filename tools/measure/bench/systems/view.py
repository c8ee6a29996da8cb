# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the view beside all systems: without a browser, and with one that draws at once."""

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
from dataclasses import dataclass

import aiohttp

from legacy_robots_testing.machine import own_domain, ros2
from legacy_robots_testing.process import Process
from measure.bench.table import Table
from measure.processes import cpu_percent

IDLE_TARGET, WATCHED_TARGET = 0.5, 15.0
"""Per cent of a core."""
LINKS = 6
TIMEOUT_S = 60.0


@dataclass
class Browser:
    """A page that draws at once: what it got, and the links that are up."""

    states: int = 0
    images: int = 0
    size: int = 0
    links: int = 0

    async def look(self, url: str, stop: asyncio.Event) -> None:
        """Look at the page until ``stop``."""
        systems: dict[str, str] = {}
        headers = {"Origin": url.rstrip("/")}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{url}ws", headers=headers) as socket,
        ):
            async for frame in socket:
                self.size += len(frame.data)
                if frame.type is not aiohttp.WSMsgType.TEXT:
                    self.images += 1
                    continue
                message = json.loads(frame.data)
                self.states += 1
                for name, fields in message.get("set", {}).items():
                    if name.startswith("system ") and "status" in fields:
                        systems[name] = fields["status"]
                self.links = sum(status == "connected" for status in systems.values())
                await socket.send_str(f'{{"seen":{message["number"]}}}')
                if stop.is_set():
                    return


class Looking:
    """A browser on a thread of its own, as a context manager."""

    def __init__(self, url: str) -> None:
        self.browser = Browser()
        self._stop = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        looking = self.browser.look(url, self._stop)
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(looking,))

    def __enter__(self) -> Browser:
        """Open the page; return when all links are up."""
        self._thread.start()
        deadline = time.monotonic() + TIMEOUT_S
        while self.browser.links < LINKS:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.browser.links} of {LINKS} links are up")
            time.sleep(0.1)
        return self.browser

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench view", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement")
    options = parser.parse_args(argv)
    table = Table("The view, beside all systems on their simulators")
    with ExitStack() as stack:
        own_domain(stack)

        def launch(file: str, *arguments: str) -> Process:
            command = ros2("launch", "legacy_robots_bringup", f"{file}.launch.py", *arguments)
            return stack.enter_context(Process(command))

        user = f"user:=bench{os.getpid()}"
        launch("luar", "players:=1,2", "profile:=webots", user)
        launch("demo", "systems:=nao,roboskate,bw4t,aibo")
        view = launch("view", "port:=0")
        found = re.search(r"http://\S+", view.wait_for_line("the view is at", TIMEOUT_S))
        assert found is not None
        url, pid = found[0], view.pid_of("view")
        with Looking(url):
            pass  # all links are up
        time.sleep(5.0)  # it lingers after the last browser
        idle = cpu_percent(pid, options.seconds)
        with Looking(url) as browser:
            begun = time.monotonic()
            states, images, size = browser.states, browser.images, browser.size
            watched = cpu_percent(pid, options.seconds)
            seconds = time.monotonic() - begun
            states, images = browser.states - states, browser.images - images
            size = browser.size - size
    table.add("CPU without a browser", f"{idle:.2f} % of a core", "<= 0.5 %", idle <= IDLE_TARGET)
    table.add(
        "CPU with a browser", f"{watched:.1f} % of a core", "<= 15 %", watched <= WATCHED_TARGET
    )
    table.add("states to the browser", f"{states / seconds:.1f} a second")
    table.add("images to the browser, of 3 cameras", f"{images / seconds:.1f} a second")
    table.add("data to the browser", f"{size / seconds / 1000:.0f} kB a second")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
