# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A picture of the state machines, the present states lit: the topic ``behaviour_graph``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from std_msgs.msg import String

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from luar_bridge.model.behaviour import Machine
from luar_bridge.protocol.fsm_states import MACHINES, SET_STATE, Transition
from luar_tools.state_machines.drawing import svg
from luar_tools.state_machines.machine import Jump, StateMachine
from luar_tools.state_machines.machine import Transition as Way
from luar_tools.state_machines.reader import MachineFileError, read_machines

ROLES = {"game": "GameFSM", "body": "BodyFSM", "head": "HeadFSM", "motion": "Motion"}
"""What the files call the machines."""
MOST_WAYS = 200
"""Of a machine that are learnt: a robot's memory is not trusted."""


class BehaviourGraph:
    """Draws the machines of ``files``, and of others what was seen of them. On the executor.

    Raises ParameterError for a file that cannot be read.
    """

    def __init__(self, node: BridgeNode, files: Sequence[str]) -> None:
        self._publisher = qos.publisher(node, String, "behaviour_graph", qos.LATCHED)
        self._subscribers = 0
        self._machines: dict[str, StateMachine] = {}
        self._learnt: set[str] = set(MACHINES)
        self._changed = True
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
        self._changed = True

    def publish(self, present: Mapping[str, Machine]) -> None:
        """Publish the picture if it has changed, or to a new subscriber."""
        subscribers = self._publisher.get_subscription_count()
        is_new, self._subscribers = subscribers > self._subscribers, subscribers
        if not subscribers or not (is_new or self._changed):
            return
        self._changed = False
        machines = [self._machines[name] for name in MACHINES if name in self._machines]
        lit = {machine.state for machine in present.values()}
        self._publisher.publish(String(data=svg(machines, lit, set(self._last.values()))))

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
