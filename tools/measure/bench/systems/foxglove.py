# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the server for Foxglove beside the demonstration: idle, and with 30 topics."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from contextlib import ExitStack

from legacy_robots_testing.machine import own_domain, ros2
from legacy_robots_testing.process import Process
from measure.bench.table import Table
from measure.processes import cpu_percent
from measure.web_clients import CAMERA, TOPICS, FoxgloveClient

PATIENCE_S = 60.0


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
        client = FoxgloveClient(found[0])
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
