# SPDX-License-Identifier: Apache-2.0
"""Every view in a real rviz2 against the running launch file: a picture of each, and its verdict.

Run by ``tools/rviz_views``. A display in error or warning is told by rviz in the panel *Displays*
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
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from legacy_robots_common.launching.views import adapted_view
from legacy_robots_common.palette import PALETTE
from legacy_robots_common.places import transforms
from legacy_robots_common.system import Port, system, systems
from legacy_robots_common.testing.machine import (
    free_port,
    free_ports,
    launch_command,
    machine_wide,
    own_domain,
)
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer
from legacy_robots_common.transforms import TransformBroadcaster

ROOT = Path(__file__).parents[2]
SCREEN = (1700, 1000)
STARTING_S = 60.0
"""Longest time until the window of rviz is there."""
STATUS_COLOURS = {"warning": (192, 128, 0), "error": (192, 32, 32)}
"""Of names in the panel *Displays* (StatusProperty of rviz_common)."""
STATUS_PIXELS = 12
"""So many of them make a word."""
FLAT_TOLERANCE, LIT_TOLERANCE = 0.02, 0.1
"""Of full brightness, in each channel: of flat shapes, and of the tops of solid ones."""
BLACK_PIXELS = 100
"""So many lie within black areas where rviz writes "No Image" in a dock."""
SEEN_PIXELS = 120
EXPECTED = {
    "nao": ("room", "room-line", "passage"),
    "roboskate": ("sand|clay|brick|marble",),
    "luar": ("carpet", "field-line"),
    "luar_match": ("carpet", "field-line"),
    "bw4t": ("floor", "corridor", "wall", "door"),
    "aibo": (),
    "demo": ("carpet", "room", "floor", "hedge"),
}
"""Palette colours that a picture must have, by view; one of several between bars."""
BACKGROUND = (244, 247, 250)
BLOCKS = tuple(name for name in PALETTE if name.startswith("block-"))
LEAST_BLOCKS = 3
"""So many colours of blocks must be seen in the blocks world."""
FLAT = tuple(name for name in PALETTE if name not in BLOCKS)
"""What has such a colour is no block, though a wall is nearly as dark as a dark grey one."""
MATCHES = {"luar_match": ("port", "ball_port")}
"""Views that show no single system; the launch arguments that are ports."""

Picture = NDArray[np.uint8]


@dataclass
class Verdict:
    """What is seen in one picture: ``problems`` in words, colours measured by palette name."""

    problems: list[str]
    colours: dict[str, tuple[int, int, int]]


def judge(view: str, picture: Picture) -> Verdict:
    """Return what is wrong with the picture (BGR) of a view."""
    problems = []
    whole, picture = picture, picture[render_area(picture)]
    for word, colour in STATUS_COLOURS.items():
        if int((whole == np.array(colour[::-1])).all(axis=2).sum()) >= STATUS_PIXELS:
            problems.append(f"a display in {word}")
    black = cv2.erode((whole.max(axis=2) <= 8).astype(np.uint8), np.ones((5, 5), np.uint8))
    white = cv2.blur((whole.min(axis=2) == 255).astype(np.float32), (61, 61))
    if int((black.astype(bool) & (white > 0.4)).sum()) >= BLACK_PIXELS:
        problems.append("a camera without an image")
    found: dict[str, tuple[int, int, int]] = {}
    for names in (*EXPECTED[view], *(BLOCKS if view == "bw4t" else ())):
        tolerance = LIT_TOLERANCE if names in BLOCKS else FLAT_TOLERANCE
        others = FLAT if names in BLOCKS else ()
        seen = {n: nearest(picture, rgb_of(n), tolerance, others) for n in names.split("|")}
        known = {name: colour for name, colour in seen.items() if colour is not None}
        found.update(known)
        if not known and names not in BLOCKS:
            problems.append(f"{names} is not seen")
    if view == "bw4t" and sum(name in BLOCKS for name in found) < LEAST_BLOCKS:
        problems.append("hardly any block is seen in its colour")
    return Verdict(problems, found)


def render_area(picture: Picture) -> tuple[slice, slice]:
    """Return the rows and columns in which rviz draws: around what has the background colour."""
    same = (picture == np.array(BACKGROUND[::-1])).all(axis=2)
    (rows,) = np.nonzero(same.sum(axis=1) >= SEEN_PIXELS // 4)
    (columns,) = np.nonzero(same.sum(axis=0) >= SEEN_PIXELS // 4)
    if not len(rows) or not len(columns):
        return slice(0, None), slice(0, None)
    return slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)


def nearest(
    picture: Picture, colour: tuple[int, int, int], tolerance: float, others: Sequence[str] = ()
) -> tuple[int, int, int] | None:
    """Return the frequent colour (RGB) that is nearest, within the tolerance; None for none.

    What is nearer to the background, or to one of the palette's ``others``, is left out.
    """

    def away(pixels: Picture, other: tuple[int, int, int]) -> NDArray[np.int16]:
        return np.abs(pixels.astype(np.int16) - np.array(other[::-1], np.int16)).max(axis=-1)

    like = picture[away(picture, colour) <= tolerance * 255]
    # Light keeps the hue of a colour; a blend of two at an edge does not.
    hue = np.abs(np.diff(like.astype(np.int16)) - np.diff(np.array(colour[::-1], np.int16)))
    like = like[hue.max(axis=-1, initial=0) <= 2 * FLAT_TOLERANCE * 255]
    for other in (BACKGROUND, *(rgb_of(name) for name in others)):
        like = like[away(like, colour) <= away(like, other)]
    if len(like) < SEEN_PIXELS:
        return None
    colours, counts = np.unique(like, axis=0, return_counts=True)
    frequent = colours[counts >= min(SEEN_PIXELS, counts.max())]
    blue, green, red = frequent[away(frequent, colour).argmin()]
    return int(red), int(green), int(blue)


def rgb_of(name: str) -> tuple[int, int, int]:
    text = PALETTE[name]
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


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
    picture = cv2.imread(str(path))
    rows, columns = np.nonzero(picture.any(axis=2))
    if len(rows):
        picture = picture[: rows.max() + 1, : columns.max() + 1]
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return np.asarray(picture, np.uint8)


def has_window(picture: Picture) -> bool:
    """Return whether more than the splash screen is there; an empty screen is black."""
    return bool(picture.any()) and picture.shape[0] > SCREEN[1] // 3


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


def off(name: str, seen: tuple[int, int, int]) -> float:
    """Return by how much of full brightness a colour is off that of the palette."""
    return max(abs(a - b) for a, b in zip(seen, rgb_of(name), strict=True)) / 255.0


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
        def of(prefix: str, ports: tuple[Port, ...], own: dict[str, str]) -> list[str]:
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
