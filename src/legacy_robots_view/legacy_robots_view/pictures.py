# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What travels to a browser: the state of all systems, and images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from legacy_robots_web import State, change, packed


@dataclass(frozen=True)
class StatePicture:
    """The state of all systems. A browser gets what has changed since the one it got last.

    It answers with the ``number``, which grows from state to state.
    """

    number: int
    state: State

    def since(self, sent: StatePicture | None) -> Iterator[str]:
        """Return one text frame, also when nothing has changed: its answer is waited for."""
        difference = change(sent.state if sent else {}, self.state)
        yield packed({"type": "state", "number": self.number, **difference})


@dataclass(frozen=True)
class ImagePicture:
    """An image of a camera: a binary frame of the topic's name, a line break and the file."""

    topic: str
    file: bytes

    def since(self, sent: ImagePicture | None) -> Iterator[bytes]:
        """Return the frame."""
        yield self.topic.encode() + b"\n" + self.file
