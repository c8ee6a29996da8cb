# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world in ROS: jitter and load with 3, 10 and 50 players, latency beside a floor."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from ament_index_python.packages import get_package_prefix
from rclpy.serialization import deserialize_message

from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.maps.writer import write_map
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tMap, Bw4tPercepts
from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from legacy_robots_testing.ros_peer import RosPeer
from measure.bench.arrivals import Arrivals, Listener, latencies, stamp_ns
from measure.bench.floor import floor
from measure.bench.table import Row, Table, latency_text
from measure.processes import cpu_percent

SERVER = get_package_prefix("bw4t_bridge") + "/lib/bw4t_bridge/server"
TYPE = "legacy_robots_msgs/msg/Bw4tPercepts"
TICK = 0.02
PLAYERS = (3, 10, 50)
CPU_TARGETS = {10: 50, 50: 60}
"""Load of the server, in % of a core, by number of players; their p99 lateness is below a tick."""
FLOOR_PLAYERS = 10
"""Beside more players no floor runs: the two and their subscriber want more than two cores."""
RATIO_TARGET = 1.3
RECORDED_S = 3.0


class Driver:
    """Keeps all robots on their way, over ROS, one new goal a robot every two seconds."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._stop = threading.Event()
        self._round = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def wait_for_round(self) -> None:
        """Wait until every robot has had its first goal."""
        self._round.wait(120.0)

    def close(self) -> None:
        """Send no more goals."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        choose = random.Random(1)
        with RosPeer("driver", "bw4t") as peer:
            zones = peer.subscribe(Bw4tMap, "map").wait_for().zones
            places = [zone.name for zone in zones if not zone.doors]
            while not self._stop.is_set():
                for number in range(1, self._players + 1):
                    goal = Bw4tGoTo.Goal(place=choose.choice(places))
                    peer.send_goal(Bw4tGoTo, f"Bot_{number}/go_to", goal, 60.0)
                    if self._stop.wait(2.0 / self._players):
                        return
                self._round.set()


def lateness(arrivals: Arrivals) -> tuple[list[float], int]:
    """Return by how much each tick began later than due (s), and how many messages were lost.

    The most punctual tick was on time.
    """
    messages = [(stamp_ns(raw), deserialize_message(raw, Bw4tPercepts)) for _, raw in arrivals]
    behind = [stamp / 1e9 - message.tick * TICK for stamp, message in messages]
    lost = messages[-1][1].cycle - messages[0][1].cycle + 1 - len(messages)
    return [value - min(behind) for value in behind], lost


def measure(table: Table, map_file: Path, players: int, seconds: float) -> None:
    """Add the rows of a number of players."""
    target = CPU_TARGETS.get(players)
    types = {f"/bw4t/Bot_{number}/percepts": TYPE for number in range(1, players + 1)}
    with ExitStack() as stack:
        server = stack.enter_context(
            Process([SERVER, "--ros-args", "-p", f"map:={map_file}", "-p", f"robots:={players}",
                     "-p", "seed:=1"])
        )  # fmt: skip
        server.wait_for_line("the world is up", 60)
        stack.enter_context(closing(Driver(players))).wait_for_round()
        both = dict(types)
        with Listener(types) as listener:
            time.sleep(RECORDED_S)
            recorded = listener.stop()
        if players <= FLOOR_PLAYERS:
            stack.enter_context(floor(recorded, types))
            both |= {f"/floor{topic}": TYPE for topic in types}
        with Listener(both) as listener:
            begun = time.time_ns()
            load = cpu_percent(server.pid, seconds)
            seen = {t: [a for a in got if a[0] > begun] for t, got in listener.stop().items()}
    alone = {f"/floor{topic}": TYPE for topic in types}
    with floor(recorded, types, serialized=True) as bare, Listener(alone):
        least = cpu_percent(bare.pid, seconds)
    late, lost = lateness(seen["/bw4t/Bot_1/percepts"])
    lost += sum(lateness(seen[topic])[1] for topic in [*types][1:])
    received = sum(len(seen[topic]) for topic in types)
    name = f"{players} players"
    table.rows.append(
        Row(
            f"{name}: CPU of the server",
            f"{load:.1f} % of a core",
            f"{least:.1f} % (bytes that are ready, from rclpy, afterwards)",
            f"{load / least:.2f}",
            "" if target is None else f"<= {target} %",
            None if target is None else load <= target,
        )
    )
    p99 = percentile(late, 99)
    table.add(
        f"{name}: tick lateness",
        f"median {percentile(late, 50) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, "
        f"worst {max(late) * 1e3:.1f} ms",
        "" if target is None else "p99 < 20 ms",
        None if target is None else p99 < TICK,
    )
    table.add(f"{name}: percept messages lost", f"{lost} of {received}", "0", lost == 0)
    ours = [value for topic in types for value in latencies(seen[topic])]
    floors = [v for topic in both.keys() - types.keys() for v in latencies(seen[topic])]
    if floors:
        table.add_ratio(f"{name}: tick to subscriber", ours, floors, RATIO_TARGET)
    else:
        table.add(f"{name}: tick to subscriber", latency_text(ours))


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench bw4t", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of watching each set-up")
    parser.add_argument(
        "--players", type=int, nargs="*", default=PLAYERS, help="numbers of players"
    )
    options = parser.parse_args(argv)
    table = Table("The blocks world (bench bw4t), all robots moving, 50 ticks a second")
    with ExitStack() as stack:
        own_domain(stack)
        map_file = Path(stack.enter_context(tempfile.TemporaryDirectory()), "nine_rooms.map")
        (start, *_) = nine_rooms().entities  # robots do not collide: there is room for all
        write_map(
            replace(nine_rooms(), entities=(start,) * max(options.players, default=1)), map_file
        )
        for players in options.players:
            measure(table, map_file, players, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
