# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The external predicates in SWI-Prolog: numbers, bytes, errors, and a Golog-style program."""

from __future__ import annotations

import math
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aibo_gti_bridge
from aibo_gti_bridge.model.joints import JOINTS, limits
from aibo_gti_bridge.model.room import Ball, Room
from aibo_gti_bridge.protocol import codec as p
from aibo_gti_bridge.protocol import commands as c
from aibo_gti_bridge.protocol import wire_table as w
from aibo_gti_bridge.protocol.server_codec import encode_reply
from aibo_gti_bridge.simulator.gti import Simulator

PROLOG = Path(aibo_gti_bridge.__file__).parent / "prolog"
LE = w.load()

TIMEOUT = 40.0
PATIENT = f"retractall(aibopred:reply_timeout(_)), assertz(aibopred:reply_timeout({TIMEOUT}))"
"""For answers on a busy machine, where 2 s, as programs have them, may pass."""

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(
        shutil.which("swipl") is None, reason="needs SWI-Prolog: apt-get install swi-prolog-nox"
    ),
]


def run(goals: str, *, timeout: float = 40.0) -> list[str]:
    """Run ``goals`` with the predicates loaded; return what they print, line by line."""
    done = subprocess.run(
        ["swipl", "-q", "-g", PATIENT, "-g", goals, "-t", "halt", PROLOG / "aibopred.pl"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
    )  # fmt: skip
    assert done.stderr == "", done.stderr
    return done.stdout.splitlines()


def error_of(goals: str) -> str:
    """Return the error that ``goals`` raise, as Prolog writes it."""
    [line] = run(f"catch(({goals}), error(E, _), (writeq(E), nl))")
    return line


def test_the_numbers_are_those_of_the_wire_table() -> None:
    found = {}
    for table in ("wire_type", "wire_colour", "wire_id"):
        lines = run(f"forall(aibopred:{table}(N, I), format('~w ~w~n', [N, I]))")
        found[table] = {name: int(number) for name, number in map(str.split, lines)}
    assert found["wire_type"] == LE.types
    assert found["wire_colour"] == LE.colours
    assert found["wire_id"] == LE.readable_ids
    lines = run("forall(aibopred:wire_joint_name(N, T), format('~w ~w~n', [N, T]))")
    names = dict(map(str.split, lines))
    assert names == {joint.alternatives[1]: joint.tekkotsu for joint in JOINTS}


doubles = st.floats(allow_nan=False, allow_subnormal=False)


@settings(max_examples=5, deadline=None)
@given(st.lists(doubles, min_size=50, max_size=50))
def test_doubles_are_written_and_read_as_ieee_754(values: list[float]) -> None:
    shown = ", ".join(
        {math.inf: "inf", -math.inf: "-inf"}.get(value, repr(value)) for value in values
        if math.isfinite(value)
    )  # fmt: skip
    lines = run(
        f"forall(member(V, [{shown}]), (X is V, phrase(aibopred:float64(X), B), "
        "phrase(aibopred:float64(Y), B), format('~q~n', [B-Y])))"
    )
    finite = [value for value in values if math.isfinite(value)]
    assert len(lines) == len(finite)
    for value, line in zip(finite, lines, strict=True):
        data, _, back = line.partition("]-")
        written = bytes(int(byte) for byte in data.strip("[").split(","))
        assert written == struct.pack("<d", value + 0.0)
        assert float(back) == value


class Recording:
    """A server that records what it is sent and answers with what it is told."""

    def __init__(self, answer: bytes = b"") -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.received = b""
        self._server.settimeout(TIMEOUT)
        self._answer = answer
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        stream, _ = self._server.accept()
        with stream:
            stream.settimeout(TIMEOUT)
            while data := stream.recv(65536):
                self.received += data
                if self._answer:
                    stream.sendall(self._answer)
                    self._answer = b""

    def end(self) -> bytes:
        self._thread.join(TIMEOUT)
        self._server.close()
        return self.received


@pytest.mark.parametrize(
    "goal,command",
    [
        ("moveJoints([joint(neckPan, 30.0, 500), joint('NECK:tilt', -5)], _)",
         c.MoveJoints((c.JointTarget(13, 30.0, 500), c.JointTarget(12, -5.0)))),
        ("motion('wave.mot', _)", c.Motion("wave.mot")),
        ("walk(100.0, -20, 0.5, -1, _)", c.Walk(100.0, -20.0, 0.5)),
        ("walkSteps(100, 0.0, 0.0, 4, 12.5)", c.WalkSteps(100.0, 0.0, 0.0, 4)),
    ],
)  # fmt: skip
def test_commands_byte_for_byte(goal: str, command: c.Command) -> None:
    server = Recording()
    run(f"aiboConnect('127.0.0.1', {server.port}), {goal}, aiboDisconnect")
    assert server.end() == p.encode_command(command, LE)


@pytest.mark.parametrize(
    "goal,command,reply,printed",
    [
        ("(querySensors([neckTilt1, 'NearIRDist'], [A, B], 1), "
         "(B =\\= B -> N = true ; N = false), V = [A, N])", c.QuerySensors((12, 200)),
         c.SensorValues((-0.25, math.nan)), "[-0.25,true]"),
        ("(queryBall(orange, A, X, Y, S, 1), V = [A, X, Y, S])", c.QueryBall(4),
         c.Ball(True, 0.5, -0.25, 0.125, 4), "[1,0.5,-0.25,0.125]"),
        ("(queryBall(orange, A, X, Y, S, 1), V = [A, X, Y, S])", c.QueryBall(4),
         c.Ball(False, 0.5, 0.5, 0.5, 4), "[0,0.0,0.0,0.0]"),
        ("searchBall(pink, V, 1)", c.SearchBall(0), c.SearchResult(True), "1"),
    ],
)  # fmt: skip
def test_replies_byte_for_byte(
    goal: str, command: c.Command, reply: c.Reply, printed: str
) -> None:
    server = Recording(encode_reply(reply, LE))
    lines = run(
        f"aiboConnect('127.0.0.1', {server.port}), {goal}, format('~w~n', [V]), aiboDisconnect"
    )
    assert lines == [printed]
    assert server.end() == p.encode_command(command, LE)


def test_another_layout_of_the_ball() -> None:
    wire = w.load(["ball-int-first-32"])
    server = Recording(encode_reply(c.Ball(True, 0.5, -0.25, 0.125), wire))
    layout = "visible:int32, pad(4), x:float64, y:float64, area:float64"
    lines = run(
        f"retractall(aibopred:ball_layout(_)), assertz(aibopred:ball_layout([{layout}])), "
        f"aiboConnect('127.0.0.1', {server.port}), queryBall(pink, A, X, Y, S, _), "
        "format('~w~n', [[A, X, Y, S]]), aiboDisconnect"
    )
    assert lines == ["[1,0.5,-0.25,0.125]"]
    server.end()


@pytest.mark.parametrize(
    "goal,error",
    [
        ("querySensors([wing], _, _)", "domain_error(sensor,wing)"),
        ("queryBall(red, _, _, _, _, _)", "domain_error(ball_colour,red)"),
        ("searchBall(7, _, _)", "type_error(atom,7)"),
        ("moveJoints([], _)", "type_error(between(1,18),0)"),
        ("moveJoints([joint('HeadBut', 1)], _)", "domain_error(joint,'HeadBut')"),
        ("moveJoints([neckPan=1], _)", "domain_error(joint_command,neckPan=1)"),
        ("moveJoints([joint(neckPan, left)], _)", "type_error(number,left)"),
        ("moveJoints([joint(neckPan, 500)], _)", "domain_error(degrees(neckPan,-88,88),500)"),
        (
            "moveJoints([joint('LBk:knee', -26)], _)",
            "domain_error(degrees('LBk:knee',-25,122),-26)",
        ),
        (
            "moveJoints([joint(neckPan,5,100),joint('NECK:pan',-5,100)], _)",
            "domain_error(distinct_joints,[joint(neckPan,5,100),joint('NECK:pan',-5,100)])",
        ),
        ("motion('../wave.mot', _)", "domain_error(motion_file_name,'../wave.mot')"),
        ("walk(a, 0, 0, -1, _)", "type_error(number,a)"),
        ("walkSteps(1, 0, 0, 0, _)", "type_error(positive_integer,0)"),
        ("walk(1, 0, 0, -1, now)", "type_error(number,now)"),
        ("walk(1, 0, 0, -1, _)", "aibo(not_connected)"),
        ("aiboConnect('127.0.0.1', 0)", "type_error(between(1,65535),0)"),
    ],
)
def test_wrong_arguments(goal: str, error: str) -> None:
    assert error_of(goal).replace(" ", "") in (
        error.replace(" ", ""),
        # What is out of a range is a domain or a type error, depending on the version of Prolog.
        error.replace("type_error(between", "domain_error(between"),
    )


def test_the_ranges_are_those_of_the_bridge() -> None:
    lines = run("forall(aibopred:joint_range(J, L, H), format('~w ~w ~w~n', [J, L, H]))")
    ranges = {name: (int(low), int(high)) for name, low, high in map(str.split, lines)}
    for joint in JOINTS:
        name = joint.tekkotsu
        low, high = (round(math.degrees(limit)) for limit in limits(joint))
        assert ranges.get(name, ranges.get(name.split(":")[-1])) == (low, high), name


def test_the_indigolog_dog_takes_a_ball_out_of_sight_for_near_only_before_its_paws() -> None:
    program = Path(aibo_gti_bridge.__file__).parent / "prolog" / "indigolog_dog.pl"
    lines = run(
        f"consult('{program}'), out_of_sight(-1.0, Searched), assertz(followed), "
        "out_of_sight(-1.0, Paws), out_of_sight(0.0, Turned), "
        "distance(0.01, Far), distance(0.5, Near), poss(search, Seated), "
        "format('~w~n', [[Searched, Paws, Turned, Far, Near, Seated]])"
    )
    assert lines == ["[unknown,near,unknown,far,near,true]"]


def test_a_ball_that_the_turn_has_lost_is_looked_for_again() -> None:
    """Where ``fetch_attention`` sees it at the second look."""
    program = PROLOG / "fetch_attention.pl"
    lines = run(
        f"consult('{program}'), abolish(execute/3), nb_setval(seen, 0), "
        "assertz((execute(look_at(_), [sees(pink)=V, area(pink)=1], _) :- "
        "nb_getval(seen, V), nb_setval(seen, 1))), "
        "assertz(execute(look_for(_), [found(pink)=1], _)), assertz(execute(_, [], _)), "
        "run(fetch_attention, s0, _)"
    )
    words = [line.partition(" ")[0].partition("(")[0] for line in lines]
    assert words == [*["look_for", "turn_to_ball", "look_at"] * 2, "stand_still", "play"]


def test_a_robot_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert error_of(f"aiboConnect('127.0.0.1', {port})").startswith("aibo(cannot_reach(")


def test_a_robot_that_answers_nonsense_or_nothing() -> None:
    server = Recording(b"\7\0\0\0")
    error = error_of(f"aiboConnect('127.0.0.1', {server.port}), searchBall(pink, _, _)")
    assert error == "aibo(failed(search_ball,nonsense(7)))"
    server.end()
    server = Recording()
    goals = (
        "retractall(aibopred:reply_timeout(_)), assertz(aibopred:reply_timeout(0.2)), "
        f"aiboConnect('127.0.0.1', {server.port}), "
    )
    error = error_of(goals + "queryBall(pink, _, _, _, _, _)")
    assert error == "aibo(failed(query_ball,'the robot does not answer'))"
    server.end()


def play(simulator: Simulator) -> str:
    done = subprocess.run(
        ["swipl", "-g", PATIENT, PROLOG / "fetch_attention.pl", "127.0.0.1", str(simulator.port)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(90)
def test_the_program_finds_the_ball_walks_up_to_it_and_waves(
    make_simulator: Callable[..., Simulator],
) -> None:
    simulator = make_simulator(room=Room(balls=[Ball("pink", -0.1, 0.4)]))
    waved = threading.Event()
    watcher = threading.Thread(
        target=lambda: (
            simulator.wait_for(
                lambda: (
                    simulator.world.body.playing == "wave.mot"
                    and simulator.world.sensors["LFrPaw"] == 0.0
                ),
                50.0,
            )
            and waved.set()
        )
    )
    watcher.start()
    output = play(simulator)
    watcher.join()
    assert "look_for(pink) [found(pink)=1]" in output
    assert output.endswith("play(wave.mot,3.7) []\ndone\n")
    assert waved.is_set()
    dog, ball = simulator.world, simulator.world.room.balls[0]
    assert math.hypot(dog.x - ball.x, dog.y - ball.y) < 0.6
    assert not dog.walker.walking


@pytest.mark.timeout(90)
def test_the_program_sits_down_where_there_is_no_ball(
    make_simulator: Callable[..., Simulator],
) -> None:
    simulator = make_simulator(room=Room(balls=[]), time_scale=4.0)
    assert "found(pink)=0" in play(simulator)
    assert simulator.world.body.positions["lb_knee"] > 1.8
