# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated Nao, interrupted: a queue, a halt, an exit, chance, errors and lost links."""

from __future__ import annotations

from typing import Any

import pytest

from nao_goal_bridge.protocol import (
    Agent,
    Command,
    Dropped,
    Error,
    Event,
    Exit,
    Failure,
    GoTo,
    Halt,
    Holding,
    Location,
    PickUp,
    PutDown,
    State,
    Success,
)
from nao_goal_bridge.simulator.nao_settings import NaoSettings

# --- queue, halt, exit ---------------------------------------------------------------------


def test_commands_wait_in_order_and_one_too_many_fails_at_once(
    connected: Any, unseen: Any
) -> None:
    nao = connected(queue_limit=2)
    assert nao.command(GoTo(80, 0)) == [State(1)]
    assert nao.command(PutDown()) == []
    assert nao.command(PickUp(1)) == []
    assert nao.command(GoTo(64, 0)) == [Failure(1)]
    assert nao.command(PutDown()) == [Failure(3)]
    events = unseen(nao.step(60.0))
    assert [e for e in events if isinstance(e, Success | Failure)] == [
        Success(1), Failure(3), Success(2),
    ]  # fmt: skip
    assert nao.command(GoTo(80, 0)) == [State(1)]


def test_without_a_queue_a_second_command_fails(connected: Any) -> None:
    nao = connected(queue_limit=0)
    assert nao.command(GoTo(80, 0)) == [State(1)]
    assert nao.command(PutDown()) == [Failure(3)]


def test_halt_fails_what_runs_and_what_waits_in_order_and_then_succeeds(connected: Any) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    nao.command(PickUp(1))
    nao.command(PutDown())
    nao.step(0.2)
    assert nao.command(Halt()) == [Failure(1), Failure(2), Failure(3), State(0), Success(4)]
    assert nao.next_due() is None
    assert nao.room == 64


def test_halt_on_the_way_to_an_object(connected: Any) -> None:
    nao = connected()
    assert nao.command(PickUp(1)) == [State(1)]
    nao.step(0.6)
    assert nao.command(Halt()) == [Failure(2), State(0), Success(4)]
    assert nao.objects_in(114) == {1}


def test_halt_of_an_idle_nao_succeeds(connected: Any) -> None:
    assert connected().command(Halt()) == [Success(4)]


def test_halt_fails_during_a_grab_and_changes_nothing(connected: Any, run: Any) -> None:
    nao = connected()
    run(nao, GoTo(114, 0))
    assert nao.command(PickUp(1)) == []
    assert nao.command(PutDown()) == []
    assert nao.step(0.5) == []
    assert nao.command(Halt()) == [Failure(4)]
    assert nao.step(0.6) == [Success(2), Holding(1)]
    assert nao.command(Halt()) == [Failure(4)], "it puts down now"
    assert nao.step(1.0) == [Success(3), Dropped(1)]
    assert nao.command(Halt()) == [Success(4)]


def test_a_halted_nao_goes_on_from_where_it_stands(connected: Any, unseen: Any) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    nao.step(0.3)
    nao.command(Halt())
    assert nao.command(GoTo(114, 0)) == [State(1)]
    assert unseen(nao.step(0.19)) == []
    assert unseen(nao.step(0.02)) == [Location(80)]
    nao.step(0.19)  # 0.4 of the way to 114
    nao.command(Halt())
    nao.command(GoTo(64, 0))
    assert unseen(nao.step(0.65)) == [], "0.2 s back to the middle of 80, 0.5 s to 64"
    assert unseen(nao.step(0.1)) == [State(0), Success(1), Location(64)]


def test_halted_on_the_way_back_to_the_middle_of_a_room(connected: Any, unseen: Any) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    nao.step(0.9)  # 0.8 of the way from 80 to 114
    nao.command(Halt())
    nao.command(GoTo(64, 0))
    nao.step(0.1)  # 0.6 of that way
    nao.command(Halt())
    nao.command(GoTo(114, 0))
    assert unseen(nao.step(0.19)) == []
    assert unseen(nao.step(0.02)) == [State(0), Success(1), Location(114)]


def test_exit_sits_down_and_then_succeeds(connected: Any) -> None:
    nao = connected()
    assert nao.command(Exit()) == []
    assert not nao.exited
    assert nao.command(GoTo(80, 0)) == [Failure(1)]
    assert nao.command(Exit()) == [Failure(0)]
    assert nao.step(1.1) == [Success(0)]
    assert nao.exited
    assert nao.next_due() is None


def test_exit_ends_a_walk_at_once(connected: Any) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    nao.command(PutDown())
    assert nao.command(Exit()) == [Failure(1), Failure(3), State(0)]
    assert nao.step(1.1) == [Success(0)]


def test_exit_lets_a_grab_end(connected: Any, run: Any) -> None:
    nao = connected()
    run(nao, GoTo(114, 0))
    nao.command(PickUp(1))
    nao.command(GoTo(64, 0))
    nao.step(0.5)
    assert nao.command(Exit()) == [Failure(1)]
    assert nao.step(0.6) == [Success(2), Holding(1)]
    assert nao.step(1.0) == [Success(0)]


# --- chance, errors, lost links ------------------------------------------------------------


def test_a_grab_may_fail_by_option(connected: Any, run: Any) -> None:
    nao = connected(grab_failure=1.0)
    assert run(nao, PickUp(1))[-1] == Failure(2)
    assert nao.objects_in(114) == {1}
    assert nao.held_object is None


def test_an_object_may_slip_by_option(connected: Any, run: Any) -> None:
    nao = connected(drop=1.0)
    run(nao, PickUp(1))
    assert run(nao, GoTo(108, 0)) == [State(1), State(0), Success(1), Location(108), Dropped(1)]
    assert nao.objects_in(108) == {1}


def test_chance_is_decided_by_the_seed(connected: Any, run: Any) -> None:
    def story(seed: int) -> list[Event]:
        nao = connected(seed, grab_failure=0.5, drop=0.3)
        commands: list[Command] = [PickUp(1), GoTo(108, 0), GoTo(114, 0), PutDown(), GoTo(80, 0)]
        return run(nao, *commands * 6)

    assert story(1) == story(1)
    assert len({tuple(story(seed)) for seed in range(5)}) == 5


def test_after_an_error_commands_fail_until_the_link_is_made_anew(
    connected: Any, unseen: Any
) -> None:
    nao = connected(see_rate=5.0)
    nao.command(GoTo(114, 0))
    nao.command(PutDown())
    nao.step(0.1)
    assert nao.break_down() == [Error()]
    assert nao.command(GoTo(80, 0)) == [Failure(1)]
    assert nao.command(Halt()) == [Failure(4)]
    assert nao.step(60.0) == []
    nao.disconnect()
    assert unseen(nao.connect()) == [Agent(1), Location(64), State(0)]
    assert nao.command(GoTo(80, 0)) == [State(1)]


def test_a_lost_link_stops_the_nao_and_drops_its_commands(connected: Any, unseen: Any) -> None:
    nao = connected()
    nao.command(GoTo(114, 0))
    nao.command(PutDown())
    nao.step(0.6)
    nao.disconnect()
    assert nao.next_due() is None
    assert nao.step(60.0) == []
    assert nao.command(GoTo(80, 0)) == [Failure(1)]
    assert unseen(nao.connect()) == [Agent(1), Location(80), State(0)]
    assert nao.step(60.0) == []


def test_a_lost_link_undoes_a_grab(connected: Any, unseen: Any, run: Any) -> None:
    nao = connected()
    run(nao, GoTo(114, 0))
    nao.command(PickUp(1))
    nao.step(0.5)
    nao.disconnect()
    assert unseen(nao.connect()) == [Agent(1), Location(114), State(0)]
    assert unseen(nao.step(60.0)) == []
    assert nao.objects_in(114) == {1}


@pytest.mark.parametrize(
    "settings,sentence",
    [
        ({"speed": 0.0}, "speed must be greater than 0"),
        ({"speed": float("inf")}, "speed must be"),
        ({"grab_time": -1.0}, "grab_time must be 0 or greater, not -1.0"),
        ({"see_rate": 1001.0}, "see_rate must be at most 1000"),
        ({"agent_id": 2**31}, "agent_id must fit 32 bits"),
        ({"drop": 1.5}, "drop must be at most 1"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        NaoSettings(**settings)
