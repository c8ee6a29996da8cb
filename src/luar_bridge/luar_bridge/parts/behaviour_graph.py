# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the state machines, the present states lit: behaviour_graph, behaviour_dot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rclpy.publisher import Publisher
from std_msgs.msg import String

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.times import time_message
from luar_bridge.model.behaviour import Machine
from luar_bridge.protocol.fsm_states import MACHINES, SET_STATE, Transition
from luar_tools.state_machines.drawing import dot, svg
from luar_tools.state_machines.machine import Jump, StateMachine
from luar_tools.state_machines.machine import Transition as Way
from luar_tools.state_machines.reader import MachineFileError, read_machines

ROLES = {"game": "GameFSM", "body": "BodyFSM", "head": "HeadFSM", "motion": "Motion"}
"""What the files call the machines."""
MOST_WAYS = 200
"""Of a machine that are learnt: a robot's memory is not trusted."""


class _Picture:
    """One form of the graph."""

    def __init__(self, publisher: Publisher) -> None:
        self.publisher, self.changed = publisher, True
        self._subscribers = 0

    def is_due(self) -> bool:
        """Whether to publish: it has changed, or has a new subscriber."""
        subscribers = self.publisher.get_subscription_count()
        is_new, self._subscribers = subscribers > self._subscribers, subscribers
        if not subscribers or not (is_new or self.changed):
            return False
        self.changed = False
        return True


def _title(name: str, machine: Machine) -> str:
    """Return when a machine has entered its state, in local time, and by what."""
    since = datetime.fromtimestamp(time_message(machine.since).sec).strftime("%H:%M:%S")
    by = f", by {machine.event}" if machine.event else ""
    return f"{name}: {machine.state} since {since}{by}"


class BehaviourGraph:
    """Draws the machines of ``files``, and of others what was seen of them. On the executor.

    Raises ParameterError for a file that cannot be read.
    """

    def __init__(self, node: BridgeNode, files: Sequence[str]) -> None:
        self._pictures = [
            _Picture(qos.publisher(node, String, name, qos.LATCHED))
            for name in ("behaviour_graph", "behaviour_dot")
        ]
        self._machines: dict[str, StateMachine] = {}
        self._learnt: set[str] = set(MACHINES)
        self._last: dict[str, tuple[str, str]] = {}
        names = {role: name for name, role in ROLES.items()}
        for file in filter(None, files):
            try:
                machines = read_machines(Path(file))
            except MachineFileError as error:
                raise ParameterError(f"parameter 'state_machines': {error}") from error
            for machine in machines:
                name = names.get(machine.role, machine.role)
                self._machines[name] = machine
                self._learnt.discard(name)

    def take(self, present: Mapping[str, Machine], transitions: Sequence[Transition]) -> None:
        """Take where the machines are and what they did."""
        for t in transitions:
            self._learn(t.machine, t)
            self._last[t.machine] = (t.source, t.target)
        for name, machine in present.items():
            self._learn(name, Transition(0, 0.0, name, "", machine.previous, machine.state))
        for picture in self._pictures:
            picture.changed = True

    def publish(self, present: Mapping[str, Machine]) -> None:
        """Publish pictures that have changed, or to a new subscriber."""
        picture, graph = self._pictures
        machines = [self._machines[name] for name in MACHINES if name in self._machines]
        now = {machine.state for machine in present.values()}, set(self._last.values())
        if picture.is_due():
            picture.publisher.publish(String(data=svg(machines, *now)))
        if graph.is_due():
            titles = {ROLES[name]: _title(name, machine) for name, machine in present.items()}
            graph.publisher.publish(String(data=dot(machines, *now, titles)))

    def _learn(self, name: str, t: Transition) -> None:
        """Add states and transitions that no file has said."""
        if name not in self._learnt:
            return
        machine = self._machines.get(name, StateMachine(ROLES[name], (), ()))
        if len(machine.transitions) + len(machine.jumps) >= MOST_WAYS:
            return
        begins = [t.target] if t.number and not t.source else []
        states = dict.fromkeys((*begins, *machine.states, *filter(None, (t.source, t.target))))
        ways, jumps = dict.fromkeys(machine.transitions), dict.fromkeys(machine.jumps)
        if t.source and t.event == SET_STATE:
            jumps[Jump(ROLES[name], t.source, "", ROLES[name], t.target)] = None
        elif t.source and t.event:
            ways[Way(t.source, t.event, t.target)] = None
        self._machines[name] = StateMachine(
            ROLES[name], tuple(states), tuple(ways), jumps=tuple(jumps)
        )
