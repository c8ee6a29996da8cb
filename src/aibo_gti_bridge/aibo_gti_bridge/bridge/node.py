# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: ROS 2 in the place of Golog, towards one AIBO."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from std_srvs.srv import Trigger

from aibo_gti_bridge.bridge.ball_topics import BallTopics
from aibo_gti_bridge.bridge.emergency_stop import EmergencyStopService
from aibo_gti_bridge.bridge.goals import RobotServer
from aibo_gti_bridge.bridge.link import Demand, GtiLink, PollSkipped, WalkConfirmed
from aibo_gti_bridge.bridge.motion_action import PlayMotionAction
from aibo_gti_bridge.bridge.odometry_topics import OdometryTopics
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.bridge.search_action import SearchBallAction
from aibo_gti_bridge.bridge.sensor_topics import SensorTopics
from aibo_gti_bridge.bridge.tekkotsu_link import EmergencyStop, TekkotsuLink
from aibo_gti_bridge.bridge.trajectory_action import trajectory_action
from aibo_gti_bridge.bridge.walk_drive import WalkDrive
from aibo_gti_bridge.bridge.walking import LegVelocities, WalkStepsAction
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.sensors import BallSeen, Reading
from aibo_gti_bridge.protocol.tekkotsu import Door
from aibo_gti_bridge.protocol.wire_table import WireTable
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.drive import offer_navigation
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_core.link.base import NotConnectedError


class AiboBridge(BridgeNode):
    """Topics, actions and services of one AIBO.

    Replies are published on the link's thread as they come, and carry the goals on; goals,
    services and cmd_vel come in on the executor. Raises ParameterError, or StartupError for a
    wire table that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("bridge", hardware_id="AIBO ERS-7", namespace="aibo", **node_arguments)
        p = declare_parameters(self, Parameters)
        overlays = wire_tables.split(p.wire_overlays)
        try:
            wire = wire_tables.load(overlays)
            self._robot_link = self._make_link(p, wire)
        except (wire_tables.WireError, ProtocolError) as error:
            raise StartupError(str(error)) from error
        self._robot = robot = Robot(self._robot_link, wire)
        self._odometry = OdometryTopics(self, p)
        self._sensors = SensorTopics(self, p, self._odometry)
        self._velocity = LegVelocities(self, robot, p)
        walk_steps = WalkStepsAction(self, robot, p, self._odometry)
        self._actions: list[RobotServer[Any]] = [walk_steps]
        self._trajectories = trajectory_action(self, robot, p)
        if isinstance(self._robot_link, TekkotsuLink):
            self._wire_name = p.wire
            self._emergency_stop = EmergencyStopService(self, robot, self._robot_link)
        else:
            self._wire_name = " + ".join([wire.name, *overlays])
            self._balls = BallTopics(self, wire.colours, p.frame_prefix)
            self._search = SearchBallAction(self, robot, p)
            self._actions += [self._search, PlayMotionAction(self, robot, p)]
        offer_navigation(self, WalkDrive(walk_steps, self._odometry))
        self.create_service(Trigger, "stop", self._stop)
        self.use_link(self._robot_link, p.first_connection_timeout)

    def _make_link(self, p: Parameters, wire: WireTable) -> GtiLink | TekkotsuLink:
        if p.wire == "tekkotsu":
            return TekkotsuLink(
                p.host,
                p.port or Door.CONTROLLER,
                self,
                reply_timeout=p.reply_timeout,
                step_period=p.step_period,
            )
        return GtiLink(
            p.host,
            p.port or wire.port,
            wire,
            self,
            sensor_rate=p.sensor_rate,
            ball_rate=p.ball_rate,
            reply_timeout=p.reply_timeout,
            search_timeout=p.search_timeout,
        )

    # --- on the link's thread --------------------------------------------------------------

    def on_event(
        self, event: Reading | BallSeen | WalkConfirmed | PollSkipped | EmergencyStop
    ) -> None:
        """Publish what the robot has answered, and go on with the goals."""
        robot = self._robot
        if isinstance(event, Reading):
            self.counters.add("sensor readings")
            self._sensors.publish(event)
            with robot.lock:
                robot.reading = event
                for action in self._actions:
                    action.on_reading(event)
                self._trajectories.follow_all(event.time)
        elif isinstance(event, BallSeen):
            self.counters.add("ball replies")
            ball = self._balls.publish(event, robot.positions)
            with robot.lock:
                self._search.on_ball(event.time, ball)
        elif isinstance(event, WalkConfirmed):
            self._odometry.follow(event)
        elif isinstance(event, EmergencyStop):
            self._emergency_stop.report(event)
        else:
            self.counters.add("polls left out")

    def demand(self) -> Demand:
        """Return which balls have a subscriber or are searched for."""
        return Demand(self._balls.wanted | self._search.wanted)

    def make_safe(self, reason: str) -> None:
        """Stop walking and all joints that goals move."""
        with self._robot.lock:
            self._velocity.reset()
            try:
                self._robot.stop_walking()
                for action in (*self._actions, self._trajectories):
                    for goal in action.goals:
                        goal.stop_joints()
            except NotConnectedError:
                pass  # the link begins its next connection with a stop

    def on_disconnected(self, reason: str) -> None:
        """Forget the latest reading; publish the buttons as not valid."""
        with self._robot.lock:
            self._robot.reading = None
            self._robot.refusal = ""
            if isinstance(self._robot_link, TekkotsuLink):
                self._emergency_stop.forget()
        self._odometry.leave(self.now())
        self._sensors.invalidate()

    # --- on the executor -------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether all results are delivered and all commands sent."""
        return super().settled and self._robot_link.idle

    def diagnostics(self) -> Mapping[str, str]:
        """Return the wire table's name and what the link waits for."""
        return {
            "wire table": self._wire_name,
            "round trip (ms)": f"{self._robot_link.round_trip * 1000.0:.1f}",
            "reply owed": self._robot_link.busy_with,
            "publishers of another cmd_vel: now": ", ".join(self._velocity.misfits),
        }

    def _stop(self, request: Trigger.Request, response: Any) -> Any:
        """Stop walking and all joints; end all goals."""
        self.first_connection.drop("the service stop was called")
        with self._robot.lock:
            try:
                self._robot.stop_walking()
                self._robot.claims.interrupt_all("the service stop was called")
                self._robot.hold(NAMES)
            except NotConnectedError as error:
                response.message = str(error)
                return response
        if isinstance(self._robot_link, TekkotsuLink):
            response.success, response.message = self._emergency_stop.turn(on=True)
            return response
        blocked = self._robot.refusal
        response.success = not blocked
        response.message = (
            "the robot searches and stops when that is over" if blocked else "the robot stands"
        )
        return response


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(AiboBridge, Parameters))
