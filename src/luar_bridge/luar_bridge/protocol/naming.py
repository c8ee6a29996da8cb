# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which files in /dev/shm are the segments of one robot.

A segment is called <manager><Segment><team><player><user>, such as ``vcmImage12ada``
(specification, "Independent Shared Memories"). The digits cannot be separated in such a name, so
names are built from a known identity and never taken apart. The segments of the NaoQi module
(``dcmSensor``, ``dcmActuator``) have no suffix, and before October 2011 no segment had one
(docs/originals/luar.md, 1).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

DIRECTORY = Path("/dev/shm")
UNSUFFIXED = frozenset({"dcmSensor", "dcmActuator"})
"""Segments that all robots of a machine would share: there is one robot on a Nao."""

_SEGMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A digit at the end may belong to the number of another player's team, or the whole file to
# another program: such a name is taken only in the form of a manager's, see among_files.
_GUESSED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*[A-Za-z_]")
_NUMBERED_NAME = re.compile(r"[a-z]+cm[A-Z][A-Za-z0-9_]*[0-9]")


@dataclass(frozen=True)
class RobotIdentity:
    """Team number, player number and user name, as the robot's own Lua processes have them.

    Under Webots the team is 0 or 1 and players count from 1; a Nao takes both from its
    configuration. ``personal`` is False for Luar of before October 2011, whose names end with the
    segment. Raises ValueError for numbers or names that no file name can have.
    """

    team: int
    player: int
    user: str
    personal: bool = True

    def __post_init__(self) -> None:
        if self.team < 0 or self.player < 0:
            raise ValueError(f"team {self.team} and player {self.player} must not be negative")
        if "/" in self.user or "\0" in self.user:
            raise ValueError(f"user name {self.user!r} cannot be part of a file name")

    @property
    def suffix(self) -> str:
        """What the names of this robot's segments end with."""
        return f"{self.team}{self.player}{self.user}" if self.personal else ""

    def file_name(self, segment: str) -> str:
        """Return the name of the file of ``segment``, such as ``vcmImage``.

        Raises ValueError when that is no name of a segment.
        """
        check_segment_name(segment)
        return segment if segment in UNSUFFIXED else segment + self.suffix

    def __str__(self) -> str:
        return f"team {self.team}, player {self.player}, user {self.user or '(none)'}"


def check_segment_name(segment: str) -> str:
    """Return ``segment``. Raises ValueError when that is no name of a segment."""
    if not _SEGMENT_NAME.fullmatch(segment):
        raise ValueError(f"{segment!r} is no name of a segment")
    return segment


def segment_name(manager: str, entry: str) -> str:
    """Return the segment of ``shared.<entry>`` in a manager: vcm and image give vcmImage."""
    return manager + entry[:1].upper() + entry[1:]


def find_segments(
    identity: RobotIdentity, known: Iterable[str], directory: Path = DIRECTORY
) -> dict[str, Path]:
    """Return the files of this robot's segments that exist, by name of the segment.

    Those that ``among_files`` takes for such. Raises OSError when ``directory`` cannot be read.
    """
    found = among_files(identity, known, frozenset(os.listdir(directory)))
    return {segment: directory / file for segment, file in found.items()}


def among_files(
    identity: RobotIdentity, known: Iterable[str], existing: frozenset[str]
) -> dict[str, str]:
    """Return which of the ``existing`` files are this robot's, by name of the segment.

    ``known`` are the segments to look for. Beside them each file counts that ends with the robot's
    suffix after the name of a segment; a name such as ``tcmSegment1``, whose digits might belong
    to another player's suffix, unless that player has one of ``known``. Without suffix nothing can
    be told to be Luar's, and only ``known`` counts.
    """
    wanted = {segment: identity.file_name(segment) for segment in known}
    found = {segment: file for segment, file in wanted.items() if file in existing}
    suffix = identity.suffix
    if suffix:
        known_starts = tuple(wanted)
        players = {
            file.removeprefix(segment)
            for file in existing
            if file.startswith(known_starts)
            for segment in wanted
        }
        for file in sorted(existing.difference(wanted.values())):
            segment = file.removesuffix(suffix)
            if segment == file:
                continue
            digits = segment[len(segment.rstrip("0123456789")) :]
            if _GUESSED_NAME.fullmatch(segment) or (
                _NUMBERED_NAME.fullmatch(segment) and not _ends(digits, suffix) & players
            ):
                found.setdefault(segment, file)
    return found


def _ends(digits: str, suffix: str) -> set[str]:
    """Return the suffixes of other players that ``digits`` and ``suffix`` may be the end of."""
    return {digits[at:] + suffix for at in range(len(digits))}


def players_in_memory(directory: str, team: str, user: str) -> list[str]:
    """Return the numbers of a team's players that have the segment gcmTeam, in their order."""
    name = re.compile(rf"gcmTeam{re.escape(team)}(\d+){re.escape(user)}")
    found = [name.fullmatch(path.name) for path in Path(directory).glob("gcmTeam*")]
    return sorted({match[1] for match in found if match}, key=int)
