# SPDX-License-Identifier: Apache-2.0
"""What is said, for those who only watch: listens through the ears of all players."""

from __future__ import annotations

from collections import Counter

from bw4t_bridge.web.controls import Event
from bw4t_world import Consumer, World
from bw4t_world.snapshots import Snapshot


class Overhearing:
    """Hears every message between players once. Belongs to the world's thread.

    Only those who are played have an ear here: messages to others wait for their players, and
    must not be taken from them.
    """

    def __init__(self) -> None:
        self._ears: dict[str, Consumer] = {}

    def listen(self, world: World, snapshot: Snapshot) -> tuple[Event, ...]:
        """Return what was said since the last call, and adapt to who is there now."""
        heard = {name: self._drain(ear) for name, ear in self._ears.items()}
        played = {robot.name for robot in snapshot.robots if robot.is_played}
        played |= {other.name for other in snapshot.epartners if other.is_played}
        for name in [name for name, ear in self._ears.items() if not ear.is_connected]:
            del self._ears[name]
        for name in self._ears.keys() - played:
            self._ears.pop(name).close()
        for name in sorted(played - self._ears.keys()):
            self._ears[name] = world.connect(name, player=False)
        return self._events(heard, snapshot.seconds)

    def stop(self) -> None:
        """Stop listening."""
        while self._ears:
            self._ears.popitem()[1].close()

    @staticmethod
    def _drain(ear: Consumer) -> list[tuple[str, str]]:
        if not ear.is_connected:
            return []
        contents = [args if len(args) == 2 else args[0] for args in ear.poll().named("message")]
        return [(str(sender), str(text)) for sender, text in contents]

    def _events(
        self, heard: dict[str, list[tuple[str, str]]], seconds: float
    ) -> tuple[Event, ...]:
        receivers: dict[tuple[str, str], Counter[str]] = {}
        for name, messages in heard.items():
            for message in messages:
                receivers.setdefault(message, Counter())[name] += 1
        events: list[Event] = []
        for (sender, text), counts in receivers.items():
            everybody = heard.keys() - {sender} <= counts.keys()
            to = "all" if everybody else ", ".join(sorted(counts))
            events += [Event("message", text, seconds, sender, to)] * max(counts.values())
        return tuple(events)
