# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The learning environments: gymnasium's own checks, the known rules, and equal backends."""

from __future__ import annotations

import copy
import importlib.util
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from roboskate_game.client.transport import TransportError  # noqa: E402
from roboskate_game.environments import (  # noqa: E402
    RoboSkateImage,
    RoboSkateMultiInput,
    RoboSkateNumerical,
    RoboSkateVector,
)
from roboskate_game.model.rules import (  # noqa: E402
    End,
    ModernRules,
    Rules,
    Scorer,
)

CLASSES = (RoboSkateNumerical, RoboSkateMultiInput, RoboSkateImage)


def actions(count, seed=3, scale=0.4):
    rng = np.random.default_rng(seed)
    return (scale * rng.uniform(-1, 1, (count, 3))).astype(np.float32)


@pytest.fixture
def make_env(make_game):
    """Return a function that makes an environment on a simulated game of its own."""
    envs = []

    def make(kind=RoboSkateNumerical, backend="grpc", profile="game", **options):
        game = make_game(profile)
        port = game.port if backend == "grpc" else game.http_port
        envs.append(kind(backend=backend, port=port, profile=profile, **options))
        return envs[-1]

    yield make
    for env in envs:
        env.close()


# --- gymnasium's checks -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("rules", ["original", "modern"])
def test_gymnasiums_own_check(kind, rules):
    env = kind(rules=rules, render_mode="rgb_array", width=64, height=36)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Made without gymnasium.make, so there is no spec to make it again from: a warning.
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_close_check=True)
    env.close()
    env.close()


@pytest.mark.parametrize(
    "backend, profile", [("grpc", "game"), ("grpc", "spec"), ("http", "game")]
)
def test_gymnasiums_own_check_over_the_wire(make_env, backend, profile):
    size = {} if profile == "game" else {"width": 64, "height": 36}  # there the game decides
    env = make_env(RoboSkateMultiInput, backend, profile, **size)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_render_check=True, skip_close_check=True)


@pytest.mark.parametrize("name", ["Numerical", "MultiInput", "Image"])
def test_they_are_registered(name):
    env = gymnasium.make(f"RoboSkate{name}-v0", level=1)
    assert env.spec.max_episode_steps == 1000
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()
    envs = gymnasium.make_vec(f"RoboSkate{name}-v0", num_envs=2)
    observation, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(observation)
    envs.close()


# --- rules --------------------------------------------------------------------------------------


def state(
    position=(0, 0, 0), forward=(1, 0, 0), up=(0, 1, 0), velocity=(0, 0, 0), joints=(0,) * 6
):
    """Return one world's state, in the game's axes: x forward, y up, z left."""
    row = [*position, *velocity, *forward, *up, *joints]
    return np.array([row], np.float32).astype(float)


ONE = np.zeros(1, np.intp)


def begun(rules=Rules.ORIGINAL, first=0, **start):
    scorer = Scorer(1, rules)
    scorer.begin(state(**start), ONE, np.array([first]))
    return scorer


def scored(scorer, wire):
    """Return reward and end of a step after which a game reports this."""
    scorer.score(wire, ONE)
    return scorer.column("reward")[0], End(scorer.column("end")[0])


def test_the_observation_is_the_originals():
    joints = (185.0, -47.5, 65.0, 170.0, -85.0, 0.0)
    scorer = begun(forward=(0.6, 0.0, 0.8), velocity=(-2.4, 5.0, -3.2), joints=joints)
    yaw = math.degrees(math.atan2(0.8, 0.6))
    assert scorer.observations[0] == pytest.approx(
        [1.0, -0.5, 0.5, 1.0, -0.5, 0.0, -0.5, 0.5, 0.5, -yaw / 180.0], abs=1e-6
    )
    # Nose up is less than 0.5; leaning left, with the left axis down, is more.
    up = begun(forward=(0.8, 0.6, 0.0), up=(-0.6, 0.8, 0.0))
    assert up.column("pitch")[0] == pytest.approx(math.atan2(0.8, 0.6) / math.pi)
    lean = begun(up=(0.0, 0.8, 0.6))
    assert lean.column("roll")[0] == pytest.approx(0.5 + math.asin(0.6) / math.pi)


def test_the_reward_is_the_originals():
    scorer = begun()
    # 1 m forward, and turned 10 degrees away from the checkpoint at (30, 0).
    turn = math.radians(10.0)
    seen = state((1.0, 0.0, 0.0), (math.cos(turn), 0.0, math.sin(turn)))
    assert scored(scorer, seen)[0] == pytest.approx(5.0 - 10.0, abs=1e-4)
    # Turned back: the same with the other sign.
    assert scored(scorer, state((1.0, 0.0, 0.0)))[0] == pytest.approx(10.0, abs=1e-4)
    # Reaching a checkpoint is 3 and nothing else.
    assert scored(scorer, state((25.5, 0.0, 0.0)))[0] == 3.0
    assert scorer.column("next")[0] == 1


@pytest.mark.parametrize(
    "change, end, penalty",
    [
        ({"position": (0, -7.0, 0)}, End.FALLEN, -15.0),
        ({"up": (0.0, 0.4, 0.9165151)}, End.TIPPED, -10.0),
        ({"joints": (0, 0, 0, 201.0, 0, 0)}, End.TOO_FAST, -10.0),
        ({"joints": (0, 0, 0, 199.0, 0, 0)}, End.NONE, 0.0),
        ({"up": (0.0, 0.6, 0.8)}, End.NONE, 0.0),
    ],
)
def test_ends_and_penalties_are_the_originals(change, end, penalty):
    assert scored(begun(), state(**change)) == (pytest.approx(penalty, abs=1e-4), end)


def test_the_last_checkpoint_ends_it_and_is_never_reached():
    scorer = begun(first=30, position=(47.5, 0.0, -45.0))
    assert scored(scorer, state((47.5, 0.05, -41.5))) == (3.0, End.FINISHED)
    assert scorer.column("next")[0] == 31


def test_modern_rules_count_metres_and_a_cost_for_each_step():
    m = ModernRules()
    scorer = begun(Rules.MODERN)
    reward = scored(scorer, state((1.0, 0.0, 0.0)))[0]
    assert reward == pytest.approx(m.per_metre + m.per_step)
    # No jump at a checkpoint: the metres to it count as before.
    scored(scorer, state((24.0, 0.0, 0.0)))
    reward = scored(scorer, state((26.0, 0.0, 0.0)))[0]
    assert reward == pytest.approx(2.0 * m.per_metre + m.per_step + m.checkpoint, abs=1e-4)
    reward = scored(scorer, state((26.0, -8.0, 0.0)))[0]
    assert reward == pytest.approx(m.failed + m.per_step, abs=1e-4)


@pytest.mark.parametrize("engine", ["python", "numba"])
def test_progress_counts_metres_alone(engine):
    if engine == "numba":
        pytest.importorskip("numba")
    env = RoboSkateNumerical(rules="progress", engine=engine)
    _, before = env.reset()
    gained, ended = 0.0, False
    while not ended:
        _, reward, ended, _, after = env.step(np.array([1.0, -0.2, -1.0]))
        gained += reward
    assert after["end"] == "tipped"
    assert gained == pytest.approx(0.2 * (before["distance"] - after["distance"]), abs=1e-6)


# --- episodes -----------------------------------------------------------------------------------


def play(env, count=60, seed=None, options=None):
    results = [env.reset(seed=seed, options=options)[0]]
    for action in actions(count):
        observation, reward, terminated, truncated, info = env.step(action)
        results.append((observation, reward, terminated, truncated, info["next_checkpoint"]))
        if terminated or truncated:
            break
    return results


def same(a, b):
    return all(
        np.array_equal(np.hstack([np.ravel(v) for v in x]), np.hstack([np.ravel(v) for v in y]))
        for x, y in zip(a[1:], b[1:], strict=True)
    )


@pytest.mark.parametrize("backend", ["grpc", "http"])
def test_the_wire_makes_no_difference(make_env, backend):
    over_the_wire = play(make_env(backend=backend), options={"level": 1})
    assert same(play(RoboSkateNumerical(), options={"level": 1}), over_the_wire)


def test_reset_lowers_the_crane_as_the_original_does():
    env = RoboSkateNumerical()
    env.reset()
    # Five steps of at most 34 degrees, whose last one is still under way.
    angles = env.reset()[0][:3] * [185.0, 95.0, 130.0]
    assert angles[0] == 0.0
    assert 30.0 < angles[1] < 60.0
    assert 80.0 < angles[2] < 115.0


def test_a_force_of_10000_reaches_the_largest_rate_sooner():
    def rate(force):
        env = RoboSkateNumerical(force=force, step_seconds=0.02)
        env.reset()
        return env.step(np.array([1.0, 0.0, 0.0], np.float32))[0][3]

    assert rate(40.0) < rate(250.0) < 1.0
    assert rate(10000.0) == pytest.approx(1.0)


def test_an_episode_is_cut_off():
    env = RoboSkateNumerical(max_episode_length=5)
    env.reset()
    rest = np.zeros(3, np.float32)
    # The original counts from 0: with 5 the sixth step is the last.
    assert [env.step(rest)[2:4] for _ in range(6)] == [(False, False)] * 5 + [(False, True)]


def test_start_levels_and_seeds():
    env = RoboSkateNumerical(random_start_level=True)
    places = [env.reset(seed=1 if i == 0 else None)[1]["position"][0] for i in range(20)]
    again = [env.reset(seed=1 if i == 0 else None)[1]["position"][0] for i in range(20)]
    assert places == again
    assert len({round(x) for x in places}) == 3
    assert env.reset(options={"level": 2})[1]["position"][0] == pytest.approx(80.0, abs=0.5)
    for wrong in (3, -1, True, 0.0, "1"):
        with pytest.raises(ValueError, match="no known checkpoints"):
            env.reset(options={"level": wrong})


def test_physics_varies_with_the_seed_only():
    env = RoboSkateNumerical(variation={"tip_friction": (0.5, 1.5), "board_mass": (0.8, 1.2)})
    first, second, again = play(env, seed=1), play(env, seed=2), play(env, seed=1)
    assert same(first, again)
    assert not same(first, second)
    with pytest.raises(ValueError, match="no parameter 'colour'"):
        RoboSkateNumerical(variation={"colour": (0.5, 1.5)})


WRONG = {
    "short": [0.1, 0.2],
    "long": [0.1, 0.2, 0.3, 0.4],
    "nan": [0.1, math.nan, 0.3],
    "infinite": [0.1, math.inf, 0.3],
    "too large for a float32": [1e39, 0.0, 0.0],
    "nested": [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]],
    "of a vector environment": [[0.1, 0.2, 0.3]],
    "complex": [0.1, 0.2, 0.3j],
    "digits": ["1", "0", "0"],
    "ragged": [0.1, [0.2], 0.3],
    "none": None,
    "a number": 0.5,
    "words": ["left", "right", "up"],
}


@pytest.mark.parametrize("backend", ["python", "numba", "grpc", "http"])
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_action_is_refused_and_changes_nothing(make_env, backend, wrong):
    if backend == "numba":
        pytest.importorskip("numba")
    wire = backend in ("grpc", "http")

    def made(kind):
        if wire:
            return make_env(kind, backend)
        return kind(engine=backend)

    env, envs = made(RoboSkateNumerical), made(RoboSkateVector)
    env.reset(seed=1)
    envs.reset(seed=1)
    for each, action in ((env, wrong), (envs, [wrong])):
        with pytest.raises(ValueError, match=r"^(an action|actions) must"):
            each.step(action)
    if wrong == [[0.1, 0.2, 0.3]]:
        with pytest.raises(ValueError, match=r"^an action must have the shape \(3,\)"):
            env.step(wrong)
    rest = np.zeros(3, np.float32)
    untouched = RoboSkateNumerical(engine="python")
    untouched.reset(seed=1)
    wanted = untouched.step(rest)[0]
    assert np.array_equal(env.step(rest)[0], wanted)
    assert np.array_equal(envs.step([rest])[0][0], wanted)
    envs.close()


def test_an_environment_is_small_to_pickle_and_a_copy_goes_on_alike():
    pytest.importorskip("numba")
    env = RoboSkateNumerical(engine="numba", random_start_level=True)
    env.reset(seed=3)
    env.step(np.zeros(3, np.float32))
    data = pickle.dumps(env)
    assert len(data) < 20_000
    others = pickle.loads(data), copy.deepcopy(env)
    for action in actions(5):
        wanted = env.step(action)
        for other in others:
            assert np.array_equal(other.step(action)[0], wanted[0])
    wanted = env.reset()[0]
    assert all(np.array_equal(other.reset()[0], wanted) for other in others)


# --- pictures -----------------------------------------------------------------------------------


def test_images_are_the_cameras():
    env = RoboSkateMultiInput()
    observation, _ = env.reset()
    assert observation["image"].shape == (3, 30, 98)
    assert observation["image"].std() > 5
    assert observation["numeric"].shape == (9,)
    image, _ = RoboSkateImage(width=98, height=30).reset()
    assert np.array_equal(image.transpose(2, 0, 1), observation["image"])
    seen = RoboSkateNumerical(render_mode="rgb_array", width=98, height=30)
    assert seen.render() is None
    seen.reset()
    assert np.array_equal(seen.render(), image)


def test_a_window_shows_what_happens(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = RoboSkateNumerical(render_mode="human", width=64, height=36)
    if importlib.util.find_spec("pygame") is None:
        with pytest.raises(ImportError, match="pip install pygame"):
            env.reset()
        return
    env.reset()
    env.step(np.zeros(3, np.float32))
    env.close()


# --- what cannot be -----------------------------------------------------------------------------


def test_what_cannot_be_is_said(free_port):
    env = RoboSkateNumerical()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, np.float32))
    for options, complaint in (
        ({"level": 3}, "level 3"), ({"rules": "house"}, "house"), ({"backend": "post"}, "backend"),
        ({"force": 0.0}, "force"), ({"step_seconds": 0.03}, "multiple"),
        ({"render_mode": "ascii"}, "render_mode"), ({"engine": "steam"}, "engine"),
        ({"level": 0.5}, "level"), ({"force": math.nan}, "force"), ({"force": 1e9}, "force"),
        ({"step_seconds": -0.2}, "step_seconds"), ({"width": 0}, "width"),
        ({"height": 36.5}, "height"), ({"width": 100_000, "height": 1000}, "not possible"),
        ({"max_episode_length": 0}, "max_episode_length"), ({"port": 65536}, "port"),
        ({"profile": "page"}, "profile"), ({"matrix_order": "rows"}, "matrix_order"),
        ({"backend": "grpc", "sub_steps": 2}, "sub_steps need the backend in_process"),
        ({"backend": "http", "variation": {"tip_friction": (0.5, 1.5)}}, "variation and"),
        ({"force": "a"}, "force must be a number"), ({"force": True}, "force must be a number"),
        ({"force": 1j}, "force must be a number"), ({"level": True}, "level must be a whole"),
        ({"step_seconds": None}, "step_seconds must be a number"),
        ({"sub_steps": 10**7}, "sub_steps must be at most 100"), ({"sub_steps": 1.0}, "sub_steps"),
        ({"random_start_level": "no"}, "random_start_level must be True or False"),
        ({"jpeg": 1}, "jpeg must be True or False"), ({"host": 1}, "host must be text"),
        ({"port": "50051"}, "port must be a whole number"),
        ({"variation": {"tip_friction": 1}}, "tip_friction: there must be two factors"),
        ({"variation": {"tip_friction": (1, 2, 3)}}, "tip_friction: there must be two factors"),
        ({"variation": {"values": (0.5, 1.5)}}, "no parameter 'values'"),
        ({"variation": 3}, "variation must be a dictionary"),
    ):  # fmt: skip
        for kind in (RoboSkateNumerical, RoboSkateVector):
            with pytest.raises(ValueError, match=complaint):
                kind(**options)
    for name, value in (("num_envs", 0), ("max_episode_steps", 0), ("autoreset_mode", "never")):
        with pytest.raises(ValueError, match=str(value)):
            RoboSkateVector(**{name: value})
    unreachable = RoboSkateNumerical(backend="grpc", port=free_port)
    with pytest.raises(TransportError, match="cannot be reached"):
        unreachable.reset()
    unreachable.close()


@pytest.mark.node
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
    modules = ("environments", "simulator.program", "client.client", "learning.scripted_policy")
    for module in (*modules, "learning.evaluate", "learning.train_sb3"):
        assert importing(f"roboskate_game.{module}", *ros).returncode == 0, module
    if importlib.util.find_spec("rclpy"):
        for module in ("bridge.node", "drivers.autopilot", "drivers.policy_node"):
            assert importing(f"roboskate_bridge.{module}", "gymnasium", "torch").returncode == 0
    without = importing("roboskate_game.environments", "gymnasium")
    assert (without.returncode, "pip install gymnasium" in without.stdout) == (3, True)
    assert (
        importing("roboskate_game.client.http_transport", "grpc", "google.protobuf").returncode
        == 0
    )


@pytest.mark.parametrize("backend", ["grpc", "http"])
@pytest.mark.parametrize("image_format", ["png", "jpeg"])
def test_a_picture_is_the_same_in_process_and_over_the_wire(make_game, backend, image_format):
    game = make_game("game", image_format=image_format)
    port = game.port if backend == "grpc" else game.http_port
    options = {"width": 64, "height": 36, "level": 1}
    remote = RoboSkateImage(backend=backend, port=port, **options)
    local = RoboSkateImage(engine="python", jpeg=image_format == "jpeg", **options)
    lossless = RoboSkateImage(engine="python", **options)
    pictures = [env.reset(seed=1)[0] for env in (remote, local, lossless)]
    for action in actions(4):
        pictures = [env.step(action)[0] for env in (remote, local, lossless)]
        assert np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(pictures[0], pictures[2]) == (image_format == "png")
    remote.close()
