# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with a system from what its entry in the registry says."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from sensor_msgs.msg import JointState

from legacy_robots_common import system as registry
from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, End, Errand, ServiceErrand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, KILL, STOP, System, becomes_true

SEEN_AS: Mapping[str, str] = MappingProxyType({"stall": "silence", "flood": "nothing"})
"""Where common faults are seen, unless the entry says otherwise; any other ends the link."""
TRAJECTORY = "control_msgs/action/FollowJointTrajectory"
TOLERANCE = 0.1
"""rad or m, of a joint at the end of its trajectory."""


def campaign_of(declared: registry.System) -> type[System] | None:
    """Return the campaign with a system; None where its entry has no streams.

    Where it has no goals, data that flow again are the proof that all is well.
    """
    if not (declared.streams and declared.launch and declared.faults):
        return None
    seen = {**SEEN_AS, **declared.faults_seen}
    goals = declared.goals
    ended = dict.fromkeys(
        [f"{KILL}simulator", f"{KILL}{declared.bridge}", f"{STOP}{declared.bridge}"], "link"
    )
    of_client = {CLIENT: "nothing"} if any("/action/" in each.type for each in goals) else {}
    given = {
        "name": declared.name,
        "launch": declared.launch,
        "node": declared.bridge,
        "declared": declared,
        "goals": goals,
        "main_stream": tuple((interface_class(t), n) for n, t in declared.streams.items()),
        "faults": {f: seen.get(f, "link") for f in declared.faults} | ended | of_client,
        "instant": frozenset({"cut", "flood", "garbage", "error", "redial", "flap", "long-leg"}),
        "busy_when_down": frozenset({"flood", "bad_image"}),
    }
    return type(declared.name, (_WithGoals if goals else _Registered,), given)


class _DataFlow:
    """An errand that has ended well, as it is asked for once data flow."""

    name = "data flow"

    def end(self, timeout: float) -> End:
        """Return that it has succeeded."""
        return End(succeeded=True)


class _Registered(System):
    """Watches its streams."""

    declared: ClassVar[registry.System]

    def arguments(self) -> list[str]:
        """Return free ports, and names of its own."""
        own = [f"{name}:=faults{self._ports()}" for name in self.declared.own_arguments]
        own += [f"{name}:={value}" for name, value in self.declared.campaign.items()]
        return [*(f"{port.argument}:={self._ports()}" for port in self.declared.ports), *own]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Begin to watch each stream."""
        self._peer, self._observer, self._launch = peer, observer, launch
        return [Stream(peer, (k, f"{self.namespace}/{topic}")) for k, topic in self.main_stream]

    def under_way(self) -> list[Errand]:
        """Ask for nothing."""
        return []

    def proof(self) -> Errand:
        """Return that data flow."""
        return _DataFlow()


class _WithGoals(_Registered):
    """Sends the goals that its entry names, each action's in turn."""

    goals: ClassVar[tuple[registry.Goals, ...]]
    _under_way: tuple[Errand, ...] = ()

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and joints where they are to turn."""
        self._examples: dict[int, Iterator[tuple[Mapping[str, Any], tuple[str, ...]]]] = {
            number: itertools.cycle(
                zip(each.examples, each.truth or ((),) * len(each.examples), strict=True)
            )
            for number, each in enumerate(self.goals)
        }
        for each in self.goals:
            if "/action/" in each.type:
                observer.watch_action(f"{self.namespace}/{each.action}")
        if any(each.type == TRAJECTORY for each in self.goals):
            states = f"{self.namespace}/joint_states"
            self._states = peer.subscribe(JointState, states, qos.stream(100))
        return super().watch(peer, observer, launch)

    def before_fault(self) -> None:
        """Forget the goals of the fault before, which may be those of another launch."""
        self._under_way = ()
        if hasattr(self, "_states"):
            self._states.clear()

    def under_way(self) -> list[Errand]:
        """Send two goals, the second while the first may be under way; call a service once.

        What is called after it would wait for the robot with the time-out of its own.
        """
        numbers = (
            range(1, len(self.goals)) if len(self.goals) > 2 else [*range(len(self.goals))] * 2
        )
        wanted = 2 if any("/action/" in each.type for each in self.goals) else 1
        self._under_way = tuple(map(self._ask, self._chance.sample(numbers, wanted)))
        return list(self._under_way)

    def client_goal(self) -> tuple[str, str, str]:
        """Return the next goal of an action."""
        number = self._chance.choice([n for n, g in enumerate(self.goals) if "/action/" in g.type])
        goals = self.goals[number]
        return goals.action, goals.type, json.dumps(next(self._examples[number])[0])

    def settled(self) -> None:
        """End the goals that the fault has left alone."""
        for goal in self._under_way:
            if isinstance(goal, ActionErrand):
                goal.cancel()

    def proof(self) -> Errand:
        """Send the next goal of the first action."""
        return self._ask(0)

    def _ask(self, number: int) -> Errand:
        goals, (example, logged), mark = (
            self.goals[number],
            next(self._examples[number]),
            self._mark(),
        )
        kind = interface_class(goals.type)

        def truth() -> bool:
            if goals.type == TRAJECTORY and not logged:
                return self._moved(example["trajectory"], states)
            return self._logged(mark, *logged)

        if "/srv/" in goals.type:
            return ServiceErrand(
                self._peer, kind, f"{self.namespace}/{goals.action}",
                filled(kind.Request(), example), truth, may_die=self.killing_the_bridge,
            )  # fmt: skip
        states = len(self._states.items) if goals.type == TRAJECTORY else 0
        goal = filled(kind.Goal(), example)
        return self._action(kind, goals.action, goal, truth, succeeded=succeeded)

    def _moved(self, trajectory: Mapping[str, Any], mark: int) -> bool:
        """Return whether the joints have been seen at the end of a trajectory, after a mark."""
        wanted = dict(
            zip(trajectory["joint_names"], trajectory["points"][-1]["positions"], strict=True)
        )

        def has_been_there() -> bool:  # another goal may have moved it on by now
            return any(
                all(
                    abs(state.position[state.name.index(joint)] - position) < TOLERANCE
                    for joint, position in wanted.items()
                )
                for state in self._states.items[mark:]
            )

        return becomes_true(has_been_there)


def succeeded(result: Any) -> bool | None:
    """Return whether a result says so; None where it has no field for it that is known."""
    if hasattr(result, "outcome"):
        return bool(result.outcome.code == 0)
    return bool(result.error_code == 0) if hasattr(result, "error_code") else None


def filled(message: Any, fields: Mapping[str, Any]) -> Any:
    """Set the fields of a message, those of messages in it by (lists of) mappings; return it."""
    kinds = message.get_fields_and_field_types()
    for name, value in fields.items():
        inner = re.match(r"(?:sequence<)?(\w+)/(\w+)", kinds[name])
        if isinstance(value, Mapping):
            value = filled(getattr(message, name), value)
        elif inner and isinstance(value, Sequence):
            kind = interface_class(f"{inner[1]}/msg/{inner[2]}")
            value = [filled(kind(), item) for item in value]
        setattr(message, name, value)
    return message
