# SPDX-License-Identifier: Apache-2.0
"""The learning environment: gymnasium's own check, and the rules of the original."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from roboskate_bridge.controller import Skater  # noqa: E402
from roboskate_bridge.gym import MAXIMUM_STEPS, RoboSkateEnv  # noqa: E402
from roboskate_bridge.levels import Course  # noqa: E402
from roboskate_bridge.transport import TransportError  # noqa: E402


@pytest.fixture
def make_env(make_game):
    envs = []

    def make(profile="spec", transport="grpc", **options):
        game = make_game(profile)
        port = game.port if transport == "grpc" else game.http_port
        env = RoboSkateEnv(
            port=port, profile=profile, transport=transport, width=64, height=36, **options
        )
        envs.append(env)
        return env, game

    yield make
    for env in envs:
        env.close()


@pytest.mark.parametrize("transport", ["grpc", "http"])
@pytest.mark.parametrize("profile", ["spec", "game"])
def test_gymnasiums_own_check(make_env, profile, transport):
    env, _ = make_env(profile, transport, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Made without gymnasium.make, so there is no spec to make it again from: a warning.
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_close_check=True)
    env.close()
    env.close()


def test_the_first_observation(make_env):
    env, _ = make_env(level=1)
    observation, info = env.reset()
    # Level 1 begins with its back to odom's left and its first checkpoint straight ahead.
    assert observation == pytest.approx([0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0], abs=1e-6)
    assert info["checkpoints"] == 0
    assert info["distance"] == pytest.approx(23.0)
    assert info["position"] == pytest.approx([107.69, -50.0, 0.0], abs=1e-4)
    assert env.reset(options={"level": 0})[1]["distance"] == pytest.approx(30.0)


def test_joints_are_observed_as_parts_of_their_ranges(make_env):
    for profile in ("spec", "game"):
        env, _ = make_env(profile)
        env.reset()
        for _ in range(3):
            observation, *_ = env.step(np.array([1.0, -0.5, 0.25], np.float32))
        # 0.6 s at 3.67 x 40 degrees/s, less the delay of 0.08 s at the beginning.
        assert observation[0] == pytest.approx(146.8 * 0.52 / 180, rel=0.03)
        assert observation[1] == pytest.approx(-73.4 * 0.52 / 90, rel=0.03)
        assert observation[2] == pytest.approx(36.7 * 0.52 / 125, rel=0.03)
        assert observation[3:6] == pytest.approx([146.8 / 170, -73.4 / 170, 36.7 / 170], rel=0.01)


def drive(env, game, steps):
    """Let the scripted skater drive; return rewards, observations and the last answer."""
    env.reset()
    skater, answers = Skater(Course(0)), []
    for _ in range(steps):
        keys = skater.keys(game.world.state())
        answers.append(env.step(np.array(keys.values(), np.float32)))
        if answers[-1][2]:
            break
    return answers


def test_rewards_are_those_of_the_original(make_env):
    env, game = make_env()
    answers = drive(env, game, 150)
    infos = [info for *_, info in answers]
    assert infos[-1]["checkpoints"] >= 1
    previous, steering = 30.0, 0.0
    for observation, reward, terminated, truncated, info in answers:
        assert not terminated
        assert not truncated
        wanted = abs(observation[9] - steering)
        if info["checkpoints"] == 1 and previous < 5.0:  # just reached
            wanted += 3.0 + 5.0 * (previous - math.dist(info["position"][:2], (30.0, 0.0)))
        else:
            wanted += 5.0 * (previous - info["distance"])
        assert reward == pytest.approx(wanted, abs=1e-4)
        previous, steering = info["distance"], observation[9]
    assert sum(reward for _, reward, *_ in answers) > 5 * 25


def test_two_runs_are_the_same(make_env):
    runs = []
    for _ in range(2):
        env, game = make_env()
        runs.append([(list(o), r) for o, r, *_ in drive(env, game, 60)])
    assert runs[0] == runs[1]


def test_an_episode_ends_when_the_board_falls_off(make_env):
    env, _ = make_env(level=2)
    env.reset()
    skater = Skater(Course(0))  # of another level: straight into the void
    terminated = False
    for _ in range(1000):
        keys = skater.keys(env._board())
        observation, _, terminated, truncated, info = env.step(
            np.array([0.0, keys.a_d, keys.w_e], np.float32)
        )
        assert not truncated
        if terminated:
            break
    assert terminated
    assert info["position"][2] <= -7.0 or abs(observation[8] - 0.5) > 0.35


def test_an_episode_ends_at_the_last_checkpoint(make_env):
    env, game = make_env(level=2)
    env.reset()
    skater = Skater(Course(2))
    for _ in range(400):
        keys = skater.keys(game.world.state())
        _, _, terminated, _, info = env.step(np.array(keys.values(), np.float32))
        if terminated:
            break
    assert (terminated, info["checkpoints"]) == (True, 2)


def test_an_episode_is_cut_off_after_2000_steps(make_env):
    env, _ = make_env()
    env.reset()
    for step in range(1, MAXIMUM_STEPS + 1):
        _, _, terminated, truncated, _ = env.step(np.zeros(3, np.float32))
        assert not terminated
        assert truncated == (step == MAXIMUM_STEPS)


def test_a_rendered_frame_is_the_games(make_env):
    env, _ = make_env(render_mode="rgb_array")
    env.reset()
    frame = env.render()
    assert frame.shape == (36, 64, 3)
    assert frame.dtype == np.uint8
    assert frame.std() > 5
    blind, _ = make_env()
    blind.reset()
    assert blind.render() is None
    with pytest.raises(ValueError, match="render_mode"):
        RoboSkateEnv(render_mode="human")


def test_what_cannot_be_is_said(make_env, free_port):
    env, _ = make_env()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, np.float32))
    with pytest.raises(IndexError, match="no level 3"):
        env.reset(options={"level": 3})
    nobody = RoboSkateEnv(port=free_port)
    with pytest.raises(TransportError, match="cannot be reached"):
        nobody.reset()
    nobody.close()


def test_neither_ros_nor_gymnasium_are_needed_where_they_should_not_be():
    code = """
import sys
for name in sys.argv[2:]:
    sys.modules[name] = None
try:
    __import__(sys.argv[1])
except ImportError as error:
    print(error)
    sys.exit(3)
"""

    def importing(module, *missing):
        return subprocess.run(
            [sys.executable, "-c", code, module, *missing], capture_output=True, text=True
        )

    ros = ("rclpy", "legacy_robots_msgs", "sensor_msgs", "std_msgs", "ament_index_python")
    for module in ("gym", "simulator", "client", "link", "controller"):
        assert importing(f"roboskate_bridge.{module}", *ros).returncode == 0, module
    assert importing("roboskate_bridge.node", "gymnasium").returncode == 0
    without = importing("roboskate_bridge.gym", "gymnasium")
    assert (without.returncode, "pip install gymnasium" in without.stdout) == (3, True)
    assert importing("roboskate_bridge.http_transport", "grpc", "google.protobuf").returncode == 0
