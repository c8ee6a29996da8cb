# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated AIBO as a program without ROS, with a GTI server or with Tekkotsu's own ports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from aibo_gti_bridge.model.room import Ball as RoomBall
from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.sensors import BUTTONS
from aibo_gti_bridge.protocol.tekkotsu import Door
from aibo_gti_bridge.protocol.wire_table import WireError
from aibo_gti_bridge.simulator.dog import DogSimulator, SimulatorConfig
from aibo_gti_bridge.simulator.gti import Simulator
from aibo_gti_bridge.simulator.tekkotsu import TekkotsuSimulator
from aibo_gti_bridge.simulator.world import Press, Settings
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

TEKKOTSU = "tekkotsu"


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
        description="A simulated AIBO ERS-7 behind the Golog-Tekkotsu Interface, or behind "
        f"Tekkotsu's own ports (--profile {TEKKOTSU}).",
        allow_abbrev=False,
    )
    gti_port = wire_tables.load().port
    add_common_arguments(
        parser,
        port=gti_port,
        port_help=f"{gti_port}, with {TEKKOTSU} {Door.CONTROLLER:d}, that of the menu",
        profiles=[wire_tables.BASE, TEKKOTSU],
    )
    parser.set_defaults(port=None)
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
            profile=given.profile,
        ),
        given.log_level,
    )


def make(config: SimulatorConfig) -> DogSimulator:
    """Return the simulator with the wire of the configuration."""
    return TekkotsuSimulator(config) if config.profile == TEKKOTSU else Simulator(config)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulated AIBO until a signal; give the exit code."""
    config, log_level = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    set_up_logging(log_level)
    return run_until_signal(make(config), config.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
