# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the parts of the bridge share: the link, the latest reading, and which joints are taken."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.link import GtiLink, OnReply, Priority
from aibo_gti_bridge.bridge.tekkotsu_link import TekkotsuLink
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.commands import Command
from aibo_gti_bridge.protocol.sensors import Reading
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_trajectories.claims import PartClaims


class Robot:
    """The robot as the parts of the bridge see it.

    ``lock`` is held while a part's state changes, on the executor's or on the link's thread.
    """

    def __init__(self, link: GtiLink | TekkotsuLink, wire: WireTable) -> None:
        self.wire = wire
        self.lock = threading.RLock()
        self.claims = PartClaims()
        """Which goal or topic moves which joints. The lock guards it."""
        self.reading: Reading | None = None
        """The latest one of the present connection."""
        self.refusal = ""
        """Why the robot takes no commands now: it searches by itself, or was stopped."""
        self._link = link

    @property
    def movable(self) -> Collection[str]:
        """The joints that can be moved."""
        return self._link.movable

    @property
    def positions(self) -> Mapping[str, float]:
        """The latest joint positions (rad, by name); empty while nothing is known."""
        return self.reading.positions if self.reading is not None else {}

    # --- commands; they raise NotConnectedError --------------------------------------------

    def check(self, command: Command) -> None:
        """Raise GoalRefusedError for a command that the robot does not take.

        To be called before joints are claimed for it: others would be interrupted for nothing.
        """
        if self.refusal:
            raise GoalRefusedError(self.refusal)
        try:
            self._link.check(command)
        except ProtocolError as error:
            raise GoalRefusedError(str(error)) from error

    def send(self, command: Command, priority: Priority, on_reply: OnReply | None = None) -> None:
        """Have ``command`` sent when its turn comes; see GtiLink.submit.

        Raises GoalRefusedError for a command that the link cannot express.
        """
        try:
            self._link.submit(command, priority, on_reply)
        except ProtocolError as error:
            raise GoalRefusedError(str(error)) from error

    def stop_walking(self) -> None:
        """Stop walking before anything else."""
        self._link.stop()

    def move(self, targets: Mapping[str, float], duration: float) -> None:
        """Move joints to ``targets`` (rad, by name) within ``duration`` (s)."""
        self.send(conversions.move_joints(targets, duration, self.wire), Priority.ACTION)

    def hold(self, joints: Iterable[str], but: Collection[str] = ()) -> None:
        """Stop joints, all ``but`` some, where they were last seen, if they are reported."""
        positions = self.positions
        wanted = [n for n in joints if n in self.movable and n not in but]
        present = {n: positions[n] for n in wanted if n in positions}
        if present:
            self.move(present, 0.0)
