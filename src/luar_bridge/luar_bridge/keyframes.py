# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program ``keyframes``: plays, steps through and records keyframe motions of a robot in ROS.

Any robot whose joints have a Nao's names and that has ``follow_joint_trajectory`` and
``joint_states``. What it does is said on standard input, a line each; see ``--help``.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import rclpy
from control_msgs.action import FollowJointTrajectory
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_common.node.times import duration
from legacy_robots_msgs.srv import LuarHardness
from luar_tools.keyframes.command import main as without_robot
from luar_tools.keyframes.limits import (
    NAO_LIMITS,
    POSITION_MODES,
    SPEED_MODES,
    LimitsError,
    joints_of,
    within,
)
from luar_tools.keyframes.motion import NAO_JOINTS, Keyframe, KeyframeMotion
from luar_tools.keyframes.reader import MotionFileError, read_motion
from luar_tools.keyframes.writer import lua_text

TIMEOUT_S = 10.0
"""For the robot to be there and to answer."""
HELP = """lines of record:
  (empty)      append the joints' present positions as a keyframe
  SECONDS      of the keyframes that follow, such as 0.5
  d N SECONDS  of keyframe N, counted from 1
  u            remove the last keyframe
  g N          go to keyframe N
  p            play what there is
  l            list it
  r [JOINT…]   release joints, such as LElbowRoll, or a group (head, larm); all without a name
  h [JOINT…]   hold them
  q            write the file and end; so does the end of the input
The service record_pose appends a keyframe, too. Joints are released at the beginning where the
robot has set_hardness; g and p hold all, until r.
lines of step: (empty) goes to the next keyframe, q ends."""


class KeyframesError(Exception):
    """The robot cannot do it; the message says why."""


class Robot:
    """A robot in a namespace; its node runs on a thread of its own."""

    def __init__(self, namespace: str) -> None:
        self._node = rclpy.create_node("keyframes", namespace=namespace)
        self._came = threading.Event()
        self._positions: dict[str, float] = {}
        qos.subscription(self._node, JointState, "joint_states", self._on_state, qos.stream(5))
        self._go = ActionClient(self._node, FollowJointTrajectory, "follow_joint_trajectory")
        self._hardness = self._node.create_client(LuarHardness, "set_hardness")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._executor.spin, name="ROS", daemon=True)
        self._thread.start()

    def serve(self, name: str, record: Any) -> None:
        """Have ``record()`` called for a service; it returns a message."""

        def answer(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
            try:
                response.message, response.success = record(), True
            except KeyframesError as error:
                response.message = str(error)
            return response

        self._node.create_service(Trigger, name, answer)

    def close(self) -> None:
        """End its node."""
        self._executor.shutdown()
        self._thread.join()
        self._node.destroy_node()

    def pose(self, joints: Sequence[str]) -> tuple[float, ...]:
        """Return where joints are now (rad). Raises KeyframesError."""
        if not self._came.wait(TIMEOUT_S):
            raise KeyframesError("no joint_states come")
        at = self._positions
        if missing := [joint for joint in joints if joint not in at]:
            raise KeyframesError(f"joint_states has no {', '.join(missing)}")
        return tuple(at[joint] for joint in joints)

    def go(self, joints: Sequence[str], frames: Iterable[Keyframe]) -> None:
        """Go through keyframes, and wait for the end. Raises KeyframesError."""
        points, time = [], 0.0
        for frame in frames:
            time += frame.duration
            points.append(
                JointTrajectoryPoint(positions=frame.angles, time_from_start=duration(time))
            )
        if not self._go.wait_for_server(TIMEOUT_S):
            raise KeyframesError("there is no action follow_joint_trajectory")
        trajectory = JointTrajectory(joint_names=joints, points=points)
        goal = FollowJointTrajectory.Goal(trajectory=trajectory)
        handle = self._result(self._go.send_goal_async(goal), TIMEOUT_S)
        if not handle.accepted:
            raise KeyframesError("the trajectory was refused: the robot's log says why")
        result = self._result(handle.get_result_async(), time + TIMEOUT_S).result
        if result.error_code != FollowJointTrajectory.Result.SUCCESSFUL:
            raise KeyframesError(result.error_string)

    def set_hardness(self, hardness: float, joints: Sequence[str] = ()) -> str:
        """Release (0) or hold joints, all if none is named; return why that failed, or nothing."""
        if not self._hardness.wait_for_service(1.0):
            return "the robot has no service set_hardness: its joints are as they were"
        request = LuarHardness.Request(joints=joints, hardness=hardness)
        answer = self._result(self._hardness.call_async(request), TIMEOUT_S)
        return "" if answer.success else str(answer.message)

    def _result(self, future: Any, timeout: float) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        if not done.wait(timeout):
            raise KeyframesError(f"the robot does not answer for {timeout:g} s")
        return future.result()

    def _on_state(self, message: JointState) -> None:
        at = dict(zip(message.name, message.position, strict=False))
        self._positions = {**self._positions, **at}
        self._came.set()


class Recorder:
    """Keyframes as they are recorded; any thread."""

    def __init__(self, robot: Robot, joints: Sequence[str], seconds: float) -> None:
        self._robot, self._joints, self._seconds = robot, joints, seconds
        self._lock = threading.Lock()
        self._frames: list[Keyframe] = []

    def record(self) -> str:
        """Append the present pose; return what was done. Raises KeyframesError."""
        pose = self._robot.pose(self._joints)
        with self._lock:
            self._frames.append(Keyframe(pose, self._seconds))
            return f"keyframe {len(self._frames)}, {self._seconds:g} s"

    def obey(self, line: str) -> str:
        """Do what a line says; return what was done. Raises KeyframesError and ValueError."""
        words = line.split()
        if not words:
            return self.record()
        if words[0] in ("r", "h"):
            said = self._robot.set_hardness(float(words[0] == "h"), words[1:])
            return said or {"r": "released", "h": "held"}[words[0]]
        with self._lock:
            frames = self._frames
            if words == ["u"] and frames:
                frames.pop()
                return f"{len(frames)} keyframes are left"
            if words == ["l"]:
                return "\n".join(
                    f"{number}: {frame.duration:g} s, {' '.join(f'{a:.3f}' for a in frame.angles)}"
                    for number, frame in enumerate(frames, 1)
                )
            if words[0] == "d" and len(words) == 3:
                index = self._index(words[1])
                frames[index] = Keyframe(frames[index].angles, _seconds(words[2]))
                return f"keyframe {index + 1}, {frames[index].duration:g} s"
            if len(words) == 1 and words[0] not in ("p", "u"):
                self._seconds = _seconds(words[0])
                return f"the next keyframes take {self._seconds:g} s"
            chosen = list(frames)
            if words[0] == "g" and len(words) == 2:
                chosen = [frames[self._index(words[1])]]
            elif words != ["p"]:
                raise ValueError(f"{line.strip()!r} is not understood")
        if not chosen:
            raise ValueError("there is no keyframe yet")
        said = self._robot.set_hardness(1.0)
        self._robot.go(self._joints, chosen)
        return said or "done"

    def motion(self) -> KeyframeMotion:
        """Return what has been recorded."""
        servos = tuple(NAO_JOINTS.index(joint) + 1 for joint in self._joints)
        return KeyframeMotion(servos, tuple(self._frames))

    def _index(self, word: str) -> int:
        if not word.isdigit() or not 1 <= int(word) <= len(self._frames):
            raise ValueError(f"there is no keyframe {word}")
        return int(word) - 1


def _seconds(word: str) -> float:
    seconds = float(word)
    if not 0.0 < seconds < 1000.0:
        raise ValueError(f"{word} s is no duration")
    return seconds


def _say(text: str, stream: TextIO = sys.stdout) -> None:
    stream.write(f"{text}\n")
    stream.flush()


def _record(robot: Robot, options: argparse.Namespace) -> None:
    joints = options.joints or NAO_JOINTS
    recorder = Recorder(robot, joints, options.seconds)
    robot.pose(joints)
    if problem := robot.set_hardness(0.0):
        _say(problem, sys.stderr)
    robot.serve("record_pose", recorder.record)
    _say("recording; a line with 'q' writes the file")
    for line in sys.stdin:
        if line.strip() == "q":
            break
        try:
            _say(recorder.obey(line))
        except (KeyframesError, ValueError) as error:
            _say(str(error), sys.stderr)
    motion = recorder.motion()
    if not motion.keyframes:
        raise KeyframesError("nothing was recorded, and no file written")
    options.file.write_text(lua_text(motion), encoding="utf-8")
    _say(f"{options.file}: {len(motion.keyframes)} keyframes, {motion.duration:g} s")


def _play(robot: Robot, options: argparse.Namespace) -> None:
    motion = read_motion(options.file)
    joints = joints_of(motion, NAO_LIMITS)
    motion, said = within(
        motion,
        NAO_LIMITS,
        positions=options.positions,
        speeds=options.speeds,
        start=robot.pose(joints),
    )
    for remark in said:
        _say(remark)
    if options.command == "play":
        robot.go(joints, motion.keyframes)
        _say(f"played in {motion.duration:.2f} s")
        return
    for number, frame in enumerate(motion.keyframes, 1):
        if sys.stdin.readline().strip() == "q":
            return
        robot.go(joints, [frame])
        _say(f"keyframe {number} of {len(motion.keyframes)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keyframes",
        description=__doc__,
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="what a motion is: as luar_tools keyframes check")
    for name, says in (
        ("play", "play a file"),
        ("step", "go through a file, a keyframe a line"),
        ("record", "make a file of poses to which a person moves the robot"),
    ):
        command = commands.add_parser(name, help=says)
        command.add_argument("file", type=Path, metavar="FILE")
        command.add_argument("--robot", default="/luar", help="its namespace; default: /luar")
        if name == "record":
            command.add_argument("--joints", nargs="+", choices=NAO_JOINTS, metavar="JOINT")
            command.add_argument("--seconds", type=_seconds, default=1.0, help="of a keyframe")
        else:
            command.add_argument("--positions", choices=POSITION_MODES, default="clamp")
            command.add_argument("--speeds", choices=SPEED_MODES, default="stretch")
    return parser


def main() -> int:
    """Run the program; return the exit code."""
    given = remove_ros_args(sys.argv)[1:]
    if given[:1] == ["check"]:
        return without_robot(given)
    options = _parser().parse_args(given)
    rclpy.init()
    robot = Robot(options.robot)
    try:
        (_record if options.command == "record" else _play)(robot, options)
    except (KeyframesError, MotionFileError, LimitsError, OSError) as error:
        _say(f"keyframes: {error}", sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        robot.close()
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
