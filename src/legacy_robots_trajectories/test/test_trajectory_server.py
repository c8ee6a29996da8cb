# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The action follow_joint_trajectory of a toy robot: rejections, starts, pre-emption, errors."""

import threading
import time

import pytest
from action_msgs.msg import GoalStatus
from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import LocalGoal
from legacy_robots_common.node.times import duration, seconds
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_trajectories.joint_trajectory import JointLimits, Outcome
from legacy_robots_trajectories.trajectory_server import (
    DefaultTolerances,
    Joints,
    TrajectoryServer,
)

pytestmark = pytest.mark.node

ACTION = "/toy/follow_joint_trajectory"


class ToyJoints(Joints):
    """Joints that are at once where they are sent, but those that are stuck."""

    names = {"pan": "pan", "head_pan": "pan", "tilt": "tilt"}  # noqa: RUF012
    limits = {"pan": JointLimits(-1.0, 1.0, 2.0), "tilt": JointLimits(-0.5, 0.5, 1.0)}  # noqa: RUF012

    def __init__(self):
        self.at = {"pan": 0.0, "tilt": 0.0}
        self.held = []
        self.reason = None
        self.stuck = set()

    @property
    def positions(self):
        return self.at

    def unwilling(self, joints):
        return self.reason

    def command(self, tracker, now):
        desired = zip(tracker.trajectory.joints, tracker.desired(now), strict=True)
        self.at.update((name, angle) for name, angle in desired if name not in self.stuck)

    def hold(self, joints):
        self.held += joints


class ToyBridge(BridgeNode):
    """A bridge with one action."""

    def __init__(self, **arguments):
        super().__init__("bridge", hardware_id="toy", namespace="toy", **arguments)
        self.lock = threading.RLock()
        self.joints = ToyJoints()
        defaults = DefaultTolerances(0.0, 0.1, 0.2)
        self.server = TrajectoryServer(
            self, self.joints, defaults, lock=self.lock, needs_link=False
        )
        self.timer(0.01, self.cycle)

    def cycle(self):
        with self.lock:
            self.server.follow_all(self.now())


@pytest.fixture
def toy():
    """Run the bridge."""
    with RunningNode(ToyBridge, {}) as node:
        yield node


@pytest.fixture
def peer():
    """Return a client."""
    with RosPeer() as peer:
        yield peer


def request(joints, *points, **fields):
    """Return a goal; a point is its time (s) and its positions (rad)."""
    message = JointTrajectory(joint_names=joints)
    for at, *positions in points:
        message.points.append(
            JointTrajectoryPoint(positions=positions, time_from_start=duration(at))
        )
    return FollowJointTrajectory.Goal(trajectory=message, **fields)


def send(peer, goal):
    return peer.send_goal(FollowJointTrajectory, ACTION, goal)


def rejection(peer, capfd, goal):
    """Send a goal that is to be rejected; return the reason that is logged."""
    capfd.readouterr()
    with pytest.raises(AssertionError, match="rejected"):
        send(peer, goal)
    logged = capfd.readouterr().err
    assert "follow_joint_trajectory: rejected: " in logged
    return logged.split("rejected: ")[1].strip()


def test_durations_of_messages():
    assert seconds(duration(1.25)) == 1.25
    assert duration(0.9999999999).sec == 1


def test_a_goal_is_followed_by_any_name_of_its_joints(toy, peer):
    goal = send(peer, request(["head_pan"], (0.2, 0.3), (0.5, -0.2)))
    end = goal.end()
    assert end.status == GoalStatus.STATUS_SUCCEEDED
    assert (end.result.error_code, end.result.error_string) == (0, "the goal is reached")
    assert toy.joints.at == {"pan": -0.2, "tilt": 0.0}
    for feedback in goal.feedback.items:
        passed = seconds(feedback.desired.time_from_start)
        wanted = 1.5 * passed if passed < 0.2 else max(-0.2, 0.3 - (passed - 0.2) / 0.6)
        assert list(feedback.joint_names) == ["pan"]
        assert feedback.desired.positions[0] == pytest.approx(wanted, abs=1e-6)


def test_the_joints_may_be_read_between_the_acceptance_of_a_goal_and_its_beginning(
    toy, peer, monkeypatch
):
    begin = toy.server.begin

    def read_first(goal):
        toy.cycle()
        begin(goal)

    monkeypatch.setattr(toy.server, "begin", read_first)
    assert send(peer, request(["pan"], (0.05, 0.1))).end().result.error_code == 0


def with_point(goal, **fields):
    for name, values in fields.items():
        setattr(goal.trajectory.points[-1], name, values)
    return goal


def strange_goals():
    """Yield what is rejected, and why."""
    pan = ["pan"]
    yield request(["wing"], (1.0, 0.0)), "INVALID_JOINTS: 'wing' is no joint of the robot"
    yield request([], (1.0,)), "INVALID_JOINTS: the trajectory names no joints"
    yield request(pan), "INVALID: the trajectory has no points"
    for beyond in (1.01, -1.01):
        yield request(pan, (9.0, beyond)), f"INVALID: point 0: pan at {beyond:.4f} rad is outside"
    yield request(pan, (1.0 / 2.02, 1.0)), "INVALID: point 0: pan would have to turn at 2.02 rad/s"
    fast = with_point(request(pan, (0.6, 1.0)), velocities=[0.0])
    yield fast, "INVALID: point 0: pan would have to turn at 2."
    restless = with_point(request(pan, (1.0, 0.5)), velocities=[0.5])
    yield (
        restless,
        "INVALID: the last point: pan at 0.50 rad/s does not stop, as the robot does there",
    )
    yield with_point(request(pan, (1.0, 0.5)), effort=[1.0]), "INVALID: point 0 has efforts"
    old = request(pan, (1.0, 0.0))
    old.trajectory.header.stamp.sec = 1
    yield old, "OLD_HEADER_TIMESTAMP: the trajectory ends in the past"
    floating = request(pan, (1.0, 0.0))
    floating.multi_dof_trajectory.joint_names = ["base"]
    yield floating, "INVALID: the robot has no joints of several degrees of freedom"
    for tolerance, reason in (
        (JointTolerance(name="wing", position=0.1), "_JOINTS: 'wing' is no joint of the"),
        (
            JointTolerance(name="pan", position=float("nan")),
            ": the tolerance of pan is not finite",
        ),
        (JointTolerance(name="pan", velocity=0.1), ": the tolerance of pan limits its velocity"),
    ):
        yield request(pan, (1.0, 0.0), goal_tolerance=[tolerance]), f"INVALID{reason}"


def test_what_cannot_be_done_is_rejected_and_logged_with_its_reason(toy, peer, capfd):
    for goal, reason in strange_goals():
        assert rejection(peer, capfd, goal).startswith(reason)
    assert toy.joints.at == {"pan": 0.0, "tilt": 0.0}


def test_a_goal_of_the_programs_own_obeys_the_same_limits(toy):
    done = threading.Event()
    endings = []

    async def carry_out():
        inner = LocalGoal(request(["pan"], (1.0, 1.01)), lambda feedback: None)
        endings.append(await toy.server.carry_out(inner))
        done.set()

    toy.call_soon(carry_out)
    assert done.wait(10.0)
    assert endings[0].outcome is Outcome.INVALID
    assert "pan at 1.0100 rad is outside its limits" in endings[0].message


def test_a_robot_that_is_not_willing_aborts_with_the_reason(toy, peer):
    toy.joints.reason = "the motors are off"
    end = send(peer, request(["pan"], (0.1, 0.1))).end()
    assert end.status == GoalStatus.STATUS_ABORTED
    assert (end.result.error_code, end.result.error_string) == (-1, "the motors are off")


def at(goal, clock, ahead):
    """Give a goal the time ``ahead`` s from now."""
    stamp = clock.now().nanoseconds + round(ahead * 1e9)
    goal.trajectory.header.stamp.sec, goal.trajectory.header.stamp.nanosec = divmod(stamp, 10**9)
    return goal


def test_a_stamp_is_the_time_of_the_start(toy, peer):
    begun = time.monotonic()
    goal = send(peer, at(request(["pan"], (0.2, 0.2)), peer.node.get_clock(), 1.5))
    assert goal.result().error_code == 0
    assert time.monotonic() - begun >= 1.7
    late = send(peer, at(request(["pan"], (1.0, 0.0), (3.0, 0.5)), peer.node.get_clock(), -1.2))
    assert late.result().error_code == 0
    assert all(f.desired.positions[0] >= 0.2 for f in late.feedback.items)


def test_a_start_that_comes_too_fast_by_then_is_not_followed(toy, peer):
    goal = at(request(["pan"], (0.2, 0.3)), peer.node.get_clock(), 1.5)
    waiting = send(peer, goal)
    toy.joints.at["pan"] = -1.0
    end = waiting.end()
    assert end.result.error_code == FollowJointTrajectory.Result.INVALID_GOAL
    assert "pan would have to turn at" in end.result.error_string


def test_a_newer_goal_takes_its_joints_only(toy, peer):
    first = send(peer, request(["pan", "tilt"], (9.0, 1.0, 0.5)))
    first.feedback.wait_for()
    second = send(peer, request(["pan"], (0.1, 0.0)))
    result = first.result()
    assert result.error_code == Outcome.INTERRUPTED
    assert result.error_string == "a newer trajectory moves the same joints"
    assert second.result().error_code == 0
    assert toy.joints.held == ["tilt"]
    beside = [send(peer, request([name], (0.3, 0.3))) for name in ("pan", "tilt")]
    assert [goal.result().error_code for goal in beside] == [0, 0]


def test_a_cancelled_goal_stops_its_joints(toy, peer):
    goal = send(peer, request(["pan"], (9.0, 1.0)))
    goal.feedback.wait_for()
    assert goal.cancel()
    end = goal.end()
    assert (end.status, end.result.error_code) == (GoalStatus.STATUS_CANCELED, 0)
    assert toy.joints.held == ["pan"]


@pytest.mark.parametrize("kind", ["path", "goal"])
def test_joints_that_do_not_follow_violate_a_tolerance_and_are_stopped(toy, peer, kind):
    toy.joints.stuck.add("pan")
    goal = request(["pan"], (0.3, 0.3))
    if kind == "path":
        goal.path_tolerance = [JointTolerance(name="head_pan", position=0.05)]
    end = send(peer, goal).end()
    assert end.status == GoalStatus.STATUS_ABORTED
    assert Outcome(end.result.error_code).name == f"{kind.upper()}_TOLERANCE_VIOLATED"
    assert f"the {kind} tolerance is" in end.result.error_string
    assert toy.joints.held == ["pan"]


@pytest.mark.parametrize("kind", ["path_tolerance", "goal_tolerance"])
def test_tolerances_of_the_robots_other_joints_are_ignored(toy, peer, kind):
    every = [JointTolerance(name=name, position=0.5) for name in ("pan", "tilt")]
    assert send(peer, request(["pan"], (0.1, 0.1), **{kind: every})).result().error_code == 0


def test_a_negative_tolerance_is_without_limit(toy, peer):
    toy.joints.stuck.add("pan")
    anywhere = [JointTolerance(name="pan", position=-1.0)]
    assert (
        send(peer, request(["pan"], (0.1, 0.1), goal_tolerance=anywhere)).result().error_code == 0
    )
    late = request(["pan"], (0.2, 0.2), goal_time_tolerance=Duration(sec=-1))
    waiting = send(peer, late)
    waiting.feedback.wait_for(lambda m: seconds(m.desired.time_from_start) > 0.5)
    toy.joints.at["pan"] = 0.2
    assert waiting.result().error_code == 0
