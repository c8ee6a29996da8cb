# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated robot as a program: what it writes, its faults, its end."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading

import pytest

from legacy_robots_testing.machine import children
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from luar_bridge.accessors import Robot
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.ros_body import Motion
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator import program as simulator
from luar_bridge.simulator.arguments import FAULTS, argument_parser
from luar_bridge.simulator.camera import Camera
from luar_bridge.simulator.posture import Posture
from luar_bridge.simulator.robot_writer import RobotWriter
from luar_bridge.simulator.segment_owner import SegmentOwner
from luar_bridge.simulator.world import FINISHED_SECONDS, Body, GameState, SoccerScene
from luar_bridge.system import SYSTEM


def robot_program(user: str, *arguments: str) -> Process:
    """Start a simulated robot without joints: all robots would share dcmSensor."""
    return Process(
        [
            sys.executable, "-m", "luar_bridge.simulator.program",
            "--profile", "webots", "--user", user, *arguments,
        ]
    )  # fmt: skip


def test_the_registry_names_the_faults() -> None:
    assert SYSTEM.faults == tuple(FAULTS)


@pytest.mark.node
@pytest.mark.parametrize("abi", ["1", "2"])
def test_plays_into_all_segments_and_cleans_up(user: str, abi: str) -> None:
    robot = Robot(0, 1, user)
    with robot_program(user, "--abi", abi) as program:
        program.wait_for_line("segments of layout ABI " + abi)
        expected = set(layout_table.load("document").segments) - {"dcmSensor", "dcmActuator"}
        assert expected <= set(robot.segments())
        for segment in expected:
            with Segment(DIRECTORY / f"{segment}01{user}") as opened:
                assert opened.snapshot.directory.abi == int(abi)
        count = robot.vcm.get_image_count()
        until(lambda: robot.vcm.get_image_count() > count + 10)  # type: ignore[operator]
        assert len(robot.vcm.get_image_yuyv()) == 38400  # type: ignore[arg-type]
        assert robot.gcm.get_team_player_id() == 1.0
        program.signal(signal.SIGINT)
        assert program.wait() == 0
    assert list(DIRECTORY.glob(f"*{user}")) == []


@pytest.mark.node
def test_a_second_robot_of_the_same_name_is_turned_away(user: str) -> None:
    with robot_program(user) as first:
        first.wait_for_line("segments of layout")
        robot = Robot(0, 1, user)
        until(lambda: robot.vcm.get_image_count() > 3)  # type: ignore[operator]
        with robot_program(user) as second:
            second.wait_for_line("runs already")
            assert second.wait() == 1
        assert robot.segments()


@pytest.mark.node
def test_the_camera_is_selected_and_images_are_copied_as_vcm_debug_says(user: str) -> None:
    writable = ["vcmCamera.command", "vcmDebug.*"]
    with robot_program(user) as program:
        program.wait_for_line("segments of layout")
        robot = Robot(0, 1, user, writable=writable)
        count = robot.vcm.get_image_count
        for camera in (1.0, 0.0):
            robot.vcm.set_camera_command(camera)
            until(lambda camera=camera: robot.vcm.get_image_select() == camera)
            last = count() + 90  # 3 s: the head has looked up and down
            while count() < last:
                assert robot.vcm.get_image_select() == camera
        robot.vcm.set_debug_enable_shm_copy(0.0)

        def stands_still() -> bool:
            before, image = count(), robot.vcm.get_image_yuyv()
            until(lambda: count() > before + 2)
            return robot.vcm.get_image_yuyv() == image

        until(stands_still)
        robot.vcm.set_debug_enable_shm_copy(1.0)
        until(lambda: not stands_still())


def test_the_button_goes_through_the_states_as_the_document_says() -> None:
    scene = SoccerScene()
    seen = []
    for _ in range(6):
        scene.press_button()
        scene.advance(0.01)
        seen.append("PENALIZED" if scene.penalised else scene.state.name)
    assert seen == ["READY", "SET", "PLAYING", "PENALIZED", "PLAYING", "PENALIZED"]


def test_a_kick_is_a_keyframe_motion_and_hits_the_ball_with_its_foot() -> None:
    scene, posture = SoccerScene(), Posture()
    kicked_at, began_at, angles = None, None, {}
    while scene.time < 120.0 and kicked_at is None:
        scene.advance(0.01)
        if scene.body is Body.KICK:
            began_at = scene.body_since
            angles[round(scene.time - began_at, 2)] = posture.angles(scene, None)
        if scene.ball.vx or scene.ball.vy:
            kicked_at = scene.time
    assert began_at is not None
    assert kicked_at == pytest.approx(began_at + 1.85, abs=0.011)
    hip = min(frame[i] for frame in angles.values() for i in (8, 14))
    assert hip == pytest.approx(math.radians(-65.0), abs=0.02)  # of the motion's fourth keyframe
    assert (posture.angles(scene, Motion.WALK)[8]) > -0.7


def test_what_a_managers_variables_hold_outlives_a_restart(user: str) -> None:
    table = layout_table.load("document")
    identity = RobotIdentity(0, 1, user)

    def made() -> Segment:
        with SegmentOwner() as owner:
            RobotWriter(owner, identity, table, Camera(160, 120), has_joints=False).create()
            owner.sync()
            return Segment(DIRECTORY / f"wcmRobot01{user}")

    with made() as first, SegmentOwner() as owner:
        assert first.snapshot.vector("pose").tolist() == [0.0, 0.0, 0.0]
        owner.create(f"wcmRobot01{user}")
        owner.set(f"wcmRobot01{user}", "pose", [1.0, 2.0, 3.0])
        owner.sync()
        with made() as again:
            assert again.inode == first.inode
            assert again.snapshot.vector("pose").tolist() == [1.0, 2.0, 3.0]


@pytest.mark.node
def test_restart_keeps_the_managers_segments(user: str) -> None:
    with robot_program(
        user, "--fault", "restart", "--fault-after", "60", "--fault-seconds", "0.2"
    ) as p:
        p.wait_for_line("segments of layout")
        robot = Robot(0, 1, user)
        until(lambda: robot.vcm.get_image_count() > 20)  # type: ignore[operator]
        with Segment(DIRECTORY / f"vcmImage01{user}") as segment:
            p.signal(signal.SIGUSR1)
            p.wait_for_line("fault restart is over")
            assert not segment.replaced()
            until(lambda: (segment.read().number("count") or 0) < 20)


@pytest.mark.node
@pytest.mark.parametrize("fault", ["removed", "wrong_size"])
def test_a_segment_lost_is_made_anew(user: str, fault: str) -> None:
    arguments = ("--fault", fault, "--fault-after", "60", "--fault-seconds", "0.3")
    with robot_program(user, *arguments) as program:
        program.wait_for_line("segments of layout")
        path = DIRECTORY / f"wcmBall01{user}"
        with Segment(path) as segment:
            program.signal(signal.SIGUSR1)
            until(segment.replaced)
            program.wait_for_line(f"fault {fault} is over")
        with Segment(path) as segment:
            first = segment.read()
            until(lambda: segment.read() is not first)


@pytest.mark.node
def test_a_crash_leaves_half_an_image_and_the_robot_comes_back(user: str) -> None:
    arguments = ("--fault", "crash", "--fault-after", "60", "--fault-seconds", "0.5")
    with robot_program(user, *arguments) as program:
        program.wait_for_line("segments of layout")
        robot = Robot(0, 1, user)
        until(lambda: robot.vcm.get_image_count() > 5)  # type: ignore[operator]
        program.signal(signal.SIGUSR1)
        program.wait_for_line("fault crash is over")
        until(lambda: robot.vcm.get_image_count() == 3)


@pytest.mark.node
def test_the_line_that_the_original_shrinks(user: str) -> None:
    with robot_program(user, "--fault", "resize", "--fault-after", "60") as program:
        program.wait_for_line("segments of layout")
        robot = Robot(0, 1, user)
        assert robot.variables()["vcmLine"]["vendpoint"] == 4
        program.signal(signal.SIGUSR1)
        until(lambda: robot.variables()["vcmLine"]["vendpoint"] == 2)


@pytest.mark.node
def test_later_branches(user: str) -> None:
    with robot_program(user, "--layout", "upenn_2013") as program:
        program.wait_for_line("segments of layout")
        table = layout_table.load("upenn_2013")
        robot = Robot(0, 1, user, table=table)
        until(lambda: robot.get("wcmParticle", "w")[0] != 0.0)  # type: ignore[index]
        assert "xy" not in robot.variables()["wcmBall"]
        assert str(robot.get("gcmFsm", "body_state")).startswith("body")


@pytest.mark.parametrize(
    "arguments,message",
    [
        (["--image-size", "33x20"], "multiples of 8"),
        (["--abi", "3"], "invalid choice"),
        (["--user", "a/b"], "cannot be part of a file name"),
        (["--fault", "flood"], "must be of restart"),
        (["--speed", "0"], "greater than 0"),
        (["--player", "x"], "must be a number"),
    ],
)
def test_wrong_arguments_are_one_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        simulator.main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_step_has_ended_when_the_memory_has_it(user: str) -> None:
    """Also while the program that writes it is late."""
    options = argument_parser().parse_args(["--profile", "webots", "--user", user])
    robot = simulator.LuarSimulator(options)
    robot.is_paused = True

    def count() -> float:
        with Segment(DIRECTORY / f"vcmImage01{user}") as image:
            return image.snapshot.number("count") or 0.0

    before = set(children(os.getpid()))
    robot.start()
    try:
        (helper,) = set(children(os.getpid())) - before
        robot.calls.call(lambda: robot.step(1.0))
        begun = count()
        os.kill(helper, signal.SIGSTOP)
        late = threading.Timer(0.5, os.kill, (helper, signal.SIGCONT))
        late.start()
        robot.calls.call(lambda: robot.step(0.04))  # one image: it fits into the pipe
        assert count() == begun + 1
        late.join()
    finally:
        robot.close()


@pytest.mark.parametrize("layout", ["document", "upenn_2013"])
def test_stepped_again_after_a_reset_it_writes_the_same(user: str, layout: str) -> None:
    given = ["--profile", "webots", "--user", user, "--layout", layout, "--seed", "7"]
    options = argument_parser().parse_args(given)
    robot = simulator.LuarSimulator(options)
    robot.is_paused = True
    changing = {"vcmImage": ("time", "count"), "rcmFsm": ("time", "started")}

    def played() -> dict[tuple[str, str], bytes]:
        """Begin again, step, and return what is in the memory then."""
        robot.calls.call(robot.begin_again)
        robot.calls.call(lambda: robot.step(3.0))
        found = {}
        for path in DIRECTORY.glob(f"*01{user}"):
            segment = path.name.removesuffix(f"01{user}")
            with Segment(path) as opened:
                for name in opened.snapshot:
                    if name not in changing.get(segment, ()):
                        found[segment, name] = opened.snapshot.raw(name)
        return found

    robot.start()
    try:
        first = played()
        assert len(first) > 60
        assert any(first["vcmImage", "yuyv"])
        again = played()
        assert [key for key in first if again[key] != first[key]] == []
    finally:
        robot.close()


# --- the scene itself ----------------------------------------------------------------------


def test_the_scene_is_the_same_under_the_same_seed() -> None:
    def play(seed: int) -> tuple[float, ...]:
        scene = SoccerScene(seed=seed)
        for _ in range(6000):
            scene.advance(0.01)
        return (*scene.pose, scene.ball.x, scene.ball.y, scene.head_yaw)

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_a_game_goes_through_its_states_and_the_ball_is_kicked() -> None:
    scene = SoccerScene(seed=3)
    states, speeds, yaws = [], [], []
    for _ in range(9000):
        scene.advance(0.01)
        states.append(scene.state)
        speeds.append(abs(scene.ball.vx) + abs(scene.ball.vy))
        yaws.append(scene.head_yaw)
        assert abs(scene.ball.x) <= 3.0
        assert abs(scene.ball.y) <= 2.0
    assert list(dict.fromkeys(states)) == list(GameState)[:4]
    assert max(speeds) > 0.5
    assert max(yaws) - min(yaws) > 1.0

    def let_pass(seconds: float) -> None:
        for _ in range(round(100 * seconds)):
            scene.advance(0.01)

    let_pass(520.0)
    assert scene.state is GameState.FINISHED
    assert not scene.walking
    let_pass(FINISHED_SECONDS - 2.0)
    assert scene.state is GameState.INITIAL
    let_pass(20.0)
    assert scene.state is GameState.PLAYING
    assert scene.body is not Body.IDLE
