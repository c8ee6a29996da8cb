# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Training with stable-baselines3 in a few hundred steps, and the benchmark of seeds around it."""

from __future__ import annotations

import csv
import json
import math
import sys

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from roboskate_game.learning import benchmark, train_sb3
from roboskate_game.learning.evaluate import Episode, contestant_named, episodes
from roboskate_game.learning.localisation import FEATURES
from roboskate_game.learning.memory import policy_inputs
from roboskate_game.learning.policy import PolicyError, load_policy


def called(monkeypatch, program, *arguments):
    monkeypatch.setattr(sys, "argv", [program.__name__, *map(str, arguments)])
    program.main()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--environment", "RoboSkateImage-v0", "--algorithm", "sac"), "there is PPO without"),
        (("--environment", "RoboSkateImage-v0", "--history", 4), "there is PPO without"),
        (("--environment", "RoboSkateImage-v0", "--place"), "there is PPO without"),
        (("--critic", "truth", "--algorithm", "sac"), "--critic truth is of PPO by state"),
        (("--environment", "RoboSkateImage-v0", "--critic", "truth"), "is of PPO by state"),
    ],
)
def test_what_cannot_be_trained_is_refused(monkeypatch, capsys, tmp_path, arguments, words):
    with pytest.raises(SystemExit, match="2"):
        called(monkeypatch, train_sb3, *arguments, "--output", tmp_path)
    assert words in capsys.readouterr().err


def test_first_rides_are_judged_from_the_ordinary_start(monkeypatch, caplog, tmp_path):
    pytest.importorskip("stable_baselines3")
    from roboskate_game.learning import first_rides

    pytest.importorskip("matplotlib")
    monkeypatch.setattr(first_rides, "EPISODES", 2)
    caplog.set_level("INFO")
    called(monkeypatch, first_rides, "--seeds", 3, "--minutes", 0.001, "--output", tmp_path)
    assert "| 3 | " in caplog.text
    assert "| 0 | 0 to 66 % | " in caplog.text
    assert (tmp_path / "3.zip").exists()
    assert (tmp_path / "curve.csv").read_text().startswith("seed,steps,")
    assert (tmp_path / "curve.png").read_bytes()[1:4] == b"PNG"


def episode(end: str, reached: int) -> Episode:
    return Episode(level=0, seed=0, end=end, seconds=100.0, reached=reached, reward=0.0)


def test_a_row_has_the_spread_over_seeds():
    played = [[episode("finished", 31), episode("fallen", 11)], [episode("fallen", 21)] * 2]
    # 50 and 0 %: 25 +- 12.71 * 35.36 / sqrt(2).
    assert benchmark.row("ppo", 1, played, "1 million") == (
        "| ppo | 1 | 25 ± 318 | 50 | 21.0 ± 0.0 | 100.0 s | 1 million |"
    )
    assert benchmark.row("hand", 0, played[1:], "") == "| hand | 0 | 0 |  | 21.0 |  |  |"
    assert benchmark.interval([1.0, 2.0, 3.0]) == pytest.approx(4.303 / math.sqrt(3.0))
    assert math.isnan(benchmark.interval([1.0]))


def test_a_run_that_fails_is_named_and_the_others_are_evaluated(monkeypatch, caplog, tmp_path):
    runs = {"broken": benchmark.Run(("--algorithm", "dqn"), 10)}
    monkeypatch.setattr(benchmark, "RUNS", runs)
    monkeypatch.setattr(benchmark, "BASELINES", ("shipped",))
    caplog.set_level("INFO")
    with pytest.raises(SystemExit, match="some runs failed"):
        called(
            monkeypatch, benchmark, "--output", tmp_path, "--runs", "broken", "--seeds", 0,
            "--episodes", 1,
        )  # fmt: skip
    assert "broken-0 ended with status 2: see" in caplog.text
    assert "invalid choice: 'dqn'" in (tmp_path / "broken-0" / "log").read_text()
    assert caplog.text.count("| shipped | ") == 3
    assert "| broken" not in caplog.text


# --- with stable-baselines3 -----------------------------------------------------------------


@pytest.fixture
def library():
    return pytest.importorskip("stable_baselines3")


SMALL = ("--steps", 600, "--worlds", 4, "--rollout", 50, "--report-every", 400)


def test_a_critic_that_knows_the_truth_leaves_a_policy_that_needs_none(
    library, monkeypatch, tmp_path
):
    called(
        monkeypatch, train_sb3, *SMALL, "--history", 2, "--critic", "truth", "--output", tmp_path,
        "--randomness", '{"action_delay": [1, 1]}',
    )  # fmt: skip
    policy = load_policy(tmp_path / "latest.npz")
    assert policy.history == 2
    model = library.PPO.load(tmp_path / "model.zip", device="cpu")
    seen = np.random.default_rng(0).normal(size=(5, policy_inputs(2)))
    for truth in (0.0, 5.0):
        inputs = np.full((5, *model.observation_space.shape), truth)
        inputs[:, : policy_inputs(2)] = np.clip((seen - policy.mean) / policy.deviation, -10, 10)
        assert model.predict(inputs, deterministic=True)[0] == pytest.approx(
            policy.act(seen), abs=1e-4
        )
    again = tmp_path / "again"
    called(
        monkeypatch, train_sb3, *SMALL, "--history", 3, "--place", "--critic", "truth",
        "--output", again, "--start", tmp_path / "latest.npz",
    )  # fmt: skip
    # The critic learns first: the actor is as it was.
    started = load_policy(again / "latest.npz")
    assert (started.history, started.place) == (3, True)
    longer = np.concatenate((seen, np.ones((5, policy_inputs(3, True) - len(seen[0])))), axis=1)
    assert started.act(longer) == pytest.approx(policy.act(seen), abs=0.05)
    third = tmp_path / "third"
    called(
        monkeypatch, train_sb3, *SMALL, "--history", 4, "--place", "--output", third,
        "--start", again / "latest.npz",
    )  # fmt: skip
    # The place stands behind the history that has grown.
    place = np.random.default_rng(1).normal(size=(5, FEATURES))
    shorter = np.concatenate((longer[:, :-FEATURES], place), axis=1)
    longest = np.concatenate((longer[:, :-FEATURES], np.ones((5, 13)), place), axis=1)
    assert load_policy(third / "latest.npz").act(longest) == pytest.approx(
        started.act(shorter), abs=0.05
    )
    with pytest.raises(ValueError, match="or knows more"):
        called(
            monkeypatch, train_sb3, *SMALL, "--history", 4, "--output", tmp_path / "less",
            "--start", third / "latest.npz",
        )  # fmt: skip


def test_a_policy_from_pictures_is_trained_and_evaluated(library, monkeypatch, tmp_path):
    called(
        monkeypatch, train_sb3, "--environment", "RoboSkateImage-v0", "--steps", 40, "--worlds", 2,
        "--rollout", 20, "--report-every", 40, "--output", tmp_path,
    )  # fmt: skip
    contestant = contestant_named(str(tmp_path / "model.zip"))
    played = episodes(contestant, 2, count=2, seconds=4.0)
    assert [each.end for each in played] in (["steps"] * 2, ["tipped"] * 2, ["too_fast"] * 2)
    with pytest.raises(PolicyError, match="holds no policy"):
        contestant_named(str(tmp_path / "missing.zip"))


def test_a_benchmark_goes_on_where_it_was(library, monkeypatch, caplog, tmp_path):
    runs = {
        name: benchmark.Run(
            (*run.options, "--worlds", "4", "--report-every", "10000"), 800, run.policy
        )
        for name, run in benchmark.RUNS.items()
        if name != "pictures"
    }
    monkeypatch.setattr(benchmark, "RUNS", runs)
    monkeypatch.setattr(benchmark, "BASELINES", ("shipped",))
    caplog.set_level("INFO")
    arguments = ("--output", tmp_path, "--seeds", 0, 1, "--episodes", 1, "--runs", *runs)
    called(monkeypatch, benchmark, *arguments)
    rows = [r.getMessage() for r in caplog.records if r.getMessage().startswith("| ppo")]
    assert len(rows) == 3
    stored = json.loads((tmp_path / "episodes.json").read_text())
    assert {name: len(played) for name, played in stored.items()} == {
        **dict.fromkeys(benchmark.BASELINES, 6), "ppo": 12, "sac": 12,
    }  # fmt: skip
    curve = tmp_path / "ppo-0" / "curve.csv"
    with curve.open(newline="") as file:
        assert list(csv.DictReader(file))[-1]["policy_2_steps"]
    written = curve.stat().st_mtime_ns
    (tmp_path / "sac-1" / "done").unlink()  # as when it was killed
    called(monkeypatch, benchmark, *arguments)
    assert (curve.stat().st_mtime_ns, (tmp_path / "sac-1" / "done").exists()) == (written, True)
