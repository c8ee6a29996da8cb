# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the page's server and of the one for Foxglove: without clients, and with one.

Beside all systems on their simulators, of Luar two players. The page's client draws at once; the
one of Foxglove subscribes to 30 topics, one of them a camera.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from contextlib import ExitStack, closing

from legacy_robots_testing.machine import own_domain, ros2
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from measure.bench.table import Table
from measure.processes import cpu_percent
from measure.web_clients import TOPICS, FoxgloveClient, PageClient, WebSocketClient

IDLE_TARGET, WATCHED_TARGET = 0.5, 15.0
"""Of the page's server, in per cent of a core."""
LINKS = 6
TIMEOUT_S = 60.0


def url_of(process: Process, line: str, scheme: str) -> str:
    """Return the address that a program prints in a line."""
    return str(re.findall(rf"{scheme}://\S+", process.wait_for_line(line, TIMEOUT_S))[0])


def watched(table: Table, client: WebSocketClient, pid: int, what: str, seconds: float) -> float:
    """Add what comes to a client meanwhile; return the server's load (% of a core)."""
    before, begun = (client.messages, client.images, client.size), time.monotonic()
    load = cpu_percent(pid, seconds)
    passed = time.monotonic() - begun
    after = (client.messages, client.images, client.size)
    messages, images, size = ((b - a) / passed for a, b in zip(before, after, strict=True))
    table.add(f"messages to {what}", f"{messages:.0f} a second")
    if images:
        table.add(f"images to {what}, of 3 cameras", f"{images:.1f} a second")
    table.add(f"data to {what}", f"{size / 1000:.0f} kB a second")
    return load


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench view", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement")
    seconds = parser.parse_args(argv).seconds
    table = Table("The view, beside all systems on their simulators (bench view)")
    with ExitStack() as stack:
        own_domain(stack)

        def launch(file: str, *arguments: str) -> Process:
            command = ros2("launch", "legacy_robots_bringup", f"{file}.launch.py", *arguments)
            return stack.enter_context(Process(command))

        launch("luar", "players:=1,2", "profile:=webots", f"user:=bench{os.getpid()}")
        launch("demo", "systems:=nao,roboskate,bw4t,aibo")
        view = launch("view", "port:=0")
        url, pid = url_of(view, "the view is at", "http"), view.pid_of("view")
        with closing(PageClient(url)) as page:
            until(lambda: page.links >= LINKS, "not all links are up", TIMEOUT_S)
        time.sleep(5.0)  # it lingers after the last browser
        idle = cpu_percent(pid, seconds)
        with closing(PageClient(url)) as page:
            until(lambda: page.links >= LINKS, "not all links are up", TIMEOUT_S)
            busy = watched(table, page, pid, "the browser", seconds)
        table.add(
            "CPU without a browser", f"{idle:.2f} % of a core", f"<= {IDLE_TARGET:g} %",
            idle <= IDLE_TARGET,
        )  # fmt: skip
        table.add(
            "CPU with a browser", f"{busy:.1f} % of a core", f"<= {WATCHED_TARGET:g} %",
            busy <= WATCHED_TARGET,
        )  # fmt: skip
        command = ros2("run", "legacy_robots_view", "foxglove", "--ros-args", "-p", "port:=0")
        server = stack.enter_context(Process(command))
        address = url_of(server, "open a connection", "ws")
        time.sleep(5.0)
        idle = cpu_percent(server.pid, seconds)
        with closing(FoxgloveClient(address)) as client:
            until(client.subscribed.is_set, f"fewer than {TOPICS} topics", TIMEOUT_S)
            busy = watched(table, client, server.pid, "Foxglove", seconds)
        table.add("CPU of Foxglove's server without a client", f"{idle:.1f} % of a core")
        table.add(f"CPU of it with {TOPICS} topics, one a camera", f"{busy:.1f} % of a core")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
