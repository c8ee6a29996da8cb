# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the simulators share as programs: arguments, faults, signals, logging."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from legacy_robots_simulation.program import (
    FAULTS,
    Fault,
    FaultTimer,
    SimulatorArgumentParser,
    SimulatorError,
    add_common_arguments,
    port_number,
    positive,
    probability,
    run_until_signal,
    seconds,
    set_up_logging,
    without_ros_arguments,
)

TIMEOUT = 5.0


# --- arguments -----------------------------------------------------------------------------


def parse(*arguments: str, **common: object) -> argparse.Namespace:
    parser = SimulatorArgumentParser(allow_abbrev=False)
    add_common_arguments(parser, **common)  # type: ignore[arg-type]
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    "called,name",
    [
        ("/opt/bin/nao-simulator", "nao-simulator"),
        ("lib/nao_goal_bridge/simulator", "simulator"),
        ("/opt/nao_goal_bridge/simulator/program.py", "simulator"),
    ],
)
def test_a_program_has_the_name_that_it_was_called_by(monkeypatch, called, name):
    monkeypatch.setattr(sys, "argv", [called])
    assert SimulatorArgumentParser().prog == name


def test_defaults() -> None:
    given = parse(port=6474, profiles=["spec", "late"])
    assert vars(given) == {
        "host": "127.0.0.1", "port": 6474, "profile": "spec", "seed": 0, "faults": (),
        "fault_after": 5.0, "fault_seconds": 2.0, "log_level": "info",
    }  # fmt: skip


def test_a_simulator_without_a_port_or_profiles_has_no_such_arguments() -> None:
    assert not {"host", "port", "profile"} & set(vars(parse()))


def test_a_simulator_may_have_faults_of_its_own() -> None:
    assert set(FAULTS) == {fault.value for fault in Fault}
    faults = {**FAULTS, "fire": "burns"}
    assert parse("--fault", "fire", faults=faults).faults == ("fire",)
    assert parse("--fault", "cut,fire,cut", faults=faults).faults == ("cut", "fire", "cut")
    assert parse("--fault", "", faults=faults).faults == ()


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (["--port", "x"], "argument --port: must be a port from 0 to 65535, not 'x'"),
        (["--port", "-1"], "argument --port: must be a port"),
        (
            ["--fault", "cut,fire"],
            "argument --fault: must be of cut, stall, flood, garbage, restart",
        ),
        (["--fault-after", "-1"], "argument --fault-after: must be seconds from 0 to 86400"),
        (["--profile", "old"], "argument --profile: invalid choice: 'old'"),
        (["--seed", "1.5"], "argument --seed: invalid int value: '1.5'"),
        (["--prot", "1"], "unrecognized arguments: --prot 1"),
    ],
)
def test_bad_arguments_are_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse(*arguments, port=1, profiles=["spec"])
    assert caught.value.code == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"simulator: {sentence}")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    "reader,good,bad",
    [
        (port_number, {"0": 0, "65535": 65535}, ["65536", "-1", "1.0", "", "²", "0x10"]),
        (probability, {"0": 0.0, "0.5": 0.5, "1": 1.0}, ["-0.1", "1.1", "nan", "x"]),
        (seconds, {"0": 0.0, "2.5": 2.5}, ["-1", "inf", "nan", "86401", "x"]),
        (positive, {"0.1": 0.1, "5": 5.0}, ["0", "-1", "inf", "nan", "x"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_readers(reader: Callable[[str], float], good: dict[str, float], bad: list[str]) -> None:
    assert {text: reader(text) for text in good} == good
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=r"^must be "):
            reader(text)


def test_arguments_that_a_launch_file_adds_for_ros_are_left_out() -> None:
    given = ["--seed", "3", "--ros-args", "-r", "__node:=nao", "-p", "x:=1", "--", "--port", "1"]
    assert without_ros_arguments(given) == ["--seed", "3", "--port", "1"]
    assert without_ros_arguments(["--seed", "3", "--ros-args"]) == ["--seed", "3"]
    assert without_ros_arguments(["--", "a"]) == ["--", "a"]


# --- the timer of a fault ------------------------------------------------------------------


def test_a_fault_fires_once_after_the_link_came_up() -> None:
    fired = threading.Semaphore(0)
    timer = FaultTimer(fired.release, 0.02)
    assert not fired.acquire(timeout=0.1), "it fired without a link"
    timer.link_up()
    timer.link_up()
    assert fired.acquire(timeout=TIMEOUT)
    timer.link_down()
    timer.link_up()
    assert not fired.acquire(timeout=0.1), "it fired again"


def test_a_link_that_goes_down_early_starts_the_time_anew() -> None:
    fired = threading.Semaphore(0)
    timer = FaultTimer(fired.release, 0.1)
    timer.link_up()
    timer.link_down()
    assert not fired.acquire(timeout=0.2)
    timer.link_up()
    assert fired.acquire(timeout=TIMEOUT)


def test_a_closed_timer_never_fires() -> None:
    fired = threading.Semaphore(0)
    timer = FaultTimer(fired.release, 0.02)
    timer.link_up()
    timer.close()
    timer.link_up()
    assert not fired.acquire(timeout=0.1)


# --- running -------------------------------------------------------------------------------


class StandIn:
    """A simulator whose start does what the test says."""

    def __init__(self, on_start: Callable[[StandIn], None]) -> None:
        self._on_start = on_start
        self.callback: Callable[[int], None] | None = None
        self.injected: list[str] = []
        self.on_inject: Callable[[], None] = lambda: None
        self.closed = 0

    def start(self) -> None:
        self._on_start(self)

    def close(self) -> None:
        self.closed += 1

    def inject(self, fault: str) -> None:
        self.injected.append(fault)
        self.on_inject()

    def when_finished(self, callback: Callable[[int], None]) -> None:
        self.callback = callback


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_simulator_well(number: int) -> None:
    before = signal.getsignal(number)
    stand_in = StandIn(lambda _: send(number))
    assert run_until_signal(stand_in) == 0
    assert stand_in.closed == 1
    assert signal.getsignal(number) is before


PROGRAM = """
import signal, sys
sys.path[:0] = {path!r}
from legacy_robots_simulation.program import run_until_signal

class StandIn:
    def start(self): print("started", flush=True)
    def close(self): pass
    def inject(self, fault): pass
    def when_finished(self, callback): pass

code = run_until_signal(StandIn(), exiting=True)
signal.raise_signal(signal.SIGINT)  # as launch sends one after that of the terminal
signal.raise_signal(signal.SIGTERM)
print("ended", flush=True)
sys.exit(code)
"""


@pytest.mark.node
def test_a_second_signal_does_not_disturb_the_end() -> None:
    program = PROGRAM.format(path=sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "ended\n"
        assert process.wait(TIMEOUT) == 0


def test_each_sigusr1_makes_the_next_fault_happen() -> None:
    stand_in = StandIn(lambda _: send(signal.SIGUSR1))

    def on_inject() -> None:
        send(signal.SIGUSR1 if len(stand_in.injected) < 3 else signal.SIGTERM)

    stand_in.on_inject = on_inject
    assert run_until_signal(stand_in, ["cut", "stall"]) == 0
    assert stand_in.injected == ["cut", "stall", "cut"]


def test_sigusr1_without_a_fault_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    def on_start(stand_in: StandIn) -> None:
        send(signal.SIGUSR1)
        send(signal.SIGTERM)

    stand_in = StandIn(on_start)
    assert run_until_signal(stand_in) == 0
    assert stand_in.injected == []
    assert "no fault was chosen with --fault" in caplog.text


@pytest.mark.parametrize("exit_code", [0, 1])
def test_a_simulator_may_end_by_itself(exit_code: int) -> None:
    def on_start(stand_in: StandIn) -> None:
        assert stand_in.callback is not None
        threading.Thread(target=stand_in.callback, args=(exit_code,)).start()

    stand_in = StandIn(on_start)
    assert run_until_signal(stand_in) == exit_code
    assert stand_in.closed == 1


def test_a_simulator_that_cannot_start_says_why(caplog: pytest.LogCaptureFixture) -> None:
    def on_start(stand_in: StandIn) -> None:
        raise SimulatorError("the port is in use")

    stand_in = StandIn(on_start)
    assert run_until_signal(stand_in) == 1
    assert "the port is in use" in caplog.text
    assert stand_in.closed == 1


def test_log_records_have_their_time_and_go_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    try:
        set_up_logging("warning")
        logging.getLogger("simulator").info("unimportant")
        logging.getLogger("simulator").warning("important")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    output = capsys.readouterr()
    assert output.out == ""
    time, line = output.err.split(" ", 1)
    assert line == "WARNING simulator: important\n"
    assert len(time) == len("12:34:56.789")
