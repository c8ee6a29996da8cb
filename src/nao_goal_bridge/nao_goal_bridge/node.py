# SPDX-License-Identifier: Apache-2.0
"""The bridge node: GOAL's place towards a Nao, taken by ROS 2."""

from __future__ import annotations

import sys
import time
from typing import Any

from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from rclpy.clock import Clock, ClockType
from std_srvs.srv import Trigger

from legacy_robots_common.completion import Completion
from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.link import LinkState, LinkStatus, NotConnectedError
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.main import BridgeNode, StartupError, run
from legacy_robots_common.parameters import ParameterError, declare_parameters
from legacy_robots_common.tcp_link import Role
from nao_goal_bridge import conversions
from nao_goal_bridge.actions import CommandAction
from nao_goal_bridge.bridge_parameters import Parameters
from nao_goal_bridge.commands import CommandQueue
from nao_goal_bridge.link import KEEP_ALIVE_SECONDS, NaoLink
from nao_goal_bridge.protocol import Dialect, Error, Halt, Profile, Report, State
from nao_goal_bridge.room_map import RoomMapError, load_room_map
from nao_goal_bridge.tickets import HaltAnswer
from nao_goal_bridge.topics import RobotTopics

TICK = 0.05
"""Seconds between looks at the time limits, while the robot owes an answer."""


class NaoBridge(BridgeNode):
    """Actions, services and topics of one Nao.

    Events are published on the link's thread as they come; goals and services run on the executor.
    Raises ParameterError, or StartupError for a room map that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("bridge", namespace="nao", **node_arguments)
        p = self._settings = declare_parameters(self, Parameters)
        if p.code_width not in (1, 4):
            raise ParameterError(f"parameter 'code_width' must be 1 or 4, not {p.code_width}")
        try:
            room_map = load_room_map(p.room_map or None)
        except RoomMapError as error:
            raise StartupError(str(error)) from error
        profile = Profile(p.profile)
        self._counters = Counters()
        self._reporter = LinkReporter(self)
        self._topics = RobotTopics(self, room_map, p.frame_prefix + p.map_frame)
        self._link = NaoLink(
            Role(p.role),
            p.host,
            p.port,
            Dialect(profile, p.code_width),
            self._on_report,
            self._on_status,
            on_refused=self._on_refused,
            on_protocol_error=lambda text: self._counters.add("protocol errors"),
            flood_limit=p.flood_limit,
        )
        self._queue = CommandQueue(
            self._link.tell,
            limit=p.queue_length,
            limits=p.time_limits,
            on_silent=self._link.drop,
            on_stray=self._on_stray,
        )
        self._actions = [
            CommandAction(
                self, NaoGoTo, "go_to",
                lambda goal: conversions.go_to_command(
                    goal.marker_id, goal.distance, profile, room_map, self._topics.location
                ),
                self._queue, self._topics, self._watch_time,
                marker_of=lambda goal: goal.marker_id,
            ),
            CommandAction(
                self, NaoPickUp, "pick_up",
                lambda goal: conversions.pick_up_command(goal.object_id, profile),
                self._queue, self._topics, self._watch_time,
            ),
            CommandAction(
                self, NaoPutDown, "put_down",
                lambda goal: conversions.put_down_command(),
                self._queue, self._topics, self._watch_time,
            ),
        ]  # fmt: skip
        self.create_service(Trigger, "halt", self._halt)
        self.create_service(Trigger, "exit", self._exit)
        # Steady time: simulated time of other robots must not stop ours.
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._tick_timer = self.create_timer(TICK, self._tick, clock=steady)
        self._tick_timer.cancel()
        self._housekeeping_timer = self.create_timer(1.0, self._keep_house, clock=steady)
        self._kept_alive = time.monotonic()
        self._flood_before = 0
        self._diagnostics = DiagnosticsReporter(
            self,
            "GOAL-Nao",
            lambda: self._link.status,
            self._counters,
            warn_on={
                "protocol errors": "protocol errors",
                "refused robots": "further robots turned away",
                "stray replies": "replies to nothing",
                "dropped sightings": "sightings dropped in a flood",
            },
            extra=lambda: {"profile": p.profile, "waiting goals": str(self._queue.waiting)},
        )
        self._link.start()

    def close(self) -> None:
        """Halt the robot if it is at work, and end the connection. Idempotent."""
        if self._queue.busy:
            try:
                self._link.tell(Halt())
            except NotConnectedError:
                pass
        self._link.close()

    def destroy_node(self) -> None:
        """Give back what the node does not know of: the action servers."""
        for action in self._actions:
            action.destroy()
        super().destroy_node()

    # --- on the link's thread --------------------------------------------------------------

    def _on_report(self, report: Report) -> None:
        self._counters.add("events")
        sighting = self._topics.apply(report)
        if sighting is not None:
            self._counters.add("sightings")
            for action in self._actions:
                action.saw(sighting)
            return
        if isinstance(report, State):
            for action in self._actions:
                action.state_changed()
        self._queue.handle(report)
        if isinstance(report, Error):
            self._counters.add("robot errors")
            self._link.drop("the robot reported a fatal error; its state is unknown")

    def _on_status(self, status: LinkStatus) -> None:
        if status.state is LinkState.CONNECTED:
            self._topics.connected()
            self._queue.link_up()
            self._reporter.report(status)
            return
        self._reporter.report(status)
        self._topics.invalidate()
        self._queue.link_lost(f"the connection with the robot is lost: {status.detail}")

    def _on_refused(self, peer: str) -> None:
        self._counters.add("refused robots")
        self.get_logger().warning(
            f"a further robot at {peer} was turned away: this bridge serves one; start another "
            "bridge with another port and namespace for it"
        )

    def _on_stray(self, text: str) -> None:
        self._counters.add("stray replies")
        self.get_logger().warning(text)

    # --- on the executor -------------------------------------------------------------------

    async def _halt(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        done: Completion[tuple[HaltAnswer, str]] = Completion(self)
        self._queue.halt(lambda answer, text: done.set((answer, text)))
        self._watch_time()
        answer, response.message = await done.wait()
        response.success = answer is HaltAnswer.HALTED
        return response

    async def _exit(self, request: Trigger.Request, response: Trigger.Response) -> Any:
        done: Completion[tuple[bool, str]] = Completion(self)
        self._queue.exit(lambda success, text: done.set((success, text)))
        self._watch_time()
        response.success, response.message = await done.wait()
        return response

    def _watch_time(self) -> None:
        if self._tick_timer.is_canceled():
            self._tick_timer.reset()

    def _tick(self) -> None:
        self._queue.tick()
        if not self._queue.busy:
            self._tick_timer.cancel()

    def _keep_house(self) -> None:
        self._topics.redraw()
        if (dropped := self._link.dropped_sightings) > self._flood_before:
            self._counters.add("dropped sightings", dropped - self._flood_before)
            self._flood_before = dropped
        if self._link.status.state is not LinkState.CONNECTED:
            return
        now = time.monotonic()
        if now - self._kept_alive >= KEEP_ALIVE_SECONDS:
            self._kept_alive = now
            try:
                self._link.send_keep_alive()
            except NotConnectedError:
                pass  # the link's thread reports the loss
        period = self._settings.probe_period
        if period and now - self._link.last_heard >= period:
            self._queue.probe()
            self._watch_time()


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(NaoBridge))
