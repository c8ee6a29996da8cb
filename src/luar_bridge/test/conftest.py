# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Segments for the tests: the captures, and ones that the compiled helper owns."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from luar_bridge.model.joint_limits import NAO, joint_limits
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol import naming
from luar_bridge.protocol.boost_layout import Abi
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.protocol.writer import write_numbers
from luar_bridge.simulator.motors import Motors
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError, helper_path

# Of the repository; a package that was copied alone has none.
DATA = Path(__file__).resolve().parents[1].parent.parent / "test" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the directory with the captures and the names of the document."""
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is missing: run this test in a clone of the whole repository")
    return DATA


@pytest.fixture(scope="session")
def captures(data: Path) -> Path:
    """Return the directory with the captured segments."""
    return data / "luar"


@pytest.fixture
def user() -> Iterator[str]:
    """Return a user name whose segments are this test's alone, and remove them afterwards."""
    name = f"test{uuid.uuid4().hex[:12]}"
    yield name
    for path in naming.DIRECTORY.glob(f"*{name}"):
        path.unlink()


def _built(abi: Abi) -> bool:
    try:
        helper_path(abi)
    except StandInError:
        return False
    return True


@pytest.fixture(params=[Abi.BOOST_TO_1_86, Abi.BOOST_FROM_1_87], ids=["abi1", "abi2"])
def owner(request: pytest.FixtureRequest) -> Iterator[SegmentOwner]:
    """Return a process that owns segments by Boost, in each memory layout."""
    if not _built(request.param):
        pytest.skip(
            f"needs the helper for {request.param!r}: colcon build with Boost 1.87 or later"
        )
    with SegmentOwner(request.param) as process:
        yield process


@pytest.fixture
def lua_peer() -> Path:
    """Return the place of Lua 5.1 with the original's modules; skip where it is not present.

    LEGACY_ROBOTS_LUAR_PEER names a directory with ``bin/lua5.1`` and ``Player/`` of the original,
    with its compiled modules in ``Player/Lib``.
    """
    place = os.environ.get("LEGACY_ROBOTS_LUAR_PEER", "")
    if not place:
        pytest.skip(
            "needs the original: build it as in docs/originals/luar.md, 7, and "
            "export LEGACY_ROBOTS_LUAR_PEER=DIRECTORY"
        )
    return Path(place)


LEDS = {"ledChest": 3, "ledFaceLeft": 24, "ledEarsLeft": 10}


class Nao:
    """dcmSensor and dcmActuator, made by Boost in a directory of their own, and the motors.

    Or those of a robot of another platform.
    """

    def __init__(self, directory: Path, user: str, platform: str) -> None:
        self.directory = directory
        self.limits = joint_limits(platform)
        self._joints = list(self.limits)
        number = len(self._joints)
        sensor = {"count": 1, "time": 1, "position": number, "button": 1, "bumperLeft": 2}
        sensor |= {"fsrLeft": 4, "temperature": number, "current": number}
        of_joints = dict.fromkeys(("command", "hardness", "velocity", "position"), number)
        actuator = {"count": 1, "disable": 1, **of_joints, **LEDS}
        with SegmentOwner() as owner:
            for name, variables in (("dcmSensor", sensor), ("dcmActuator", actuator)):
                owner.create(name + user)
                for variable, length in variables.items():
                    owner.set(name + user, variable, [0.0] * length)
                owner.sync()
                (DIRECTORY / (name + user)).rename(directory / name)
        self.write("dcmActuator", "hardness", [0.7] * number)
        self.stuck = threading.Event()
        self.moves_by_itself = threading.Event()
        self.stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def write(self, segment: str, variable: str, values: list[float]) -> None:
        write_numbers(self.directory / segment, variable, values)

    def joint(self, name: str) -> float:
        with Segment(self.directory / "dcmSensor") as segment:
            return float(segment.snapshot.vector("position")[self._joints.index(name)])

    def command(self, name: str) -> float:
        return self.actuator("command")[self._joints.index(name)]

    def actuator(self, variable: str) -> list[float]:
        with Segment(self.directory / "dcmActuator") as segment:
            return [float(value) for value in segment.snapshot.vector(variable)]

    def close(self) -> None:
        self.stopped.set()
        self._thread.join()

    def _run(self) -> None:
        motors, count = Motors(self.directory / "dcmActuator", [0.0] * len(self._joints)), 0
        while not self.stopped.wait(0.01):
            count += 1
            if self.moves_by_itself.is_set():
                self.write("dcmActuator", "command", [0.001 * count] * len(JOINTS))
            if not self.stuck.is_set():
                motors.cycle()
            self.write("dcmSensor", "position", motors.positions)
            self.write("dcmSensor", "time", [time.time()])
            self.write("dcmSensor", "count", [float(count)])


@pytest.fixture
def make_body() -> Callable[..., AbstractContextManager[Nao]]:
    """Make the joints of a robot without motion process, in a directory of their own if none."""

    @contextmanager
    def body(user: str, platform: str = NAO, place: Path | None = None) -> Iterator[Nao]:
        with TemporaryDirectory(dir=DIRECTORY) as directory:
            nao = Nao(place or Path(directory), user, platform)
            try:
                yield nao
            finally:
                nao.close()

    return body
