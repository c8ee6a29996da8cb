# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real node moves joints in real segments, whose motors follow as the original's do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import JointState
from std_msgs.msg import ColorRGBA, Float64MultiArray
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import LuarHardness
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import Goal, RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_trajectories.joint_trajectory import Outcome
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.model.joint_limits import DARWIN_OP, NAO, joint_limits
from luar_bridge.model.link_poses import LinkPoses
from luar_bridge.model.motion import JOINTS
from luar_bridge.model.robot_description import urdf
from luar_bridge.protocol.naming import DIRECTORY

pytestmark = pytest.mark.node

Result = FollowJointTrajectory.Result
ACTION = "/luar/follow_joint_trajectory"


class Scene:
    """A bridge, a body, and a user's node."""

    def __init__(self, nao: Any, peer: RosPeer, bridge: RunningNode) -> None:
        self.nao, self.peer, self.bridge = nao, peer, bridge

    def send(self, goal: FollowJointTrajectory.Goal) -> Goal:
        return self.peer.send_goal(FollowJointTrajectory, ACTION, goal)

    def result(self, goal: FollowJointTrajectory.Goal) -> Any:
        return self.send(goal).result()

    def under_way(self) -> Goal:
        """Return a goal that has moved the head for a while, and has a long way to go."""
        goal = self.send(move(HeadYaw=(30.0, 2.0)))
        goal.feedback.wait_for(lambda m: m.actual.positions[0] > 0.02)
        return goal


def message(**moves: tuple[float, float]) -> JointTrajectory:
    """Return a trajectory: seconds and angle (rad) of each joint; all have the same seconds."""
    seconds, _ = next(iter(moves.values()))
    nanos = round(seconds * 1e9)
    point = JointTrajectoryPoint(positions=[angle for _, angle in moves.values()])
    point.time_from_start = Duration(sec=nanos // 10**9, nanosec=nanos % 10**9)
    return JointTrajectory(joint_names=list(moves), points=[point])


def move(**moves: tuple[float, float]) -> FollowJointTrajectory.Goal:
    return FollowJointTrajectory.Goal(trajectory=message(**moves))


PARAMETERS = {
    "joint_commands": True,
    "writable": ["dcmActuator.command", "dcmActuator.hardness", "dcmActuator.led*"],
    "stale_after": 1.0,
}


@pytest.fixture
def scene(user: str, make_body: Any, request: pytest.FixtureRequest) -> Iterator[Scene]:
    platform = getattr(request, "param", NAO)
    with make_body(user, platform) as nao:
        own = {"user": user, "memory_directory": str(nao.directory), "platform": platform}
        with RosPeer() as peer, RunningNode(LuarBridge, {**PARAMETERS, **own}) as bridge:
            link = peer.subscribe(LinkState, "/luar/link_state")
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            scene = Scene(nao, peer, bridge)
            assert scene.result(move(HeadPitch=(0.1, 0.0))).error_code == Result.SUCCESSFUL
            yield scene


def test_a_trajectory_is_followed_in_straight_lines_and_ends_at_its_goal(scene: Scene) -> None:
    request = move(HeadYaw=(0.5, 0.4), LElbowRoll=(0.5, -1.0))
    last = JointTrajectoryPoint(positions=[-0.2, -0.5], time_from_start=Duration(sec=1))
    request.trajectory.points.append(last)
    goal = scene.send(request)
    end = goal.end()
    assert end.status == GoalStatus.STATUS_SUCCEEDED
    assert (end.result.error_code, end.result.error_string) == (0, "the goal is reached")
    assert scene.nao.joint("HeadYaw") == pytest.approx(-0.2, abs=0.1)
    assert scene.nao.command("LElbowRoll") == -0.5
    assert scene.nao.command("RElbowRoll") == 0.0  # others are left alone
    reported = goal.feedback.items
    assert list(reported[0].joint_names) == ["HeadYaw", "LElbowRoll"]
    for feedback in reported:
        t = feedback.desired.time_from_start
        seconds = t.sec + 1e-9 * t.nanosec
        yaw = 0.8 * seconds if seconds < 0.5 else max(-0.2, 0.4 - 1.2 * (seconds - 0.5))
        assert feedback.desired.positions[0] == pytest.approx(yaw, abs=1e-6)


def test_all_links_follow_the_joints(scene: Scene) -> None:
    tf = scene.peer.subscribe(TFMessage, "/tf", qos.stream(100))
    scene.nao.write("dcmActuator", "command", [0.25] * len(JOINTS))
    base = LinkPoses(RobotModel(urdf())).values([0.25] * len(JOINTS), 0.0, 0.0)[:3]

    def there(message: TFMessage) -> bool:
        turns = {t.child_frame_id: t.transform.rotation for t in message.transforms}
        return "l_foot" in turns and turns["l_foot"].x == pytest.approx(math.sin(0.125))

    place = tf.wait_for(there).transforms[0].transform.translation
    assert (place.x, place.y, place.z) == pytest.approx(base)


def test_positions_by_topic_move_the_joints(scene: Scene) -> None:
    states = scene.peer.subscribe(JointState, "/luar/joint_states", qos.stream(50))
    topic = "/luar/joint_trajectory"
    publisher = scene.peer.node.create_publisher(JointTrajectory, topic, qos.LATCHED)
    publisher.publish(message(HeadYaw=(0.0, 0.3)))
    states.wait_for(lambda m: abs(m.position[0] - 0.3) < 0.01)


def test_a_cancelled_goal_holds_the_last_command(scene: Scene) -> None:
    goal = scene.under_way()
    assert goal.cancel()
    end = goal.end()
    assert end.status == GoalStatus.STATUS_CANCELED
    assert end.result.error_string == "the joints were stopped"
    held = scene.nao.command("HeadYaw")
    assert 0.0 < held < 1.9
    assert scene.result(move(HeadPitch=(0.2, 0.1))).error_code == Result.SUCCESSFUL
    assert scene.nao.command("HeadYaw") == held


def test_a_motion_process_that_writes_ends_the_goal_and_refuses_the_next(scene: Scene) -> None:
    goal = scene.under_way()
    scene.nao.write("dcmActuator", "command", [0.0] * len(JOINTS))
    result = goal.result()
    assert result.error_code == Outcome.INTERRUPTED
    assert "written by another program, such as Lua's motion process" in result.error_string
    scene.nao.moves_by_itself.set()
    refused = scene.result(move(HeadYaw=(0.2, 0.0)))
    assert refused.error_code == Result.INVALID_GOAL
    assert "written by another program" in refused.error_string


def test_a_trajectory_that_comes_before_the_robot_waits_for_it(user: str, make_body: Any) -> None:
    with TemporaryDirectory(dir=DIRECTORY) as directory, RosPeer() as peer:
        own = {"user": user, "memory_directory": directory}
        with RunningNode(LuarBridge, {**PARAMETERS, **own}):
            link = peer.subscribe(LinkState, "/luar/link_state")
            goal = peer.send_goal(FollowJointTrajectory, ACTION, move(HeadYaw=(0.2, 0.3)))
            link.wait_for(lambda m: m.detail.endswith("wait for the first connection: 1"))
            with make_body(user, NAO, Path(directory)) as nao:
                result = goal.result()
                assert result.error_code == Result.SUCCESSFUL, result.error_string
                assert nao.joint("HeadYaw") == pytest.approx(0.3, abs=0.05)


@pytest.mark.parametrize("gone", ["still", "removed"])
def test_a_robot_that_goes_ends_the_goal(scene: Scene, gone: str) -> None:
    goal = scene.under_way()
    scene.nao.close()
    if gone == "removed":
        (scene.nao.directory / "dcmActuator").unlink()
    result = goal.result()
    assert result.error_code == Outcome.LINK_LOST
    text = "no segment dcmActuator" if gone == "removed" else "stood still for more than 1 s"
    assert text in result.error_string
    assert scene.result(move(HeadYaw=(0.2, 0.0))).error_code == Outcome.LINK_LOST


def test_a_bridge_that_ends_ends_the_goal(scene: Scene) -> None:
    goal = scene.under_way()
    scene.bridge.stop()
    assert goal.end().result.error_code == Outcome.SHUTDOWN


@pytest.mark.parametrize(
    "variable,values,text",
    [
        ("hardness", [0.0] * len(JOINTS), "hardness of HeadYaw is 0"),
        ("disable", [1.0], "dcmActuator.disable is set"),
    ],
)
def test_a_robot_that_would_ignore_commands_refuses(scene, variable, values, text) -> None:
    scene.nao.write("dcmActuator", variable, values)
    end = scene.result(move(HeadYaw=(0.2, 0.1)))
    assert end.error_code == Result.INVALID_GOAL
    assert text in end.error_string


def rejection(scene: Scene, capfd: pytest.CaptureFixture[str], request: Any) -> str:
    """Send a goal that is to be rejected; return the reason that is logged."""
    capfd.readouterr()
    with pytest.raises(AssertionError, match="rejected"):
        scene.send(request)
    return capfd.readouterr().err.split("follow_joint_trajectory: rejected: ")[1].strip()


@pytest.mark.parametrize("scene", [NAO, DARWIN_OP], indirect=True)
def test_every_joint_one_per_cent_beyond_a_limit_or_its_speed_is_rejected_by_name(
    scene: Scene, capfd
) -> None:
    knee = rejection(scene, capfd, move(LKneePitch=(5.0, 3.1)))
    assert knee.startswith("INVALID: point 0: LKneePitch at 3.1000 rad is outside its limits")
    assert len(scene.nao.limits) == len(scene.nao.actuator("command")) in (22, 20)
    for name, limits in scene.nao.limits.items():
        lower, upper, speed = limits.lower, limits.upper, limits.max_speed
        margin = 0.01 * (upper - lower)
        for beyond in (lower - margin, upper + margin):
            reason = rejection(scene, capfd, move(**{name: (9.0, beyond)}))
            assert f"{name} at {beyond:.4f} rad is outside its limits" in reason
        # From where it was sent: there, and 1 % faster than it may.
        way = max((lower, upper), key=lambda end: abs(end - scene.nao.command(name)))
        seconds = abs(way - scene.nao.command(name)) / speed / 1.01
        reason = rejection(scene, capfd, move(**{name: (seconds, way)}))
        assert f"{name} would have to turn at" in reason
    assert scene.nao.command("LKneePitch") == 0.0


def test_the_topic_obeys_the_same_limits(scene: Scene, capfd) -> None:
    topic = "/luar/joint_trajectory"
    publisher = scene.peer.node.create_publisher(JointTrajectory, topic, qos.LATCHED)
    diagnostics = scene.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    publisher.publish(message(LKneePitch=(0.0, 3.1)))
    diagnostics.wait_for(
        lambda m: any(v.key == "refused trajectories" for s in m.status for v in s.values)
    )
    said = "joint_trajectory: INVALID: point 0: LKneePitch at 3.1000 rad is outside its limits"
    assert said in capfd.readouterr().err
    assert scene.nao.command("LKneePitch") == 0.0


POSITIONS = "/luar/joint_group_position_controller/commands"


def test_positions_of_all_joints_by_topic(scene: Scene) -> None:
    states = scene.peer.subscribe(JointState, "/luar/joint_states", qos.stream(50))
    publisher = scene.peer.node.create_publisher(Float64MultiArray, POSITIONS, qos.LATCHED)
    wanted = [0.5 * (limit.lower + limit.upper) for limit in map(joint_limits().get, JOINTS)]
    publisher.publish(Float64MultiArray(data=wanted))
    states.wait_for(lambda m: list(m.position) == pytest.approx(wanted, abs=0.01))


def test_every_joint_one_per_cent_beyond_a_limit_is_refused_by_that_topic(scene, capfd) -> None:
    publisher = scene.peer.node.create_publisher(Float64MultiArray, POSITIONS, qos.LATCHED)
    middle = {n: 0.5 * (limit.lower + limit.upper) for n, limit in joint_limits().items()}
    bad = [[0.0]]
    for name, limit in joint_limits().items():
        for end, sign in ((limit.lower, -1.0), (limit.upper, 1.0)):
            pose = {**middle, name: end + sign * 0.01 * (limit.upper - limit.lower)}
            bad.append([pose[joint] for joint in JOINTS])
    for count, positions in enumerate(bad, 1):
        publisher.publish(Float64MultiArray(data=positions))
        until(
            lambda n=count: refusals(scene) == n,
            f"{positions} are not refused",
        )
    assert "1 positions for 22 joints" in capfd.readouterr().err
    assert scene.nao.actuator("command")[2:] == [0.0] * 20


def test_a_group_of_joints_has_a_topic_of_its_own(scene: Scene) -> None:
    topic = "/luar/larm_position_controller/commands"
    publisher = scene.peer.node.create_publisher(Float64MultiArray, topic, qos.LATCHED)
    publisher.publish(Float64MultiArray(data=[0.1, 0.2, -0.3]))
    until(lambda: refusals(scene) == 1, "three positions for four joints are not refused")
    wanted = [0.1, 0.2, -0.3, -0.4]
    publisher.publish(Float64MultiArray(data=wanted))
    arm = slice(JOINTS.index("LShoulderPitch"), JOINTS.index("LElbowRoll") + 1)
    until(lambda: scene.nao.actuator("command")[arm] == wanted, "the arm does not move")
    command = scene.nao.actuator("command")
    assert command[: arm.start] + command[arm.stop :] == [0.0] * 18


def refusals(scene: Scene) -> int:
    return scene.bridge.counters.snapshot().get("refused trajectories", (0, 0.0))[0]


def set_hardness(scene: Scene, hardness: float, *joints: str) -> LuarHardness.Response:
    request = LuarHardness.Request(joints=list(joints), hardness=hardness)
    return scene.peer.call(LuarHardness, "/luar/set_hardness", request)


def test_hardness_lets_go_of_joints_and_ends_their_goals(scene: Scene) -> None:
    goal = scene.under_way()
    assert set_hardness(scene, 0.0, "HeadYaw", "LKneePitch").success
    result = goal.result()
    assert result.error_code == Outcome.INTERRUPTED
    assert result.error_string == "set_hardness has let go of its joints"
    loose = [n for n, h in zip(JOINTS, scene.nao.actuator("hardness"), strict=True) if h == 0.0]
    assert loose == ["HeadYaw", "LKneePitch"]
    assert set_hardness(scene, 0.5).success
    assert scene.nao.actuator("hardness") == [0.5] * len(JOINTS)
    assert set_hardness(scene, 0.0, "larm", "head").success
    loose = [n for n, h in zip(JOINTS, scene.nao.actuator("hardness"), strict=True) if h == 0.0]
    assert loose == ["HeadYaw", "HeadPitch", *JOINTS[2:6]]
    assert set_hardness(scene, 0.5).success
    assert scene.result(move(HeadYaw=(0.2, 0.1))).error_code == Result.SUCCESSFUL


def test_hardness_that_is_refused_changes_nothing(scene: Scene) -> None:
    assert "Tail" in set_hardness(scene, 0.5, "Tail").message
    assert "not from 0 to 1" in set_hardness(scene, 1.01, "HeadYaw").message
    assert "not from 0 to 1" in set_hardness(scene, math.nan, "HeadYaw").message
    scene.nao.moves_by_itself.set()
    until(lambda: scene.nao.command("LKneePitch") > 0.0, "the motion process does not move")
    assert "written by another program" in set_hardness(scene, 0.5).message
    assert scene.nao.actuator("hardness") == [0.7] * len(JOINTS)


def test_leds_show_colours_and_refuse_others(scene: Scene) -> None:
    def show(name: str, **parts: float) -> None:
        publisher = scene.peer.node.create_publisher(ColorRGBA, f"/luar/leds/{name}", qos.LATCHED)
        publisher.publish(ColorRGBA(**parts))

    show("chest", r=2.0)
    show("left_face", r=1.0, g=0.5)
    show("left_ear", b=0.25)
    until(lambda: scene.nao.actuator("ledEarsLeft") == [0.25] * 10, "the ears are dark")
    face = [1.0] * 8 + [0.5] * 8 + [0.0] * 8
    until(lambda: scene.nao.actuator("ledFaceLeft") == face, "the face is dark")
    assert scene.nao.actuator("ledChest") == [0.0] * 3


def test_the_allow_list_has_to_name_the_commands(user: str) -> None:
    parameters = {"user": user, "joint_commands": True}
    expected = pytest.raises(ParameterError, match=r"does not name dcmActuator\.command")
    with expected, RunningNode(LuarBridge, parameters):
        pass
