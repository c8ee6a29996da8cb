# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every state machine of the original: the counts of docs/originals/luar.md's sources."""

from pathlib import Path

import pytest

from luar_tools.state_machines.machine import Jump
from luar_tools.state_machines.reader import read_machines

pytest.importorskip("lupa", reason="needs: pip install lupa")

THREE = ("bodyIdle", "bodyStop", "bodyReady")
# File -> states, set_transition calls, distinct events, states in no transition.
COUNTS = {
    "BodyFSM/NaoPlayer/BodyFSM": (12, 27, 12, THREE),
    "BodyFSM/NaoGoalie/BodyFSM": (10, 24, 8, THREE),
    "BodyFSM/NaoDemo/BodyFSM": (8, 14, 8, THREE),
    "BodyFSM/NaoDribble/BodyFSM": (11, 27, 10, THREE),
    "BodyFSM/OpDemo/BodyFSM": (5, 15, 8, ()),
    "HeadFSM/NaoPlayer/HeadFSM": (8, 11, 4, ("headIdle",)),
    "HeadFSM/NaoGoalie/HeadFSM": (8, 11, 4, ("headIdle",)),
    "HeadFSM/NaoDemo/HeadFSM": (8, 7, 4, ("headIdle", "headReadyLookGoal", "headLookGoal")),
    "HeadFSM/OpDemo/HeadFSM": (3, 5, 3, ()),
    "GameFSM/RoboCup/GameFSM": (6, 25, 6, ()),
    "GameFSM/NaoDemo/GameFSM": (3, 3, 2, ()),
    "GameFSM/OpDemo/GameFSM": (3, 3, 2, ()),
    "Motion/Motion": (8, 14, 7, ("nullstate",)),
}


@pytest.mark.parametrize("file", COUNTS)
def test_a_machine_is_read_as_it_is(peer: Path, file: str) -> None:
    (machine,) = read_machines(peer / "Player" / f"{file}.lua")
    calls = len(machine.transitions) + machine.replaced
    counted = (len(machine.states), calls, len(machine.events), machine.in_no_transition)
    assert counted == COUNTS[file]
    assert not machine.unknown


def test_the_games_states_order_the_bodys(peer: Path) -> None:
    (game,) = read_machines(peer / "Player" / "GameFSM" / "RoboCup" / "GameFSM.lua")
    assert Jump("GameFSM", "gameReady", "entry", "BodyFSM", "bodyReady") in game.jumps
    (body,) = read_machines(peer / "Player" / "BodyFSM" / "NaoPlayer" / "BodyFSM.lua")
    assert set(body.unreachable()) == {*body.states} - {"bodyIdle"}
    assert body.unreachable(game.jumps) == ()
