# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The host node: a robot in ROS 2 in a Nao's place towards GOAL.

An agent's commands over the GOAL-Nao protocol become goals of a navigation, and of actions that
pick up and put down. Its reports come from /tf, a room map, detections and results.
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_core.link.base import LinkFault, NotConnectedError
from legacy_robots_core.link.tcp import Role
from nao_goal_bridge.host.body import HostBody
from nao_goal_bridge.host.link import HostLink
from nao_goal_bridge.host.parameters import Parameters
from nao_goal_bridge.model.room_map import RoomMapError, load_room_map
from nao_goal_bridge.protocol.dialects import Dialect, Profile
from nao_goal_bridge.protocol.events import Agent, Event

LOOK_PERIOD_S = 0.1
MOST_WAITING = 1000
"""Commands that the agent may send before they are looked at."""
GREETING_TIMEOUT_S = 3.0
"""How long an agent waits for its greeting while the robot's place is not known."""


class NaoHost(BridgeNode):
    """Serves one agent that was written for a Nao with a robot in ROS.

    The link's thread hands over what comes, in order; all else happens on the executor. Raises
    ParameterError, or StartupError for a room map that cannot be used.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(
            "host", hardware_id="GOAL-Nao host", **{"namespace": "nao_host", **node_arguments}
        )
        p = self._settings = declare_parameters(self, Parameters)
        try:
            dialect = Dialect(Profile(p.profile), p.code_width)
        except ValueError as error:
            raise ParameterError(f"parameter 'code_width': {error}") from error
        try:
            room_map = load_room_map(p.room_map)
            self._body = HostBody(self, p, room_map, self._emit, self._on_lost)
        except (RoomMapError, ValueError, ImportError) as error:
            raise StartupError(str(error)) from error
        self._inbox: deque[Callable[[], object]] = deque()
        self._is_called = False  # _empty_inbox, soon
        self._greeting_due = math.inf
        self._served = 0  # number of the connection whose agent was greeted
        self._left = 0  # number of the connection that ended with Exit
        self._agent = HostLink(Role(p.role), p.host, p.port, self, dialect=dialect)
        self.use_link(self._agent)
        self.steady_timer(LOOK_PERIOD_S, self._look)

    def diagnostics(self) -> Mapping[str, str]:
        """Return profile, room and what is held for /diagnostics."""
        held, room = self._body.held, self._body.senses.room
        return {
            "profile": self._settings.profile,
            "room": "unknown" if room is None else str(room),
            "holds": "nothing" if held is None else str(held),
            "command": str(self._body.sequence.running or "none"),
        }

    # --- on the link's thread --------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        """Take a command. Raises LinkFault for an agent that sends too many."""
        if len(self._inbox) >= MOST_WAITING:
            raise LinkFault("the agent sends commands faster than they are answered")
        self.counters.add("commands")
        self._hand_over(lambda: self._take(event))

    def on_connected(self) -> None:
        """Greet the agent."""
        number = self._agent.status.connections
        self._greeting_due = time.monotonic() + GREETING_TIMEOUT_S
        self._hand_over(lambda: self._greet(number))

    def make_safe(self, reason: str) -> None:
        """Stop the robot, as no agent controls it."""
        if self.stopping:
            self._body.abandon()
        else:
            self._hand_over(self._body.abandon)

    def _hand_over(self, function: Callable[[], object]) -> None:
        """Call ``function`` on the executor, in order, which its tasks do not keep."""
        self._inbox.append(function)
        self._call_for_inbox()

    def _call_for_inbox(self) -> None:
        if not self._is_called:
            self._is_called = True
            self.call_soon(self._empty_inbox)

    def on_exception(self, where: str, text: str) -> None:
        """Report an exception; a command that it has interrupted is not left unanswered."""
        super().on_exception(where, text)
        if not self.stopping:
            self._hand_over(lambda: self._on_lost(f"an unexpected exception in {where}"))

    # --- on the executor -------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether what was under way has been cancelled."""
        return super().settled and self._body.idle

    def destroy_node(self) -> None:
        """Destroy the action clients too."""
        self._body.destroy()
        super().destroy_node()

    def _empty_inbox(self) -> None:
        """Do what has come until now; what comes meanwhile leaves others their turn first."""
        self._is_called = False  # before it is looked at what there is: none is overlooked
        for _ in range(len(self._inbox)):
            if self._must_wait:
                return  # the next look goes on
            self._inbox.popleft()()
        if self._inbox:
            self._call_for_inbox()

    @property
    def _must_wait(self) -> bool:
        """Whether an agent is connected that has to hear first where the robot is."""
        due = self._body.senses.room is not None or time.monotonic() >= self._greeting_due
        return self._agent.status.connections != self._served and not due

    def _greet(self, connection: int) -> None:
        if connection == self._agent.status.connections:
            self._served = connection
            self._body.greet(Agent(self._settings.agent_id))

    def _take(self, command: Any) -> None:
        self._body.sequence.command(command)
        self.get_logger().info(f"the agent commands {command}")  # afterwards: it takes its time

    def _look(self) -> None:
        self._body.look(LOOK_PERIOD_S)
        self._empty_inbox()
        if self._body.sequence.exited and self._left != self._served:
            self._left = self._served
            self._exit()

    def _exit(self) -> None:
        self.get_logger().info("the agent has told the robot to exit")
        if self._settings.exit_program:
            self.exit_code = 0
        else:
            self._agent.hang_up("the agent has told the robot to exit")

    def _emit(self, event: Event) -> None:
        """Report to the agent, unless another agent has connected since the greeting."""
        if self._agent.status.connections != self._served:
            return
        try:
            self._agent.report(event)
            self.counters.add("events")
        except NotConnectedError:
            pass  # without an agent: the next greeting reports it again

    def _on_lost(self, reason: str) -> None:
        self.get_logger().error(
            f"Error: {reason}; commands are refused until the agent reconnects"
        )
        self._body.break_down()


def main() -> None:
    """Run the host until SIGINT, SIGTERM or Exit."""
    sys.exit(run(NaoHost, Parameters))
