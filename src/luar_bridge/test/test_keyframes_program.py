# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program keyframes: a motion is recorded, read, stepped through and played on real joints."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_tools.keyframes.reader import read_motion

pytestmark = pytest.mark.node


class Program:
    """The program, whose output is read line by line."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "luar_bridge.keyframes", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def reads(self, line: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.says()

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


@pytest.fixture
def scene(user: str, make_body: Any) -> Iterator[Any]:
    with make_body(user) as nao, RosPeer() as peer:
        parameters = {
            "user": user,
            "memory_directory": str(nao.directory),
            "joint_commands": True,
            "writable": ["dcmActuator.*"],
        }
        with RunningNode(LuarBridge, parameters):
            link = peer.subscribe(LinkState, "/luar/link_state")
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            yield nao, peer


def test_record_step_and_play(scene: Any, tmp_path: Path) -> None:
    nao, peer = scene
    file = tmp_path / "nod.lua"
    record = Program("record", str(file), "--joints", "HeadYaw", "HeadPitch")
    assert record.says() == "recording; a line with 'q' writes the file"
    until(lambda: nao.actuator("hardness")[0] == 0.0)
    assert record.reads("0.5") == "the next keyframes take 0.5 s"
    assert record.reads("") == "keyframe 1, 0.5 s"
    assert record.reads("p") == "done"  # held again, as it is played
    assert record.reads("r larm") == "released"
    assert [nao.actuator("hardness")[joint] for joint in (1, 2, 5, 6)] == [1.0, 0.0, 0.0, 1.0]
    assert record.reads("h LElbowRoll") == "held"
    assert [nao.actuator("hardness")[joint] for joint in (2, 5)] == [0.0, 1.0]
    assert "nose" in record.reads("r nose")
    nao.write("dcmActuator", "command", [0.3, -0.2, *nao.actuator("command")[2:]])
    until(lambda: abs(nao.joint("HeadYaw") - 0.3) < 0.001)
    answer = peer.call(Trigger, "/luar/record_pose")
    assert (answer.success, answer.message) == (True, "keyframe 2, 0.5 s")
    assert record.reads("d 1 0.25") == "keyframe 1, 0.25 s"
    assert record.reads("") == "keyframe 3, 0.5 s"
    assert record.reads("u") == "2 keyframes are left"
    assert record.reads("d 3 1") == "there is no keyframe 3"
    assert record.reads("hop") == "could not convert string to float: 'hop'"
    assert record.reads("q") == f"{file}: 2 keyframes, 0.75 s"
    assert record.process.wait(30) == 0
    motion = read_motion(file)
    assert motion.servos == (1, 2)
    assert motion.keyframes[1].angles == pytest.approx((0.3, -0.2), abs=0.01)
    step = Program("step", str(file))
    assert step.reads("") == "keyframe 1 of 2"
    assert nao.joint("HeadYaw") == pytest.approx(0.0, abs=0.1)
    assert step.reads("") == "keyframe 2 of 2"
    assert nao.joint("HeadYaw") == pytest.approx(0.3, abs=0.1)
    assert step.process.wait(30) == 0
    file.write_text("return {servos={1}, keyframes={{angles={9}, duration=0.2}}}")
    play = Program("play", str(file))
    assert play.says().startswith("clamped: HeadYaw is 6.914 rad beyond its limit of 2.086 rad")
    assert play.says().startswith("stretched from 0.20 to 0.22 s")
    assert play.says().startswith("too fast, stretched: HeadYaw")
    assert play.says() == "played in 0.22 s"
    assert nao.command("HeadYaw") == pytest.approx(2.0857)
    assert play.process.wait(30) == 0


def test_a_file_that_cannot_be_played_is_said(tmp_path: Path) -> None:
    program = Program("play", str(tmp_path / "none.lua"))
    assert "none.lua cannot be read" in program.says()
    assert program.process.wait(30) == 1
    check = Program("check", str(tmp_path / "none.lua"))
    assert check.process.wait(30) == 1
