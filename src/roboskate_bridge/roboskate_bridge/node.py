# SPDX-License-Identifier: Apache-2.0
"""The bridge node: a game of RoboSkate as ROS topics and services."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from legacy_robots_msgs.msg import RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from std_srvs.srv import Trigger

from legacy_robots_common import qos
from legacy_robots_common.completion import Completion
from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.link import LinkState, LinkStatus, NotConnectedError
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.main import BridgeNode, StartupError, run
from legacy_robots_common.memory import keep_freed_memory
from legacy_robots_common.parameters import declare_parameters
from legacy_robots_common.robot_model import RobotModel, RobotModelError
from roboskate_bridge import conversions
from roboskate_bridge.bridge_parameters import Parameters
from roboskate_bridge.calibration import CalibrationError
from roboskate_bridge.camera_topics import CameraTopics
from roboskate_bridge.coordinates import board_in_ros
from roboskate_bridge.link import Done, GameLink
from roboskate_bridge.link_settings import Mode
from roboskate_bridge.listener import Step
from roboskate_bridge.picture import Picture
from roboskate_bridge.protocol import ImageSize, ProtocolError
from roboskate_bridge.state_topics import StateTopics


class RoboSkateBridge(BridgeNode):
    """Topics and services of one game.

    State and images are published on the threads of the link as they come; commands and services
    run on the executor. Raises ParameterError, or StartupError for a file that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("bridge", namespace="roboskate", **node_arguments)
        self._settings = declare_parameters(self, Parameters, self._on_parameters)
        settings = self._settings.link_settings()
        self._dialect = settings.dialect
        self._counters = Counters()
        self._reporter = LinkReporter(self)
        try:
            self._state = StateTopics(self, self._settings, _robot_model(self._settings.urdf))
            self._camera = CameraTopics(self, self._settings)
        except (CalibrationError, RobotModelError) as error:
            raise StartupError(str(error)) from error
        self._link = GameLink(settings, self, self._on_status)
        qos.subscription(self, RoboSkateKeys, "command", self._on_command, qos.stream())
        self.create_service(RoboSkateInitialize, "initialize", self._initialize)
        self.create_service(Trigger, "shutdown", self._shut_down)
        self.create_service(RoboSkateRunGame, "run_game", self._run_game)
        self.create_service(Trigger, "reset", self._reset)
        self._diagnostics = DiagnosticsReporter(
            self,
            "RoboSkate",
            lambda: self._link.status,
            self._counters,
            warn_on={"faults": "faults of the link", "bad commands": "commands passed over"},
            extra=lambda: {
                "profile": self._settings.profile,
                "mode": self._settings.mode,
                "level": str(self._link.level),
                "keys released by the watchdog": str(self._link.key_timeouts),
                "times that the game was too slow": str(self._link.late_steps),
            },
        )
        self._link.start()

    def close(self) -> None:
        """Release the keys and end the connection. Idempotent."""
        self._link.close()

    # --- on the threads of the link (Listener) ---------------------------------------------------

    def level_loaded(self, level: int, size: ImageSize) -> None:
        """Begin a level."""
        self._counters.add("levels")
        self._state.begin_level()
        self._camera.begin_level(size)
        self.get_logger().info(f"level {level}, images of {size.width} x {size.height}")

    def step_done(self, step: Step) -> None:
        """Publish a state."""
        self._counters.add("states")
        self._state.publish(board_in_ros(step.board, self._dialect), step.stamp)

    def state_wanted(self) -> bool:
        """Tell whether anybody looks at the board or the crane."""
        return self._state.wanted

    def time_wanted(self) -> bool:
        """Tell whether anybody looks at anything that comes with every step."""
        return self._state.time_wanted or self._camera.wanted

    def time_passed(self, stamp: int) -> None:
        """Publish the time."""
        self._state.publish_time(stamp)

    def picture_wanted(self) -> bool:
        """Tell whether anybody looks."""
        return self._camera.wanted

    def picture(self, picture: Picture, stamp: int) -> None:
        """Publish an image."""
        self._camera.publish(picture, stamp)
        self._counters.add("images")

    def _on_status(self, status: LinkStatus) -> None:
        if status.state is LinkState.FAULT:
            self._counters.add("faults")
        self._reporter.report(status)

    # --- on the executor -------------------------------------------------------------------------

    def _on_parameters(self, parameters: Parameters) -> None:
        self._settings = parameters
        self._link.configure(
            Mode(parameters.mode), parameters.camera_rate, parameters.command_timeout
        )

    def _on_command(self, message: RoboSkateKeys) -> None:
        try:
            self._link.hold(conversions.keys_of(message))
        except ProtocolError as error:
            self._counters.add("bad commands")
            self.get_logger().error(f"command passed over: {error}", throttle_duration_sec=1.0)
        else:
            self._counters.add("commands")

    async def _initialize(
        self, request: RoboSkateInitialize.Request, response: RoboSkateInitialize.Response
    ) -> Any:
        size = await self._ask(lambda done: self._link.initialize(request.level, done), response)
        if isinstance(size, ImageSize):
            response.image_width, response.image_height = size.width, size.height
        return response

    async def _shut_down(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        await self._ask(self._link.shut_down, response)
        return response

    async def _run_game(
        self, request: RoboSkateRunGame.Request, response: RoboSkateRunGame.Response
    ) -> Any:
        keys = conversions.keys_of(request.keys) if request.hold_keys else None
        step = await self._ask(
            lambda done: self._link.run_game(request.seconds, keys, done), response
        )
        if isinstance(step, Step):
            response.total_simulated_time = step.total_simulated_time
            response.stamp = conversions.time_message(step.stamp)
        return response

    async def _reset(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        rewind = self._settings.reset_rewinds_clock
        await self._ask(lambda done: self._link.reset(done, rewind=rewind), response)
        return response

    async def _ask(self, ask: Callable[[Done], None], response: Any) -> object:
        """Have the link do something; fill in ``success`` and ``message``, return the result."""
        done: Completion[object] = Completion(self)
        try:
            ask(done.set)
        except NotConnectedError as error:
            response.success, response.message = False, str(error)
            return None
        result = await done.wait()
        response.success = not isinstance(result, Exception)
        response.message = "" if response.success else str(result)
        return result


def _robot_model(path: str) -> RobotModel:
    """Read a URDF. Raises RobotModelError."""
    try:
        if path:
            return RobotModel(Path(path).read_text(encoding="utf-8"))
        package = resources.files("roboskate_bridge")
        return RobotModel((package / "urdf" / "roboskate.urdf").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RobotModelError(f"urdf: {path} cannot be read: {error}") from error


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    keep_freed_memory()
    sys.exit(run(RoboSkateBridge))
