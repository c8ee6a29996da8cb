# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who looks at a demonstration for hours: a page, a Foxglove client and a recorder."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

from legacy_robots_testing.machine import ros2
from legacy_robots_testing.process import Process
from measure.web_clients import FoxgloveClient, PageClient

RECORDED = "regex:=(?!.*(/image_raw|parameter_events|rosout)$)/.*"
"""All but raw images, which would be most of it."""
PATIENCE_S = 60.0


class Viewers:
    """A page with a client, a Foxglove server with a client, a recording. A context.

    ``launch`` is a demonstration with ``view:=web``; ``directory`` is where the recording goes.
    """

    def __init__(self, launch: Process, directory: Path) -> None:
        self._launch = launch
        self.recording = directory / "demonstration.mcap"
        self._stack = ExitStack()

    def __enter__(self) -> Viewers:
        """Start them and wait until they get something. Raises TimeoutError."""
        with ExitStack() as stack:
            found = self._launch.wait_for_line(r"the view is at http://\S+", PATIENCE_S)
            self.page = PageClient(re.findall(r"http://\S+", found)[0])
            stack.callback(self.page.close)
            command = ros2("run", "legacy_robots_view", "foxglove", "--ros-args", "-p", "port:=0")
            server = stack.enter_context(Process(command))
            found = server.wait_for_line("open a connection", PATIENCE_S)
            self.foxglove = FoxgloveClient(re.findall(r"ws://\S+", found)[0])
            stack.callback(self.foxglove.close)
            arguments = ["--ros-args", "-p", f"file:={self.recording}", "-p", RECORDED]
            command = ros2("run", "legacy_robots_examples", "record", *arguments)
            recorder = stack.enter_context(Process(command))
            recorder.wait_for_line("receiving /nao/link_state", PATIENCE_S)
            if not self.foxglove.subscribed.wait(PATIENCE_S):
                raise TimeoutError("the Foxglove server does not offer all topics")
            self.processes = [server, recorder]
            """Those besides the launch's."""
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End them."""
        self._stack.close()

    def problems(self) -> list[str]:
        """Return what has ended before its time."""
        clients = {"the page's client": self.page, "the Foxglove client": self.foxglove}
        return [
            *(f"{name}: {client.fault}" for name, client in clients.items() if client.fault),
            *(
                f"ended: {process.lines.items[-1:]}"
                for process in self.processes
                if process.has_ended
            ),
        ]
