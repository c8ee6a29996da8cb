# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The host: Lua walks, moves and sees with a robot in ROS, and a loss on either side stops it.

Time is that of /clock, which a step of the test moves by 20 ms: how long a stop takes does not
depend on the machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Image, Imu, JointState
from std_msgs.msg import Float64MultiArray, Header
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.times import time_message
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.host.node import WALKING_PERIOD_S, LuarHost
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol import host_image, host_walk
from luar_bridge.protocol.labels import webots_yuyv_to_rgb, yuyv_to_rgb
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment, Snapshot
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

STEP_S = 0.02
STOP_S = 0.5
"""A robot stands so soon after a loss (docs/luar_host.md)."""
IMAGE = (8, 4)
"""Width and height of Lua's images, pixels."""
COLOUR = (200, 40, 90)


class Scene:
    """A host between a Lua and a robot that the test plays; ``user`` ends all segments' names."""

    host: RunningNode[LuarHost]

    def __init__(self, lua: SegmentOwner, peer: RosPeer, user: str) -> None:
        self.lua, self.peer, self._user = lua, peer, user
        self.seconds, self.count = 100.0, 0
        self.velocity: tuple[float, ...] = (0.0, 0.0, 0.0)
        self.place = (0.0, 0.0)
        self.positions = {"HeadYaw": 0.25, "tilt": -0.1}
        self.does: set[str] = {"lua", "odometry", "joints", "images"}
        """Parts that go on."""
        own, stream = "/luar_host/", qos.stream(50)
        self.link = peer.subscribe(LinkState, f"{own}link_state")
        self.velocities = peer.subscribe(Twist, f"{own}cmd_vel", stream)
        node = peer.node
        self._clock = node.create_publisher(Clock, "/clock", stream)
        self._odometry = node.create_publisher(Odometry, f"{own}odom", stream)
        self._states = node.create_publisher(JointState, f"{own}joint_states", stream)
        self.imu = node.create_publisher(Imu, f"{own}imu", stream)
        self._images = node.create_publisher(Image, f"{own}image", stream)
        self.encoding, self.pixels = "rgb8", bytes(COLOUR * 2 * IMAGE[0] * 2 * IMAGE[1])

    def file(self, segment: str) -> str:
        return segment + ("" if segment.startswith("dcm") else "01") + self._user

    def make(self, segment: str, **lengths: int) -> None:
        self.lua.create(self.file(segment))
        for name, length in lengths.items():
            self.lua.set(self.file(segment), name, [0.0] * length)
        self.lua.sync()

    def read(self, segment: str) -> Snapshot:
        with Segment(DIRECTORY / self.file(segment)) as opened:
            return opened.snapshot

    def commands(self, **values: list[float]) -> None:
        """Have Lua command its joints."""
        for name, numbers in values.items():
            self.lua.set(self.file("dcmActuator"), name, numbers)
        self.lua.sync()

    def step(self) -> None:
        """Have Lua and the robot go on, and time pass."""
        self.count += 1
        if "lua" in self.does:
            walk, joints = self.file(host_walk.SEGMENT), self.file("dcmActuator")
            self.lua.set(walk, "velocity", self.velocity)
            for file in (walk, joints):
                if (DIRECTORY / file).exists():
                    self.lua.set(file, "count", float(self.count))
            self.lua.sync()
        if "odometry" in self.does:
            message = Odometry()
            message.pose.pose.position.x, yaw = self.place
            message.pose.pose.orientation.z = math.sin(yaw / 2)
            message.pose.pose.orientation.w = math.cos(yaw / 2)
            self._odometry.publish(message)
        stamp = self.stamp()
        if "joints" in self.does:
            names, positions = list(self.positions), list(self.positions.values())
            header = Header(stamp=stamp)
            self._states.publish(JointState(header=header, name=names, position=positions))
        if "images" in self.does:
            width, height = 2 * IMAGE[0], 2 * IMAGE[1]
            size = len(self.pixels) // height
            self._images.publish(
                Image(
                    header=Header(stamp=stamp), width=width, height=height, step=size,
                    encoding=self.encoding, data=self.pixels,
                )
            )  # fmt: skip
        self.seconds += STEP_S
        self._clock.publish(Clock(clock=self.stamp()))

    def stamp(self) -> Time:
        return time_message(self.seconds)

    def goes_on_until(self, holds: Callable[[], object], complaint: str = "not so") -> None:
        def stepped() -> object:
            self.step()
            return holds()

        until(stepped, complaint)

    def moves(self) -> bool:
        return bool(self.velocities.items and self.velocities.last.linear.x > 0.0)

    def walks(self) -> None:
        self.velocity = (0.2, 0.0, 0.0)
        self.goes_on_until(self.moves, "the robot does not walk")

    def stops_after(self, part: str) -> float:
        """Have a part end; return after how many seconds the robot stands.

        The host sends a velocity at each of its steps while the robot moves: it is waited for.
        """
        self.does.discard(part)
        begun = self.seconds
        while self.moves():
            sent = len(self.velocities.items)
            self.step()
            until(lambda sent=sent: len(self.velocities.items) > sent, "the host sends nothing")
        return self.seconds - begun


@pytest.fixture
def scene(user: str) -> Callable[..., Any]:
    @contextmanager
    def made(host: type[LuarHost] = LuarHost, **parameters: Any) -> Iterator[Scene]:
        settings = {
            "use_sim_time": True, "stepped": True, "user": user, "joints_suffix": user,
            **parameters,
        }  # fmt: skip
        with ExitStack() as stack:
            lua, peer = stack.enter_context(SegmentOwner()), stack.enter_context(RosPeer())
            played = Scene(lua, peer, user)
            played.make(host_walk.SEGMENT, **host_walk.LENGTHS)
            if "joints" in parameters:
                numbers = len(JOINTS)
                played.make(
                    "dcmSensor", position=numbers, command=numbers, imuAngle=2, time=1, count=1,
                    button=1,
                )  # fmt: skip
                played.make(
                    "dcmActuator", command=numbers, hardness=numbers, velocity=numbers, count=1
                )
            if "image" in parameters:
                size = 2 * IMAGE[0] * IMAGE[1] // 8
                played.make(
                    host_image.SEGMENT, yuyv0=size, yuyv1=size, count=1, time=1, headAngles=2,
                    width=1, height=1,
                )  # fmt: skip
                for name, pixels in zip(("width", "height"), IMAGE, strict=True):
                    lua.set(played.file(host_image.SEGMENT), name, float(pixels))
                lua.sync()
            played.host = RunningNode(host, settings)
            stack.enter_context(played.host)
            yield played

    return made


def test_the_walk_of_lua_is_cmd_vel_within_the_robots_limits(scene: Any) -> None:
    with scene() as s:
        s.velocity = (0.1, 0.05, 0.4)
        s.goes_on_until(s.moves)
        twist = s.velocities.last
        reported = (twist.linear.x, twist.linear.y, twist.angular.z)
        assert reported == (0.1, 0.0, 0.4)  # a wheeled robot: max_sideways is 0
        s.velocity = (9.0, 0.0, -9.0)
        s.goes_on_until(lambda: s.velocities.last.linear.x == 0.5)
        assert s.velocities.last.angular.z == -1.5
        s.velocity = (math.nan, 0.0, 0.0)
        s.goes_on_until(lambda: not s.moves())
        s.link.wait_for(lambda m: m.state == LinkState.CONNECTED)


def test_odometry_goes_to_lua(scene: Any) -> None:
    with scene() as s:
        s.place = (1.5, -0.5)
        there = pytest.approx((1.5, 0.0, -0.5))
        s.goes_on_until(lambda: s.read(host_walk.SEGMENT).numbers("odometry", 3) == there)


@pytest.mark.parametrize(
    "lost, said",
    [
        ("lua", "stands still"),
        ("odometry", "no odometry"),
        ("joints", "no joint states"),
        ("images", "no image"),
    ],
)
def test_the_robot_stands_half_a_second_after_a_loss(scene: Any, lost: str, said: str) -> None:
    with scene(joints=["HeadYaw"], image="image") as s:
        s.walks()
        taken = s.stops_after(lost)
        print(f"{lost}: {taken:.2f} s")
        assert taken < STOP_S
        s.link.wait_for(lambda m: m.state == LinkState.FAULT and said in m.detail)
        s.does.add(lost)
        s.goes_on_until(s.moves, "the robot does not walk on")


def test_a_segment_that_is_gone_stops_the_robot(scene: Any) -> None:
    with scene() as s:
        s.walks()
        s.lua.remove(s.file(host_walk.SEGMENT))
        s.lua.sync()
        assert s.stops_after("lua") < STOP_S
        s.link.wait_for(
            lambda m: m.state == LinkState.CONNECTING and host_walk.SEGMENT in m.detail
        )


class LateHost(LuarHost):
    """Is slow to stop, as on a busy machine: meanwhile its next step comes due."""

    def stop(self) -> None:
        """Stop; take a while."""
        super().stop()
        time.sleep(3 * WALKING_PERIOD_S)


def test_nothing_follows_the_stop_of_a_host_that_ends(scene: Any) -> None:
    with scene(LateHost, use_sim_time=False, stepped=False, timeout=5.0) as s:
        s.walks()
        s.host.stop()
        until(lambda: not s.moves(), "the robot does not stop")
        s.peer.wait_for_no_publisher("/luar_host/cmd_vel")
        assert not s.moves()


def in_order(**values: float) -> list[float]:
    """Return a number for each joint of Lua's, 0 where none is given."""
    return [values.get(joint, 0.0) for joint in JOINTS]


def test_lua_moves_the_joints_that_the_robot_has(scene: Any, capfd: Any) -> None:
    with scene(cmd_vel="", joints=["HeadPitch=tilt", "HeadYaw"], imu="imu") as s:
        commands = s.peer.subscribe(
            Float64MultiArray,
            "/luar_host/joint_group_position_controller/commands",
            qos.stream(50),
        )
        s.commands(
            hardness=in_order(HeadYaw=1.0, HeadPitch=1.0, LKneePitch=1.0),
            command=in_order(HeadYaw=1.0, HeadPitch=9.0, LKneePitch=0.9, RKneePitch=0.9),
        )
        s.goes_on_until(lambda: commands.items and commands.last.data[1] == 1.0)
        assert commands.last.data[0] == pytest.approx(0.5149, abs=1e-3)  # the joint's limit
        said = capfd.readouterr().err
        assert said.count("clamped: HeadPitch is 8.485 rad beyond its limit of 0.515 rad") == 1
        imu = Imu()
        imu.orientation.x, imu.orientation.w = math.sin(0.15), math.cos(0.15)

        def inclined() -> bool:
            s.imu.publish(imu)
            roll = s.read("dcmSensor").all_numbers("imuAngle")
            return bool(roll == pytest.approx((0.3, 0.0)))

        s.goes_on_until(inclined)
        at = dict(zip(JOINTS, s.read("dcmSensor").all_numbers("position"), strict=True))
        assert (at["HeadYaw"], at["HeadPitch"]) == (0.25, -0.1)  # as measured
        assert (at["LKneePitch"], at["RKneePitch"]) == (0.9, 0.0)  # none; the second is loose
        assert s.read("dcmSensor").number("count")


def test_the_button_of_the_chest_is_pressed_for_a_while(scene: Any) -> None:
    with scene(cmd_vel="", joints=["HeadYaw"]) as s:

        def button() -> float | None:
            return s.read("dcmSensor").number("button")

        s.goes_on_until(lambda: s.read("dcmSensor").number("count"))  # its clock goes
        assert s.peer.call(Trigger, "/luar_host/press_button").success
        s.goes_on_until(lambda: button() == 1.0)
        assert not s.peer.call(Trigger, "/luar_host/press_button").success  # it is down
        began = s.seconds
        s.goes_on_until(lambda: button() == 0.0)
        assert s.seconds - began > 0.1


def test_a_program_that_writes_without_counting_is_followed(scene: Any) -> None:
    """As the original's gen_motion.lua and test_keyframe.lua."""
    with scene(cmd_vel="", joints=["HeadYaw"], timeout=0.5) as s:
        topic = "/luar_host/joint_group_position_controller/commands"
        commands = s.peer.subscribe(Float64MultiArray, topic, qos.stream(50))
        s.does.discard("lua")
        s.commands(hardness=in_order(HeadYaw=1.0), command=in_order(HeadYaw=0.3))
        s.goes_on_until(lambda: s.link.items and "so do its commands" in s.link.last.detail)
        assert not commands.items
        s.commands(command=in_order(HeadYaw=0.4))
        s.goes_on_until(lambda: commands.items and commands.last.data[0] == 0.4)
        s.goes_on_until(lambda: s.link.last.state == LinkState.FAULT)
        s.commands(command=in_order(HeadYaw=0.5))
        s.goes_on_until(lambda: commands.last.data[0] == 0.5)


def test_a_joints_speed_is_lua_s_and_trajectories_have_names(scene: Any) -> None:
    with scene(cmd_vel="", joints=["HeadYaw"], joint_trajectories=True, joint_commands="go") as s:
        commands = s.peer.subscribe(JointTrajectory, "/luar_host/go", qos.stream(500))
        s.commands(
            hardness=in_order(HeadYaw=1.0), velocity=in_order(HeadYaw=0.5),
            command=in_order(HeadYaw=1.0),
        )  # fmt: skip
        s.goes_on_until(lambda: commands.items and commands.last.points[0].positions[0] == 1.0)
        assert commands.last.joint_names == ["HeadYaw"]
        way = [message.points[0].positions[0] for message in commands.items]
        assert way[0] < 0.3  # from where it was measured
        assert max(np.diff(way)) < 0.0051  # 0.5 rad/s in 10 ms


@pytest.mark.parametrize(
    "colors, to_rgb", [("webots", webots_yuyv_to_rgb), ("standard", yuyv_to_rgb)]
)
def test_images_go_to_lua_in_its_size_and_packing(scene: Any, colors: str, to_rgb: Any) -> None:
    with scene(joints=["HeadYaw", "HeadPitch=tilt"], image="image", colors=colors) as s:
        reported: list[Snapshot] = []

        def has_come() -> bool:
            reported.append(s.read(host_image.SEGMENT))
            angles = reported[-1].numbers("headAngles", 2)
            return (reported[-1].number("count") or 0.0) >= 3.0 and angles == (0.25, -0.1)

        s.goes_on_until(has_come)
        image = reported[-1]
        whole = host_image.BUFFERS[int(image.number("count") or 0) % 2]
        width, height = IMAGE
        yuyv = np.frombuffer(image.raw(whole), np.uint8).reshape(height, width, 2)
        assert np.abs(to_rgb(yuyv).astype(int) - COLOUR).max() <= 3
        assert 100.0 <= (image.number("time") or 0.0) <= s.seconds


@pytest.mark.parametrize("wrong", [{"encoding": "32FC1"}, {"pixels": b"\0" * 16}])
def test_an_image_that_is_none_is_said_and_stops_the_robot(scene: Any, wrong: Any) -> None:
    with scene(image="image") as s:
        s.walks()
        vars(s).update(wrong)
        s.goes_on_until(lambda: not s.moves())
        s.link.wait_for(lambda m: m.state == LinkState.FAULT and "image: " in m.detail)


@pytest.mark.parametrize(
    "wrong, named",
    [
        ({"joints": ["Tail"]}, "'Tail'"),
        ({"joints": ["HeadYaw", "HeadYaw"]}, "twice"),
        ({"cmd_vel": ""}, "none of the parameters"),
        ({"user": "a/b"}, "'user'"),
    ],
)
def test_parameters_that_cannot_be_used(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named), RunningNode(LuarHost, wrong):
        pass
