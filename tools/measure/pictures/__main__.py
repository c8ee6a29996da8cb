# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every view in a real rviz2 against the running launch file: a picture of each, and its verdict.

Run by ``tools/rviz_views``. A display in error or warning is shown by rviz in the panel *Displays*
by the colour of its name, and nowhere outside of its window: so the picture is what is looked at.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from legacy_robots_common.frames.places import transforms
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.system import Port, system, systems
from legacy_robots_launch.views import adapted_view
from legacy_robots_testing.machine import (
    free_port,
    free_ports,
    launch_command,
    machine_wide,
    own_domain,
)
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure import ROOT
from measure.pictures.judge import EXPECTED, SCREEN, Picture, has_window, judge, off, rgb_of

STARTING_S = 60.0
"""Longest time until the window of rviz is there."""
MATCHES = {"luar_match": ("port", "ball_port")}
"""Views that show no single system; the launch arguments that are ports."""


@contextmanager
def x_server() -> Iterator[str]:
    """Start an X server without a screen; yield its DISPLAY."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            yield f":{int(answer.readline())}"
    finally:
        server.terminate()
        server.wait()


def take(display: str, path: Path) -> Picture:
    """Save a picture of the screen, without what is black around the window, and return it."""
    subprocess.run(["import", "-display", display, "-window", "root", str(path)], check=True)
    picture = np.asarray(cv2.imread(str(path)), np.uint8)
    rows, columns = np.nonzero(picture.any(axis=2))
    if len(rows):
        picture = picture[: rows.max() + 1, : columns.max() + 1]
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return picture


def wait_for_window(display: str, process: Process) -> None:
    """Wait until a window is there. Raises RuntimeError with what the process has said."""
    end = time.monotonic() + STARTING_S
    with tempfile.TemporaryDirectory() as directory:
        while not has_window(take(display, Path(directory, "screen.png"))):
            if time.monotonic() > end:
                raise RuntimeError(f"rviz2 shows no window: {process.lines.items[-5:]}")
            time.sleep(0.5)


@contextmanager
def installed(rviz2: str) -> Iterator[str]:
    """Yield an AMENT_PREFIX_PATH in which the package rviz2 is the command ``rviz2``."""
    with tempfile.TemporaryDirectory() as directory:
        index = Path(directory, "share", "ament_index", "resource_index", "packages", "rviz2")
        program = Path(directory, "lib", "rviz2", "rviz2")
        for file in (index, program):
            file.parent.mkdir(parents=True)
        index.touch()
        program.write_text(f'#!/bin/sh\nexec {shlex.join(shlex.split(rviz2))} "$@"\n', "utf-8")
        program.chmod(0o755)
        yield os.pathsep.join([directory, os.environ["AMENT_PREFIX_PATH"]])


class Check:
    """The check of one view after the other."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._failed = False

    def view(self, name: str) -> None:
        """Launch what a view shows, and look at it in all starts."""
        options = self._options
        starts = range(options.starts)
        if name in MATCHES:
            locks = []
        else:
            locks = [s.exclusive for s in (systems() if name == "demo" else [system(name)])]
        with ExitStack() as stack:
            for lock in locks:
                stack.enter_context(machine_wide(lock))
            if options.launch:
                for start in starts:
                    self._launched(name, start)
                return
            file = stack.enter_context(self._file(name))
            launch = Process(launch_command(f"{name}.launch.py", *self._arguments(name)))
            stack.enter_context(launch).wait_for_line("link connected")
            peer = stack.enter_context(RosPeer())
            for start in starts:
                world = TransformBroadcaster(peer.node) if name == "demo" else None
                if world is not None and not options.late:
                    world.send_static(transforms(systems()))
                self._start(name, file, start, launch, world)

    def _launched(self, name: str, start: int) -> None:
        """Look at what ``rviz:=true`` of the launch file opens."""
        with ExitStack() as stack:
            display = stack.enter_context(x_server())
            prefix = stack.enter_context(installed(self._options.rviz2))
            env = {"DISPLAY": display, "QT_X11_NO_MITSHM": "1", "AMENT_PREFIX_PATH": prefix}
            command = launch_command(f"{name}.launch.py", *self._arguments(name), "rviz:=true")
            launch = stack.enter_context(Process(command, env))
            launch.wait_for_line("link connected")
            self._look(name, start, display, launch)

    def _start(self, name: str, file: str, start: int, launch: Process, world: Any) -> None:
        """Start rviz with a view, and look at it."""
        options = self._options
        namespace = "/" if name == "demo" else f"/{name}"
        command = [*shlex.split(options.rviz2), "-d", file, "--ros-args"]
        command += ["-r", f"__ns:={namespace}"]
        if name == "roboskate":
            command += ["-p", "use_sim_time:=true"]
        with ExitStack() as stack:
            display = stack.enter_context(x_server())
            env = {"DISPLAY": display, "QT_X11_NO_MITSHM": "1"}
            rviz = stack.enter_context(Process(command, env))
            wait_for_window(display, rviz)
            if world is not None and options.late:
                time.sleep(options.late)
                world.send_static(transforms(systems()))
            self._look(name, start, display, rviz, launch)

    def _look(self, name: str, start: int, display: str, *processes: Process) -> None:
        """Save a picture when it is good, or patience has ended, and tell what is in it."""
        options = self._options
        wait_for_window(display, processes[0])
        began = time.monotonic()
        path = options.pictures / f"{name}_{start + 1}.png"
        while True:
            # Not an event that can be awaited: only the picture tells.
            time.sleep(options.seconds if time.monotonic() < began + options.seconds else 2.0)
            verdict = judge(name, take(display, path))
            passed = time.monotonic() - began
            if not verdict.problems or passed > options.seconds + options.patience:
                break
        colours = ", ".join(
            f"{colour} {'/'.join(map(str, seen))} of {'/'.join(map(str, rgb_of(colour)))}"
            for colour, seen in verdict.colours.items()
        )
        worst = max((off(name, seen) for name, seen in verdict.colours.items()), default=0.0)
        said = "; ".join(verdict.problems) or "good"
        print(f"{path.name}: {said} after {passed:.0f} s ({colours}; off by {worst:.1%} at most)")
        sys.stdout.flush()
        if verdict.problems:
            lines = [line for process in processes for line in process.lines.items[-5:]]
            print("the last lines:", *lines, sep="\n  ", flush=True)
        self._failed |= bool(verdict.problems)

    @contextmanager
    def _file(self, name: str) -> Iterator[str]:
        path = self._options.directory / f"{name}.rviz"
        if not self._options.frame_prefix:
            yield str(path)
            return
        with tempfile.TemporaryDirectory() as directory:
            copy = Path(directory, path.name)
            # The field's frame has no prefix.
            frames = {"map": "map"} if name == "luar" else {}
            text = adapted_view(path, frame_prefix=self._options.frame_prefix, frames=frames)
            copy.write_text(text, encoding="utf-8")
            yield str(copy)

    def _arguments(self, name: str) -> list[str]:
        return [*self._own_arguments(name), *self._options.argument]

    def _own_arguments(self, name: str) -> list[str]:
        def of(prefix: str, ports: tuple[Port, ...], own: Iterable[str]) -> list[str]:
            free = [f"{prefix}{port.argument}:={free_port()}" for port in ports]
            return free + [f"{prefix}{argument}:=views{os.getpid()}" for argument in own]

        if name == "demo":
            return [a for s in systems() for a in of(f"{s.name}_", s.ports, s.own_arguments)]
        if name in MATCHES:
            ports = zip(MATCHES[name], free_ports(len(MATCHES[name])), strict=True)
            return [f"user:=views{os.getpid()}", *(f"{port}:={free}" for port, free in ports)]
        one = system(name)
        given = of("", one.ports, one.own_arguments)
        given += [f"{argument}:={value}" for argument, value in one.demonstration.items()]
        if self._options.frame_prefix:
            given.append(f"frame_prefix:={self._options.frame_prefix}")
        return given

    @property
    def failed(self) -> bool:
        """Whether a picture had a problem."""
        return self._failed


def main() -> int:
    """Check what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(prog="tools/rviz_views", description=__doc__)
    parser.add_argument("views", nargs="*", help=f"of {', '.join(EXPECTED)}; default: all")
    parser.add_argument("--rviz2", default="rviz2", help="command that starts rviz2")
    parser.add_argument("--starts", type=int, default=1, help="how often each view is opened")
    parser.add_argument("--seconds", type=float, default=10.0, help="until a picture is taken")
    parser.add_argument(
        "--patience",
        type=float,
        default=30.0,
        help="seconds for which a picture that is not good is taken again",
    )
    parser.add_argument("--pictures", type=Path, default=Path("pictures"), help="directory")
    parser.add_argument("--frame-prefix", default="", help="of a second robot, such as b/")
    parser.add_argument(
        "--late",
        type=float,
        default=0.0,
        help="seconds by which the places of the demonstration come late",
    )
    parser.add_argument("--directory", type=Path, default=ROOT / "rviz", help="of the views")
    parser.add_argument(
        "--argument",
        action="append",
        default=[],
        help="NAME:=VALUE for the launch file; may be given several times",
    )
    parser.add_argument(
        "--launch",
        action="store_true",
        help="have the launch file open the view, by rviz:=true",
    )
    options = parser.parse_args()
    unknown = sorted(set(options.views) - EXPECTED.keys())
    if unknown:
        parser.error(f"no view {unknown[0]!r}; there are: {', '.join(EXPECTED)}")
    if options.launch and options.late:
        parser.error("--late needs transforms of its own: not with --launch")
    options.pictures.mkdir(parents=True, exist_ok=True)
    check = Check(options)
    with ExitStack() as stack:
        own_domain(stack)
        for name in options.views or EXPECTED:
            if name in (*MATCHES, "demo") and options.frame_prefix:
                continue  # their robots have prefixes of their own
            check.view(name)
    return int(check.failed)


if __name__ == "__main__":
    sys.exit(main())
