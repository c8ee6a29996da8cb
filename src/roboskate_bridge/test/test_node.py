# SPDX-License-Identifier: Apache-2.0
"""The real node, the real wire, the simulated game: what a user of topics and services sees."""

from __future__ import annotations

import math
import os
import signal
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from legacy_robots_msgs.msg import LinkState, RoboSkateKeys
from legacy_robots_msgs.srv import RoboSkateInitialize, RoboSkateRunGame
from nav_msgs.msg import Odometry, Path
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.executors import SingleThreadedExecutor
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.markers import paint
from legacy_robots_common.parameters import ParameterError
from legacy_robots_common.program_node import StartupError
from legacy_robots_common.testing.machine import ros2
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.recorder import Recorder
from legacy_robots_common.testing.ros_peer import RosPeer, wait
from legacy_robots_common.testing.running_node import RunningNode
from legacy_robots_common.testing.stopwatch import Stopwatch
from legacy_robots_common.testing.task_orders import TASK_ORDERS
from roboskate_bridge import conversions
from roboskate_bridge.controller import Skater
from roboskate_bridge.levels import CourseProgress
from roboskate_bridge.node import RoboSkateBridge
from roboskate_bridge.protocol import NO_KEYS, Keys

STREAM = qos.stream(500)


class World:
    """A bridge, its game and a user's node."""

    def __init__(self, game, running, peer):
        self.game, self.node, self.peer = game, running.node, peer
        self.stop = running.stop
        self.link = peer.subscribe(LinkState, "/roboskate/link_state")

    def wait_for_link(self, connections=1):
        return self.link.wait_for(
            lambda m: m.state == LinkState.CONNECTED and m.connections >= connections
        )

    def stream(self, kind, topic):
        return self.peer.subscribe(kind, topic, STREAM)

    def call_later(self, name):
        """Call one of the services; return the future of its response."""
        kind = {"run_game": RoboSkateRunGame, "initialize": RoboSkateInitialize}.get(name, Trigger)
        request = RoboSkateRunGame.Request(seconds=0.05) if name == "run_game" else None
        return self.peer.call_later(kind, f"/roboskate/{name}", request)

    def run_game(self, seconds, keys=None):
        request = RoboSkateRunGame.Request(seconds=seconds)
        if keys is not None:
            request.hold_keys, request.keys = True, conversions.keys_message(keys)
        return self.peer.call(RoboSkateRunGame, "/roboskate/run_game", request)

    def initialize(self, level):
        request = RoboSkateInitialize.Request(level=level)
        return self.peer.call(RoboSkateInitialize, "/roboskate/initialize", request)

    def trigger(self, name):
        return self.peer.call(Trigger, f"/roboskate/{name}")


@pytest.fixture
def make_world(make_game):
    @contextmanager
    def make(
        profile="spec", transport="grpc", size=(64, 36), fault_seconds=1.0,
        executor_type=SingleThreadedExecutor, faults=(), **parameters,
    ):  # fmt: skip
        game = make_game(
            profile, size=size, faults=faults, fault_after=3600.0, fault_seconds=fault_seconds
        )
        port = game.port if transport == "grpc" else game.http_port
        parameters = {
            "profile": profile, "transport": transport, "port": port,
            "image_width": size[0], "image_height": size[1],
            # Longer than a busy machine stands still.
            "call_timeout": 2.0, "camera_timeout": 3.0, **parameters,
        }  # fmt: skip
        running = RunningNode(RoboSkateBridge, parameters, executor_type)
        with running, RosPeer() as peer:
            yield World(game, running, peer)

    return make


def stamp(message):
    return message.sec * 10**9 + message.nanosec


# --- topics -------------------------------------------------------------------------------------


@pytest.mark.parametrize("transport", ["grpc", "http"])
@pytest.mark.parametrize("profile", ["spec", "game"])
def test_everything_of_one_step_has_one_stamp(make_world, profile, transport):
    with make_world(profile, transport, mode="stepped") as world:
        world.wait_for_link()
        topics = {
            "clock": world.stream(Clock, "/clock"),
            "odom": world.stream(Odometry, "/roboskate/odom"),
            "joints": world.stream(JointState, "/roboskate/joint_states"),
            "tf": world.stream(TFMessage, "/tf"),
            "image": world.stream(Image, "/roboskate/camera/image_raw"),
            "jpeg": world.stream(CompressedImage, "/roboskate/camera/image_raw/compressed"),
            "info": world.stream(CameraInfo, "/roboskate/camera/camera_info"),
        }
        # Discovery takes its time: step until everything has been heard of.
        stamps = []
        while not all(recorder.items for recorder in topics.values()):
            stamps.append(stamp(world.run_game(0.05).stamp))
        for recorder in topics.values():
            recorder.clear()
        answer = world.run_game(0.05)
        assert answer.success, answer.message
        now = stamp(answer.stamp)
        assert now == stamps[-1] + 50_000_000
        assert stamp(topics["clock"].wait_for().clock) == now
        for name in ("odom", "joints", "image", "jpeg", "info"):
            assert stamp(topics[name].wait_for(
                lambda m: stamp(m.header.stamp) == now
            ).header.stamp) == now  # fmt: skip
        frames = topics["tf"].wait_for().transforms
        assert {stamp(t.header.stamp) for t in frames} == {now}
        assert [(t.header.frame_id, t.child_frame_id) for t in frames] == [
            ("odom", "base_link"),
            ("base_link", "crane_base_link"),
            ("crane_base_link", "crane_upper_link"),
            ("crane_upper_link", "crane_lower_link"),
        ]


def test_odometry_joints_and_frames_agree_with_the_game(make_world):
    with make_world(mode="stepped", frame_prefix="skate/") as world:
        world.wait_for_link()
        odometry = world.stream(Odometry, "/roboskate/odom")
        joints = world.stream(JointState, "/roboskate/joint_states")
        skater = Skater(CourseProgress(0))
        while not (odometry.items and joints.items):
            world.run_game(0.02)
        for _ in range(150):
            board = conversions.board_of(odometry.last, joints.last)
            now = world.run_game(0.02, skater.keys(board)).stamp
            odometry.wait_for(lambda m, now=now: m.header.stamp == now)
            joints.wait_for(lambda m, now=now: m.header.stamp == now)
        truth = world.game.world.state()
        message = odometry.last
        assert (message.header.frame_id, message.child_frame_id) == (
            "skate/odom",
            "skate/base_link",
        )
        assert message.pose.pose.position.x == pytest.approx(truth.position[0], abs=1e-5)
        assert truth.position[0] > 0.5
        assert message.twist.twist.linear.x == pytest.approx(truth.linear_velocity[0], abs=1e-5)
        for covariance in (message.pose.covariance, message.twist.covariance):
            matrix = np.asarray(covariance).reshape(6, 6)
            assert (np.linalg.eigvalsh(matrix) > 0.0).all()
            assert math.sqrt(matrix.max()) < 0.001  # it is a simulated game's own state
        assert joints.last.name == [
            "crane_turn_joint", "crane_shoulder_joint", "crane_elbow_joint",
        ]  # fmt: skip
        assert list(joints.last.position) == pytest.approx(truth.joint_angles, abs=1e-5)
        back = conversions.board_of(odometry.last, joints.last)
        assert back.rotation[0] == pytest.approx(truth.rotation[0], abs=1e-5)


def test_fixed_frames_and_the_description_wait_for_late_joiners(make_world):
    with make_world() as world:
        world.wait_for_link()
        fixed = world.peer.subscribe(TFMessage, "/tf_static").wait_for().transforms
        assert {(t.header.frame_id, t.child_frame_id) for t in fixed} == {
            ("base_link", "camera_link"),
            ("camera_link", "camera_optical_frame"),
            ("crane_lower_link", "crane_tip_link"),
        }
        optical = next(t for t in fixed if t.child_frame_id == "camera_optical_frame")
        q = optical.transform.rotation
        assert (q.x, q.y, q.z, q.w) == pytest.approx((-0.5, 0.5, -0.5, 0.5))
        description = world.peer.subscribe(String, "/roboskate/robot_description").wait_for()
        assert '<robot name="roboskate">' in description.data


def test_the_camera(make_world):
    with make_world(size=(160, 90), vertical_fov=math.radians(90.0)) as world:
        image = world.stream(Image, "/roboskate/camera/image_raw").wait_for()
        info = world.stream(CameraInfo, "/roboskate/camera/camera_info").wait_for()
        assert (image.width, image.height, image.encoding, image.step) == (160, 90, "rgb8", 480)
        assert image.header.frame_id == info.header.frame_id == "camera_optical_frame"
        pixels = np.frombuffer(image.data, np.uint8).reshape(90, 160, 3)
        red, _, blue = pixels[3, 80].astype(int)
        assert blue > red  # the sky is blue and above: neither channels nor rows are turned round
        assert (info.width, info.height, info.distortion_model) == (160, 90, "plumb_bob")
        assert list(info.k) == pytest.approx([45, 0, 80, 0, 45, 45, 0, 0, 1])
        assert list(info.p) == pytest.approx([45, 0, 80, 0, 0, 45, 45, 0, 0, 0, 1, 0])
        assert list(info.d) == [0.0] * 5


def test_the_real_games_images_are_passed_through_untouched(make_world):
    with make_world("game", mode="stepped") as world:
        world.wait_for_link()
        jpegs = world.stream(CompressedImage, "/roboskate/camera/image_raw/compressed")
        images = world.stream(Image, "/roboskate/camera/image_raw")
        while not (jpegs.items and images.items):
            world.run_game(0.02)
        now = world.run_game(0.02).stamp
        jpeg = jpegs.wait_for(lambda m: m.header.stamp == now)
        image = images.wait_for(lambda m: m.header.stamp == now)
        assert jpeg.format == "rgb8; jpeg compressed bgr8"
        assert bytes(jpeg.data) == bytes(world.game.service.get_camera().image)
        decoded = cv2.imdecode(np.frombuffer(jpeg.data, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]
        assert (np.frombuffer(image.data, np.uint8).reshape(36, 64, 3) == decoded).all()


def test_a_calibration_is_published_instead(make_world, tmp_path):
    file = tmp_path / "camera.yaml"
    file.write_text(
        """
image_width: 64
image_height: 36
camera_name: narrow
distortion_model: plumb_bob
camera_matrix: {rows: 3, cols: 3, data: [50, 0, 30, 0, 51, 20, 0, 0, 1]}
distortion_coefficients: {rows: 1, cols: 5, data: [0.1, 0, 0, 0, 0]}
rectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
projection_matrix: {rows: 3, cols: 4, data: [50, 0, 30, 0, 0, 51, 20, 0, 0, 0, 1, 0]}
"""
    )
    with make_world(camera_info_url=file.as_uri()) as world:
        info = world.stream(CameraInfo, "/roboskate/camera/camera_info").wait_for()
        assert list(info.k) == [50, 0, 30, 0, 51, 20, 0, 0, 1]
        assert list(info.d) == [0.1, 0, 0, 0, 0]


def test_the_path_is_bounded_and_begins_anew_with_a_level(make_world):
    with make_world(mode="stepped", path_spacing=0.05, path_length=10) as world:
        world.wait_for_link()
        paths = world.peer.subscribe(Path, "/roboskate/path")
        odometry = world.stream(Odometry, "/roboskate/odom")
        joints = world.stream(JointState, "/roboskate/joint_states")
        while not (odometry.items and joints.items):
            world.run_game(0.02)
        skater = Skater(CourseProgress(0))
        for _ in range(120):
            board = conversions.board_of(odometry.last, joints.last)
            now = world.run_game(0.05, skater.keys(board)).stamp
            odometry.wait_for(lambda m, now=now: m.header.stamp == now)
            joints.wait_for(lambda m, now=now: m.header.stamp == now)
        assert len(paths.wait_for(lambda m: len(m.poses) == 10).poses) == 10
        paths.clear()
        assert world.trigger("reset").success
        assert len(paths.wait_for().poses) == 1


def test_the_course_is_there_and_the_next_checkpoint_is_marked(make_world):
    with make_world(mode="stepped", frame_prefix="skate_2/") as world:
        world.wait_for_link()
        (ground, walls) = world.peer.subscribe(MarkerArray, "/roboskate/course").wait_for().markers
        assert {ground.header.frame_id, walls.header.frame_id} == {"skate_2/odom"}
        assert len(ground.points) == len(ground.colors) > 300
        checkpoints = world.peer.subscribe(MarkerArray, "/roboskate/checkpoints")
        checkpoints.wait_for(lambda m: following(m) == [0])
        world.run_game(0.1)
        # The level begins 30 m before the first checkpoint, level 1 on its own.
        assert following(checkpoints.last) == [0]
        assert world.initialize(1).success
        # It begins within its first: of a latched topic the last message alone is sure to come.
        checkpoints.wait_for(lambda m: following(m) in ([7], [8]))
        odometry = world.stream(Odometry, "/roboskate/odom")
        while not odometry.items:
            world.run_game(0.02)
        checkpoints.wait_for(lambda m: following(m) == [8])
        assert world.initialize(3).success
        checkpoints.wait_for(lambda m: following(m) == [])


def following(array):
    """Return the numbers of the checkpoints that are painted as the next."""
    red = pytest.approx(paint("checkpoint-next").r, abs=1e-3)
    return [m.id for m in array.markers if m.ns == "checkpoints" and m.color.r == red]


# --- time and services --------------------------------------------------------------------------


def test_the_clock_moves_by_exactly_what_was_run(make_world):
    with make_world(mode="stepped") as world:
        world.wait_for_link()
        first = world.run_game(0.05)
        for i in range(1, 101):
            answer = world.run_game(0.05)
            assert stamp(answer.stamp) == stamp(first.stamp) + i * 50_000_000
        assert answer.total_simulated_time == pytest.approx(101 * 0.05)


def test_run_game_is_refused_where_time_passes_by_itself_or_is_no_time(make_world):
    with make_world() as world:
        world.wait_for_link()
        answer = world.run_game(0.05)
        assert not answer.success
        assert "free_run" in answer.message
        assert set_parameter(world, "mode", "stepped")
        assert world.run_game(0.05).success
        answer = world.run_game(-1.0)
        assert not answer.success
        assert "0 to 3600" in answer.message
        answer = world.run_game(math.nan)
        assert not answer.success


def set_parameter(world, name, value):
    """Set a parameter as `ros2 param set` does; return whether the bridge agreed."""
    kinds = {
        str: (ParameterType.PARAMETER_STRING, "string_value"),
        bool: (ParameterType.PARAMETER_BOOL, "bool_value"),
        float: (ParameterType.PARAMETER_DOUBLE, "double_value"),
    }
    kind, field = kinds[type(value)]
    request = SetParameters.Request(
        parameters=[Parameter(name=name, value=ParameterValue(type=kind, **{field: value}))]
    )
    answer = world.peer.call(SetParameters, "/roboskate/bridge/set_parameters", request)
    return answer.results[0].successful


def test_levels(make_world):
    with make_world(auto_initialize=False) as world:
        world.wait_for_link()
        assert world.game.world.level is None
        assert not world.trigger("reset").success
        for level, succeeds in ((2, True), (7, False), (1, True)):
            answer = world.peer.call(
                RoboSkateInitialize, "/roboskate/initialize",
                RoboSkateInitialize.Request(level=level),
            )  # fmt: skip
            assert answer.success == succeeds
            if succeeds:
                assert (answer.image_width, answer.image_height) == (64, 36)
            else:
                assert "initialize failed" in answer.message
        assert world.game.world.level == 1
        odometry = world.stream(Odometry, "/roboskate/odom").wait_for()
        assert odometry.pose.pose.position.x == pytest.approx(107.69)
        assert world.trigger("shutdown").success
        assert world.game.world.level is None
        assert not world.trigger("shutdown").success
        negative = world.peer.call(
            RoboSkateInitialize, "/roboskate/initialize", RoboSkateInitialize.Request(level=-1)
        )
        assert (negative.success, negative.message) == (False, "there is no level -1")


@pytest.mark.parametrize("rewinds", [False, True])
def test_reset_and_the_clock(make_world, rewinds):
    with make_world(mode="stepped", reset_rewinds_clock=rewinds) as world:
        world.wait_for_link()
        before = stamp(world.run_game(1.0).stamp)
        assert world.trigger("reset").success
        after = stamp(world.run_game(0.05).stamp)
        assert after == (50_000_000 if rewinds else before + 1 + 50_000_000)


# --- commands -----------------------------------------------------------------------------------


def command(publisher, *values):
    publisher.publish(conversions.keys_message(Keys(*values)))


def test_commands_are_clamped_held_and_released(make_world):
    with make_world(command_timeout=1.0) as world:
        world.wait_for_link()
        joints = world.stream(JointState, "/roboskate/joint_states")
        publisher = world.peer.node.create_publisher(RoboSkateKeys, "/roboskate/command", 10)
        joints.wait_for()
        while not publisher.get_subscription_count():
            joints.wait_for_count(len(joints.items) + 1)
        command(publisher, 5.0, 0.0, 0.0)
        joints.wait_for(lambda m: m.velocity[0] > 0.5)
        turning = max(m.velocity[0] for m in joints.items)
        assert turning <= math.radians(147)  # a whole key, not five
        joints.clear()
        joints.wait_for(lambda m: abs(m.velocity[0]) < 0.01)
        assert world.game.world.keys == NO_KEYS


@pytest.mark.parametrize("transport", ["grpc", "http"])
def test_a_whole_key_stands_for_the_force_that_is_set(make_world, transport):
    speeds = []
    for options in ({}, {"force_scale": 250.0}):
        with make_world("game", transport, mode="stepped", **options) as world:
            world.wait_for_link()
            assert world.run_game(1.0, Keys(0.5, 0.0, 0.0)).success
            speeds.append(world.game.world.state().joint_velocities[0])
    # 20 units of force, and 125: 3.67 degrees/s for each, up to 170.
    assert speeds == pytest.approx([math.radians(73.4), math.radians(170.0)], rel=0.02)


def test_a_command_that_is_no_number_is_passed_over_and_reported(make_world):
    with make_world(command_timeout=0.0) as world:
        world.wait_for_link()
        joints = world.stream(JointState, "/roboskate/joint_states")
        publisher = world.peer.node.create_publisher(RoboSkateKeys, "/roboskate/command", 10)
        diagnostics = world.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
        joints.wait_for()
        while not publisher.get_subscription_count():
            joints.wait_for_count(len(joints.items) + 1)
        command(publisher, 0.0, 0.25, 0.0)
        command(publisher, math.nan, 0.0, 0.0)
        warned = diagnostics.wait_for(
            lambda m: (
                m.status[0].level == DiagnosticStatus.WARN
                and "commands passed over" in m.status[0].message
            )
        )
        values = {v.key: v.value for v in warned.status[0].values}
        assert values["bad commands"] == "1"
        assert world.game.world.keys == Keys(0.0, 0.25, 0.0)


# --- health -------------------------------------------------------------------------------------


def test_link_state_and_diagnostics_tell_of_a_fault(make_world):
    with make_world() as world:
        world.wait_for_link()
        diagnostics = world.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
        healthy = diagnostics.wait_for(lambda m: m.status[0].level == DiagnosticStatus.OK)
        assert healthy.status[0].name == "roboskate/bridge"
        assert {v.key: v.value for v in healthy.status[0].values}["profile"] == "spec"
        odometry = world.stream(Odometry, "/roboskate/odom")
        odometry.wait_for()
        world.game.inject("wrong_length")
        bad = world.link.wait_for(lambda m: m.state == LinkState.FAULT)
        assert bad.detail == "boardRotation has 7 floats instead of 9"
        diagnostics.wait_for(
            lambda m: (
                m.status[0].level == DiagnosticStatus.ERROR
                and m.status[0].message == "boardRotation has 7 floats instead of 9"
            )
        )
        world.wait_for_link(2)
        answer = world.trigger("reset")
        assert answer.success


def test_services_answer_while_there_is_no_game(make_world):
    with make_world(fault_seconds=3600.0) as world:
        world.wait_for_link()
        world.game.inject("restart")
        world.link.wait_for(lambda m: m.state != LinkState.CONNECTED and m.connections == 1)
        for answer in (world.trigger("reset"), world.trigger("shutdown"), world.run_game(0.1)):
            assert not answer.success
            assert "not connected to grpc://127.0.0.1" in answer.message


REQUESTS = ("run_game", "reset", "initialize", "shutdown")


@pytest.fixture
def begun(make_game):
    """Return a function that has requests wait for a game that does not answer."""

    def begin(world):
        world.wait_for_link()
        calls = Recorder("calls")
        world.game.service._on_call = calls.add
        world.game.service.begin_fault("stall")
        calls.wait_for()
        futures = [world.call_later(name) for name in REQUESTS]
        while len(world.node._requests) < len(REQUESTS):
            assert not any(future.done() for future in futures)
        return futures

    return begin


def answers_of(futures):
    """Return the responses to requests, and the seconds until the last had come."""
    with Stopwatch() as watch:
        answers = [wait(future, "an answer") for future in futures]
        return answers, watch.seconds


PATIENT = {"mode": "stepped", "call_timeout": 60.0, "initialize_timeout": 60.0}


@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_under_way_are_answered_when_the_program_stops(make_world, begun, executor_type):
    with make_world(executor_type=executor_type, **PATIENT) as world:
        futures = begun(world)
        world.stop()
        answers, took = answers_of(futures)
        assert took < 1.0
        for answer in answers:
            assert (answer.success, answer.message) == (False, "the bridge is shutting down")


@pytest.mark.parametrize("transport", ["grpc", "http"])
@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_under_way_are_answered_when_the_link_is_lost(
    make_world, begun, executor_type, transport
):
    with make_world(
        faults=("cut",), transport=transport, executor_type=executor_type, **PATIENT
    ) as world:
        futures = begun(world)
        for relay in world.game._relays:
            relay.stop()
        answers, took = answers_of(futures)
        assert took < 1.0
        for answer in answers:
            assert not answer.success
            assert "cannot be reached" in answer.message or "was lost" in answer.message


def test_the_others_are_answered_though_a_client_was_killed(make_world, begun):
    with make_world(**PATIENT) as world:
        futures = begun(world)
        command = ros2("service", "call", "/roboskate/reset", "std_srvs/srv/Trigger")
        with Process(command) as client:
            client.wait_for_line("requester: making request")
            while len(world.node._requests) == len(futures):
                assert not any(future.done() for future in futures)
            os.kill(client.pid, signal.SIGKILL)
            client.wait()
        world.game.service.end_fault()
        answers, took = answers_of(futures)
        assert took < 1.0
        # In which order requests of several clients come is not said.
        assert all(answer.success != bool(answer.message) for answer in answers)
        assert answers[REQUESTS.index("initialize")].success


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_under_way_is_answered_when_the_process_gets_a_signal(make_game, number):
    game = make_game()
    calls = Recorder("calls")
    game.service._on_call = calls.add
    program = f"{get_package_prefix('roboskate_bridge')}/lib/roboskate_bridge/bridge"
    parameters = {"port": game.port, "mode": "stepped", "call_timeout": 60.0}
    arguments = [word for n, v in parameters.items() for word in ("-p", f"{n}:={v}")]
    with Process([program, "--ros-args", *arguments]) as bridge, RosPeer() as peer:
        bridge.wait_for_line("link connected")
        game.service.begin_fault("stall")
        calls.clear()
        request = RoboSkateRunGame.Request(seconds=0.05)
        future = peer.call_later(RoboSkateRunGame, "/roboskate/run_game", request)
        calls.wait_for(lambda name: name in ("run_game", "get_info"))
        queued = peer.call_later(Trigger, "/roboskate/reset")
        # Both have reached the bridge when one that came after them is answered.
        parameter = peer.call(GetParameters, "/roboskate/bridge/get_parameters")
        assert parameter.values == []
        bridge.signal(number)
        answers, took = answers_of([future, queued])
        assert took < 1.0
        assert {answer.message for answer in answers} == {"the bridge is shutting down"}
        game.service.end_fault()
        assert bridge.wait() == 0
        assert "Traceback" not in "\n".join(bridge.lines.items)


@pytest.mark.parametrize("executor_type", TASK_ORDERS)
def test_requests_are_carried_out_in_any_order_of_tasks(make_world, executor_type):
    with make_world(mode="stepped", executor_type=executor_type) as world:
        world.wait_for_link()
        for _ in range(5):
            futures = [world.call_later(name) for name in ("run_game", "reset", "run_game")]
            answers, _ = answers_of(futures)
            assert [answer.success for answer in answers] == [True, True, True]


def test_a_camera_fault_releases_no_key_and_ends_no_request(make_world):
    with make_world(command_timeout=0.0, fault_seconds=1.0) as world:
        world.wait_for_link()
        world.stream(Image, "/roboskate/camera/image_raw").wait_for()
        publisher = world.peer.node.create_publisher(RoboSkateKeys, "/roboskate/command", 10)
        joints = world.stream(JointState, "/roboskate/joint_states")
        joints.wait_for()
        while not publisher.get_subscription_count():
            joints.wait_for_count(len(joints.items) + 1)
        command(publisher, 0.25, 0.0, 0.0)
        joints.wait_for(lambda m: m.velocity[0] > 0.1)
        world.game.inject("bad_image")
        world.link.wait_for(lambda m: m.state == LinkState.FAULT and "camera: " in m.detail)
        assert world.game.world.keys == Keys(0.25, 0.0, 0.0)
        world.link.wait_for(lambda m: m.detail == "connected, and images come again")
        assert world.game.world.keys == Keys(0.25, 0.0, 0.0)


def test_simulated_time_that_does_not_begin_makes_no_stamp_negative(make_world):
    with make_world(use_sim_time=True, publish_clock=False) as world:
        state = world.wait_for_link()
        assert (state.header.stamp.sec, state.header.stamp.nanosec) == (0, 0)
        odometry = world.stream(Odometry, "/roboskate/odom").wait_for()
        assert stamp(odometry.header.stamp) > 0


# --- bad parameters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters, error, words",
    [
        ({"profile": "guess"}, ParameterError, "profile"),
        ({"transport": "tcp"}, ParameterError, "transport"),
        ({"step_period": 0.0}, ParameterError, "step_period"),
        ({"image_width": 7680, "image_height": 4320}, ParameterError, "7680 x 4320"),
        ({"camera_info_url": "http://here"}, StartupError, "neither file:// nor package://"),
        ({"camera_info_url": "package://no_such/x.yaml"}, StartupError, "no package"),
        ({"camera_info_url": "/no/such/file"}, StartupError, "cannot be read"),
        ({"urdf": "/no/such/file"}, StartupError, "cannot be read"),
    ],
)
def test_a_bad_parameter_is_one_sentence(parameters, error, words):
    with pytest.raises(error, match=words), RunningNode(RoboSkateBridge, parameters):
        pass
