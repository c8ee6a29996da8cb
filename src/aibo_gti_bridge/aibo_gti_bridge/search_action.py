# SPDX-License-Identifier: Apache-2.0
"""The action ``search_ball``: a scan run by the bridge, or the robot's own searchBall."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from legacy_robots_msgs.action import AiboSearchBall
from legacy_robots_msgs.msg import AiboBall

from aibo_gti_bridge import conversions
from aibo_gti_bridge.ball_search import BallSearch, Stage
from aibo_gti_bridge.bridge_parameters import Parameters
from aibo_gti_bridge.commands import QueryBall, SearchBall, SearchResult
from aibo_gti_bridge.goals import GoalRefusedError, RobotAction, RunningGoal
from aibo_gti_bridge.joints import HEAD
from aibo_gti_bridge.link import Answer, Priority
from aibo_gti_bridge.outcomes import Ending, Outcome
from aibo_gti_bridge.robot import Robot
from aibo_gti_bridge.sensors import Reading

_STAGES = {
    Stage.SCANNING: AiboSearchBall.Feedback.SCANNING,
    Stage.CENTRING: AiboSearchBall.Feedback.CENTRING,
}


class _SearchGoal(RunningGoal):
    def __init__(self, robot: Robot, handle: Any) -> None:
        super().__init__(robot, handle)
        self.colour: str = self.request.colour
        self.search: BallSearch | None = None
        """None: the robot's own search."""
        self.timeout = 0.0
        self.ball = AiboBall(colour=self.colour)
        self.cancelled = False
        """Cancelled while the robot's own search runs, which nothing can end."""
        self.found = False
        """The robot's own search has found the ball; where it is has yet to be asked."""

    def stop_joints(self, but: Collection[str]) -> None:
        """Stop the head."""
        self.robot.hold(HEAD, but)


class SearchBallAction(RobotAction):
    """The action ``search_ball``."""

    goal_class = _SearchGoal

    def __init__(self, robot: Robot, parameters: Parameters) -> None:
        super().__init__(robot, AiboSearchBall, "search_ball")
        self._native = parameters.search_mode == "native"
        self._timeout = parameters.search_timeout
        self._read_ball: Any = None

    def use(self, read_ball: Any) -> None:
        """Set the function that publishes a reply to query_ball and returns it as a message."""
        self._read_ball = read_ball

    def wants(self, colour: str) -> bool:
        """Tell whether a scan for ``colour`` is going on. Thread-safe."""
        return any(
            isinstance(goal, _SearchGoal)
            and goal.colour == colour
            and goal.search is not None
            and not goal.over
            for goal in list(self._goals.values())
        )

    def _begin(self, goal: _SearchGoal) -> None:
        colours = self._robot.wire.colours
        if goal.colour not in colours:
            raise GoalRefusedError(f"{goal.colour!r} is none of {', '.join(colours)}")
        asked = goal.request.timeout
        if not 0.0 <= asked < 86400.0:
            raise GoalRefusedError(f"a timeout of {asked} s; give 0 for the default")
        goal.timeout = asked or self._timeout
        if self._robot.blocked:
            raise GoalRefusedError("the robot is searching already and takes no commands")
        if self._native:
            self._begin_native(goal)
            return
        missing = [name for name in HEAD if name not in self._robot.positions]
        if missing:
            raise GoalRefusedError(f"the robot does not report {', '.join(missing)}")
        self._robot.claim(goal, HEAD, "search_ball moves the head")
        goal.search = BallSearch()

    # --- the scan run here -----------------------------------------------------------------

    def on_ball(self, time: float, ball: AiboBall) -> None:
        """Go on with the scans for this ball. Called on the link's thread with the lock held."""
        for goal in list(self._goals.values()):
            if isinstance(goal, _SearchGoal) and goal.colour == ball.colour and not goal.over:
                self._guarded(goal, self._look, goal, time, ball)

    def _look(self, goal: _SearchGoal, time: float, ball: AiboBall) -> None:
        if goal.search is None:
            return
        positions = self._robot.positions
        if any(name not in positions for name in HEAD):
            raise GoalRefusedError("the robot does not report its head any more")
        place = (ball.x, ball.y) if ball.visible else None
        if ball.visible:
            goal.ball = ball
        move = goal.search.update(time, positions, place)
        if move is not None:
            self._robot.move(move.targets, move.duration)
        if goal.search.stage is Stage.FOUND:
            goal.end(Outcome.SUCCEEDED, _found(goal.ball))
        elif goal.search.stage is Stage.NOT_FOUND:
            goal.end(Outcome.NOT_FOUND, f"no {goal.colour} ball was seen all around")

    def _follow(self, goal: _SearchGoal, reading: Reading) -> None:
        if goal.found:
            self._ask_where(goal)
        if goal.search is None:
            return
        if goal.elapsed > goal.timeout:
            goal.stop_joints(())
            goal.end(Outcome.TIMED_OUT, f"no {goal.colour} ball was found in {goal.timeout:g} s")
            return
        self._feed_back(goal, _STAGES.get(goal.search.stage, 0))

    def _feed_back(self, goal: _SearchGoal, stage: int) -> None:
        nan = float("nan")
        tilt, pan, nod = (self._robot.positions.get(name, nan) for name in HEAD)
        goal.handle.publish_feedback(
            AiboSearchBall.Feedback(
                stage=stage, elapsed=goal.elapsed, neck_tilt=tilt, neck_pan=pan, neck_nod=nod
            )
        )

    # --- the robot's own search ------------------------------------------------------------

    def _begin_native(self, goal: _SearchGoal) -> None:
        # While it searches the robot cannot be stopped: it must not walk into anything.
        self._robot.interrupt_all("the robot's own search blocks all other commands")
        self._robot.stop_walking()
        self._robot.claim(goal, HEAD, "search_ball moves the head")
        number = self._robot.wire.colours[goal.colour]

        def on_result(answer: Answer) -> None:
            assert isinstance(answer.reply, SearchResult)
            with self._robot.lock:
                self._robot.blocked = False
                self._guarded(goal, self._native_result, goal, answer.reply.found)

        self._robot.send(SearchBall(number), Priority.ACTION, on_result)
        self._robot.blocked = True
        self._feed_back(goal, AiboSearchBall.Feedback.NATIVE)

    def _native_result(self, goal: _SearchGoal, found: bool) -> None:
        if goal.cancelled:
            goal.end(Outcome.CANCELED, "the robot's search has ended, which cannot be cut short")
        elif not found:
            goal.end(Outcome.NOT_FOUND, f"the robot found no {goal.colour} ball")
        else:
            goal.found = True  # where, is asked once it is known where the head points now

    def _ask_where(self, goal: _SearchGoal) -> None:
        goal.found = False
        query = QueryBall(self._robot.wire.colours[goal.colour])

        def on_ball(answer: Answer) -> None:
            with self._robot.lock:
                goal.ball = self._read_ball(goal.colour, answer)
                goal.end(Outcome.SUCCEEDED, _found(goal.ball))

        self._robot.send(query, Priority.ACTION, on_ball)

    def link_lost(self, reason: str) -> None:
        """End all goals; a new connection is not blocked by a search of the old one."""
        self._robot.blocked = False
        super().link_lost(reason)

    # --- the end ---------------------------------------------------------------------------

    def _stop(self, goal: _SearchGoal) -> None:
        if goal.search is None:
            goal.cancelled = True
            return
        goal.stop_joints(())
        goal.end(Outcome.CANCELED, "the head was stopped")

    def _result(self, goal: _SearchGoal, ending: Ending) -> AiboSearchBall.Result:
        return AiboSearchBall.Result(
            outcome=conversions.outcome(ending),
            found=ending.outcome is Outcome.SUCCEEDED,
            ball=goal.ball,
        )


def _found(ball: AiboBall) -> str:
    if not ball.visible:
        return f"the {ball.colour} ball was found; it is out of sight again"
    return f"the {ball.colour} ball is {ball.azimuth:.2f} rad to the left, {ball.elevation:.2f} up"
