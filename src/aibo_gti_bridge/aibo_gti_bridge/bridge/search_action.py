# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The action ``search_ball``: a scan run by the bridge, or the robot's own searchBall."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.goals import Outcome, RobotGoal, RobotServer
from aibo_gti_bridge.bridge.link import Priority
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.model.ball_search import BallSearch, Stage
from aibo_gti_bridge.model.joints import HEAD
from aibo_gti_bridge.protocol.commands import Reply, SearchBall, SearchResult
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import Ending, GoalRefusedError
from legacy_robots_msgs.action import AiboSearchBall
from legacy_robots_msgs.msg import AiboBall

TIMEOUT_ERROR_S = 0.001
"""More than a timeout changes on its way, as a number of 32 bits."""
_STAGES = {
    Stage.SCANNING: AiboSearchBall.Feedback.SCANNING,
    Stage.CENTRING: AiboSearchBall.Feedback.CENTRING,
}


class _SearchGoal(RobotGoal):
    def __init__(self, server: SearchBallAction, handle: Any) -> None:
        super().__init__(server, handle)
        self.colour: str = self.request.colour
        self.search: BallSearch | None = None
        """None: the robot's own search."""
        self.timeout = 0.0
        self.ball = AiboBall(colour=self.colour)
        self.searching = False
        """The robot's own search runs, which nothing can end."""
        self.stopped: tuple[Outcome, str] | None = None
        """How it ends once the robot's own search is over, where it was stopped meanwhile."""
        self.found = False
        """The robot's own search has found the ball."""
        self.head_known = False
        """The head has been read since: a ball that is seen now has the right bearing."""

    @property
    def needs_ball(self) -> bool:
        """Whether the ball has to be asked for."""
        return not self.over and (self.search is not None or self.head_known)

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """End it, as soon as the robot can be stopped."""
        if self.searching:
            self.stopped = (Outcome.INTERRUPTED, reason)
        else:
            super().interrupt(reason, taken)

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Stop the head."""
        self.server.robot.hold(HEAD, but)


class SearchBallAction(RobotServer[_SearchGoal]):
    """The action ``search_ball``."""

    canceled = "the head was stopped"

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        super().__init__(node, robot, AiboSearchBall, "search_ball", _SearchGoal)
        self._native = parameters.search_mode == "native"
        self._timeout = parameters.search_timeout

    @property
    def wanted(self) -> frozenset[str]:
        """Colours of the balls that have to be asked for. Thread-safe."""
        return frozenset(goal.colour for goal in self.goals if goal.needs_ball)

    def begin(self, goal: _SearchGoal) -> None:
        """Begin to search."""
        colours = self.robot.wire.colours
        if goal.colour not in colours:
            raise GoalRefusedError(f"{goal.colour!r} is none of {', '.join(colours)}")
        timeout = goal.request.timeout
        if not 0.0 <= timeout < 86400.0:
            raise GoalRefusedError(f"a timeout of {timeout} s; give 0 for the default")
        if self._native and timeout > self._timeout + TIMEOUT_ERROR_S:
            raise GoalRefusedError(
                f"a timeout of {timeout:g} s; the robot's own search has {self._timeout:g} s"
            )
        goal.timeout = timeout or self._timeout
        if self.robot.refusal:
            raise GoalRefusedError(self.robot.refusal)
        if self._native:
            self._begin_native(goal)
            return
        missing = [name for name in HEAD if name not in self.robot.positions]
        if missing:
            raise GoalRefusedError(f"the robot does not report {', '.join(missing)}")
        self.robot.claims.claim(goal, HEAD, "search_ball moves the head")
        goal.search = BallSearch()

    def on_ball(self, time: float, ball: AiboBall) -> None:
        """Go on with the searches for this ball. On the link's thread, with the lock held."""
        for goal in self.goals:
            if goal.colour == ball.colour and goal.needs_ball:
                self.guarded(goal, self._look, goal, time, ball)

    def _look(self, goal: _SearchGoal, time: float, ball: AiboBall) -> None:
        if goal.search is None:
            goal.ball = ball
            goal.end(Outcome.SUCCEEDED, _found(ball))
            return
        positions = self.robot.positions
        if any(name not in positions for name in HEAD):
            raise GoalRefusedError("the robot does not report its head any more")
        place = (ball.x, ball.y) if ball.visible else None
        if ball.visible:
            goal.ball = ball
        move = goal.search.update(time, positions, place)
        if move is not None:
            self.robot.move(move.targets, move.duration)
        if goal.search.stage is Stage.FOUND:
            goal.end(Outcome.SUCCEEDED, _found(goal.ball))
        elif goal.search.stage is Stage.NOT_FOUND:
            goal.end(Outcome.NOT_FOUND, f"no {goal.colour} ball was seen all around")

    def follow(self, goal: _SearchGoal, reading: Reading) -> None:
        """Report where the head is; end a scan that takes too long."""
        goal.head_known = goal.found
        if goal.search is None:
            return
        if goal.elapsed > goal.timeout:
            goal.stop_joints()
            goal.end(Outcome.TIMED_OUT, f"no {goal.colour} ball was found in {goal.timeout:g} s")
            return
        self._feed_back(goal, _STAGES.get(goal.search.stage, 0))

    def _feed_back(self, goal: _SearchGoal, stage: int) -> None:
        nan = float("nan")
        tilt, pan, nod = (self.robot.positions.get(name, nan) for name in HEAD)
        goal.publish_feedback(
            AiboSearchBall.Feedback(
                stage=stage, elapsed=goal.elapsed, neck_tilt=tilt, neck_pan=pan, neck_nod=nod
            )
        )

    # --- the robot's own search ------------------------------------------------------------

    def _begin_native(self, goal: _SearchGoal) -> None:
        # While it searches the robot cannot be stopped: it must not walk into anything.
        self.robot.claims.interrupt_all("the robot's own search blocks all other commands")
        self.robot.stop_walking()
        self.robot.claims.claim(goal, HEAD, "search_ball moves the head")

        def on_reply(reply: Reply) -> None:
            assert isinstance(reply, SearchResult)
            with self.robot.lock:
                self.robot.refusal, goal.searching = "", False
                self._native_result(goal, reply.found)

        command = SearchBall(self.robot.wire.colours[goal.colour])
        self.robot.send(command, Priority.ACTION, on_reply)
        self.robot.refusal, goal.searching = "the robot is searching and takes no commands", True
        self._feed_back(goal, AiboSearchBall.Feedback.NATIVE)

    def _native_result(self, goal: _SearchGoal, found: bool) -> None:
        if goal.stopped is not None:
            goal.end(*goal.stopped)
        elif not found:
            goal.end(Outcome.NOT_FOUND, f"the robot found no {goal.colour} ball")
        else:
            goal.found = True  # where, is asked once it is known where the head points now

    # --- the end ---------------------------------------------------------------------------

    def cancel(self, goal: _SearchGoal) -> bool:
        """Stop the head; the robot's own search ends as cancelled when the robot has ended it."""
        if not goal.searching:
            return super().cancel(goal)
        text = "the robot's search has ended, which cannot be cut short"
        goal.stopped = (Outcome.CANCELED, text)
        return True

    def result(self, goal: _SearchGoal, ending: Ending) -> AiboSearchBall.Result:
        """Return the result message."""
        return AiboSearchBall.Result(
            outcome=conversions.outcome(ending),
            found=ending.outcome is Outcome.SUCCEEDED,
            ball=goal.ball,
        )


def _found(ball: AiboBall) -> str:
    if not ball.visible:
        return f"the {ball.colour} ball was found; it is out of sight again"
    return f"the {ball.colour} ball is {ball.azimuth:.2f} rad to the left, {ball.elevation:.2f} up"
