# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is random in an episode: seeded, alike on every engine and wire."""

from __future__ import annotations

import importlib.util
import itertools
import math

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from roboskate_game.environments import (  # noqa: E402
    PRESETS,
    Randomness,
    RoboSkateImage,
    RoboSkateNumerical,
    RoboSkateVector,
)

ACTIONS = (0.4 * np.random.default_rng(3).uniform(-1, 1, (8, 3))).astype(np.float32)


def played(env, seed=1, actions=ACTIONS):
    """Return the observations of an episode, and its rewards."""
    seen = [env.reset(seed=seed)[0]]
    rewards = []
    for action in actions:
        observation, reward, *_ = env.step(action)
        seen.append(observation)
        rewards.append(reward)
    return np.array(seen), np.array(rewards)


def numerical(**options):
    return RoboSkateNumerical(engine="python", **options)


def test_the_same_seed_gives_the_same_episode_on_every_engine():
    if importlib.util.find_spec("numba") is None:
        pytest.skip("pip install numba")
    expected, rewards = played(numerical(randomness="robust"))
    again = played(RoboSkateNumerical(randomness="robust", engine="numba"))
    assert np.array_equal(expected, again[0])
    assert np.array_equal(rewards, again[1])
    assert not np.array_equal(expected, played(numerical(randomness="robust"), seed=2)[0])
    assert not np.array_equal(expected, played(numerical())[0])


@pytest.mark.parametrize("backend", ["grpc", "http"])
def test_over_the_wire_it_is_what_it_is_in_process(make_game, backend):
    game = make_game("game")
    port = game.port if backend == "grpc" else game.http_port
    remote = RoboSkateNumerical(backend=backend, port=port, randomness="robust_wire")
    expected, rewards = played(numerical(randomness="robust_wire"))
    observed, gained = played(remote)
    remote.close()
    assert np.array_equal(expected, observed)
    assert gained == pytest.approx(rewards, abs=1e-9)


def test_a_delay_is_whole_steps_and_a_new_episode_forgets_what_was_on_its_way():
    env = numerical(randomness={"action_delay": (2, 2)})
    late = played(env)[0]
    nothing = np.zeros((2, 3), np.float32)
    shifted = np.concatenate((nothing, ACTIONS[:-2]))
    assert np.array_equal(late, played(numerical(), actions=shifted)[0])
    assert np.array_equal(late, played(env)[0])


def test_of_a_lost_action_the_one_before_acts_on():
    def ended(env, seed, actions):
        return played(env, seed, actions)[0][-1].tobytes()

    def acting(lost):
        sent = [np.zeros(3, np.float32)]
        for gone, action in zip(lost, ACTIONS, strict=False):
            sent.append(sent[-1] if gone else action)
        return sent[1:]

    env, truth = numerical(randomness=Randomness(action_drop=0.5)), numerical()
    possible = {
        ended(truth, 1, acting(lost)): lost for lost in itertools.product((0, 1), repeat=3)
    }
    found = {possible[ended(env, seed, ACTIONS[:3])] for seed in range(20)}
    assert len(found) > 4


def test_noise_is_in_the_observations_alone():
    clean, rewards = played(numerical())
    noisy, same = played(numerical(randomness={"sensor_noise": 0.01}))
    assert np.array_equal(rewards, same)
    assert (noisy - clean).std() == pytest.approx(0.01, rel=0.4)
    assert (noisy != clean).mean() > 0.99


@pytest.mark.parametrize("field", ["start_shift", "start_turn", "start_crane", "mass", "friction"])
def test_each_spread_changes_each_game_of_a_vector(field):
    envs = RoboSkateVector(3, engine="python", randomness={field: 0.05})
    first, _ = envs.reset(seed=1)
    for action in ACTIONS:
        observed = envs.step(np.tile(action, (3, 1)))[0]
    assert len(np.unique(observed, axis=0)) == 3
    assert np.array_equal(envs.reset(seed=1)[0], first)
    if field == "start_shift":
        truth = RoboSkateVector(1, engine="python").reset()[1]["position"]
        off = np.abs(envs.reset(seed=1)[1]["position"] - truth).max(axis=1)
        assert (off < 0.06).all()
        assert (off > 0.0).all()


def test_the_look_is_another_one_in_each_episode():
    def first(seed):
        return env.reset(seed=seed)[0].copy()

    env = RoboSkateImage(engine="python", width=48, height=27, randomness={"look": 1.0})
    usual = RoboSkateImage(engine="python", width=48, height=27).reset(seed=1)[0]
    images = [first(1), first(2), usual]
    assert len({image.tobytes() for image in images}) == 3
    assert np.array_equal(first(1), images[0])


@pytest.mark.parametrize(
    "wrong, words",
    [
        ("rough", "nominal, robust, robust_wire"),
        ({"wind": 1.0}, "has no wind"),
        ({"mass": 1.0}, "mass must be 0 to 0.9"),
        ({"sensor_noise": math.nan}, "sensor_noise must be 0 to 10"),
        ({"sensor_noise": "loud"}, "must be a number"),
        ({"action_delay": (2, 1)}, "0 <= least <= most"),
        ({"action_delay": 1}, "two whole numbers"),
        (None, "randomness must be"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        RoboSkateNumerical(randomness=wrong)


def test_over_the_wire_what_needs_the_simulation_is_refused_with_what_to_take():
    with pytest.raises(ValueError, match=r"mass, .*robust_wire"):
        RoboSkateNumerical(backend="grpc", randomness="robust")
    assert not PRESETS["robust_wire"].simulated_only
    assert PRESETS["nominal"] == Randomness()
