# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Any ROS 2 robot as the backend of a GTI server: what the client commands becomes messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping

from builtin_interfaces.msg import Duration
from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Twist, TwistStamped, Vector3
from rclpy.client import Client
from rclpy.task import Future
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from aibo_gti_bridge.host.actions import FAILED, Caller, CallsInOrder
from aibo_gti_bridge.host.base import STILL, Base
from aibo_gti_bridge.host.joints import Joints, Move
from aibo_gti_bridge.host.parameters import Parameters
from aibo_gti_bridge.host.robot_map import HostMap
from aibo_gti_bridge.host.search import TurnSearch
from aibo_gti_bridge.host.senses import Balls, Senses
from aibo_gti_bridge.model.ball_search import BallSearch, Stage
from aibo_gti_bridge.model.gait import Velocity
from aibo_gti_bridge.model.joints import BY_NAME, HEAD
from aibo_gti_bridge.model.motion_library import MotionLibrary, file_name
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.protocol.sensors import BallView
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall

PUBLISH_PERIOD_S = 0.05
"""Time between two velocities while the robot walks: robots stop when they stay away."""
NOT_KNOWN: Mapping[str, float] = {}
"""Positions of a robot that is not heard."""
EARLY_S = 0.005
"""How long before it is due a velocity may be published (s)."""
_JOINT_OF = {joint.tekkotsu: joint.name for joint in BY_NAME.values()}


class RosRobot:
    """The backend. Commands come on the server's thread, messages on the executor.

    Raises MapError for a map that this installation cannot serve.
    """

    def __init__(self, node: BridgeNode, host_map: HostMap, parameters: Parameters) -> None:
        self._node = node
        self._map = host_map
        self._parameters = parameters
        self._lock = threading.RLock()
        self._base = Base(host_map.walk, self._warn)
        self._joints = Joints(host_map)
        self._senses = Senses(node, host_map)
        self._balls = Balls(node, host_map.ball, f"map {host_map.name}")
        self._stamped = parameters.enable_stamped_cmd_vel
        kind = TwistStamped if self._stamped else Twist
        self._velocities = qos.publisher(node, kind, host_map.walk.topic, qos.stream(5))
        self._published: Velocity = STILL
        self._publish_due = 0.0
        self.client_heard = time.monotonic()
        """When the client last said something (monotonic, s)."""
        self._calls = calls = CallsInOrder(node)
        self._callers = {
            c.name: Caller(node, calls, FollowJointTrajectory, c.name)
            for c in host_map.controllers
            if c.kind == "action"
        }
        kinds = {"trajectory": JointTrajectory, "positions": Float64MultiArray}
        self._topics = {
            c.name: qos.publisher(node, kinds[c.kind], c.name, qos.stream(5))
            for c in host_map.controllers
            if c.kind != "action"
        }
        motions, ball = host_map.motions, host_map.ball
        self._motions = MotionLibrary(motions.directory)
        self._triggers = {
            file_name(name): node.create_client(Trigger, service)
            for name, service in motions.triggers.items()
        }
        self._player = (
            Caller(node, calls, AiboPlayMotion, motions.action) if motions.action else None
        )
        self._finder = (
            Caller(node, calls, AiboSearchBall, ball.search_action) if ball.search_action else None
        )
        self._search: BallSearch | TurnSearch | None = None
        self._search_colour = ""
        self._search_ends = 0.0
        self._asking = 0
        """Number of the search that the robot's own action does; 0: none."""
        self._searches = 0
        self._result: bool | None = None
        self._known: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})

    # --- what the client perceives ---------------------------------------------------------

    @property
    def joints(self) -> Collection[str]:
        """The joints that the map can move."""
        return self._joints.movable

    @property
    def silence(self) -> float:
        """Seconds since the robot's joint states or odometry came; negative: never heard."""
        return time.monotonic() - self._senses.heard

    def sensor(self, name: str) -> float:
        """Return a joint, button or sensor in the wire's unit; NaN: not available."""
        joint = _JOINT_OF.get(name)
        if joint is None:
            return self._senses.sensor(name)
        return self._positions().get(joint, float("nan"))

    def _positions(self) -> Mapping[str, float]:
        """Return our joints' positions; worked out once for each message."""
        robot = NOT_KNOWN if self._silent() else self._senses.robot_positions
        if robot is not self._known[0]:
            self._known = (robot, self._joints.positions(robot))
        return self._known[1]

    def _silent(self) -> bool:
        limit = self._parameters.robot_timeout
        return bool(limit) and self.silence > limit

    def sees(self, colour: str) -> bool:
        """Return whether the ball's topic has said something, or has not for too long."""
        return self._balls.sees(colour)

    def ball(self, colour: str) -> BallView:
        """Return the latest view of a ball."""
        return self._balls.ball(colour)

    # --- what the client commands ----------------------------------------------------------

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Walk with a velocity."""
        with self._lock:
            self._base.pose = self._senses.pose
            self._base.walk(time.monotonic(), (dx, dy, da), steps)
            self._publish(time.monotonic(), at_once=True)

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        """Walk over a displacement."""
        with self._lock:
            self._base.pose = self._senses.pose
            self._base.walk_steps(time.monotonic(), (dx, dy, da), steps)
            self._publish(time.monotonic(), at_once=True)

    def move_joints(self, targets: Mapping[str, tuple[float, float]]) -> None:
        """Move joints."""
        with self._lock:
            robot = self._senses.robot_positions
            self._tell(self._joints.moves(time.monotonic(), targets, robot))

    def play_file(self, file: str) -> bool:
        """Play a motion as the map says."""
        trigger = self._triggers.get(file_name(file))
        if trigger is not None:
            self._calls.call(self._pull, file, trigger)
            return True
        if self._player is not None:
            self._player.send(AiboPlayMotion.Goal(name=file))
            return True
        motion = self._motions.playable(file, self._warn)
        if motion is None:
            return False
        missing = sorted(set(motion.joints) - self._joints.movable)
        if missing:
            self._warn(f"motion: {file}: there is no joint {', '.join(missing)}")
        with self._lock:
            robot = self._senses.robot_positions
            self._tell(self._joints.trajectory(time.monotonic(), motion, robot))
        return True

    def search(self, colour: str) -> None:
        """Have the robot look for a ball, or look around with its head or its base."""
        with self._lock:
            self._result = None
            self._searches += 1
            self._search_colour = colour
            self._search_ends = time.monotonic() + self._parameters.search_timeout
            if self._finder is not None:
                self._asking = number = self._searches
                timeout = self._parameters.search_timeout
                self._finder.send(
                    AiboSearchBall.Goal(colour=colour, timeout=timeout),
                    lambda result: self._found(number, result),
                )
            else:
                self._balls.sees(colour)
                turn = self._map.ball.turn
                self._search = TurnSearch(turn) if turn else BallSearch()

    @property
    def searching(self) -> bool:
        """Whether a search is going on."""
        return bool(self._asking) or self._search is not None

    def search_result(self) -> bool | None:
        """Return once how a search has ended."""
        with self._lock:
            result, self._result = self._result, None
            return result

    def stop_everything(self) -> None:
        """Stand, hold all joints, end the search. Any thread."""
        with self._lock:
            self._base.stop()
            self._publish(time.monotonic(), at_once=True)
            self._search, self._asking, self._result = None, 0, None
            for caller in (*self._callers.values(), self._player, self._finder):
                if caller is not None:
                    caller.cancel()
            moves = self._joints.hold(self._senses.robot_positions)
            self._tell([move for move in moves if move.controller.kind != "action"])

    # --- time ------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether ``step`` is needed."""
        return self._base.walking or self.searching

    def step(self, seconds: float) -> None:
        """Go on with walks and searches."""
        with self._lock:
            now = time.monotonic()
            self._look_on(now)
            if not self._base.walking:
                self._publish(now)
                return
            self._base.pose = self._senses.pose
            self._base.step(now)
            limit = self._parameters.client_timeout
            if self._silent():
                self._stop_walk("the robot says nothing any more")
            elif limit and not self.searching and now - self.client_heard > limit:
                self._stop_walk(f"the client has said nothing for {limit:g} s")
            self._publish(now)

    def _stop_walk(self, reason: str) -> None:
        self._base.stop()
        self._node.on_problem("walks that were stopped", f"{reason}: the robot is stopped")

    def _look_on(self, now: float) -> None:
        search = self._search
        if search is None:
            if self._asking and now > self._search_ends + 1.0:
                self._end_search(False)
            return
        view = self._balls.ball(self._search_colour)
        if isinstance(search, TurnSearch):
            pose = self._senses.pose
            rate = search.update(now, None if pose is None else pose.yaw, view)
            self._base.walk(now, (0.0, 0.0, rate), -1)
        else:
            # A joint that is not there or not known counts as being where the dog's is.
            head = {name: STANDING[name] for name in HEAD} | dict(self._positions())
            place = (view.x, view.y) if view.visible else None
            move = search.update(now, head, place)
            if move is not None:
                targets = {n: (a, move.duration) for n, a in move.targets.items()}
                robot = self._senses.robot_positions
                mine = {n: t for n, t in targets.items() if n in self._joints.movable}
                self._tell(self._joints.moves(now, mine, robot))
        if search.over or now > self._search_ends:
            self._end_search(search.stage is Stage.FOUND)

    def _end_search(self, found: bool) -> None:
        if isinstance(self._search, TurnSearch):
            self._base.stop()
        self._search, self._asking, self._result = None, 0, found
        self.client_heard = time.monotonic()  # it has waited for this answer

    def _found(self, number: int, result: AiboSearchBall.Result | None) -> None:
        """Take the end of the robot's own search. On the executor."""
        with self._lock:
            if number == self._asking:
                self._end_search(result is not None and result.found)

    # --- towards the robot -----------------------------------------------------------------

    def _warn(self, text: str) -> None:
        self._node.get_logger().warning(text)

    def _publish(self, now: float, *, at_once: bool = False) -> None:
        """Publish the velocity: each PUBLISH_PERIOD_S while walking, and once at the end."""
        velocity = self._base.velocity
        if velocity == STILL and self._published == STILL:
            return
        changed = velocity != self._published and (at_once or velocity == STILL)
        if not changed and now < self._publish_due - EARLY_S:
            return
        late = changed or now > self._publish_due + PUBLISH_PERIOD_S
        self._publish_due = (now if late else self._publish_due) + PUBLISH_PERIOD_S
        self._published = velocity
        twist = Twist(linear=Vector3(x=velocity[0], y=velocity[1]), angular=Vector3(z=velocity[2]))
        if self._stamped:
            header = Header(stamp=self._node.stamp(), frame_id="base_link")
            self._velocities.publish(TwistStamped(header=header, twist=twist))
        else:
            self._velocities.publish(twist)
        self._node.counters.add("velocities")

    def _tell(self, moves: list[Move]) -> None:
        for move in moves:
            name = move.controller.name
            if move.controller.kind == "positions":
                self._topics[name].publish(Float64MultiArray(data=list(move.points[-1][1])))
                continue
            trajectory = JointTrajectory(
                joint_names=list(move.joints),
                points=[
                    JointTrajectoryPoint(positions=list(positions), time_from_start=_duration(at))
                    for at, positions in move.points
                ],
            )
            if move.controller.kind == "trajectory":
                self._topics[name].publish(trajectory)
            else:
                self._callers[name].send(FollowJointTrajectory.Goal(trajectory=trajectory))

    def _pull(self, file: str, client: Client) -> None:
        """Call a motion's service. On the executor."""
        if not client.service_is_ready():
            self._node.on_problem(FAILED, f"motion {file}: there is no service for it")
            return

        def answered(future: Future) -> None:
            answer = future.result()
            if not answer.success:
                self._node.on_problem(FAILED, f"motion {file}: {answer.message}")

        client.call_async(Trigger.Request()).add_done_callback(answered)


def _duration(seconds: float) -> Duration:
    return Duration(sec=int(seconds), nanosec=round(seconds % 1.0 * 1e9) % 10**9)
