# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Load for the blocks world: goals over ROS for all robots."""

from __future__ import annotations

import random
import threading


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
        from legacy_robots_msgs.action import Bw4tGoTo
        from legacy_robots_msgs.msg import Bw4tMap
        from legacy_robots_testing.ros_peer import RosPeer

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
