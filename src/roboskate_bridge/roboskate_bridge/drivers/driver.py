# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the nodes that drive the board have in common: state in, keys out, and new beginnings.

They know the bridge by its topics and services only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from legacy_robots_common.goals.remote import RemoteService
from legacy_robots_common.goals.requests import End, Observer
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize
from roboskate_bridge.drivers.messages import board_of, keys_message
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.levels import PLAYABLE
from roboskate_game.protocol.messages import NO_KEYS, Keys

JUMP = 3.0
"""Metres between two messages that no board can go: a level has begun."""
FALLEN_BELOW = -7.0
"""Metres; the learning environment of the original gives up there too.

Source: docs/originals/roboskate.md.
"""


def _is_of_start(stamp: Time) -> bool:
    """Return whether a stamp is of before the first step: 0, or a nanosecond for each load."""
    return bool(stamp.sec == 0 and stamp.nanosec < 1000)


@dataclass(frozen=True)
class DriverParameters:
    """The parameters of every driver."""

    level: int = parameter(
        0, "the level that is begun again and again", minimum=0, maximum=PLAYABLE - 1
    )
    stuck_after: float = parameter(
        20.0,
        "seconds of simulated time without a metre of progress after which it begins again",
        minimum=1.0,
        maximum=3600.0,
    )


P = TypeVar("P", bound=DriverParameters)


class Driver(ProgramNode, Generic[P]):
    """Loads the level again when the board has fallen off, is stuck or has reached the end.

    A subclass says which keys to hold down.
    """

    def __init__(self, name: str, parameters: type[P], **node_arguments: Any) -> None:
        super().__init__(name, namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, parameters)
        self._keys = self.create_publisher(RoboSkateKeys, "command", 10)
        self._initialize = RemoteService(self, RoboSkateInitialize, "initialize")
        self._joints: JointState | None = None
        self._odometry: Odometry | None = None
        self._asking = self._stopped = False
        self._place: tuple[float, float, float] | None = None
        self._progress: tuple[float, tuple[float, float]] | None = None

    def start(self) -> None:
        """Begin to drive."""
        self._begin()
        self.create_subscription(JointState, "joint_states", self._on_joints, qos.stream(1))
        self.create_subscription(Odometry, "odom", self._on_odometry, qos.stream(1))

    def stop(self) -> None:
        """Release the keys, and press none any more."""
        self._stopped = True
        self._keys.publish(keys_message(NO_KEYS))

    # --- for the subclass ------------------------------------------------------------------------

    def begin(self) -> None:
        """Forget all that was: a level begins."""
        raise NotImplementedError

    def drive(self, board: BoardInRos, seconds: float) -> Keys | None:
        """Return the keys to hold down, None for those that are held already.

        ``seconds``: simulated time.
        """
        raise NotImplementedError

    @property
    def until(self) -> float:
        """Simulated time (s) at which the game waits for the next keys; 0: it does not."""
        return 0.0

    @property
    def reached(self) -> int:
        """Checkpoints reached since the beginning."""
        raise NotImplementedError

    @property
    def end(self) -> str:
        """Why the level is over, empty while it is not."""
        raise NotImplementedError

    # --- on the executor -------------------------------------------------------------------------

    def _begin(self) -> None:
        self._progress = None
        self.begin()

    def _on_joints(self, message: JointState) -> None:
        if len(message.position) == len(message.velocity) == 3:  # of the game's, not another's
            self._joints = message
            self._act()

    def _on_odometry(self, message: Odometry) -> None:
        self._odometry = message
        self._act()

    def _act(self) -> None:
        """Act on a state once both of its messages are there, in whichever order."""
        joints, message = self._joints, self._odometry
        if joints is None or message is None or joints.header.stamp != message.header.stamp:
            return
        self._odometry = None
        if self._asking or self._stopped:
            return
        if self.follows_clock and _is_of_start(message.header.stamp):
            return  # of the start, which comes in time or not
        board = board_of(message, joints)
        if self._place is not None and math.dist(self._place, board.position) > JUMP:
            self._begin()  # another client has begun a level
        self._place = board.position
        seconds = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        before = self.reached
        keys = self.drive(board, seconds)
        if keys is not None:
            self._keys.publish(keys_message(keys, self.until))
        if self.reached != before:
            self.get_logger().info(f"checkpoint {self.reached} reached")
        if self.end:
            self._start_over(self.end)
        elif board.position[2] < FALLEN_BELOW:
            self._start_over("the board has fallen off")
        elif self._is_stuck(board, seconds):
            self._start_over("the board is stuck")

    def _is_stuck(self, board: BoardInRos, now: float) -> bool:
        """Return whether the board has been within a metre for too long, in simulated time."""
        place = board.position[:2]
        if (
            self._progress is None
            or now < self._progress[0]
            or math.dist(self._progress[1], place) > 1.0
        ):
            self._progress = (now, place)
        return now - self._progress[0] > self._settings.stuck_after

    def _start_over(self, reason: str) -> None:
        self.get_logger().info(f"{reason}: beginning level {self._settings.level} again")
        self._asking = True
        request = RoboSkateInitialize.Request(level=self._settings.level)
        self._initialize.send(request, Observer(self._started_over))

    def _started_over(self, end: End) -> None:
        self._asking = False
        self._begin()
        if not end.succeeded:
            self.get_logger().error(f"the level cannot be begun again: {end.reason}")
