# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated AIBO ERS-7 with a GTI server: a plain program, no ROS.

It follows :mod:`aibo_gti_bridge.simulator.world` and speaks the wire of a wire table
(docs/aibo.md), as :mod:`aibo_gti_bridge.protocol.server_session` says. It serves one client; what
is no command at all ends the connection.

When the connection ends the dog stops: it stands still and holds every joint. (The original
probably kept walking; docs/originals/aibo.md, 5.)

Faults happen as with all simulators: cut in the middle of a reply, stall, flood (thousands of
replies that answer no command), garbage, restart.
"""

from __future__ import annotations

import argparse
import copy
import logging
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.model.room import Ball as RoomBall
from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.commands import SensorValues
from aibo_gti_bridge.protocol.sensors import BUTTONS, BallView
from aibo_gti_bridge.protocol.server_codec import encode_reply
from aibo_gti_bridge.protocol.server_session import Session
from aibo_gti_bridge.protocol.wire_table import WireError, WireTable
from aibo_gti_bridge.simulator.controls import DogControls
from aibo_gti_bridge.simulator.world import CYCLE_S, DogWorld, Press, Settings
from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.control_channel import add_control_argument
from legacy_robots_simulation.program import (
    SimulatorArgumentParser,
    add_common_arguments,
    add_switch,
    positive,
    probability,
    run_until_signal,
    set_up_logging,
)
from legacy_robots_simulation.tcp_simulator import TcpSimulator

FLOOD_REPLIES = 5_000
IDLE_PERIOD_S = 0.5


@dataclass(frozen=True)
class SimulatorConfig:
    """What a simulated AIBO is like and where it is found."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: the port of the wire table."""
    wire: WireTable = field(default_factory=wire_tables.load)
    room: Room | None = None
    motion_directory: str = ""
    """Where its motion files are; empty: the ones of this package."""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)
    time_scale: float = 1.0
    """Simulated seconds in a second."""
    faults: tuple[str, ...] = ()
    fault_after: float = 5.0
    fault_seconds: float = 2.0
    control: str = ""
    """Name of the control channel; empty: none."""
    paused: bool = False
    """Whether time stands still at first."""


class Dog(DogWorld):
    """The simulated world as a server's backend: with its motion files."""

    joints = NAMES

    def __init__(self, config: SimulatorConfig, log: logging.Logger) -> None:
        super().__init__(copy.deepcopy(config.room), config.seed, config.settings)
        self._log = log
        self._motions = MotionLibrary(
            config.motion_directory, full_rotor_range=config.settings.full_rotor_range
        )

    def sensor(self, name: str) -> float:
        """Return a sensor's value as of the latest cycle; NaN: there is none."""
        return self.sensors.get(name, math.nan)

    def sees(self, colour: str) -> bool:
        """Return True: there is always an image."""
        return True

    def ball(self, colour: str) -> BallView:
        """Return what vision holds of the ball of a colour."""
        seen = self.seen.get(colour)
        if seen is None or not seen.visible:
            return BallView(False, 0.0, 0.0, 0.0)
        return BallView(True, seen.x, seen.y, seen.area)

    def play_file(self, file: str) -> bool:
        """Play a motion file, as far as it can be; return whether there is one."""
        motion = self._motions.playable(file, self._log.warning)
        if motion is not None:
            self.play(motion)
        return motion is not None


class Simulator(TcpSimulator):
    """A simulated AIBO; ``start`` and ``close`` it. Everything public is thread-safe."""

    def __init__(self, config: SimulatorConfig | None = None) -> None:
        config = self._config = config or SimulatorConfig()
        super().__init__(
            Role.LISTEN,
            config.host,
            config.wire.port if config.port is None else config.port,
            peer_name="the client",
            faults=config.faults,
            fault_after=config.fault_after,
            fault_seconds=config.fault_seconds,
            control=config.control,
            paused=config.paused,
        )
        self._wire = config.wire
        self._random = random.Random(config.seed)
        self._time_scale = config.time_scale
        self.world = Dog(config, self.log)
        """The dog and its room: to be looked at inside ``wait_for`` only."""
        self._session = self._new_session()

    def begin_again(self) -> None:
        """Begin again with the same seed; the client is hung up on."""
        self.hang_up("reset")
        self._random.seed(self._config.seed)
        self.world = Dog(self._config, self.log)
        self._session = self._new_session()

    def _make_controls(self) -> DogControls:
        return DogControls(self, tuple(sorted(self._config.wire.colours)))

    def _link_up(self) -> None:
        self._session = self._new_session()

    def _link_lost(self) -> None:
        try:
            self._session.end()
        except ProtocolError as error:
            self.log.warning("%s", error)
        self._session = self._new_session()

    def _new_session(self) -> Session:
        return Session(self._wire, self.world, self.send, self.log.info, self.log.warning)

    def _next_due(self) -> float | None:
        return CYCLE_S / self._time_scale if self._session.active else IDLE_PERIOD_S

    def _advance(self, seconds: float) -> None:
        self._session.advance(seconds * self._time_scale)

    def _received(self, data: bytes) -> None:
        try:
            self._session.receive(data)
        except ProtocolError as error:
            self.hang_up(str(error))

    # --- faults ----------------------------------------------------------------------------

    def _torn_message(self) -> bytes:
        return self._readings()[:12]

    def _flood(self) -> bytes:
        return self._readings() * FLOOD_REPLIES

    def _readings(self) -> bytes:
        """Return a reply with all joints."""
        values = tuple(self.world.sensor(name) for name in self._wire.joints)
        return encode_reply(SensorValues(values), self._wire)

    def _garbage(self) -> bytes:
        return self._random.randbytes(997)

    def _own_fault(self, fault: str) -> None:
        raise NotImplementedError(fault)


# --- the program ---------------------------------------------------------------------------


def _numbers(parts: Sequence[str], count: int, what: str, text: str) -> list[float]:
    """Return ``parts`` of the argument ``text``, which must be ``what``, as numbers."""
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(abs(number) < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"must be {what}, not {text!r}")
    return numbers


def _ball(text: str) -> RoomBall:
    colour, *place = text.split(",")
    x, y = _numbers(place, 2, "COLOUR,X,Y in metres", text)
    return RoomBall(colour, x, y)


def _place(text: str) -> tuple[float, float, float]:
    x, y, yaw = _numbers(text.split(","), 3, "X,Y,YAW in metres and radians", text)
    return x, y, yaw


def _press(text: str) -> Press:
    name, *times = text.split(",")
    if name not in {button.name for button in BUTTONS}:
        names = ", ".join(button.name for button in BUTTONS)
        raise argparse.ArgumentTypeError(f"{name!r} is no button; there are {names}")
    at, duration = _numbers(times, 2, "BUTTON,AT,SECONDS", text)
    return Press(name, at, duration)


def parse_arguments(arguments: Sequence[str]) -> tuple[SimulatorConfig, str]:
    """Read a command line; give the configuration and the log level.

    Bad arguments end the program with exit code 2 and a sentence.
    """
    parser = SimulatorArgumentParser(
        description="A simulated AIBO ERS-7 that speaks the Golog-Tekkotsu Interface.",
        allow_abbrev=False,
    )
    add_common_arguments(parser, port=wire_tables.load().port, profiles=[wire_tables.BASE])
    parser.add_argument(
        "--overlays",
        default="",
        metavar="NAME|FILE,...",
        help="what changes the wire table, in order, separated by commas. Names: "
        + ", ".join(wire_tables.overlay_names()),
    )
    parser.add_argument(
        "--motions", default="", metavar="DIRECTORY", help="motion files (default: our examples)"
    )
    parser.add_argument(
        "--ball",
        action="append",
        type=_ball,
        metavar="COLOUR,X,Y",
        help="a ball on the floor, metres; may be repeated (default: pink,0.3,0.8)",
    )
    parser.add_argument(
        "--start",
        type=_place,
        default=(-0.8, 0.0, 0.0),
        metavar="X,Y,YAW",
        help="where the dog stands in its room of 3.0 m by 2.4 m around the origin",
    )
    parser.add_argument(
        "--press",
        action="append",
        type=_press,
        default=[],
        metavar="BUTTON,AT,SECONDS",
        help="a button that is pressed AT seconds after the beginning; may be repeated",
    )
    parser.add_argument(
        "--charge", type=probability, default=0.85, help="of the battery (default: %(default)s)"
    )
    parser.add_argument(
        "--time-scale",
        type=positive,
        default=1.0,
        metavar="N",
        help="simulated seconds in a second (default: %(default)s)",
    )
    add_switch(
        parser,
        "--full-rotor-range",
        "let the rotors of the legs turn as far as Tekkotsu says",
    )
    add_control_argument(parser)
    given = parser.parse_args(arguments)
    try:
        table = wire_tables.load(wire_tables.split(given.overlays))
    except WireError as error:
        parser.error(str(error))
    for ball in given.ball or ():
        if ball.colour not in table.colours:
            parser.error(f"argument --ball: {ball.colour!r} is none of {', '.join(table.colours)}")
    return (
        SimulatorConfig(
            host=given.host,
            port=given.port,
            wire=table,
            room=Room(balls=given.ball) if given.ball else None,
            motion_directory=given.motions,
            seed=given.seed,
            time_scale=given.time_scale,
            settings=Settings(
                x=given.start[0],
                y=given.start[1],
                yaw=given.start[2],
                charge=given.charge,
                presses=tuple(given.press),
                full_rotor_range=given.full_rotor_range,
            ),
            faults=given.faults,
            fault_after=given.fault_after,
            fault_seconds=given.fault_seconds,
            control=given.control,
            paused=given.paused,
        ),
        given.log_level,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulated AIBO until a signal; give the exit code."""
    config, log_level = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    set_up_logging(log_level)
    return run_until_signal(Simulator(config), config.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
