# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Golog's place towards an AIBO, taken by ROS 2."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from legacy_robots_msgs.msg import AiboBall
from std_srvs.srv import Trigger

from aibo_gti_bridge import wire as wire_tables
from aibo_gti_bridge.ball_topics import BallTopics
from aibo_gti_bridge.bridge_parameters import Parameters
from aibo_gti_bridge.commands import QuerySensors, SensorValues
from aibo_gti_bridge.joints import NAMES
from aibo_gti_bridge.link import Answer, GtiLink, ImplausibleReplyError, Poll
from aibo_gti_bridge.motion_action import PlayMotionAction
from aibo_gti_bridge.robot import Robot
from aibo_gti_bridge.search_action import SearchBallAction
from aibo_gti_bridge.sensor_topics import SensorTopics
from aibo_gti_bridge.sensors import READ_NAMES, Reading, unbelievable
from aibo_gti_bridge.trajectory_action import TrajectoryAction
from aibo_gti_bridge.walking import VelocityTopic, WalkStepsAction
from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.link import LinkState, LinkStatus, NotConnectedError
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.main import BridgeNode, StartupError, run
from legacy_robots_common.parameters import ParameterError, declare_parameters


class AiboBridge(BridgeNode):
    """Topics, actions and services of one AIBO.

    Replies are published on the link's thread as they come, and carry the goals on; goals,
    services and cmd_vel come in on the executor. Raises ParameterError, or StartupError for a
    wire table that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("bridge", namespace="aibo", **node_arguments)
        p = declare_parameters(self, Parameters)
        if len(p.accelerometer_signs) != 3:
            raise ParameterError("parameter 'accelerometer_signs' must have three numbers")
        try:
            wire = wire_tables.load(wire_tables.split(p.wire_overlays))
            query = QuerySensors(tuple(wire.readable_ids[name] for name in READ_NAMES))
        except wire_tables.WireError as error:
            raise StartupError(str(error)) from error
        self._counters = Counters()
        self._round_trip = 0.0
        self._reporter = LinkReporter(self)
        self._robot = robot = Robot(self, wire)
        self._sensors = SensorTopics(robot, p)
        self._search = SearchBallAction(robot, p)
        self._balls = BallTopics(
            robot, p.ball_rate, p.frame_prefix, self._search.wants, self._on_ball
        )
        self._search.use(self._balls.answer)
        self._velocity = VelocityTopic(robot, p)
        self._actions = [
            self._search,
            WalkStepsAction(robot, p),
            PlayMotionAction(robot, p),
            TrajectoryAction(robot, p),
        ]
        self.create_service(Trigger, "stop", self._stop)
        sensor_poll = Poll("sensors", 1.0 / p.sensor_rate, lambda: query, self._on_sensors)
        self._link = GtiLink(
            p.host,
            p.port or wire.port,
            wire,
            [sensor_poll, *self._balls.polls],
            self._on_status,
            reply_timeout=p.reply_timeout,
            search_timeout=p.search_timeout,
            on_protocol_error=lambda text: self._counters.add("protocol errors"),
            on_late_poll=lambda name: self._counters.add("polls left out"),
        )
        robot.attach(self._link)
        self._diagnostics = DiagnosticsReporter(
            self,
            "AIBO ERS-7, GTI",
            lambda: self._link.status,
            self._counters,
            warn_on={"protocol errors": "protocol errors"},
            extra=self._extra_diagnostics,
        )
        self._wire_name = " + ".join([wire.name, *wire_tables.split(p.wire_overlays)])
        self._link.start()

    def close(self) -> None:
        """Stop the robot and end the connection. Idempotent."""
        self._link.stop_and_close()

    # --- on the link's thread --------------------------------------------------------------

    def _on_sensors(self, answer: Answer) -> None:
        assert isinstance(answer.reply, SensorValues)
        values = answer.reply.values
        problem = unbelievable(values)
        if problem:
            raise ImplausibleReplyError(problem)
        self._round_trip = answer.received - answer.sent
        reading = Reading((answer.sent + answer.received) / 2.0, values)
        self._sensors.publish(reading)
        self._counters.add("sensor readings")
        with self._robot.lock:
            self._robot.reading = reading
            for action in self._actions:
                action.on_reading(reading)

    def _on_ball(self, time: float, ball: AiboBall) -> None:
        self._counters.add("ball replies")
        with self._robot.lock:
            self._search.on_ball(time, ball)

    def _on_status(self, status: LinkStatus) -> None:
        if status.state is not LinkState.CONNECTED:
            # First our own state: who reads link_state may send the next goal at once.
            with self._robot.lock:
                self._robot.reading = None
                self._velocity.link_lost()
                for action in self._actions:
                    action.link_lost(f"the connection with the robot is lost: {status.detail}")
            self._sensors.invalidate()
        self._reporter.report(status)

    # --- on the executor -------------------------------------------------------------------

    def _stop(self, request: Trigger.Request, response: Any) -> Any:
        """Stop walking and all joints; end all goals."""
        with self._robot.lock:
            try:
                self._robot.stop_walking()
                self._robot.interrupt_all("the service stop was called")
                self._robot.hold(NAMES)
            except NotConnectedError as error:
                response.message = str(error)
                return response
        blocked = self._robot.blocked
        response.success = not blocked
        response.message = (
            "the robot searches and stops when that is over" if blocked else "the robot stands"
        )
        return response

    def _extra_diagnostics(self) -> Mapping[str, str]:
        return {
            "wire table": self._wire_name,
            "round trip (ms)": f"{self._round_trip * 1000.0:.1f}",
            "reply owed": self._link.busy_with,
            "stops by the cmd_vel watchdog": str(self._velocity.timeouts),
        }


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(AiboBridge))
