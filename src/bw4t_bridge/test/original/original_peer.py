# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Speaks the lines of the Java program OriginalClient, strictly, over a world of ours.

``original_peer.py AGENTS HUMANS REFUSAL_FILE``. Where the file exists its text is the refusal.
``stall`` as a file beside it has the peer answer no more, ``freeze`` its world move no more. Time
passes ten times as fast.
"""

import json
import sys
import time
from pathlib import Path

from bw4t_bridge.bridge.participants import default_scenario
from bw4t_bridge.eis.values import map_value, parse_request, percept_value, update_value
from bw4t_world import ActionError, Percept, World
from bw4t_world.maps import load_map

SPEED = 10.0
FIELDS = {
    "poll": {"id", "op"},
    "start": {"id", "op"},
    "pause": {"id", "op"},
    "act": {"id", "op", "entity", "action", "args"},
}


class Peer:
    def __init__(self, agents, humans, freeze):
        self.freeze = freeze
        scenario = default_scenario(agents, humans)
        self.world = World(load_map("nine_rooms"), scenario, profile="server_3_8_1", seed=1)
        self.consumers = {name: self.world.connect(name) for name in self.world.names}
        self.world.pause()
        self.passed_until = time.monotonic()
        self.events = []

    def first(self):
        snapshot = self.world.snapshot()
        return {
            "event": "connected",
            "eis": "0.5",
            "state": "PAUSED",
            "map": map_value(snapshot.map),
            "entities": [[robot.name, robot.kind] for robot in snapshot.robots],
        }

    def pass_time(self):
        now = time.monotonic()
        ticks = int((now - self.passed_until) * SPEED / self.world.profile.tick_seconds)
        self.passed_until = now
        if not self.world.is_paused and not self.freeze.exists():
            self.world.step(ticks)

    def answer(self, line):
        request = parse_request(line)
        assert set(request) == FIELDS[request["op"]], request
        self.pass_time()
        try:
            value = getattr(self, request["op"])(request)
        except ActionError as error:
            return {"id": request["id"], "error": "ActException", "text": str(error)}
        return {"id": request["id"], "value": value}

    def poll(self, _):
        events, self.events = self.events, []
        updates = {name: update_value(who.poll()) for name, who in self.consumers.items()}
        return {"percepts": updates, "events": events}

    def act(self, request):
        name, action = request["entity"], request["action"]
        outcome = self.world.act(name, action, *request["args"])
        if action != "checkSequenceDone":
            return None
        return percept_value(Percept(action, (outcome.value,)))

    def start(self, _):
        self.world.resume()
        self.events.append(["state", "RUNNING"])

    def pause(self, _):
        self.world.pause()
        self.events.append(["state", "PAUSED"])


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    refusal = Path(sys.argv[3])
    if refusal.exists():
        say({"event": "refused", "text": refusal.read_text()})
        sys.exit(1)
    peer = Peer(int(sys.argv[1]), int(sys.argv[2]), refusal.with_name("freeze"))
    say(peer.first())
    for line in sys.stdin.buffer:
        answer = peer.answer(line)
        if refusal.with_name("stall").exists():
            sys.stdin.read()
        say(answer)


if __name__ == "__main__":
    main()
