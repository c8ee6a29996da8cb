# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The physics of a game are found from rides in it, or it is said why they are not."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("numba")

from roboskate_game.learning import fitting, identify
from roboskate_game.learning.fitting import SCALES, Verdict, fit, noise_of
from roboskate_game.learning.rides import Rides, excitation, repeated
from roboskate_game.physics.mechanics import Physics

HIDDEN = {"board_mass": 14.5, "tip_friction": 1.5, "joint_delay": 0.11, "force_gain": 1.2}
"""The least squares of whole rides ended up to 8.9 % beside these."""


def made(count=6, noise=0.0, **physics):
    """Return rides of a simulated game, with noise in parts of SCALES on what is seen."""
    forces = np.array([excitation(ride) for ride in range(count)])
    seen = repeated(forces, [replace(Physics(), **physics)])[0]
    noisy = seen + noise * SCALES * np.random.default_rng(1).normal(size=seen.shape)
    return Rides(forces, noisy.astype(np.float32).astype(float))


def run(monkeypatch, caplog, *arguments):
    monkeypatch.setattr(sys, "argv", ["identify", *map(str, arguments)])
    caplog.set_level("INFO")
    caplog.clear()
    try:
        identify.main()
    except SystemExit as end:
        return [r.getMessage() for r in caplog.records if r.name == "identify"], end.code
    return [r.getMessage() for r in caplog.records if r.name == "identify"], 0


def test_hidden_parameters_are_found_over_the_wire(make_game, monkeypatch, caplog, tmp_path):
    game = make_game("game", physics=Physics(**HIDDEN))
    file = tmp_path / "rides.npz"
    lines, code = run(monkeypatch, caplog, "--port", game.port, "--count", 8, "--output", file)
    assert code == 0
    words = lines[-1].split()[2::2]
    found = {name: float(value) for name, value in (each.split("=") for each in words)}
    assert found == pytest.approx(HIDDEN, rel=1e-4)
    assert lines[-2].startswith("the model fits (2 starts;")
    before, after = (float(line.split(": ")[1].split()[0]) for line in lines[-4:-2])
    assert after < 0.001 < before
    # From the file, without a game.
    assert run(monkeypatch, caplog, "--rides", file) == (lines, 0)


def test_intervals_cover_the_truth_where_what_is_seen_is_noisy():
    rides = made(8, noise=0.02, **HIDDEN)
    assert noise_of(rides) == pytest.approx(0.02 * SCALES, rel=0.5)
    found = fit(rides, tuple(HIDDEN))
    assert found.verdict is Verdict.GOOD
    for (name, value), half in zip(HIDDEN.items(), found.halves, strict=True):
        off = abs(getattr(found.physics, name) / value - 1.0)
        assert 1e-5 < half < 0.02
        assert off < 2.0 * half
        assert off < 0.02


def test_what_a_ride_says_nothing_of_is_not_identifiable(monkeypatch, caplog, tmp_path):
    file = tmp_path / "rides.npz"
    made(5, board_mass=20.0).save(file)
    lines, code = run(
        monkeypatch, caplog, "--rides", file, "--fit", "board_mass", "wall_stiffness"
    )
    assert code == 0
    assert lines[0].startswith("board_mass: 20 ± ")
    assert "not identifiable" in lines[1]
    assert lines[-1] == "simulator --physics board_mass=20"


def test_a_game_outside_the_model_is_said_to_be_one(monkeypatch, caplog, tmp_path):
    file = tmp_path / "rides.npz"
    made(5, yield_of_force=1.2, board_mass=20.0).save(file)
    lines, code = run(monkeypatch, caplog, "--rides", file, "--fit", "board_mass", "tip_mass")
    assert code == 1
    assert lines[-1].startswith("the model does not fit")
    assert not [line for line in lines if line.startswith("simulator")]


def test_one_start_alone_has_not_converged(monkeypatch, caplog, tmp_path):
    monkeypatch.setattr(fitting, "_STARTS", 1)  # so that no other one ends alike
    file = tmp_path / "rides.npz"
    made(5, board_mass=20.0).save(file)
    lines, code = run(monkeypatch, caplog, "--rides", file, "--fit", "board_mass")
    assert code == 1
    assert lines[-1].startswith("not converged: no two starts end alike")
    assert not [line for line in lines if line.startswith("simulator")]


def test_neither_a_game_nor_rides_is_one_sentence(free_port, monkeypatch, caplog, tmp_path):
    file = tmp_path / "rides.npz"
    rides = made(4)
    np.savez(file, forces=rides.forces[:, :10], seen=rides.seen)
    words = tmp_path / "words.npz"
    words.write_text("no rides")
    rides.part(slice(3)).save(tmp_path / "three.npz")
    for arguments, said in (
        (("--port", free_port), "cannot be reached"),
        (("--port", free_port, "--transport", "http"), "cannot be reached"),
        (("--rides", tmp_path / "none.npz"), "No such file"),
        (("--rides", words), "has no rides"),
        (("--rides", file), "rides have 40 steps"),
        (("--rides", tmp_path / "three.npz"), "4 of them at least, not 3"),
    ):
        assert said in run(monkeypatch, caplog, *arguments)[1]
