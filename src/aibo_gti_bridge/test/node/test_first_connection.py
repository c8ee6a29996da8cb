# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals for an AIBO that is started after them."""

import pytest
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import AiboOutcome
from legacy_robots_trajectories.joint_trajectory import Outcome

pytestmark = pytest.mark.node


def waits(scene, count):
    """Wait until ``link_state`` shows how many goals wait."""
    scene.link.wait_for(lambda m: m.detail.endswith(f"wait for the first connection: {count}"))


GOALS = {
    "search_ball": lambda scene: scene.search("pink", 30.0),
    "walk_steps": lambda scene: scene.steps(x=0.1),
    "play_motion": lambda scene: scene.play("sit"),
}


@pytest.mark.parametrize("name", GOALS)
def test_a_goal_that_comes_before_the_robot(world, name):
    with world(is_there=False) as scene:
        goal = GOALS[name](scene)
        waits(scene, 1)
        scene.simulator.start()
        assert goal.result().outcome.code == AiboOutcome.SUCCEEDED


def test_a_trajectory_that_comes_before_the_robot(world):
    with world(is_there=False) as scene:
        goal = scene.follow(["neck_pan"], (1.0, [0.5]))
        waits(scene, 1)
        scene.simulator.start()
        result = goal.result()
        assert result.error_code == Outcome.SUCCEEDED, result.error_string


def test_the_newer_of_two_goals_that_wait_takes_the_joints(world):
    with world(is_there=False) as scene:
        older = scene.play("stretch")
        waits(scene, 1)
        newer = scene.play("sit")
        waits(scene, 2)
        scene.simulator.start()
        assert older.result().outcome.code == AiboOutcome.INTERRUPTED
        assert newer.result().outcome.code == AiboOutcome.SUCCEEDED


def test_a_stop_ends_goals_that_wait_for_the_robot(world):
    with world(is_there=False) as scene:
        goal = scene.play("sit")
        waits(scene, 1)
        assert not scene.peer.call(Trigger, "/aibo/stop").success
        outcome = goal.result().outcome
        assert outcome.code == AiboOutcome.LINK_LOST
        assert outcome.message == "the service stop was called before the first connection"
