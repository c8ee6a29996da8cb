# SPDX-License-Identifier: Apache-2.0
"""A node that records rides for the identification of a game's physics, then ends.

It wants the bridge in mode stepped with profile game; roboskate_game.learning.identify fits.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from nav_msgs.msg import Odometry
from rclpy.task import Future
from sensor_msgs.msg import JointState

from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from roboskate_bridge.bridge import conversions
from roboskate_bridge.drivers.policy_node import wire_state
from roboskate_game.learning.identify import STEP_SECONDS, Rides, excitation, numbers
from roboskate_game.protocol.messages import Keys


@dataclass(frozen=True)
class Parameters:
    """The recorder's parameters."""

    output: str = parameter("rides.npz", "the file to write")
    rides: int = parameter(16, "rides of 4 s of game time", minimum=4, maximum=10000)
    force_scale: float = parameter(250.0, "the bridge's", minimum=150.0, maximum=100000.0)


class RideRecorder(ProgramNode):
    """Records rides from the start of level 0, each with its own forces.

    Raises StartupError where the output's directory is missing. The program ends with 1 when the
    link is lost, the game refuses a step, or the file cannot be written.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("ride_recorder", namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        folder = Path(self._settings.output).absolute().parent
        if not folder.is_dir():
            raise StartupError(f"parameter 'output': there is no directory {folder}")
        self._initialize = self.create_client(RoboSkateInitialize, "initialize")
        self._run_game = self.create_client(RoboSkateRunGame, "run_game")
        self._connected = False
        self._parts: dict[tuple[int, int], dict[type, Any]] = {}
        self._awaited: tuple[tuple[int, int], Future] | None = None

    def start(self) -> None:
        """Begin as soon as the bridge is there."""
        for kind, topic in ((Odometry, "odom"), (JointState, "joint_states")):
            self.create_subscription(kind, topic, self._on_part, qos.stream(10))
        self.create_subscription(LinkState, "link_state", self._on_link, qos.LATCHED)
        self._waiting = self.steady_timer(0.1, self._begin)

    def _on_link(self, message: LinkState) -> None:
        was_connected, self._connected = self._connected, message.state == LinkState.CONNECTED
        if was_connected and not self._connected:
            self.get_logger().error(f"nothing is written: the link is lost: {message.detail}")
            self.exit_code = 1

    def _begin(self) -> None:
        ready = self._initialize.service_is_ready() and self._run_game.service_is_ready()
        if ready and self._connected:
            self._waiting.cancel()
            self.call_soon(self._record)

    async def _record(self) -> None:
        forces = np.array([excitation(ride) for ride in range(self._settings.rides)])
        seen = []
        for number, ride in enumerate(forces):
            answer = await self._initialize.call_async(RoboSkateInitialize.Request(level=0))
            for force in ride if answer.success else ():
                keys = Keys(*(force / self._settings.force_scale).tolist())
                answer = await self._run_game.call_async(
                    RoboSkateRunGame.Request(
                        seconds=STEP_SECONDS, hold_keys=True, keys=conversions.keys_message(keys)
                    )
                )
                if not answer.success:
                    break
                seen.append(await self._state(answer.stamp))
            if not answer.success:
                self.get_logger().error(f"ride {number}: {answer.message}")
                self.exit_code = 1
                return
        rides = Rides(forces, np.array(seen).reshape(*forces.shape[:2], -1))
        try:
            rides.save(Path(self._settings.output))
        except OSError as error:
            self.get_logger().error(f"{self._settings.output} cannot be written: {error}")
            self.exit_code = 1
            return
        self.get_logger().info(f"{len(forces)} rides written to {self._settings.output}")
        self.exit_code = 0

    async def _state(self, stamp: Time) -> Any:
        """Return the numbers of a step, whose messages may come after its answer."""
        key, future = (stamp.sec, stamp.nanosec), Future()
        self._awaited = key, future
        self._check()
        await future
        parts = self._parts[key]
        self._parts = {}
        board = conversions.board_of(parts[Odometry], parts[JointState])
        return numbers(wire_state(board))[0]

    def _on_part(self, message: Odometry | JointState) -> None:
        key = message.header.stamp.sec, message.header.stamp.nanosec
        self._parts.setdefault(key, {})[type(message)] = message
        self._check()

    def _check(self) -> None:
        if self._awaited is not None and len(self._parts.get(self._awaited[0], ())) == 2:
            _, future = self._awaited
            self._awaited = None
            future.set_result(None)


def main() -> None:
    """Record until all rides are written, or SIGINT or SIGTERM."""
    sys.exit(run(RideRecorder, Parameters))
