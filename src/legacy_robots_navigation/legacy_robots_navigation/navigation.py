# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals as Nav2 has them: ``navigate_to_pose`` and ``navigate_through_poses`` of any robot.

A part of the node, which :func:`legacy_robots_common.goals.drive.offer_navigation` loads where
nav2_msgs is installed. The bridge's Drive says which goals of its own action lead to a place.
"""

from __future__ import annotations

import enum
import math
import traceback
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from geometry_msgs.msg import Point, PointStamped, PoseStamped
from geometry_msgs.msg import Pose as PoseMessage
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from rclpy.subscription import Subscription
from std_msgs.msg import Header

from legacy_robots_common.frames.transform_tree import FrameError, pose_in
from legacy_robots_common.frames.transforms import quaternion_message
from legacy_robots_common.goals.drive import Drive, OutsideMapError, Place
from legacy_robots_common.goals.goal_node import GoalNode
from legacy_robots_common.goals.goal_server import (
    Ending,
    Goal,
    GoalRefusedError,
    GoalServer,
    LocalGoal,
)
from legacy_robots_common.node import qos
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture
from legacy_robots_common.node.times import duration
from legacy_robots_geometry.rotations import Pose

FEEDBACK_PERIOD_S = 0.2


class Outcome(enum.IntEnum):
    """How a goal ended; clients get one of Nav2's error codes, see ERROR_CODES."""

    SUCCEEDED = 0
    CANCELED = 1
    INVALID = 2
    LINK_LOST = 3
    SHUTDOWN = 4
    PREEMPTED = 5
    FAILED = 6
    TF_ERROR = 7
    OUTSIDE_MAP = 8
    NO_PATH = 9
    NO_BEHAVIOR_TREE = 10
    NO_POSES = 11


ERROR_CODES = {
    Outcome.SUCCEEDED: (0, 0),
    Outcome.CANCELED: (0, 0),
    Outcome.NO_BEHAVIOR_TREE: (9001, 9101),
    Outcome.TF_ERROR: (9002, 9102),
    Outcome.OUTSIDE_MAP: (204, 304),
    Outcome.NO_PATH: (208, 308),
    Outcome.NO_POSES: (309, 309),
}
"""Those of Nav2's navigators and planners for one pose and for several; all else is UNKNOWN."""
UNKNOWN = (9000, 9100)


class NavigationError(Exception):
    """A goal has ended otherwise than by success."""

    def __init__(self, outcome: Outcome, text: str) -> None:
        super().__init__(text)
        self.outcome = outcome


class NavigationGoal(Goal):
    """A goal of one of the two servers."""

    inner: LocalGoal | None = None
    """The leg that is carried out."""
    feedback: Any | None = None
    """The leg's latest."""
    stopping: Outcome | None = None
    """CANCELED or PREEMPTED once it is to stop."""
    poses: Sequence[PoseStamped] = ()
    places: Sequence[Place] = ()
    done = 0
    """How many places have been reached."""
    greatest = 0.0
    """The longest way that was left, m."""

    def __init__(self, server: GoalServer[Any], handle: Any) -> None:
        super().__init__(server, handle)
        self.left: ThreadsafeFuture[None] = ThreadsafeFuture(server.node.executor)
        """Set when the robot is no longer moved for this goal."""


class NavigationServer(GoalServer[NavigationGoal]):
    """One of the two actions of one robot."""

    def __init__(
        self, navigation: Navigation, action_type: type[Any], name: str, *, several: bool
    ) -> None:
        super().__init__(navigation.node, action_type, name, Outcome, goal_type=NavigationGoal)
        self._navigation = navigation
        self._several = several

    def begin(self, goal: NavigationGoal) -> None:
        """Have the robot go, after the goal that it had has ended."""
        if self._several:
            poses = goal.request.poses
            goal.poses = list(getattr(poses, "goals", poses))  # a nav_msgs/Goals since Kilted
        else:
            goal.poses = [goal.request.pose]
        self.node.call_soon(self._navigation.go, goal)

    def cancel(self, goal: NavigationGoal) -> bool | ThreadsafeFuture[bool]:
        """Stop the robot."""
        if goal.inner is None:
            goal.stopping = Outcome.CANCELED
            goal.end(Outcome.CANCELED, "cancelled before anything was sent to the robot")
            return True
        answer: ThreadsafeFuture[bool] = ThreadsafeFuture(self.node.executor)

        async def stop() -> None:
            stops = await self._navigation.stop(goal, Outcome.CANCELED)
            if stops is not None:
                answer.set_result(stops)

        self.node.call_soon(stop)
        return answer

    def result(self, goal: NavigationGoal, ending: Ending) -> Any:
        """Return the result message."""
        outcome = Outcome(ending.outcome)
        result = self.action_type.Result()
        result.error_code = ERROR_CODES.get(outcome, UNKNOWN)[self._several]
        result.error_msg = "" if outcome is Outcome.SUCCEEDED else ending.message
        self._tell_status(goal, result, outcome)
        return result

    def publish(self, goal: NavigationGoal) -> None:
        """Send feedback."""
        drive = self._navigation.drive
        feedback = self.action_type.Feedback(navigation_time=duration(goal.elapsed))
        place = drive.place()
        if place is not None:
            feedback.current_pose = _pose_stamped(place, drive.frame, self.node)
        remaining = self._navigation.remaining(goal)
        feedback.distance_remaining = remaining
        if math.isfinite(remaining):
            goal.greatest = max(goal.greatest, remaining)
            covered = goal.greatest - remaining
            if covered > 0.0:
                seconds = goal.elapsed * remaining / covered
                feedback.estimated_time_remaining = duration(min(seconds, 1e9))
        if self._several:
            feedback.number_of_poses_remaining = len(goal.poses) - goal.done
            self._tell_status(goal, feedback, None)
        goal.publish_feedback(feedback)

    @staticmethod
    def _tell_status(goal: NavigationGoal, message: Any, outcome: Outcome | None) -> None:
        """Fill in how it stands with each pose, which only Kilted and later ask for."""
        if not hasattr(message, "waypoint_statuses"):
            return
        from nav2_msgs.msg import WaypointStatus

        for number, pose in enumerate(goal.poses):
            status = WaypointStatus(waypoint_index=number, waypoint_pose=pose)
            if number < goal.done:
                status.waypoint_status = WaypointStatus.COMPLETED
            elif outcome is not None and number == goal.done:
                status.waypoint_status = WaypointStatus.FAILED
                status.error_code = ERROR_CODES.get(outcome, UNKNOWN)[1]
            message.waypoint_statuses.append(status)


class Navigation:
    """The Nav2-shaped actions and topics of one robot; with ``prefix`` before their names."""

    def __init__(self, node: GoalNode, drive: Drive, prefix: str) -> None:
        self.node = node
        self.drive = drive
        self._current: NavigationGoal | None = None
        self._to_pose = NavigationServer(
            self, NavigateToPose, f"{prefix}navigate_to_pose", several=False
        )
        self._through_poses = NavigationServer(
            self, NavigateThroughPoses, f"{prefix}navigate_through_poses", several=True
        )
        self._subscriptions: list[Subscription] = [
            qos.subscription(node, PoseStamped, f"{prefix}goal_pose", self._send, qos.stream(1)),
            qos.subscription(
                node, PointStamped, f"{prefix}clicked_point", self._send_point, qos.stream(1)
            ),
        ]

    def retire(self, reason: str, on_retired: Callable[[], None]) -> None:
        """Take the actions and topics away, once all goals have ended; see GoalServer.retire."""
        for subscription in self._subscriptions:
            self.node.destroy_subscription(subscription)
        left = [self._to_pose, self._through_poses]

        def on_one_retired() -> None:
            left.pop()
            if not left:
                on_retired()

        for server in tuple(left):
            server.retire("FAILED", reason, on_one_retired)

    def remaining(self, goal: NavigationGoal) -> float:
        """Return the m left of the whole way, straight from place to place after the next."""
        if not goal.places:
            return math.nan
        ahead = goal.places[goal.done :]
        if not ahead:
            return 0.0
        between = sum(a.distance(b) for a, b in pairwise(ahead))
        return self.drive.remaining(ahead[0], goal.feedback) + between

    # --- coroutines of the executor --------------------------------------------------------

    async def go(self, goal: NavigationGoal) -> None:
        """Have the robot go through the poses of ``goal``, and end it."""
        server = goal.server
        assert isinstance(server, NavigationServer)
        timer = self.node.timer(FEEDBACK_PERIOD_S, lambda: server.publish(goal))
        try:
            if goal.request.behavior_tree:
                raise NavigationError(
                    Outcome.NO_BEHAVIOR_TREE,
                    f"no behaviour tree is loaded ({goal.request.behavior_tree!r}): "
                    "the robot plans for itself",
                )
            goal.places = [await self._place(pose) for pose in goal.poses]
            if not goal.places:
                raise NavigationError(Outcome.NO_POSES, "there are no poses to go to")
            self._check(goal)  # it may have ended while TF was awaited
            previous, self._current = self._current, goal
            if previous is not None and not previous.left.done():
                await self.stop(previous, Outcome.PREEMPTED)
                await previous.left
            server.publish(goal)
            for place in goal.places:
                await self._go_to(goal, place)
                goal.done += 1
            goal.end(Outcome.SUCCEEDED, f"arrived after {goal.elapsed:.1f} s")
        except NavigationError as error:
            goal.end(error.outcome, str(error))
        except Exception as error:
            self.node.on_exception(server.name, traceback.format_exc())
            goal.end(Outcome.FAILED, f"unexpected {type(error).__name__}: {error}")
        finally:
            self.node.destroy_timer(timer)
            goal.left.set_result(None)

    async def stop(self, goal: NavigationGoal, why: Outcome) -> bool | None:
        """Stop ``goal``; return whether it stops, None where it is about to end by itself."""
        goal.stopping = why
        inner = goal.inner
        if inner is None:
            return None
        stops = await self.drive.server.stop(inner)
        if not stops and inner.over:
            return None
        if not stops:
            goal.stopping = None
        return stops

    async def _place(self, pose: PoseStamped) -> Place:
        p, q = pose.pose.position, pose.pose.orientation
        numbers = (p.x, p.y, p.z, q.x, q.y, q.z, q.w)
        norm = (
            math.sqrt(sum(n * n for n in numbers[3:])) if all(map(math.isfinite, numbers)) else 0
        )
        if abs(norm - 1.0) > 0.05:
            raise NavigationError(Outcome.INVALID, f"{numbers} is no position and unit quaternion")
        try:
            found: Pose = await pose_in(self.node, pose, self.drive.frame)
        except FrameError as error:
            raise NavigationError(Outcome.TF_ERROR, str(error)) from error
        return Place(found.translation[0], found.translation[1], found.yaw)

    async def _go_to(self, goal: NavigationGoal, place: Place) -> None:
        try:
            for request in self.drive.legs(place):
                self._check(goal)
                goal.feedback = None
                inner = goal.inner = LocalGoal(
                    request, lambda feedback: setattr(goal, "feedback", feedback)
                )
                try:
                    ending = await self.drive.server.carry_out(inner)
                finally:
                    goal.inner = None
                if ending.outcome is not self.drive.server.outcomes["SUCCEEDED"]:
                    outcome = self._outcome(goal, ending)
                    preempted = outcome is goal.stopping is Outcome.PREEMPTED
                    raise NavigationError(outcome, _PREEMPTED if preempted else ending.message)
            self._check(goal)
        except OutsideMapError as error:
            raise NavigationError(Outcome.OUTSIDE_MAP, str(error)) from error
        except GoalRefusedError as error:
            raise NavigationError(Outcome.INVALID, str(error)) from error

    @staticmethod
    def _check(goal: NavigationGoal) -> None:
        if goal.over:
            raise NavigationError(Outcome.FAILED, "it has ended")
        if goal.stopping is not None:
            preempted = goal.stopping is Outcome.PREEMPTED
            text = _PREEMPTED if preempted else "stopped between two legs of the way"
            raise NavigationError(goal.stopping, text)

    def _outcome(self, goal: NavigationGoal, ending: Ending) -> Outcome:
        """Return what the end of a leg means, by the names that outcomes have in common."""
        outcomes = self.drive.server.outcomes
        if ending.outcome is outcomes["CANCELED"]:
            return goal.stopping or Outcome.FAILED  # the robot's own action was stopped
        for outcome in (Outcome.LINK_LOST, Outcome.SHUTDOWN, Outcome.INVALID):
            if ending.outcome is outcomes[outcome.name]:
                return outcome
        return _BY_NAME.get(ending.outcome.name, Outcome.FAILED)

    # --- topics ----------------------------------------------------------------------------

    def _send_point(self, point: PointStamped) -> None:
        self._send(PoseStamped(header=point.header, pose=PoseMessage(position=point.point)))

    def _send(self, pose: PoseStamped) -> None:
        """Take a goal from a topic, as rviz's tools send them; its end is only logged."""

        async def carry_out() -> None:
            inner = LocalGoal(NavigateToPose.Goal(pose=pose), lambda feedback: None)
            ending = await self._to_pose.carry_out(inner)
            self._to_pose.log_end(f"{self._to_pose.name} by topic: {ending.message}")

        if not self.node.stopping:
            self.node.call_soon(carry_out)


_PREEMPTED = "preempted by a newer goal"
_BY_NAME = {
    "UNREACHABLE": Outcome.NO_PATH,
    "PREEMPTED": Outcome.PREEMPTED,
    "INTERRUPTED": Outcome.PREEMPTED,
}


def _pose_stamped(place: Place, frame: str, node: GoalNode) -> PoseStamped:
    return PoseStamped(
        header=Header(stamp=node.stamp(), frame_id=frame),
        pose=PoseMessage(
            position=Point(x=place.x, y=place.y),
            orientation=quaternion_message(0.0, 0.0, place.yaw),
        ),
    )
