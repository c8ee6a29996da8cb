# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Speaks the lines of the Java program OriginalClient, strictly, over a world of ours.

``original_client AGENTS HUMANS REFUSAL_FILE``. Where the file exists its text is the refusal.
``stall`` as a file beside it has the program answer no more, ``freeze`` its world move no more.
As the server, it tells a client what another has been told only where it changes: after ``leave``
there is the file ``told``. Time passes ten times as fast.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from bw4t_java.eis.values import map_value, parse_request, percept_value, update_value
from bw4t_world import ActionError, Percept, World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Controller, Scenario

SPEED = 10.0
FIELDS = {
    "poll": {"id", "op"},
    "start": {"id", "op"},
    "pause": {"id", "op"},
    "leave": {"id", "op"},
    "act": {"id", "op", "entity", "action", "args"},
}


class SimulatedClient:
    """The world behind the lines, and the events that a poll reports."""

    def __init__(self, agents: int, humans: int, folder: Path) -> None:
        self._freeze = folder / "freeze"
        self._told = folder / "told"
        bots = (
            BotSpec(amount=agents),
            BotSpec(name="Human", controller=Controller.HUMAN, amount=humans),
        )
        scenario = Scenario(bots=tuple(bot for bot in bots if bot.amount))
        self._world = World(load_map("nine_rooms"), scenario, profile="server_3_8_1", seed=1)
        self._consumers = {name: self._world.connect(name) for name in self._world.names}
        if self._told.exists():
            for consumer in self._consumers.values():
                consumer.poll()
        self._world.pause()
        self._passed_until = time.monotonic()
        self._events: list[list[str]] = []

    def first(self) -> dict[str, Any]:
        """Return the first line: the map and the robots."""
        snapshot = self._world.snapshot()
        return {
            "event": "connected",
            "eis": "0.5",
            "server": str(self._told),
            "state": "PAUSED",
            "map": map_value(snapshot.map),
            "entities": [[robot.name, robot.kind] for robot in snapshot.robots],
        }

    def answer(self, line: bytes) -> dict[str, Any]:
        """Return the answer to a line; a line with other fields than the client's ends it."""
        request = parse_request(line)
        assert set(request) == FIELDS[request["op"]], request
        self._pass_time()
        try:
            value = getattr(self, f"_{request['op']}")(request)
        except ActionError as error:
            return {"id": request["id"], "error": "ActException", "text": str(error)}
        return {"id": request["id"], "value": value}

    def _pass_time(self) -> None:
        now = time.monotonic()
        ticks = int((now - self._passed_until) * SPEED / self._world.profile.tick_seconds)
        self._passed_until = now
        if not self._world.is_paused and not self._freeze.exists():
            self._world.step(ticks)

    def _poll(self, _: dict[str, Any]) -> dict[str, Any]:
        events, self._events = self._events, []
        updates = {name: update_value(who.poll()) for name, who in self._consumers.items()}
        return {"percepts": updates, "events": events}

    def _act(self, request: dict[str, Any]) -> Any:
        name, action = request["entity"], request["action"]
        outcome = self._world.act(name, action, *request["args"])
        if action != "checkSequenceDone":
            return None
        return percept_value(Percept(action, (outcome.value,)))

    def _start(self, _: dict[str, Any]) -> None:
        self._world.resume()
        self._events.append(["state", "RUNNING"])

    def _leave(self, _: dict[str, Any]) -> None:
        self._told.write_text("")

    def _pause(self, _: dict[str, Any]) -> None:
        self._world.pause()
        self._events.append(["state", "PAUSED"])


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer the lines of standard input on standard output until it ends."""
    refusal = Path(sys.argv[3])
    if refusal.exists():
        _say({"event": "refused", "text": refusal.read_text()})
        sys.exit(1)
    client = SimulatedClient(int(sys.argv[1]), int(sys.argv[2]), refusal.parent)
    _say(client.first())
    for line in sys.stdin.buffer:
        answer = client.answer(line)
        if refusal.with_name("stall").exists():
            sys.stdin.read()
        _say(answer)


if __name__ == "__main__":
    main()
