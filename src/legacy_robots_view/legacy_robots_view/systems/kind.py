# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A kind of system on the page: how it is recognised, its topics, and the script that draws it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from legacy_robots_web import Fields


@dataclass(frozen=True)
class Feed:
    """A topic below a system's namespace that is drawn.

    ``read`` turns a message into fields of JSON values; it is a pure function and raises
    ValueError for a message that it cannot draw. At most ``rate`` messages a second are read. Of
    a topic that is ``latched``, or reports an ``event``, the last message does not get old.
    """

    topic: str
    type: type[Any]
    read: Callable[[Any], Fields]
    latched: bool = False
    event: bool = False
    rate: float = math.inf


@dataclass(frozen=True)
class Camera:
    """A topic of images: sensor_msgs/Image or sensor_msgs/CompressedImage."""

    topic: str
    type: type[Any]


@dataclass(frozen=True)
class Kind:
    """One kind of system.

    ``mark`` is a message type (``package/msg/Name``) that one topic right below the namespace has
    in every system of this kind, and in no other. ``script`` is a JavaScript module whose default
    export is the class that draws a system; see docs/view.md for its methods.
    """

    name: str
    title: str
    mark: str
    script: Path
    feeds: tuple[Feed, ...]
    cameras: tuple[Camera, ...] = ()


class PanelSettings(Protocol):
    """The parameters of the view on which a panel may depend."""

    @property
    def balls(self) -> list[str]:
        """Colours of the balls that AIBOs are asked for."""


def number(value: float, digits: int = 3) -> float | None:
    """Return a number as it is sent: rounded, and None where it is none."""
    return round(value, digits) if math.isfinite(value) else None


def numbers(values: Iterable[float], digits: int = 3) -> list[float | None]:
    """Return numbers as they are sent."""
    return [number(value, digits) for value in values]
