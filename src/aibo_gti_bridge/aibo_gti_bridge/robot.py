# SPDX-License-Identifier: Apache-2.0
"""What the parts of the bridge share: the link, the latest reading, and whose joints are whose."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from builtin_interfaces.msg import Time
from rclpy.node import Node

from aibo_gti_bridge import conversions
from aibo_gti_bridge.commands import Acknowledgement, Command
from aibo_gti_bridge.link import Answer, GtiLink, OnAnswer, Priority
from aibo_gti_bridge.sensors import Reading
from aibo_gti_bridge.wire import WireTable
from legacy_robots_common.link import NotConnectedError


class Claimant(Protocol):
    """Somebody who moves joints."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """Give way to another command, for ``reason``, which takes the joints ``taken``.

        Whatever else it moves has to stop. May raise NotConnectedError.
        """


class Robot:
    """The robot as the parts of the bridge see it.

    ``lock`` is held by whoever changes a part's state, on the executor's or on the link's thread;
    what the methods below call back is called with it.
    """

    def __init__(self, node: Node, wire: WireTable) -> None:
        self.node = node
        self.wire = wire
        self.lock = threading.RLock()
        self.reading: Reading | None = None
        """The latest one of the present connection."""
        self.blocked = False
        """The robot's own search is running: it takes no commands until that ends."""
        self._clock = node.get_clock()
        self._link: GtiLink | None = None
        self._claims: dict[str, Claimant] = {}

    def attach(self, link: GtiLink) -> None:
        """Set the link that commands go through."""
        self._link = link

    @property
    def positions(self) -> Mapping[str, float]:
        """The latest joint positions (rad, by name); empty while nothing is known."""
        return self.reading.positions if self.reading is not None else {}

    def stamp(self, monotonic: float) -> Time:
        """Return the ROS time of a moment on the monotonic clock (s)."""
        age = time.monotonic() - monotonic
        # Asking the node's clock costs more than all the rest, and without simulated time it tells
        # the same.
        simulated = self._clock.ros_time_is_active
        now = self._clock.now().nanoseconds if simulated else time.time_ns()
        nanoseconds = now - int(age * 1e9)
        return Time(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)

    # --- commands; they raise NotConnectedError and ProtocolError --------------------------

    def send(
        self, command: Command, priority: Priority, on_answer: OnAnswer | None = None
    ) -> None:
        """Have ``command`` sent when its turn comes; see GtiLink.submit."""
        if self._link is None:
            raise NotConnectedError("the bridge is starting")
        self._link.submit(command, priority, on_answer or self._acknowledged)

    def stop_walking(self) -> None:
        """Stop walking before anything else."""
        if self._link is None:
            raise NotConnectedError("the bridge is starting")
        self._link.stop()

    def move(self, targets: Mapping[str, float], duration: float) -> None:
        """Move joints to ``targets`` (rad, by name) within ``duration`` (s)."""
        self.send(conversions.move_joints(targets, duration, self.wire), Priority.ACTION)

    def hold(self, joints: Iterable[str], but: Collection[str] = ()) -> None:
        """Stop joints, all ``but`` some, where they were last seen, if they are reported."""
        positions = self.positions
        present = {n: positions[n] for n in joints if n in positions and n not in but}
        if present:
            self.move(present, 0.0)

    def _acknowledged(self, answer: Answer) -> None:
        if isinstance(answer.reply, Acknowledgement) and answer.reply.status:
            self.node.get_logger().warning(
                f"the robot answered a command with status {answer.reply.status}"
            )

    # --- joints and who moves them ---------------------------------------------------------

    def claim(self, claimant: Claimant, joints: Iterable[str], reason: str) -> None:
        """Take ``joints`` for ``claimant``; who had one of them is interrupted for ``reason``."""
        joints = list(joints)
        others = {
            id(owner): owner
            for name in joints
            if (owner := self._claims.get(name)) is not None and owner is not claimant
        }
        for other in others.values():
            self.release(other)
            other.interrupt(reason, joints)
        self._claims.update(dict.fromkeys(joints, claimant))

    def release(self, claimant: Claimant) -> None:
        """Give back all joints of ``claimant``."""
        self._claims = {n: owner for n, owner in self._claims.items() if owner is not claimant}

    def interrupt_all(self, reason: str) -> None:
        """Interrupt whoever moves joints, and stop what they move."""
        owners = {id(owner): owner for owner in self._claims.values()}
        self._claims.clear()
        for owner in owners.values():
            owner.interrupt(reason, ())
