# SPDX-License-Identifier: Apache-2.0
"""What is said, for those who only watch: listens through the ears of all players."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from bw4t_bridge.web.controls import Event
from bw4t_world import Consumer, World
from bw4t_world.snapshots import Snapshot

Said = tuple[str, str]
"""Who said what."""


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
        return tuple(
            Event("message", text, snapshot.seconds, sender, _receiver(receivers, heard, sender))
            for (sender, text), receivers in merged(heard)
        )

    def stop(self) -> None:
        """Stop listening."""
        while self._ears:
            self._ears.popitem()[1].close()

    @staticmethod
    def _drain(ear: Consumer) -> deque[Said]:
        if not ear.is_connected:
            return deque()
        contents = [args if len(args) == 2 else args[0] for args in ear.poll().named("message")]
        return deque((str(sender), str(text)) for sender, text in contents)


def merged(heard: dict[str, deque[Said]]) -> Iterator[tuple[Said, set[str]]]:
    """Yield what was said with its receivers, once each, in an order that fits all of them.

    ``heard`` has what everybody heard, in order; it is used up. Where the order between two
    messages is not known, because nobody heard both, the one with more receivers comes first.
    """
    while any(heard.values()):
        heads = {queue[0] for queue in heard.values() if queue}
        # What somebody has yet to hear something else before can wait.
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
