# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A served world as a program that Ctrl-C ends."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable

from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.server.web_server import ExperimentServer, WebServer
from bw4t_world import World, WorldError
from bw4t_world.maps.xml_document import DocumentError
from legacy_robots_core.printable import printable, set_up_logging


def run_until_stopped(runner: WorldRunner, server: WebServer | ExperimentServer) -> int:
    """Serve until Ctrl-C, end the record if there is one, print the measures; return 0."""
    set_up_logging(format="%(message)s")
    stop = _stop_on_signals()
    runner.start()
    try:
        server.start()
        _print(f"The page is at {server.url} - Ctrl-C ends it.")
        if isinstance(server, ExperimentServer):
            _print(f"The experimenter's page is at {server.experimenter_url}")
            _print("Participants open, each another address:")
            _print("\n".join(server.participant_urls))
        stop.wait()
    finally:
        server.close()
        lines = runner.call(_end)
        runner.close()
        _print("\n".join(lines))
    return 0


def one_sentence(program: str, run: Callable[[], int]) -> int:
    """Return the exit code of ``run``; 2, with a sentence on standard error, for what it raises.

    These are DocumentError, WorldError, ValueError and OSError.
    """
    try:
        return run()
    except (DocumentError, WorldError, ValueError) as error:
        problem = str(error)
    except OSError as error:
        problem = ": ".join(filter(None, (error.filename, error.strerror or str(error))))
    sys.stderr.write(f"{program}: error: {printable(problem)}\n")
    return 2


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _end(world: WorldPort) -> list[str]:
    if isinstance(world, World):
        world.close()
    return world.measures().lines()


def _stop_on_signals() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set from now on."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop
