# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Keyframe motions of the real node in real segments, whose motors follow as the original's do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_msgs.action import LuarPlayMotion
from legacy_robots_msgs.msg import LinkState, LuarOutcome
from legacy_robots_msgs.srv import LuarListMotions
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import Goal, RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.model.joint_limits import joint_limits
from luar_tools.keyframes.limits import NAO_LIMITS, excesses
from luar_tools.keyframes.motion_library import OWN, MotionLibrary

pytestmark = pytest.mark.node

HEAD = """return {servos = {1, 2}, keyframes = {
  {angles = {0.5, 0.9}, duration = 0.3, stiffness = {0.4, 0.5}},
  {angles = {-0.5, 0.1}, duration = 0.1},
}}"""
LONG = "return {servos = {1}, keyframes = {{angles = {1}, duration = 30}}}"


class Scene:
    """A bridge, a body, and a user's node."""

    def __init__(self, nao: Any, peer: RosPeer) -> None:
        self.nao, self.peer = nao, peer

    def send(self, name: str, **request: Any) -> Goal:
        goal = LuarPlayMotion.Goal(name=name, **request)
        return self.peer.send_goal(LuarPlayMotion, "/luar/play_motion", goal)

    def end(self, name: str, **request: Any) -> Any:
        return self.send(name, **request).end()

    def under_way(self) -> Goal:
        goal = self.send("long")
        goal.feedback.wait_for(lambda m: m.elapsed > 0.2)
        return goal


@pytest.fixture
def make_scene(
    user: str, make_body: Any, tmp_path: Path
) -> Callable[..., AbstractContextManager[Scene]]:
    (tmp_path / "head.lua").write_text(HEAD)
    (tmp_path / "long.lua").write_text(LONG)
    (tmp_path / "broken.lua").write_text("return os.exit()")

    @contextmanager
    def make(*writable: str) -> Iterator[Scene]:
        with make_body(user) as nao, RosPeer() as peer:
            parameters = {
                "user": user,
                "memory_directory": str(nao.directory),
                "joint_commands": True,
                "writable": [f"dcmActuator.{name}" for name in ("command", *writable)],
                "motion_directory": str(tmp_path),
            }
            with RunningNode(LuarBridge, parameters):
                link = peer.subscribe(LinkState, "/luar/link_state")
                link.wait_for(lambda m: m.state == LinkState.CONNECTED)
                yield Scene(nao, peer)

    return make


@pytest.fixture
def scene(make_scene: Any) -> Iterator[Scene]:
    with make_scene("hardness", "velocity") as scene:
        yield scene


def test_a_motion_is_played_within_the_limits_and_says_so(scene: Scene) -> None:
    scene.nao.write("dcmActuator", "velocity", [0.01] * 22)
    goal = scene.send("head")
    end = goal.end()
    assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result.outcome.message
    assert end.result.outcome.code == LuarOutcome.SUCCEEDED
    assert scene.nao.command("HeadYaw") == -0.5
    assert scene.nao.joint("HeadPitch") == pytest.approx(0.1, abs=0.15)
    assert scene.nao.actuator("velocity") == [0.0] * 22
    assert scene.nao.actuator("hardness")[:3] == [0.4, 0.5, 0.7]
    clamped, fast = end.result.remarks
    assert clamped.startswith("clamped: HeadPitch is 0.385 rad beyond its limit of 0.515 rad")
    assert fast.startswith("too fast, kept: HeadYaw turns 1.73 rad/s faster than its 8.27")
    last = goal.feedback.items[-1]
    assert (last.keyframe, last.keyframes) == (2, 2)
    assert last.duration == pytest.approx(0.4)


def test_what_is_not_to_be_changed_is_refused_or_stretched(scene: Scene) -> None:
    end = scene.end("head", positions="reject")
    assert end.result.outcome.code == LuarOutcome.INVALID
    assert "HeadPitch is 0.385 rad beyond its limit" in end.result.outcome.message
    goal = scene.send("head", speeds="stretch")
    assert goal.end().status == GoalStatus.STATUS_SUCCEEDED
    assert goal.feedback.items[-1].duration == pytest.approx(0.3 + 1.0 / 8.27, abs=1e-3)


@pytest.mark.parametrize(
    "request_, reason",
    [
        ({"name": "none"}, "there is no motion 'none' in"),
        ({"name": "broken"}, "broken.lua: line 1: 'os.exit' is not known here"),
        ({"name": "../head"}, "is not the name of a motion"),
        ({"name": "head", "positions": "guess"}, "'guess' is none of clamp, reject"),
        ({"name": "head", "hardness": 1.5}, "hardness 1.5 is not from 0 to 1"),
    ],
)
def test_what_cannot_be_played_is_refused(
    scene: Scene, request_: dict[str, Any], reason: str
) -> None:
    outcome = scene.end(**request_).result.outcome
    assert outcome.code == LuarOutcome.INVALID
    assert reason in outcome.message


def test_hardness_is_written_only_where_it_may_be(make_scene: Any) -> None:
    with make_scene() as scene:
        outcome = scene.end("head").result.outcome
        assert outcome.code == LuarOutcome.INVALID
        assert "dcmActuator.hardness may not be written" in outcome.message
        scene.nao.write("dcmActuator", "hardness", [0.0] * 22)
        assert "hardness of HeadYaw is 0" in scene.end("long").result.outcome.message


def test_a_released_robot_gets_the_hardness_of_the_goal(scene: Scene) -> None:
    scene.nao.write("dcmActuator", "hardness", [0.0] * 22)
    goal = scene.send("long", hardness=0.6)
    goal.feedback.wait_for(lambda m: m.elapsed > 0.1)
    assert scene.nao.actuator("hardness")[:2] == [0.6, 0.0]
    assert goal.cancel()
    assert goal.end().status == GoalStatus.STATUS_CANCELED
    stays = scene.nao.command("HeadYaw")
    until(lambda: abs(scene.nao.joint("HeadYaw") - stays) < 0.01)


@pytest.mark.parametrize("by", ["trajectory", "motion"])
def test_a_newer_command_takes_the_joints(scene: Scene, by: str) -> None:
    goal = scene.under_way()
    if by == "motion":
        assert scene.end("head").status == GoalStatus.STATUS_SUCCEEDED
    else:
        point = JointTrajectoryPoint(positions=[0.2], time_from_start=Duration(sec=1))
        trajectory = JointTrajectory(joint_names=["HeadYaw"], points=[point])
        request = FollowJointTrajectory.Goal(trajectory=trajectory)
        action = "/luar/follow_joint_trajectory"
        newer = scene.peer.send_goal(FollowJointTrajectory, action, request).result()
        assert newer.error_code == FollowJointTrajectory.Result.SUCCESSFUL
    assert goal.result().outcome.code == LuarOutcome.PREEMPTED


def test_lua_that_moves_the_joints_again_ends_the_motion(scene: Scene) -> None:
    goal = scene.under_way()
    scene.nao.moves_by_itself.set()
    outcome = goal.result().outcome
    assert outcome.code == LuarOutcome.PREEMPTED
    assert "written by another program" in outcome.message


def test_joints_that_do_not_get_there_are_named(scene: Scene) -> None:
    scene.nao.stuck.set()
    outcome = scene.end("head").result.outcome
    assert outcome.code == LuarOutcome.FAILED
    assert "the last pose is not reached: HeadYaw by 0.50 rad" in outcome.message


def test_motions_are_listed_with_what_is_wrong_with_them(scene: Scene) -> None:
    found = scene.peer.call(LuarListMotions, "/luar/list_motions")
    listed = {
        name: (duration, keyframes, problems)
        for name, duration, keyframes, problems in zip(
            found.names, found.durations, found.keyframes, found.problems, strict=True
        )
    }
    assert set(listed) == {"broken", "head", "long", *MotionLibrary([OWN]).names()}
    assert listed["wave"] == (pytest.approx(4.0), 6, "")
    assert listed["head"][:2] == (pytest.approx(0.4), 2)
    assert listed["head"][2].startswith("HeadPitch is 0.385 rad beyond")
    assert len(listed["head"][2].splitlines()) == 3
    assert listed["broken"][1:] == (0, "broken.lua: line 1: 'os.exit' is not known here")


def test_own_motions_are_within_the_limits_of_the_urdf() -> None:
    assert {name: tuple(limit) for name, limit in NAO_LIMITS.items()} == {
        name: (limit.lower, limit.upper, limit.max_speed) for name, limit in joint_limits().items()
    }
    library = MotionLibrary([OWN])
    for name in library.names():
        assert not excesses(library.motion(name), NAO_LIMITS), name
