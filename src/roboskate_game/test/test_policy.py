# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Trained policies: files, numbers, and the one that comes with the package on the course."""

from __future__ import annotations

import json
import math
import sys
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from roboskate_game.environments import RoboSkateNumerical
from roboskate_game.environments.task import Options, Task
from roboskate_game.learning import contestants, evaluate
from roboskate_game.learning.localisation import Localisation
from roboskate_game.learning.memory import policy_inputs
from roboskate_game.learning.policy import Policy, PolicyError, load_policy
from roboskate_game.model.rules import End


def layers(*widths):
    rng = np.random.default_rng(0)
    return [(rng.normal(size=(to, of)), rng.normal(size=to)) for of, to in pairwise(widths)]


def test_a_policy_is_what_its_layers_compute():
    weights, biases = np.zeros((3, 10)), np.array([0.5, 3.0, -3.0])
    weights[0, 1] = 2.0
    policy = Policy([(weights, biases)], np.full(10, 1.0), np.full(10, 4.0))
    observation = np.ones(10)
    observation[1] = 2.0
    # 2 * (2 - 1) / 4 + 0.5; the others are cut off.
    assert policy.act(observation).tolist() == [1.0, 1.0, -1.0]
    observation[1] = 1.5
    assert policy.act([observation, np.ones(10)]).tolist() == [[0.75, 1.0, -1.0], [0.5, 1.0, -1.0]]
    squashed = Policy([(weights, biases)], np.zeros(10), np.ones(10), squash=True)
    assert squashed.act(np.zeros(10))[0] == pytest.approx(math.tanh(0.5))
    deep = Policy([*layers(10, 4), *layers(4, 3)], np.zeros(10), np.ones(10))
    (a, b), (c, d) = deep.layers
    assert deep.act(observation) == pytest.approx(
        np.clip(c @ np.tanh(a @ observation + b) + d, -1.0, 1.0)
    )


def test_a_policy_is_the_same_after_a_file(tmp_path):
    policy = Policy(layers(10, 8, 3), np.arange(10.0), np.arange(1.0, 11.0), force=350.0)
    policy.save(tmp_path / "policy.npz")
    again = load_policy(tmp_path / "policy.npz")
    observations = np.random.default_rng(1).normal(size=(5, 10))
    assert again.act(observations) == pytest.approx(policy.act(observations), abs=1e-5)
    assert (again.force, again.step_seconds, again.squash) == (350.0, 0.2, False)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"layers": layers(9, 3)}, "layer 0 does not fit 10 inputs"),
        ({"layers": layers(10, 4)}, "the last layer has 4 outputs, not 3"),
        ({"mean": np.zeros(9)}, "mean and deviation must have 10 numbers"),
        ({"deviation": np.zeros(10)}, "a deviation that is 0"),
        ({"mean": np.full(10, np.nan)}, "not finite"),
        ({"force": -1.0}, "force and step_seconds must be positive"),
    ],
)
def test_what_is_no_policy_is_refused(change, words):
    good = {"layers": layers(10, 3), "mean": np.zeros(10), "deviation": np.ones(10)}
    with pytest.raises(ValueError, match=words):
        Policy(**{**good, **change})


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_a_file_that_holds_no_policy_is_one_error(tmp_path, content):
    path = tmp_path / "policy.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PolicyError, match="holds no policy"):
        load_policy(path)


def test_a_damaged_file_is_one_error_wherever_the_damage_is(tmp_path):
    path = tmp_path / "policy.npz"
    Policy(layers(10, 8, 3), np.zeros(10), np.ones(10)).save(path)
    whole = path.read_bytes()
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 16]) + whole[position + 1 :])
        with suppress(PolicyError):  # what it may be, and no other
            load_policy(path)


def test_the_packages_policy_finishes_all_levels_in_one_episode():
    policy = load_policy()
    player = policy.player(level=0)
    env = RoboSkateNumerical(level=0, force=policy.force, step_seconds=policy.step_seconds)
    observation, info = env.reset()
    for _ in range(1000):  # the length of the original's episodes
        observation, _, terminated, _, info = env.step(player.act(observation[np.newaxis])[0])
        if terminated:
            break
    assert (info["end"], info["next_checkpoint"]) == ("finished", 31)


def test_a_policy_with_history_knows_the_steps_before(tmp_path):
    # Its actions: the observation's first number, that of the step before, and its first action.
    weights = np.zeros((3, 23))
    weights[[0, 1, 2], [0, 10, 20]] = 1.0
    Policy([(weights, np.zeros(3))], np.zeros(23), np.ones(23), history=1).save(tmp_path / "p.npz")
    player = load_policy(tmp_path / "p.npz").player(2)
    first, second = np.zeros((2, 10)), np.zeros((2, 10))
    first[:, 0], second[:, 0] = (0.25, 0.5), (0.75, -1.0)
    assert player.act(first).tolist() == [[0.25, 0.0, 0.0], [0.5, 0.0, 0.0]]
    assert player.act(second).tolist() == [[0.75, 0.25, 0.25], [-1.0, 0.5, 0.5]]
    with pytest.raises(ValueError, match="does not fit 10 inputs"):
        Policy([(weights, np.zeros(3))], np.zeros(10), np.ones(10))


def test_a_policy_with_a_place_needs_the_level(tmp_path):
    width = policy_inputs(1, place=True)
    weights = np.zeros((3, width))
    # Its actions: whether the next checkpoint is 0, whether it is 8, and the way there in x.
    weights[[0, 1, 2], [23, 31, 23 + 32]] = 1.0
    policy = Policy(
        [(weights, np.zeros(3))], np.zeros(width), np.ones(width), history=1, place=True
    )
    policy.save(tmp_path / "p.npz")
    policy = load_policy(tmp_path / "p.npz")
    with pytest.raises(ValueError, match="needs the level"):
        policy.player()
    assert policy.player(2, 0).act(np.zeros((2, 10))).tolist() == [[1.0, 0.0, 1.0]] * 2
    # Level 1 begins on its first checkpoint: the next one is straight on, southwards.
    assert policy.player(1, 1).act(np.zeros((1, 10))).tolist() == [[0.0, 1.0, 0.0]]


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_board_knows_where_it_is_by_its_observations(level):
    count = 20
    randomness = {"sensor_noise": 0.01, "mass": 0.05, "friction": 0.05}
    task = Task(Options(randomness=randomness), count)
    task.seed(1)
    player = load_policy().player(count, level)
    seen = task.reset(np.arange(count), level)
    found = Localisation(count)
    found.begin(np.arange(count), [level] * count, seen)
    driving, wrong, next_wrong = np.ones(count, bool), [], []
    while driving.any():
        outcome = task.step(player.act(seen))
        seen = outcome.observations
        found.update(seen)
        driving &= outcome.ends == End.NONE
        truth = task.info(outcome.ends)
        wrong.extend(np.hypot(*(found.pose[:, :2] - truth["position"][:, :2])[driving].T))
        next_wrong.extend((found.next != truth["next_checkpoint"])[driving])
    assert len(wrong) > 1000
    # m; a faster board slips more: 0.7 to 1.1 with the shipped policy and three seeds.
    assert np.mean(wrong) < 1.3
    assert np.mean(next_wrong) < 0.1


# --- evaluation ---------------------------------------------------------------------------------


def evaluated(monkeypatch, caplog, *arguments):
    monkeypatch.setattr(sys, "argv", ["evaluate", *map(str, arguments)])
    caplog.set_level("INFO")
    caplog.clear()
    evaluate.main()
    lines = [record.getMessage() for record in caplog.records if record.name == "evaluate"]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_an_evaluation_is_a_table_and_the_same_again(monkeypatch, caplog, tmp_path):
    file = tmp_path / "episodes.json"
    arguments = ("--policies", "shipped", "random", "--levels", 2, "--seeds", 0, 1)
    arguments += ("--episodes", 2, "--output", file)
    rows = evaluated(monkeypatch, caplog, *arguments)
    assert [row[:2] for row in rows] == [["shipped", "2"], ["random", "2"]]
    assert rows[1][2:5] == ["0 of 4", "0 to 49 %", ""]
    stored = json.loads(file.read_text())
    assert [len(stored[name]) for name in ("shipped", "random")] == [4, 4]
    assert [each["seed"] for each in stored["random"]] == [0, 0, 1, 1]
    assert evaluated(monkeypatch, caplog, *arguments) == rows


def test_the_autopilot_and_the_hand_made_agent_are_baselines(monkeypatch, caplog):
    rows = evaluated(
        monkeypatch, caplog, "--policies", "autopilot", "hand", "--levels", 2,
        "--randomness", "nominal", "--seeds", 0, "--episodes", 1,
    )  # fmt: skip
    assert rows[0][2] == "1 of 1"
    assert rows[1][2] == "0 of 1"
    # At rest, straight on, level: by the formulas of the original.
    action = contestants.Hand().act(np.array([[0.0] * 7 + [0.5, 0.5, 0.25]]))
    assert action[0] == pytest.approx([45.0 / 180.0, 30.0 / 90.0, 1.0])


def test_the_interval_of_a_part_is_wilsons():
    assert evaluate.finished_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)
    assert evaluate.finished_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-3)


def test_the_reward_threshold_is_what_the_shipped_policy_reaches():
    threshold = pytest.importorskip("gymnasium").spec("RoboSkateNumerical-v0").reward_threshold
    (episode,) = evaluate.episodes(evaluate.contestant_named("shipped"), 0)
    assert episode.end == "finished"
    assert 0.95 * episode.reward < threshold <= episode.reward
