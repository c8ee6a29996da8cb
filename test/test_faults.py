# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The fault campaign: one round of it, and Ctrl-C in it."""

import json
import random
import re
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT
from measure.faults.systems import SYSTEMS

pytestmark = pytest.mark.demonstration

FAULTS = [Path(__file__).parents[1] / "tools" / "faults", "--seed", "1"]
NOT_HERE = {
    "luar_joints",  # other tests need the joints, of which a machine has one set
    "nao_tiles",  # its walks take longer than all the rest
}
LONGEST = ["nao", "nao_host", "aibo", "gti_host"]
SECONDS = 280
"""One round takes 80, and more where other tests take the processors."""


def processes_with(variable):
    """Return the command lines of processes in whose environment ``variable`` is."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if variable.encode() in environment.read_bytes():
                found.append((environment.parent / "cmdline").read_bytes())
        except OSError:
            pass  # it has ended, or is not ours
    return found


@pytest.mark.timeout(SECONDS + 90)
@pytest.mark.parametrize(
    "systems",
    [LONGEST, sorted(SYSTEMS.keys() - NOT_HERE - {*LONGEST})],
    ids=["longest", "others"],
)
def test_every_fault_is_seen_and_mended_and_no_goal_is_lost(systems, tmp_path):
    logs = tmp_path / "of" / "this run"
    chosen = [argument for system in systems for argument in ("--system", system)]
    with Process([*FAULTS, *chosen, "--logs", logs]) as campaign:
        try:
            code = campaign.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = "not over"
    texts = [path.read_text() for path in logs.glob("faults_*.log")]
    assert code == 0, "\n".join([*campaign.lines.items, *texts])
    assert len(texts) == len(systems)


def test_a_campaign_is_continued(tmp_path):
    kept = tmp_path / "kept"
    lines = [{"seed": 7, "rounds": 1}]
    for fault in SYSTEMS["nao"].faults.keys() - {"cut", "kill -9 bridge", "restart"}:
        trial = {"fault": fault, "reason": "kept", "recovered_after": 1.0, "ends": [{}]}
        lines.append({"system": "nao", "round": 0, "trial": trial})
    kept.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    command = [*FAULTS[:1], "--system", "nao", "--resume", kept]
    with Process(command) as campaign:
        campaign.wait_for_line(" nao .* well after ")
        campaign.signal(signal.SIGTERM)
        assert campaign.wait() == 130
    done = len(kept.read_text().splitlines()) - len(lines)
    assert done in (1, 2)  # the next one may have ended before the signal
    with Process(command) as campaign:
        assert campaign.wait(4 * TIMEOUT) == 0, "\n".join(campaign.lines.items)
    assert len([line for line in campaign.lines.items if " well after " in line]) == 3 - done
    assert any("14 faults" in line for line in campaign.lines.items)


def test_a_fault_of_one_robot_and_the_end_of_all_bridges_in_a_fleet():
    robots = 3
    command = [*FAULTS[:1], "--system", "aibo", "--fleet", str(robots)]
    command += ["--fault", "cut", "--fault", "kill -9 fleet"]
    with Process(command) as campaign:
        assert campaign.wait(4 * TIMEOUT) == 0, "\n".join(campaign.lines.items)
    lines = [line for line in campaign.lines.items if " well after " in line]
    for fault, least in (("cut", robots + 1), ("kill -9 fleet", 2 * robots)):
        (line,) = (line for line in lines if f" {fault} " in line)
        # Those of the first robot, and at least one of each neighbour; or all have two and more.
        assert int(re.search(r"(\d+) goals", line)[1]) >= least


def test_an_interrupted_campaign_leaves_nothing_behind():
    mark = f"MARK_{uuid.uuid4().hex}"
    # Of two systems: all at once take longer to come up than anything is waited for.
    command = [*FAULTS, "--system", "nao", "--system", "gti_host"]
    with Process(command, env={mark: "1"}) as campaign:
        campaign.wait_for_line(" well after ", 2 * TIMEOUT)
        assert processes_with(mark)
        campaign.interrupt_group()
        assert campaign.wait(2 * TIMEOUT) == 130
        # Its guardian sees the end of the pipe only once the campaign has ended.
        until(lambda: processes_with(mark) == [], "something is left behind")
        assert "Traceback" not in "\n".join(campaign.lines.items)


@pytest.mark.lint
def test_systems_are_named_with_commas_as_those_of_the_demonstration(capsys):
    from measure.faults import __main__ as faults

    with pytest.raises(SystemExit):
        faults.main(["--system", "nao,nothing"])
    assert "there is no 'nothing', only" in capsys.readouterr().err
    with pytest.raises(SystemExit):  # for the other reason: the systems are fine
        faults.main(["--system", "nao,aibo", "--fault", "cut,stall", "--at-once", "0"])
    assert "--at-once is 1 or more" in capsys.readouterr().err


@pytest.mark.lint
def test_a_goal_has_messages_in_lists():
    from control_msgs.action import FollowJointTrajectory

    from measure.faults.registered import filled

    point = {"positions": [0.5], "time_from_start": {"sec": 2}}
    fields = {"trajectory": {"joint_names": ["pan"], "points": [point, point]}}
    goal = filled(FollowJointTrajectory.Goal(), fields)
    assert [p.time_from_start.sec for p in goal.trajectory.points] == [2, 2]
    assert list(goal.trajectory.points[1].positions) == [0.5]


@pytest.mark.lint
def test_a_trial_that_fails_does_not_end_the_campaign(monkeypatch, capsys):
    from measure.faults import __main__ as faults

    brought_up = []

    class BringUp:
        """A system whose launch breaks with its first fault."""

        log = ()

        def __init__(self, system, signalled, chance):
            self.faults = signalled
            brought_up.append(signalled)

        def __enter__(self):
            if len(brought_up) == 2:
                raise TimeoutError("the link does not come up")
            return self

        def __exit__(self, *exception):
            pass

        def end_with_stacks(self):
            return ["in no function"]

        def trial(self, fault):
            if len(brought_up) == 1 and fault == self.faults[0]:
                raise RuntimeError("the launch is gone")
            return faults.Trial(fault, "seen", 1.0)

    monkeypatch.setattr(faults, "BringUp", BringUp)
    chance = random.Random(3)
    system = SYSTEMS["nao"](int, Path(), chance)
    campaign = faults.Campaign(system, faults.Record(None, 3, 2), chance)
    campaign.run()
    assert len(campaign.trials) == 2 * len(system.faults)
    assert not campaign.failure
    assert [trial.problems for trial in campaign.trials if not trial.well] == [
        ["the trial failed: RuntimeError('the launch is gone')", "in no function"]
    ]
    # Three times for the first round, twice of these for what was left of it, once for the next.
    assert [len(signalled) for signalled in brought_up] == [10, 9, 9, 10]
    assert "once more" in capsys.readouterr().out


LOCKED_UP = """
import ctypes, threading, time
from measure.faults import __main__ as faults

faults.LOOK_S, faults.LOCKED_UP_S = 0.1, 1.0
holds_the_interpreter = ctypes.PyDLL(None).sleep

class Campaign(threading.Thread):
    def run(self):
        time.sleep(0.5)
        holds_the_interpreter(30)

campaign = Campaign(daemon=True)
campaign.start()
faults.join([campaign])
"""


@pytest.mark.timeout(25)  # less than it is locked up
def test_a_campaign_that_is_locked_up_in_a_library_ends_with_its_stacks():
    ended = subprocess.run([sys.executable, "-c", LOCKED_UP], capture_output=True, text=True)
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr
    assert "in join" in ended.stderr


@pytest.mark.lint
def test_processes_print_their_stacks_before_they_are_ended(monkeypatch, tmp_path):
    from measure.faults.trial import BringUp

    monkeypatch.setenv("PYTHONFAULTHANDLER", "1")  # as the campaign sets it
    chance = random.Random(3)
    with BringUp(SYSTEMS["nao"](free_port, tmp_path, chance), [], chance) as bring_up:
        lines = bring_up.end_with_stacks()
    for process in ("bridge", "simulator"):
        assert [line for line in lines if re.search(rf"\[{process}-\d+\] .*File \".*, line", line)]


@pytest.mark.lint
@pytest.mark.timeout(50)  # less than the time that a campaign gives a launch to be well
def test_a_launch_that_ends_at_once_ends_the_campaign_with_its_reason():
    from measure.faults import __main__ as faults

    class WrongArgument(SYSTEMS["nao"]):
        def arguments(self):
            return ["profile:=no_such"]

    chance = random.Random(3)
    system = WrongArgument(int, Path(), chance)
    campaign = faults.Campaign(system, faults.Record(None, 3, 1), chance)
    campaign.run()
    assert not campaign.trials
    assert "the launch has ended" in campaign.failure
    assert any('"no_such" is not valid' in line for line in campaign.log)
