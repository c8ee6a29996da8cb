# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: a game of RoboSkate as ROS topics and services."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from std_srvs.srv import Trigger

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_node import RESULT_GRACE_S
from legacy_robots_common.node import qos
from legacy_robots_common.node.given_parameters import given_values
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_core.freed_memory import keep_freed_memory
from legacy_robots_core.link.base import LinkLost, LinkState, LinkStatus, NotConnectedError
from legacy_robots_description import urdf
from legacy_robots_geometry.robot_model import RobotModel, RobotModelError
from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from roboskate_bridge.bridge import conversions
from roboskate_bridge.bridge.calibration import CalibrationError
from roboskate_bridge.bridge.camera_topics import CameraTopics
from roboskate_bridge.bridge.events import Demand, Event, LevelLoaded, PictureReceived, Step
from roboskate_bridge.bridge.level_topic import LevelTopic
from roboskate_bridge.bridge.link import GameLink
from roboskate_bridge.bridge.link_settings import Mode
from roboskate_bridge.bridge.parameters import Parameters
from roboskate_bridge.bridge.state_topics import StateTopics
from roboskate_game.model.coordinates import board_in_ros
from roboskate_game.protocol.messages import ImageSize, ProtocolError


class RoboSkateBridge(BridgeNode):
    """Bridge to a game of RoboSkate.

    State and images are published on the threads of the link as they come; commands and services
    run on the executor. Raises ParameterError, or StartupError for a file that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(
            hardware_id="RoboSkate",
            warn_on={"faults": "faults of the link", "bad commands": "commands passed over"},
            namespace="roboskate",
            **node_arguments,
        )
        self._settings = declare_parameters(self, Parameters, self._on_parameters)
        settings = self._settings.link_settings()
        self._dialect = settings.dialect
        self._requests: set[ThreadsafeFuture[object]] = set()
        self._answered_at = 0.0
        try:
            self._state = StateTopics(self, self._settings, _robot_model(self._settings.urdf))
            self._camera = CameraTopics(self, self._settings)
        except (CalibrationError, RobotModelError) as error:
            raise StartupError(str(error)) from error
        self._level = LevelTopic(self)
        self._game = GameLink(settings, self)
        self.use_link(self._game, self._settings.first_connection_timeout)
        qos.subscription(self, RoboSkateKeys, "command", self._on_command, qos.stream())
        self.create_service(RoboSkateInitialize, "initialize", self._initialize)
        self.create_service(Trigger, "shutdown", self._shut_down)
        self.create_service(RoboSkateRunGame, "run_game", self._run_game)
        self.create_service(Trigger, "reset", self._reset)

    @classmethod
    def largest_message(cls, arguments: Sequence[str]) -> int:
        """Return the size (bytes) of a raw image."""
        width, height = (
            max([default, *(v for v in given_values(arguments, name) if isinstance(v, int))])
            for name, default in (("image_width", 640), ("image_height", 360))
        )
        return 3 * width * height

    @classmethod
    def prepare_process(cls) -> None:
        """Keep freed memory for the next image."""
        keep_freed_memory()

    # --- on the threads of the link --------------------------------------------------------------

    def on_event(self, event: Event) -> None:
        """Publish what the game has done. Raises ProtocolError for an image that is none."""
        if isinstance(event, Step):
            self.counters.add("states")
            self._state.publish_state(board_in_ros(event.board, self._dialect), event.stamp)
        elif isinstance(event, PictureReceived):
            self._camera.publish_picture(event.picture, event.stamp)
            self.counters.add("images")
        elif isinstance(event, LevelLoaded):
            self.counters.add("levels")
            self._state.begin_level(event.level)
            self._show_level()
            self._camera.begin_level(event.size)
            size = event.size
            self.get_logger().info(f"level {event.level}, images of {size.width} x {size.height}")
        else:
            self._state.publish_time(event.stamp)

    def demand(self) -> Demand:
        """Return which topics have subscribers."""
        state, pictures = self._state.wanted, self._camera.wanted
        return Demand(state, pictures or self._state.time_wanted, pictures)

    def on_status(self, status: LinkStatus) -> None:
        """Count faults."""
        if status.state is LinkState.FAULT:
            self.counters.add("faults")
        super().on_status(status)
        self._show_level()

    def is_usable(self, status: LinkStatus) -> bool:
        """Return whether the game is there: it is when only its camera has a fault."""
        return super().is_usable(status) or self._game.is_connected

    def make_safe(self, reason: str) -> None:
        """Release the keys, and answer all requests that are under way."""
        self._game.release_keys()
        for request in list(self._requests):
            request.set_result(LinkLost(reason))

    # --- on the executor -------------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether all requests have been answered, and the answers have had time to arrive."""
        since = time.monotonic() - self._answered_at
        return super().settled and not self._requests and since >= RESULT_GRACE_S

    def diagnostics(self) -> dict[str, str]:
        """Return how the game is driven."""
        return {
            "profile": self._settings.profile,
            "mode": self._settings.mode,
            "level": str(self._game.level),
            "keys released by the watchdog": str(self._game.key_timeouts),
            "times that the game was too slow": str(self._game.late_steps),
        }

    def _on_parameters(self, parameters: Parameters) -> None:
        self._settings = parameters
        self._game.configure(
            Mode(parameters.mode), parameters.camera_rate, parameters.command_timeout
        )

        self._show_level()

    def _show_level(self) -> None:
        """Publish which level is played, if that has changed. Thread-safe."""
        stepped = Mode(self._settings.mode) is Mode.STEPPED
        self._level.show(self._game.level if self.connected else None, stepped=stepped)

    def _on_command(self, message: RoboSkateKeys) -> None:
        try:
            self._game.hold(conversions.keys_of(message), conversions.nanoseconds(message.until))
        except ProtocolError as error:
            self.on_problem("bad commands", f"command passed over: {error}")
        else:
            self.counters.add("commands")

    async def _initialize(
        self, request: RoboSkateInitialize.Request, response: RoboSkateInitialize.Response
    ) -> Any:
        size = await self._ask(lambda: self._game.initialize(request.level), response)
        if isinstance(size, ImageSize):
            response.image_width, response.image_height = size.width, size.height
        return response

    async def _shut_down(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        await self._ask(self._game.shut_down, response, may_wait=False)
        return response

    async def _run_game(
        self, request: RoboSkateRunGame.Request, response: RoboSkateRunGame.Response
    ) -> Any:
        keys = conversions.keys_of(request.keys) if request.hold_keys else None
        step = await self._ask(lambda: self._game.run_game(request.seconds, keys), response)
        if isinstance(step, Step):
            response.total_simulated_time = step.total_simulated_time
            response.stamp = conversions.time_message(step.stamp)
        return response

    async def _reset(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        rewind = self._settings.reset_rewinds_clock
        await self._ask(lambda: self._game.reset(rewind=rewind), response)
        return response

    async def _ask(
        self, ask: Callable[[], Future[Any]], response: Any, *, may_wait: bool = True
    ) -> object:
        """Have the link do something; fill in ``success`` and ``message``, return the result.

        It waits for the first connection, unless that may not be.
        """
        answer: ThreadsafeFuture[object] = ThreadsafeFuture(self.executor)
        self._requests.add(answer)
        try:
            if may_wait:
                await self.first_connection.wait()
            if self.stopping:
                raise NotConnectedError("the bridge is shutting down")
            ask().add_done_callback(
                lambda future: answer.set_result(future.exception() or future.result())
            )
            result = await answer
        except NotConnectedError as error:
            result = error
        finally:
            self._requests.discard(answer)
            self._answered_at = time.monotonic()
        response.success = not isinstance(result, BaseException)
        response.message = "" if response.success else str(result)
        return result


def _robot_model(path: str) -> RobotModel:
    """Read a URDF. Raises RobotModelError."""
    try:
        if path:
            return RobotModel(Path(path).read_text(encoding="utf-8"))
        return RobotModel(urdf("roboskate"))
    except (OSError, UnicodeDecodeError) as error:
        raise RobotModelError(f"urdf: {path} cannot be read: {error}") from error


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(RoboSkateBridge, Parameters))
