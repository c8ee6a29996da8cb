# SPDX-License-Identifier: Apache-2.0
"""A simulated AIBO ERS-7 with a GTI server: a plain program, no ROS.

It follows :mod:`aibo_gti_bridge.world` and speaks the wire of a wire table (docs/aibo.md). As the
original it serves one client and one command at a time, answers nothing it is not asked for, and
cannot tell of an error: a motion file that it does not have or a joint that it does not know is
passed over with a line in its log. What is no command at all ends the connection.

When the connection ends the dog stops: it stands still and holds every joint. (The original
probably kept walking; docs/originals/aibo.md, 5.)

Faults happen as with all simulators: cut in the middle of a reply, stall, flood (thousands of
replies that answer no command), garbage, restart.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from aibo_gti_bridge import wire as wire_tables
from aibo_gti_bridge.commands import (
    Acknowledgement,
    Ball,
    Command,
    Motion,
    MoveJoints,
    QueryBall,
    QuerySensors,
    Reply,
    SearchBall,
    SearchResult,
    SensorValues,
    Walk,
)
from aibo_gti_bridge.joints import JOINTS
from aibo_gti_bridge.kinematics import generalised_to_pixels
from aibo_gti_bridge.motion_library import MotionLibrary
from aibo_gti_bridge.motions import MotionError
from aibo_gti_bridge.protocol import CommandDecoder, ProtocolError, encode_reply, is_answered
from aibo_gti_bridge.room import Ball as RoomBall
from aibo_gti_bridge.room import Room
from aibo_gti_bridge.sensors import BUTTONS
from aibo_gti_bridge.wire import ImageUnit, WireError, WireTable
from aibo_gti_bridge.world import CYCLE_S, Press, Settings, World
from legacy_robots_common.simulator import (
    SimulatorArgumentParser,
    add_common_arguments,
    positive,
    probability,
    run_until_signal,
    set_up_logging,
    without_ros_arguments,
)
from legacy_robots_common.tcp_link import Role
from legacy_robots_common.tcp_simulator import TcpSimulator

FLOOD_REPLIES = 5_000
MAX_WAITING = 256
"""Commands that may wait behind a search; a client that sends more is sent away."""
IDLE_PERIOD_S = 0.5
_JOINTS = {joint.tekkotsu: joint.name for joint in JOINTS}
NAN = float("nan")


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


class Simulator(TcpSimulator):
    """A simulated AIBO; ``start`` and ``close`` it. Everything public is thread-safe."""

    def __init__(self, config: SimulatorConfig | None = None) -> None:
        config = config or SimulatorConfig()
        super().__init__(
            Role.LISTEN,
            config.host,
            config.wire.port if config.port is None else config.port,
            peer_name="the client",
            faults=config.faults,
            fault_after=config.fault_after,
            fault_seconds=config.fault_seconds,
        )
        self._wire = config.wire
        self._motions = MotionLibrary(
            config.motion_directory, full_rotor_range=config.settings.full_rotor_range
        )
        self._random = random.Random(config.seed)
        self._time_scale = config.time_scale
        self._decoder = CommandDecoder(self._wire)
        self._waiting: deque[Command] = deque()
        self._search_colour = 0
        self.world = World(config.room, config.seed, config.settings)
        """The dog and its room: to be looked at inside ``wait_for`` only."""

    def _link_up(self) -> None:
        self._decoder = CommandDecoder(self._wire)
        self._waiting.clear()

    def _link_lost(self) -> None:
        self.world.stop_everything()
        self._waiting.clear()
        try:
            self._decoder.end()
        except ProtocolError as error:
            self.log.warning("%s", error)
        self._decoder = CommandDecoder(self._wire)

    def _next_due(self) -> float | None:
        return CYCLE_S / self._time_scale if self.world.active else IDLE_PERIOD_S

    def _advance(self, seconds: float) -> None:
        self.world.step(seconds * self._time_scale)
        found = self.world.search_result()
        if found is not None:
            self.log.info("search_ball: %s", "found" if found else "not found")
            self._answer(SearchResult(found))
            self._go_on()

    def _received(self, data: bytes) -> None:
        try:
            self._decoder.feed(data)
            self._waiting.extend(self._decoder.commands())
        except ProtocolError as error:
            self._go_on()
            self.hang_up(str(error))
            return
        self._go_on()
        if len(self._waiting) > MAX_WAITING:
            self.hang_up(f"{len(self._waiting)} commands wait behind a search")

    def _go_on(self) -> None:
        """Carry out what waits; a search makes the rest wait until it is over."""
        while self._waiting and not self.world.searching:
            self._carry_out(self._waiting.popleft())

    def _answer(self, reply: Reply) -> None:
        self.send(encode_reply(reply, self._wire))

    # --- commands --------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> None:
        if isinstance(command, QuerySensors):
            self._answer(self._sensor_values(command))
            return
        if isinstance(command, QueryBall):
            self._answer(self._ball(command.colour))
            return
        self.log.info("<- %s", command)
        if isinstance(command, SearchBall):
            self.world.search(self._wire.colour_names.get(command.colour, ""))
            return
        status = 0
        if isinstance(command, MoveJoints):
            status = self._move(command)
        elif isinstance(command, Motion):
            status = self._play(command.file)
        elif isinstance(command, Walk):
            self.world.walk(command.dx / 1000.0, command.dy / 1000.0, command.da, command.n)
        else:
            self.world.walk_steps(command.dx / 1000.0, command.dy / 1000.0, command.da, command.n)
        if is_answered(command, self._wire):
            self._answer(Acknowledgement(status))

    def _sensor_values(self, query: QuerySensors) -> SensorValues:
        names, sensors = self._wire.names_of_ids, self.world.sensors
        return SensorValues(tuple(sensors.get(names.get(i, ""), NAN) for i in query.ids))

    def _ball(self, colour: int) -> Ball:
        name = self._wire.colour_names.get(colour)
        if name is None:
            self.log.warning("query_ball: %d is no colour", colour)
        seen = self.world.seen.get(name or "")
        if seen is None or not seen.visible:
            return Ball(False, colour=colour)
        x, y, area = seen.x, seen.y, seen.area
        if self._wire.image_unit is ImageUnit.PIXELS:
            x, y, area = generalised_to_pixels(x, y, area)
        return Ball(True, x, y, area, colour)

    def _move(self, command: MoveJoints) -> int:
        targets = {}
        for target in command.targets:
            name = _JOINTS.get(self._wire.names_of_ids.get(target.joint, ""))
            if name is None:
                self.log.warning("move_joints: there is no joint %d", target.joint)
                return 1
            angle = self._wire.angle_unit.to_radians(target.target)
            targets[name] = (angle, target.duration_ms / 1000.0)
        self.world.move_joints(targets)
        return 0

    def _play(self, file: str) -> int:
        try:
            motion, issues = self._motions.check(file)
        except OSError:
            self.log.warning("motion: there is no %s in %s", file, self._motions)
            return 1
        for issue in issues:
            self.log.warning("motion: %s, %s", file, issue)
        try:
            motion = self._motions.motion(file)
        except MotionError:
            return 1
        self.world.play(motion)
        return 0

    # --- faults ----------------------------------------------------------------------------

    def _torn_message(self) -> bytes:
        whole = encode_reply(self._sensor_values(QuerySensors((0, 1, 2))), self._wire)
        return whole[: len(whole) // 2]

    def _flood(self) -> bytes:
        ids = tuple(self._wire.joints.values())
        return encode_reply(self._sensor_values(QuerySensors(ids)), self._wire) * FLOOD_REPLIES

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
    parser.add_argument(
        "--full-rotor-range",
        action="store_true",
        help="let the rotors of the legs turn as far as Tekkotsu says",
    )
    given = parser.parse_args(without_ros_arguments(arguments))
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
