# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with a system of another package, from what its entry in the registry says."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from legacy_robots_common import system as registry
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, KILL, STOP, System

SEEN_AS: Mapping[str, str] = MappingProxyType({"stall": "silence", "flood": "nothing"})
"""Where common faults are seen; any other ends the link."""


def campaign_of(declared: registry.System) -> type[System] | None:
    """Return the campaign with a system; None where its entry has no streams.

    Where it has no goals, data that flow again are the proof that all is well.
    """
    if not (declared.streams and declared.launch and declared.faults):
        return None
    expected = {fault: SEEN_AS.get(fault, "link") for fault in declared.faults}
    ended = dict.fromkeys(
        [f"{KILL}simulator", f"{KILL}{declared.bridge}", f"{STOP}{declared.bridge}"], "link"
    )
    given = {
        "name": declared.name,
        "launch": declared.launch,
        "node": declared.bridge,
        "declared": declared,
        "main_stream": tuple((interface_class(t), n) for n, t in declared.streams.items()),
        "faults": {**expected, **ended, **({CLIENT: "nothing"} if declared.goals else {})},
        "instant": frozenset({"cut", "flood", "garbage"}),
        "busy_when_down": frozenset({"flood"}),
    }
    return type(declared.name, (_WithGoals if declared.goals else _Registered,), given)


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
        return [*(f"{port.argument}:={self._ports()}" for port in self.declared.ports), *own]

    def under_way(self) -> list[Errand]:
        """Ask for nothing."""
        return []

    def proof(self) -> Errand:
        """Return that data flow."""
        return _DataFlow()


class _WithGoals(_Registered):
    """Sends the goals of ``declared.goals`` in turn."""

    _under_way: Sequence[ActionErrand] = ()

    @property
    def _goals(self) -> registry.Goals:
        assert self.declared.goals is not None
        return self.declared.goals

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too."""
        truth = self._goals.truth or ((),) * len(self._goals.examples)
        self._examples = itertools.cycle(zip(self._goals.examples, truth, strict=True))
        observer.watch_action(f"{self.namespace}/{self._goals.action}")
        return super().watch(peer, observer, launch)

    def under_way(self) -> list[Errand]:
        """Send a goal, and another one while it may be under way."""
        self._under_way = [self._next_goal(), self._next_goal()]
        return list(self._under_way)

    def client_goal(self) -> tuple[str, str, str]:
        """Return the next goal."""
        return self._goals.action, self._goals.type, json.dumps(next(self._examples)[0])

    def settled(self) -> None:
        """End the goals that the fault has left alone."""
        for goal in self._under_way:
            goal.cancel()

    def proof(self) -> Errand:
        """Send the next goal."""
        return self._next_goal()

    def _next_goal(self) -> ActionErrand:
        kind = interface_class(self._goals.type)
        example, logged = next(self._examples)
        mark = self._mark()
        return self._action(
            kind,
            self._goals.action,
            _filled(kind.Goal(), example),
            lambda: self._logged(mark, *logged),
            succeeded=None,
        )


def _filled(message: Any, fields: Mapping[str, Any]) -> Any:
    """Set the fields of a message, those of messages in it by mappings; return it."""
    for name, value in fields.items():
        inner = isinstance(value, Mapping)
        setattr(message, name, _filled(getattr(message, name), value) if inner else value)
    return message
