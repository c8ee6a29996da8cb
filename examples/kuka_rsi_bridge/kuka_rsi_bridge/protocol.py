# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RobotSensorInterface (RSI) of KUKA controllers: the telegrams. No sockets, no ROS, no clocks.

Source: KUKA.RobotSensorInterface 3.2 documentation; the elements are those that
``controller/rsi_ethernet.xml`` configures.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass

from legacy_robots_core.link import base

PORT = 49152
AXES = tuple(f"A{number}" for number in range(1, 7))
SENSOR = "ImFree"
"""The name that the controller is configured to expect."""
LONGEST = 2048


class ProtocolError(base.ProtocolError):
    """Raised for a telegram that the other side cannot have sent."""


@dataclass(frozen=True)
class State:
    """What the controller sends each cycle of 4 or 12 ms."""

    positions: tuple[float, ...]
    """Of the axes, as measured, in rad."""
    late: int
    """How many answers were late or missing."""
    cycle: int
    """IPOC, in ms, which the answer has to repeat."""


@dataclass(frozen=True)
class Answer:
    """By how much the axes are to move in this cycle (rad)."""

    corrections: tuple[float, ...]
    cycle: int


def parse(data: bytes) -> State:
    """Return the state of a telegram. Raises ProtocolError."""
    root = _root(data, "Rob")
    late = root.find("Delay")
    return State(_axes(root, "AIPos"), 0 if late is None else _cycle(late.get("D")), _ipoc(root))


def state(positions: Sequence[float], late: int, cycle: int) -> bytes:
    """Return the telegram of a state."""
    axes = _attributes(positions)
    text = f'<Rob Type="KUKA"><AIPos {axes}/><Delay D="{late}"/><IPOC>{cycle}</IPOC></Rob>'
    return text.encode()


def parse_answer(data: bytes) -> Answer:
    """Return the answer of a telegram. Raises ProtocolError."""
    root = _root(data, "Sen")
    if root.get("Type") != SENSOR:
        raise ProtocolError(f"{root.get('Type')!r} is not the sensor {SENSOR!r}")
    return Answer(_axes(root, "AKorr"), _ipoc(root))


def answer(corrections: Sequence[float], cycle: int) -> bytes:
    """Return the telegram of an answer."""
    axes = _attributes(corrections)
    return f'<Sen Type="{SENSOR}"><AKorr {axes}/><IPOC>{cycle}</IPOC></Sen>'.encode()


def _root(data: bytes, tag: str) -> ElementTree.Element:
    if len(data) > LONGEST or b"<!" in data:  # no entities
        raise ProtocolError(f"{data[:40]!r} is no telegram of RSI")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError) as error:
        raise ProtocolError(f"{data[:40]!r} is no XML: {error}") from error
    if root.tag != tag:
        raise ProtocolError(f"<{root.tag[:40]}> is not <{tag}>")
    return root


def _axes(root: ElementTree.Element, tag: str) -> tuple[float, ...]:
    element = root.find(tag)
    try:
        values = (
            [math.radians(float(element.attrib[axis])) for axis in AXES]
            if element is not None
            else []
        )
    except (KeyError, ValueError):
        values = []
    if not (values and all(map(math.isfinite, values))):
        raise ProtocolError(f"no {tag} with the degrees of six axes")
    return tuple(values)


def _attributes(values: Sequence[float]) -> str:
    pairs = zip(AXES, map(math.degrees, values), strict=True)
    return " ".join(f'{axis}="{value:.6f}"' for axis, value in pairs)


def _ipoc(root: ElementTree.Element) -> int:
    return _cycle(root.findtext("IPOC"))


def _cycle(text: str | None) -> int:
    if text is None or not (text.isascii() and text.strip().isdigit() and len(text) < 20):
        raise ProtocolError(f"{text!r} is no count")
    return int(text)
