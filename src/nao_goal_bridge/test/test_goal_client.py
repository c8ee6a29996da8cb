# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""GOAL's end as a library and a console, against the simulated Nao."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from legacy_robots_core.link.tcp import Role
from legacy_robots_testing.machine import free_port
from nao_goal_bridge.goal_client import GoalClient
from nao_goal_bridge.goal_client import console as goal_client_console
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol.dialects import Dialect, Profile
from nao_goal_bridge.protocol.events import Agent, Location, Success
from nao_goal_bridge.protocol.robot_requests import Outcome
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import Simulator, SimulatorConfig

TIMEOUT = 40.0
QUICK = NaoSettings(speed=100.0, grab_time=0.01, put_down_time=0.01, sit_time=0.01)


@pytest.fixture
def meet() -> Iterator[Callable[..., tuple[GoalClient, Simulator]]]:
    """Return a function that starts a client and a simulated Nao, and waits for its greeting."""
    with ExitStack() as stack:

        def start(
            profile: Profile = Profile.SPEC,
            role: Role = Role.LISTEN,
            settings: NaoSettings = QUICK,
            maze: str = "",
            **more: Any,
        ) -> tuple[GoalClient, Simulator]:
            port, dialect, room_map = free_port(), Dialect(profile), load_room_map(maze)
            opposite = Role.DIAL if role is Role.LISTEN else Role.LISTEN
            nao = Simulator(
                SimulatorConfig(
                    opposite, port=port, dialect=dialect, room_map=room_map, settings=settings
                )
            )
            more = {"believes_greeting": True, **more}
            client = GoalClient(role, port=port, dialect=dialect, room_map=room_map, **more)
            stack.enter_context(client)
            stack.callback(nao.close)
            nao.start()
            greets = Agent in dialect.greeting
            assert client.wait_for(lambda: client.agent_id is not None or not greets, TIMEOUT)
            if Location not in dialect.greeting:
                assert nao.wait_for(lambda: nao.connected)
                assert client.wait_for(lambda: client.connected, TIMEOUT)
                client.set_location(room_map.start)
            return client, nao

        yield start


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("profile", list(Profile))
def test_the_errand_in_every_profile(meet: Any, profile: Profile, role: Role) -> None:
    client, nao = meet(profile, role)
    replies = [client.go_to(114), client.pick_up(1), client.go_to(146), client.put_down()]
    assert [reply.outcome for reply in replies] == [Outcome.SUCCEEDED] * 4
    assert nao.wait_for(lambda: nao.world.objects_in(146) == {1})
    assert client.wait_for(lambda: client.location == 146 and client.held is None, TIMEOUT)
    assert client.exit().succeeded


def test_what_the_robot_reports_is_kept(meet: Any) -> None:
    reports: list[Any] = []
    client, _ = meet(settings=NaoSettings(agent_id=31, speed=100.0), on_report=reports.append)
    assert client.wait_for(lambda: len(client.sightings) == 5, TIMEOUT)
    assert (client.agent_id, client.location, client.held, client.walking) == (31, 64, None, False)
    assert client.sightings == {64: 0, 80: 1, 114: 2, 85: 3, 146: 4}
    assert client.go_to(80, 0).succeeded
    assert Agent(31) in reports
    assert Success(1) in reports


def test_a_refusal_is_a_reply(meet: Any) -> None:
    client, _ = meet()
    assert client.go_to(999).outcome is Outcome.FAILED
    late, _ = meet(Profile.NAOVIGATE, maze="naovigate", believes_greeting=None)
    reply = late.go_to(13)
    assert reply.outcome is Outcome.PLACE_UNKNOWN
    assert "claims its start room" in reply.message
    late.set_location(16)
    reply = late.go_to(999)
    assert (reply.outcome, reply.message) == (
        Outcome.INVALID, "the way is not known: no room of the map has marker 999",
    )  # fmt: skip
    assert late.go_to(16).message == "the robot is there already; no command was sent"


def test_halt_from_another_thread(meet: Any) -> None:
    client, _ = meet(settings=NaoSettings(speed=0.01))
    replies = []
    thread = threading.Thread(target=lambda: replies.append(client.go_to(146)))
    thread.start()
    assert client.wait_for(lambda: client.walking, TIMEOUT)
    assert client.halt().succeeded
    thread.join(TIMEOUT)
    assert replies[0].outcome is Outcome.HALTED


@pytest.mark.parametrize("fault,outcome", [("cut", "LINK_LOST"), ("error", "ROBOT_ERROR")])
def test_a_robot_that_fails_ends_the_command(meet: Any, fault: str, outcome: str) -> None:
    client, nao = meet(settings=NaoSettings(speed=0.01))
    threading.Thread(
        target=lambda: client.wait_for(lambda: client.walking, TIMEOUT) and nao.inject(fault)
    ).start()
    assert client.go_to(146).outcome is Outcome[outcome]
    assert client.wait_for(lambda: client.connected and client.location == 64, TIMEOUT)


def test_without_a_robot_a_command_ends_at_once() -> None:
    with GoalClient(port=free_port()) as client:
        assert client.pick_up(1).outcome is Outcome.LINK_LOST
        assert not client.halt().succeeded
        assert not client.wait_for(lambda: client.connected, 0.01)


# --- the console ---------------------------------------------------------------------------


def run_console(*arguments: str) -> int:
    """Run the console with a simulated Nao; return its exit code."""
    port = free_port()
    nao = Simulator(SimulatorConfig(port=port, settings=QUICK))
    nao.start()
    try:
        return goal_client_console.main(["--port", str(port), *arguments])
    finally:
        nao.close()


def test_the_console_carries_out_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_console("go_to 114", "pick_up 1", "wait 0", "exit") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "pick_up 1: succeeded: the robot reported success" in lines
    assert "<- Holding(object_id=1)" in lines
    assert not any("See(" in line for line in lines)


def test_the_console_stops_at_the_first_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_console("put_down", "go_to 80") == goal_client_console.FAILED
    assert "-> go_to 80" not in capsys.readouterr().out


def test_the_console_reads_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("put_down\n\nfly\ngo_to 80 0\n"))
    assert run_console() == goal_client_console.FAILED
    out = capsys.readouterr().out
    assert "'fly' is no command; commands are go_to MARKER" in out
    assert "go_to 80 0: succeeded" in out


@pytest.mark.parametrize("line", ["go_to", "go_to x", "pick_up", "halt 1", "wait -1", "command 1"])
def test_what_is_no_command_is_refused(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        goal_client_console.main([line])
    assert ended.value.code == goal_client_console.MISUSED
    assert f"{line!r} is no command" in capsys.readouterr().err


def test_a_console_without_a_robot_gives_up(capsys: pytest.CaptureFixture[str]) -> None:
    port = str(free_port())
    assert goal_client_console.main(["--port", port, "--timeout", "0.1", "halt"]) == 1
    assert "no robot has reported which it is: waiting for a connection" in capsys.readouterr().out
