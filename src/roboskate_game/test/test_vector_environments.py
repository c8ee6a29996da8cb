# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many games in one process: each as it would be alone, and all as gymnasium expects."""

from __future__ import annotations

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from roboskate_game.environments import RoboSkateNumerical, RoboSkateVector  # noqa: E402


@pytest.mark.parametrize("count", [3, 24])
def test_many_games_are_what_each_would_be_alone(count):
    envs = RoboSkateVector(count, max_episode_steps=40)
    alone = [RoboSkateNumerical(max_episode_length=39) for _ in range(count)]
    observations, _ = envs.reset(seed=1, options={"level": 2})
    wanted = [env.reset(options={"level": 2})[0] for env in alone]
    assert np.array_equal(observations, wanted)
    over, finished = np.zeros(count, bool), 0
    rng = np.random.default_rng(5)
    for _ in range(60):
        chosen = rng.uniform(-0.7, 0.7, (count, 3)).astype(np.float32)
        observations, rewards, terminated, truncated, infos = envs.step(chosen)
        for i, env in enumerate(alone):
            if over[i]:
                result = (env.reset()[0], 0.0, False, False)
            else:
                result = env.step(chosen[i])[:4]
            assert np.array_equal(observations[i], result[0])
            assert (rewards[i], terminated[i], truncated[i]) == result[1:]
        over = terminated | truncated
        finished += over.sum()
    assert finished >= count  # each has begun anew
    assert infos["end"].shape == (count,)
    envs.close()


def test_vector_environments_pass_gymnasiums_rules():
    envs = RoboSkateVector(4, render_mode="rgb_array", width=32, height=18)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(envs.action_space.sample())
    observations, infos = envs.reset(seed=[1, 2, 3, 4])
    assert envs.observation_space.contains(observations)
    assert infos["_end"].all()
    observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
    assert envs.observation_space.contains(observations)
    assert rewards.dtype == np.float64
    assert {terminated.dtype, truncated.dtype} == {np.dtype(bool)}
    assert [frame.shape for frame in envs.render()] == [(18, 32, 3)] * 4
    recorded = gymnasium.wrappers.vector.RecordEpisodeStatistics(RoboSkateVector(2))
    recorded.reset()
    recorded.step(recorded.action_space.sample())
    envs.close()


@pytest.mark.parametrize("name", ["RoboSkateNumerical-v0", "RoboSkateImage-v0"])
def test_a_vector_environment_is_what_gymnasium_expects(name):
    def made():
        return gymnasium.make_vec(name, num_envs=3, level=2, max_episode_steps=4)

    envs, again = made(), made()
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
    for space, single in (
        (envs.observation_space, envs.single_observation_space),
        (envs.action_space, envs.single_action_space),
    ):
        assert space == gymnasium.vector.utils.batch_space(single, 3)
    envs.action_space.seed(2)
    chosen = [envs.action_space.sample() for _ in range(6)]
    first, _ = envs.reset(seed=1)
    assert np.array_equal(first, again.reset(seed=1)[0])
    ends = []
    for action in chosen:
        observation, rewards, terminated, truncated, infos = envs.step(action)
        theirs = again.step(action)
        assert observation in envs.observation_space
        assert rewards.shape == terminated.shape == truncated.shape == (3,)
        assert (terminated.dtype, truncated.dtype) == (np.dtype(bool), np.dtype(bool))
        for ours, other in zip(
            (observation, rewards, terminated, truncated), theirs[:4], strict=True
        ):
            assert np.array_equal(ours, other)
        assert all(infos[f"_{key}"].shape == (3,) for key in infos if key[0] != "_")
        ends.append((terminated | truncated).tolist())
    # The fourth step is the last; the one after it begins anew, with reward 0.
    assert ends == [[False] * 3] * 3 + [[True] * 3] + [[False] * 3] * 2
    envs.reset(seed=1)
    for action in chosen[:4]:
        envs.step(action)
    observation, rewards, *_ = envs.step(chosen[4])
    assert np.array_equal(observation, first)
    assert rewards.tolist() == [0.0] * 3
    envs.close()
    again.close()


def assert_equal_infos(ours, theirs):
    """Compare the infos of vector environments, where their masks say that there is something."""
    assert set(ours) == set(theirs)
    for key, wanted in theirs.items():
        if key[0] == "_":
            assert np.array_equal(ours[key], wanted), key
        elif isinstance(wanted, dict):
            assert_equal_infos(ours[key], wanted)
        else:
            for i in np.flatnonzero(theirs[f"_{key}"]):
                assert np.array_equal(ours[key][i], wanted[i]), key


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
def test_the_vector_environment_is_what_gymnasium_makes_of_single_ones(mode):
    options = {
        "random_start_level": True,
        "variation": {"tip_friction": (0.7, 1.3)},
        "randomness": "robust",
        "engine": "python",
    }
    name, count = "RoboSkateNumerical-v0", 3
    ours = gymnasium.make_vec(
        name, num_envs=count, max_episode_steps=9, autoreset_mode=mode, **options
    )
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(name, max_episode_steps=9, **options)] * count,
        autoreset_mode=mode,
    )
    assert ours.metadata["autoreset_mode"] is mode
    results = [envs.reset(seed=5) for envs in (ours, theirs)]
    rng, ended = np.random.default_rng(2), 0
    for _ in range(40):
        assert np.array_equal(results[0][0], results[1][0])
        assert_equal_infos(results[0][-1], results[1][-1])
        over = np.zeros(count, bool)
        if len(results[0]) == 5:
            for mine, other in zip(results[0][1:4], results[1][1:4], strict=True):
                assert np.array_equal(mine, other)
            over = results[0][2] | results[0][3]
            ended += over.sum()
        if mode is gymnasium.vector.AutoresetMode.DISABLED and over.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                ours.step(np.zeros((count, 3), np.float32))
            results = [envs.reset(options={"reset_mask": over.copy()}) for envs in (ours, theirs)]
            continue
        chosen = rng.uniform(-1, 1, (count, 3)).astype(np.float32)
        results = [envs.step(chosen) for envs in (ours, theirs)]
    assert ended > count
    ours.close()
    theirs.close()


def test_seeds_may_be_numpys_and_none_is_not_a_list():
    envs = RoboSkateVector(2, randomness="robust")
    first, second = (envs.reset(seed=kind(0))[0] for kind in (int, np.int64))
    assert np.array_equal(first, second)
    with pytest.raises(ValueError, match="there must be 2 seeds"):
        envs.reset(seed=[])


def test_what_a_step_returns_may_be_changed():
    envs, untouched = RoboSkateVector(2), RoboSkateVector(2)
    assert envs.autoreset_mode is gymnasium.vector.AutoresetMode.NEXT_STEP
    envs.reset(seed=1)
    untouched.reset(seed=1)
    for _ in range(3):
        actions = np.full((2, 3), 0.1, np.float32)
        _, rewards, _, _, infos = envs.step(actions)
        assert np.array_equal(rewards, untouched.step(actions)[1])
        for each in (rewards, infos["distance"], infos["steering_angle"], infos["position"]):
            each *= 0.0
