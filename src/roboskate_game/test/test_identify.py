# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The physics of a game are found from rides in it, over the real wire."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("gymnasium")

from roboskate_game.learning import identify
from roboskate_game.physics.mechanics import Physics

HIDDEN = {"board_mass": 21.5, "tip_friction": 0.95, "joint_delay": 0.19, "force_gain": 0.9}


def run(monkeypatch, caplog, *arguments):
    monkeypatch.setattr(sys, "argv", ["identify", *map(str, arguments)])
    caplog.set_level("INFO")
    caplog.clear()
    identify.main()
    return [record.getMessage() for record in caplog.records if record.name == "identify"]


def test_hidden_parameters_are_found_within_5_percent(make_game, monkeypatch, caplog, tmp_path):
    game = make_game("game", physics=Physics(**HIDDEN))
    file = tmp_path / "rides.npz"
    lines = run(monkeypatch, caplog, "--port", game.port, "--count", 6, "--output", file)
    words = lines[-1].split()[2::2]
    found = {name: float(value) for name, value in (each.split("=") for each in words)}
    assert found == pytest.approx(HIDDEN, rel=0.05)
    before, after = (float(line.split(": ")[1].split()[0]) for line in lines[-3:-1])
    assert after < 0.02 < before
    # From the file, without a game.
    assert run(monkeypatch, caplog, "--rides", file) == lines
