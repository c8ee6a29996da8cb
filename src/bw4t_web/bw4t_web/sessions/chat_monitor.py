# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""All messages between players, for those who only watch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from bw4t_runner.world_port import PerceptSource, WorldPort
from bw4t_web.sessions.controls import Event
from bw4t_world.model.percepts import message_content
from bw4t_world.simulation.snapshots import Snapshot

Said = tuple[str, str]
"""Who said what."""


class ChatMonitor:
    """Reports every message between players once. Belongs to the world's thread.

    Only driven players are listened to: messages to others wait for their drivers, and must not
    be taken from them.
    """

    def __init__(self) -> None:
        self._consumers: dict[str, PerceptSource] = {}

    def listen(self, world: WorldPort, snapshot: Snapshot) -> tuple[Event, ...]:
        """Return what was said since the last call, and adapt to who is there now."""
        heard = {name: self._drain(consumer) for name, consumer in self._consumers.items()}
        played = {robot.name for robot in snapshot.robots if robot.is_played}
        played |= {other.name for other in snapshot.epartners if other.is_played}
        closed = [name for name, item in self._consumers.items() if not item.is_connected]
        for name in closed:
            del self._consumers[name]
        for name in self._consumers.keys() - played:
            self._consumers.pop(name).close()
        for name in sorted(played - self._consumers.keys()):
            self._consumers[name] = world.connect(name, player=False)
        return tuple(
            Event("message", text, snapshot.seconds, sender, _receiver(receivers, heard, sender))
            for (sender, text), receivers in merged(heard)
        )

    def stop(self) -> None:
        """Stop listening."""
        while self._consumers:
            self._consumers.popitem()[1].close()

    @staticmethod
    def _drain(consumer: PerceptSource) -> deque[Said]:
        if not consumer.is_connected:
            return deque()
        return deque(map(message_content, consumer.poll().named("message")))


def merged(heard: dict[str, deque[Said]]) -> Iterator[tuple[Said, set[str]]]:
    """Yield what was said with its receivers, once each, in an order that fits all of them.

    ``heard`` has what each player heard, in order; it is used up. Where the order between two
    messages is not known, because no player heard both, the one with more receivers comes first.
    """
    while any(heard.values()):
        heads = {queue[0] for queue in heard.values() if queue}
        # A message that a player heard after another one has to wait for that one.
        ready = [
            said
            for said in heads
            if all(queue[0] == said for queue in heard.values() if said in queue)
        ]
        receivers = {
            said: {name for name, queue in heard.items() if queue and queue[0] == said}
            for said in ready or heads
        }
        said = max(receivers, key=lambda said: (len(receivers[said]), said))
        for name in receivers[said]:
            heard[name].popleft()
        yield said, receivers[said]


def _receiver(receivers: set[str], listeners: Iterable[str], sender: str) -> str:
    """Return whom something was said to: ``all``, or names."""
    return "all" if set(listeners) - {sender} <= receivers else ", ".join(sorted(receivers))
