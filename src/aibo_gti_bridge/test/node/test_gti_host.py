# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""gti_host: bytes given by hand on one side, ROS seen by hand on the other."""

from __future__ import annotations

import math
import struct
import time

import pytest
from geometry_msgs.msg import Point, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.action import ActionServer
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from soccer_vision_3d_msgs.msg import Ball, BallArray
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from aibo_gti_bridge.host.node import GtiHost
from aibo_gti_bridge.model.kinematics import IMAGE_SCALE
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.msg import AiboBall, AiboButtons
from legacy_robots_testing.byte_peer import BytePeer
from legacy_robots_testing.polling import until
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node

SENSORS = (12, 13, 100, 105, 200, 203, 205, 206, 208)
STATES = JointState(name=["neck_tilt", "neck_pan", "neck_nod"], position=[-0.5, 0.25, 0.125])


def publish_all(robot):
    imu = Imu()
    imu.linear_acceleration.x, imu.linear_acceleration.z = 0.5, 9.75
    robot.publish("imu", imu)
    robot.publish("joint_states", STATES)
    robot.publish("range/near", Range(range=0.25))
    robot.publish("battery", BatteryState(percentage=0.75, capacity=2.0))
    buttons = AiboButtons(valid=True, lf_paw=True, head_pressure=0.5)
    robot.publish("buttons", buttons, latched=True)
    robot.publish("ball/pink", AiboBall(colour="pink", visible=True, x=0.5, y=-0.25, area=0.125))


def read_sensors(client, ids):
    client.send(f"iii{len(ids)}i", 1, 4 + 4 * len(ids), len(ids), *ids)
    return client.read(f"{len(ids)}d")


@pytest.mark.parametrize("pieces", [False, True], ids=["whole", "byte by byte"])
def test_the_seven_commands_in_bytes(stage, pieces):
    # This robot says nothing while it is not asked to.
    patient = stage(robot_timeout=0.0)
    with patient as (host, robot), BytePeer(host.port, pieces=pieces) as client:
        found = ()

        def ask():
            nonlocal found
            publish_all(robot)
            found = read_sensors(client, SENSORS)
            return not any(map(math.isnan, found))

        until(ask)
        assert found == pytest.approx((-0.5, 0.25, 1.0, 0.5, 250.0, -0.5, -9.75, 0.75, 2000.0))
        missing = read_sensors(client, (0, 18, 300, 12))  # no leg on this robot; no such ids
        assert all(map(math.isnan, missing[:3]))
        assert missing[3] == -0.5

        def look():
            publish_all(robot)
            client.send("iii", 2, 4, 0)  # queryBall pink
            return client.read("3dii") == (0.5, -0.25, 0.125, 1, 0)

        until(look)
        client.send("iii", 2, 4, 77)  # a colour that is none
        assert client.read("3dii") == (0.0, 0.0, 0.0, 0, 77)

        client.send("iiiiiid", 4, 24, 1, 0, 13, 200, 30.0)  # moveJoints: pan to 30 degrees
        until(lambda: robot.goals)
        goal = robot.goals[0]
        assert list(goal.joint_names) == ["neck_pan"]
        assert goal.points[-1].positions[0] == pytest.approx(math.radians(30.0))
        assert goal.points[-1].time_from_start.nanosec == 200_000_000
        client.send("iiiiiid", 4, 24, 1, 0, 99, 200, 30.0)  # a joint that is none

        client.send("ii3dii", 6, 32, 1000.0, -50.0, 0.5, -1, 0)  # walk, faster than it may
        twist = robot.cmd_vel.wait_for(lambda m: m.linear.x > 0.0)
        assert (twist.linear.x, twist.linear.y, twist.angular.z) == (0.18, -0.05, 0.5)
        client.send("ii3dii", 6, 32, 0.0, 0.0, 0.0, -1, 0)
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        robot.cmd_vel.clear()
        begun = time.monotonic()
        client.send("ii3dii", 7, 32, 100.0, 0.0, 0.0, 2, 0)  # walk_steps: 0.1 m in 1 s
        robot.cmd_vel.wait_for(lambda m: m.linear.x == pytest.approx(0.1))
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        assert time.monotonic() - begun >= 0.9
        assert len(robot.cmd_vel.items) >= 10
        assert len(robot.goals) == 1


def test_motion_and_search_go_to_the_bridges_own_actions(stage):
    from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall

    asked = []

    def serve(kind, result):
        def execute(handle):
            asked.append(handle.request)
            handle.succeed()
            return result

        return kind, execute

    with stage() as (host, robot), BytePeer(host.port) as client:
        node = robot.peer.node
        servers = [
            robot.peer.on_executor(ActionServer, node, kind, f"/aibo/{name}", execute)
            for name, (kind, execute) in {
                "play_motion": serve(AiboPlayMotion, AiboPlayMotion.Result()),
                "search_ball": serve(AiboSearchBall, AiboSearchBall.Result(found=True)),
            }.items()
        ]

        def search():
            client.send("iii", 3, 4, 0)
            return client.read("i") == (1,)

        until(search)  # not found while the action server is not discovered
        assert asked[-1].colour == "pink"

        def play():
            client.send("ii9s", 5, 9, b"wave.mot\0")
            return any(isinstance(r, AiboPlayMotion.Goal) for r in asked)

        until(play, period=0.1)
        assert next(r for r in asked if isinstance(r, AiboPlayMotion.Goal)).name == "wave.mot"
        for server in servers:
            robot.peer.on_executor(server.destroy)


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<ii", 0, 4),  # no type
        struct.pack("<ii", 8, 4),
        struct.pack("<ii", 1, -1),  # no length
        struct.pack("<ii", 2, 5),
        struct.pack("<ii", 6, 31),
        struct.pack("<iii", 1, 8, 3) + b"\0" * 8,  # a count that is not the length's
        struct.pack("<iiii", 4, 24, 2, 0) + b"\0" * 16,
        struct.pack("<ii3dii", 6, 32, math.nan, 0.0, 0.0, -1, 0),
        struct.pack("<ii9s", 5, 9, b"../a.mot\0"),
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_command_ends_the_connection_and_the_next_client_is_served(stage, data):
    with stage() as (host, robot):
        port = host.port
        with BytePeer(port) as client:
            client.send("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)
            robot.cmd_vel.wait_for(lambda m: m.linear.x > 0.0)
            client.send_bytes(data)
            assert client.read_to_the_end() == b""
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        with BytePeer(port) as client:
            assert math.isnan(read_sensors(client, (0,))[0])


def test_one_client_at_a_time(stage):
    with stage() as (host, _), BytePeer(host.port) as client:
        read_sensors(client, (0,))
        with BytePeer(host.port) as second:
            assert second.read_to_the_end() == b""
        read_sensors(client, (0,))


def test_stamped_velocities(stage):
    with stage(enable_stamped_cmd_vel=True, map="pan_tilt", robot_namespace="/r") as (host, robot):
        stamped = robot.peer.subscribe(TwistStamped, "/r/cmd_vel", qos.stream(100))
        with BytePeer(host.port) as client:
            client.send("ii3dii", 6, 32, 100.0, 50.0, 0.0, -1, 0)
            message = stamped.wait_for(lambda m: m.twist.linear.x == 0.1)
            assert message.twist.linear.y == 0.0  # wheels
            assert message.header.stamp.sec > 0


def test_a_robot_that_falls_silent_is_stopped_and_its_joints_are_unknown(stage):
    with stage(robot_timeout=0.5) as (host, robot), BytePeer(host.port) as client:

        def heard():
            robot.publish("joint_states", STATES)
            return read_sensors(client, (13,)) == (0.25,)

        until(heard)
        robot.walks(client, heard)
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        assert math.isnan(read_sensors(client, (13,))[0])


def test_a_client_that_falls_silent_is_stopped_where_that_is_wanted(stage):
    with stage(client_timeout=0.3) as (host, robot), BytePeer(host.port) as client:
        robot.walks(client)
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)
        read_sensors(client, (0,))


def test_steps_are_measured_where_there_is_odometry(stage):
    """The robot is half as fast as it is told; its odometry makes it walk on."""
    with stage() as (host, robot), BytePeer(host.port) as client:
        place = [0.0, time.monotonic()]

        def ride():
            now = time.monotonic()
            seen = robot.cmd_vel.items
            speed = seen[-1].linear.x / 2.0 if seen else 0.0
            place[0] += speed * (now - place[1])
            place[1] = now
            odometry = Odometry()
            odometry.pose.pose.position.x = place[0]
            odometry.pose.pose.orientation.w = 1.0
            robot.publish("odom", odometry)
            return seen and seen[-1].linear.x == 0.0

        ride()
        until(robot.publishers["odom"].get_subscription_count)
        for _ in range(50):  # a second of odometry before the first step, at 50 Hz as a robot's
            ride()
            time.sleep(0.02)
        client.send("ii3dii", 7, 32, 100.0, 0.0, 0.0, 2, 0)
        robot.cmd_vel.wait_for(lambda m: m.linear.x > 0.0)
        until(ride, period=0.02)
        assert place[0] == pytest.approx(0.1, abs=0.02)


def test_the_end_of_the_host_stops_the_robot_and_sends_the_client_away(stage):
    with stage() as (host, robot), BytePeer(host.port) as client:
        robot.walks(client)
        robot.end_host()
        assert client.read_to_the_end() == b""
        robot.cmd_vel.wait_for(lambda m: m.linear.x == 0.0)


@pytest.mark.parametrize(
    "field", ["linear_acceleration.w", "linear_acceleration", "header.frame_id"]
)
def test_a_field_that_is_no_number_is_said_at_the_start(tmp_path, field):
    path = tmp_path / "own.yaml"
    source = f"{{topic: imu, type: sensor_msgs/msg/Imu, field: {field}}}"
    path.write_text(f"sensors: {{BAccel: {source}}}")
    with pytest.raises(StartupError, match=f"BAccel: sensor_msgs/msg/Imu has no number {field}:"):
        RunningNode(GtiHost, {"port": 0, "map": str(path)})


MAP = """
joints: {neckPan: pan, neckTilt2: tilt}
controllers:
  - {trajectory: head/joint_trajectory, joints: [pan]}
  - {positions: tilt/commands, joints: [tilt]}
ball: {detections: balls, type: soccer_vision_3d_msgs/msg/BallArray, classes: {orange: [ball]}}
"""


@pytest.fixture
def own_map(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(MAP)
    return str(path)


def test_controllers_by_topic_and_motions_as_trajectories(stage, own_map):
    with stage(map=own_map) as (host, robot), BytePeer(host.port) as client:
        kinds = {"head/joint_trajectory": JointTrajectory, "tilt/commands": Float64MultiArray}
        pan, tilt = (
            robot.peer.subscribe(kind, f"/aibo/{topic}", qos.stream(10))
            for topic, kind in kinds.items()
        )

        def move():
            client.send("iiiiiidiid", 4, 40, 2, 0, 13, 3000, 30.0, 14, 0, -10.0)
            return pan.items and tilt.items

        until(move, period=0.1)
        assert list(pan.last.joint_names) == ["pan"]
        assert pan.last.points[-1].positions[0] == pytest.approx(math.radians(30.0))
        assert pan.last.points[-1].time_from_start.sec == 3
        assert list(tilt.last.data) == pytest.approx([math.radians(-10.0)])
        client.send("ii9s", 5, 9, b"look.mot\0")
        look = pan.wait_for(lambda m: len(m.points) > 2)
        assert any(point.positions[0] > 0.3 for point in look.points)


def test_balls_of_soccer_vision(stage, own_map):
    with stage(map=own_map) as (host, robot), BytePeer(host.port) as client:

        def look():
            ball = Ball(center=Point(x=1.0, y=0.1, z=0.0))
            robot.publish("balls", BallArray(balls=[ball]))
            client.send("iii", 2, 4, 4)  # queryBall orange
            x, y, _, visible, colour = client.read("3dii")
            return visible and (x, y, colour) == (pytest.approx(-0.1 / IMAGE_SCALE), 0.0, 4)

        until(look)
