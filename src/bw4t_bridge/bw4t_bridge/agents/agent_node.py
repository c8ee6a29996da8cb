# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent of an example team, as a node: it drives one robot over ROS alone."""

from __future__ import annotations

import random
import sys
import threading
import traceback
from typing import Any

from bw4t_bridge.agents.parameters import AgentParameters
from bw4t_bridge.agents.ros_player import RosPlayer, Stopped
from bw4t_bridge.bridge.parameters import RANDOM_SEED
from bw4t_world import Profile
from bw4t_world.agents import Agent, team_kind
from bw4t_world.agents.epartner import EPartnerAgent
from bw4t_world.agents.teams import STEP_SECONDS
from bw4t_world.model.profiles import SPEC, profile_named
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_common.node.program_node import ProgramNode, StartupError
from legacy_robots_msgs.msg import Bw4tWorldState

RESTART_DELAY_S = 1.0
"""After a failure of the agent it begins anew, not sooner than this."""
WARNING_PERIOD_S = 10.0
"""Shortest time between two warnings of a world whose profile is not known."""


class Bw4tAgent(ProgramNode):
    """Drives one robot of a blocks world, on a thread of its own.

    It decides ten times in a simulated second. When the world begins again, so does the agent;
    so it does after an exception, which is logged. Raises ParameterError, and StartupError for an
    unknown team.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("agent", namespace="bw4t", **node_arguments)
        self._settings = declare_parameters(self, AgentParameters)
        try:
            self._make = team_kind(self._settings.team).make
        except ValueError as error:
            raise StartupError(f"team: {error}") from error
        self._seed = self._settings.seed
        if self._seed == RANDOM_SEED:
            self._seed = random.SystemRandom().randrange(2**32)
        self._profile = SPEC
        self._profile_known = threading.Event()
        self._stopped = threading.Event()
        speaks = isinstance(self._make, type) and issubclass(self._make, EPartnerAgent)
        self._player = RosPlayer(self, self._settings.player, is_robot=not speaks)
        self.create_subscription(Bw4tWorldState, "world_state", self._on_world_state, qos.LATCHED)
        self._thread = threading.Thread(target=self._run, name="agent", daemon=True)

    def start(self) -> None:
        """Begin to drive the robot."""
        self._thread.start()

    def stop(self) -> None:
        """Drive it no longer: it finishes its way, as in the original."""
        self._stopped.set()
        self._profile_known.set()
        self._player.stop()

    def close(self) -> None:
        """Wait for the agent's thread. Idempotent."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def destroy_node(self) -> None:
        """Destroy the action clients too, of which rclpy's node does not know."""
        self._player.destroy()
        super().destroy_node()

    def _on_world_state(self, message: Bw4tWorldState) -> None:
        try:
            self._profile = profile_named(message.profile)
        except ValueError as error:
            text = f"world_state: {error}; this world is ignored"
            self.get_logger().warning(text, throttle_duration_sec=WARNING_PERIOD_S)
        else:
            self._profile_known.set()

    # --- On the agent's thread -------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._profile_known.wait()
                self._player.wait_for_server()
                self._drive()
            except Stopped:
                return
            except Exception:
                self.on_exception("the agent", traceback.format_exc())
                self._stopped.wait(RESTART_DELAY_S)

    def _drive(self) -> None:
        profile = self._profile
        ticks = max(1, round(STEP_SECONDS / profile.tick_seconds))
        turn = self._settings.turn % ticks if self.follows_clock else None
        name, team = self._settings.player, self._settings.team
        run = self._player.wait(1)
        self.get_logger().info(f"driving {name}, team {team}, seed {self._seed}")
        agent = self._new_agent(profile)
        while True:
            now = self._player.wait(ticks, turn)
            if now != run:
                self.get_logger().info("the world began again")
                run, agent = now, self._new_agent(profile)
            agent.step()

    def _new_agent(self, profile: Profile) -> Agent:
        return self._make(self._player, seed=self._seed, phrasing=profile.message_phrasing)


def main() -> None:
    """Run the agent until SIGINT or SIGTERM."""
    sys.exit(run(Bw4tAgent, AgentParameters))
