# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the simulated Luar robot."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from legacy_robots_simulation.control_channel import add_control_argument
from legacy_robots_simulation.program import (
    SimulatorArgumentParser,
    add_common_arguments,
    add_switch,
    positive,
)
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.boost_layout import Abi

COGNITION_HZ = 30
USER = "simulated"
"""The default user: no real robot's segments end with it, so that none can be overwritten."""
FAULT_SEGMENT = "wcmBall"
FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "restart": "the robot's processes end and come back after --fault-seconds",
        "crash": "they die in the middle of writing an image and come back as above",
        "stall": "they stand still for --fault-seconds",
        "wrong_size": f"{FAULT_SEGMENT} is cut short, and made anew after --fault-seconds",
        "removed": f"{FAULT_SEGMENT} is removed, and made anew after --fault-seconds",
        "resize": "vcmLine.vendpoint gets another length, as the original's does",
    }
)


def _size(text: str) -> tuple[int, int]:
    """Read WIDTHxHEIGHT; for ``type=`` of an argument."""
    width, x, height = text.partition("x")
    if x and width.isdigit() and height.isdigit():
        size = int(width), int(height)
        if all(0 < n <= 1280 and n % 8 == 0 for n in size):
            return size
    raise argparse.ArgumentTypeError(
        f"must be WIDTHxHEIGHT in multiples of 8 up to 1280, not {text!r}"
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"must be a number from 0, not {text!r}")
    return int(text)


def argument_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = SimulatorArgumentParser(
        description="A simulated Luar robot that plays soccer into real shared-memory segments."
    )
    add_common_arguments(parser, profiles=("nao", "webots"), faults=FAULTS)
    parser.add_argument("--team", type=_number, default=0, help="team (default: %(default)s)")
    parser.add_argument("--player", type=_number, default=1, help="player (default: %(default)s)")
    parser.add_argument(
        "--user", default=USER, help="user name at the end of segments (default: %(default)s)"
    )
    parser.add_argument(
        "--color", type=int, choices=(0, 1), default=0, help="0 blue, 1 red (default: %(default)s)"
    )
    parser.add_argument(
        "--abi",
        type=int,
        choices=[int(abi) for abi in Abi],
        default=1,
        help="memory layout: 1 Boost up to 1.86, 2 from 1.87 (default: %(default)s)",
    )
    parser.add_argument(
        "--layout",
        choices=layout_table.SIMULATED,
        default="document",
        help="version of Luar (default: %(default)s)",
    )
    parser.add_argument(
        "--image-size",
        type=_size,
        default=(160, 120),
        metavar="WIDTHxHEIGHT",
        help="size of the camera's images (default: 160x120)",
    )
    parser.add_argument(
        "--speed",
        type=positive,
        default=1.0,
        help="how fast the scene's time goes by (default: %(default)s)",
    )
    parser.add_argument(
        "--cognition",
        type=int,
        choices=range(1, 101),
        default=COGNITION_HZ,
        metavar="1-100",
        help="images a second (default: %(default)s)",
    )
    add_switch(
        parser,
        "--no-motion",
        "run no motion process: the robot stands, and its joints follow dcmActuator (profile nao)",
    )
    add_switch(
        parser,
        "--ros-body",
        "do not play, but obey rcmBody, as the original with the body of ROS orders does",
    )
    parser.add_argument(
        "--ball-port",
        type=int,
        default=0,
        metavar="PORT",
        help="play with the referee's ball at this UDP port, and by gcmGame, which a bridge "
        "writes (default: a ball and a game of its own)",
    )
    add_control_argument(parser)
    return parser
