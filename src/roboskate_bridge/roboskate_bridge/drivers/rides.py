# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
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
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from legacy_robots_common.goals.remote import RemoteService
from legacy_robots_common.goals.requests import End, Limits, Observer
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from roboskate_bridge.drivers.messages import board_of, keys_message
from roboskate_bridge.drivers.policy_node import wire_state
from roboskate_game.learning.rides import STEP_SECONDS, Rides, excitation
from roboskate_game.protocol.messages import Keys

SILENCE_S = 10.0
"""How long a service may be missing, and a step's messages may take."""


class _RideError(Exception):
    """A ride cannot go on; the message says why."""


@dataclass(frozen=True)
class Parameters:
    """The recorder's parameters."""

    output: str = parameter("rides.npz", "the file to write")
    rides: int = parameter(16, "rides of 4 s of game time", minimum=4, maximum=10000)
    force_scale: float = parameter(250.0, "the bridge's", minimum=150.0, maximum=100000.0)


class RideRecorder(ProgramNode):
    """Records rides from the start of level 0, each with its own forces.

    Raises StartupError where the output's directory is missing. The program ends with 1 when the
    link is lost, the bridge goes or is silent, the game refuses a step, or the file cannot be
    written.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("ride_recorder", namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        folder = Path(self._settings.output).absolute().parent
        if not folder.is_dir():
            raise StartupError(f"parameter 'output': there is no directory {folder}")
        self._initialize = RemoteService(self, RoboSkateInitialize, "initialize")
        self._run_game = RemoteService(self, RoboSkateRunGame, "run_game")
        self._connected = False
        self._parts: dict[tuple[int, int], dict[type, Any]] = {}
        self._awaited: tuple[tuple[int, int], ThreadsafeFuture[bool]] | None = None

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
        if self._connected:
            self._waiting.cancel()
            self.call_soon(self._record)

    async def _record(self) -> None:
        forces = np.array([excitation(ride) for ride in range(self._settings.rides)])
        seen = []
        for number, ride in enumerate(forces):
            try:
                await self._call(self._initialize, RoboSkateInitialize.Request(level=0))
                seen += [await self._step(force) for force in ride]
            except _RideError as error:
                self.get_logger().error(f"ride {number}: {error}")
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

    async def _step(self, force: Any) -> Any:
        """Let a step pass; return the numbers after it. Raises _RideError."""
        keys = Keys(*(force / self._settings.force_scale).tolist())
        request = RoboSkateRunGame.Request(
            seconds=STEP_SECONDS, hold_keys=True, keys=keys_message(keys)
        )
        return await self._state((await self._call(self._run_game, request)).stamp)

    async def _call(self, service: RemoteService, request: Any) -> Any:
        """Return the answer of a service. Raises _RideError."""
        ended: ThreadsafeFuture[End] = ThreadsafeFuture(self.executor)
        service.send(request, Observer(ended.set_result), Limits(discovery=SILENCE_S))
        end = await ended
        if not end.succeeded:
            raise _RideError(end.reason)
        return end.result

    async def _state(self, stamp: Time) -> Any:
        """Return the numbers of a step, whose messages may come after its answer."""
        key = stamp.sec, stamp.nanosec
        complete: ThreadsafeFuture[bool] = ThreadsafeFuture(self.executor)
        self._awaited = key, complete
        self._check()
        timer = self.steady_timer(SILENCE_S, lambda: complete.set_result(False))
        in_time = await complete
        self.destroy_timer(timer)
        if not in_time:
            raise _RideError(f"odom and joint_states of a step did not come in {SILENCE_S:g} s")
        parts = self._parts[key]
        self._parts = {}
        board = board_of(parts[Odometry], parts[JointState])
        return wire_state(board)[0]

    def _on_part(self, message: Odometry | JointState) -> None:
        key = message.header.stamp.sec, message.header.stamp.nanosec
        self._parts.setdefault(key, {})[type(message)] = message
        self._check()

    def _check(self) -> None:
        if self._awaited is not None and len(self._parts.get(self._awaited[0], ())) == 2:
            _, future = self._awaited
            self._awaited = None
            future.set_result(True)


def main() -> None:
    """Record until all rides are written, or SIGINT or SIGTERM."""
    sys.exit(run(RideRecorder, Parameters))
