# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import xml.etree.ElementTree as ElementTree

import pytest

from luar_tools.__main__ import main
from luar_tools.state_machines.drawing import dot, svg
from luar_tools.state_machines.machine import Jump, Transition
from luar_tools.state_machines.reader import MachineFileError, read_machines

pytest.importorskip("lupa", reason="needs: pip install lupa")

BODY = """module(..., package.seeall);
require('Body')
require("fsm")
require('bodyIdle')
require('bodySearch')
require 'bodyKick'

sm = fsm.new(bodyIdle);
sm:add_state(bodySearch)
sm:add_state(bodyKick);
-- sm:set_transition(bodyIdle, 'start', bodySearch);
sm: set_transition(bodySearch, 'ball', bodySearch);
sm:set_transition(bodySearch, 'ball', bodyKick);
sm:set_transition(bodyKick, "done", bodySearch, function() end);
if Config.walk.fast then sm:set_transition(bodyKick, 'fall', bodyIdle) end
angle = 40*math.pi/180 + (walk.bodyTilt or 0)

function entry() sm:entry() end
function update() sm:update() end
"""
KICK = """module(..., package.seeall);
function entry()
  HeadFSM.sm:set_state('headKick'); --HeadFSM.sm:set_state('headNever');
  s = "HeadFSM.sm:set_state('headText')"
end
function exit() BodyFSM.sm:set_state(next); HeadFSM.sm:set_state('headTrack') end
"""
CHOICE = """require('gcm')
if gcm.get_team_role() == 0 then BodyFSM = require('BodyFSM1')
elseif Config.fsm.playMode == 2 then BodyFSM = require('BodyFSM2') end
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "BodyFSM1.lua").write_text(BODY)
    (tmp_path / "BodyFSM2.lua").write_text(BODY.replace("sm:add_state(bodyKick);", ""))
    (tmp_path / "BodyFSM.lua").write_text(CHOICE)
    (tmp_path / "bodyKick.lua").write_text(KICK)
    (tmp_path / "bodySearch.lua").write_text("x = 1 + nothing -- is not run; require('fsm')")
    return tmp_path


def test_a_file_is_read_as_lua_runs_it(folder):
    (machine,) = read_machines(folder / "BodyFSM1.lua")
    assert machine.states == ("bodyIdle", "bodySearch", "bodyKick")
    assert machine.transitions == (
        Transition("bodySearch", "ball", "bodyKick"),
        Transition("bodyKick", "done", "bodySearch", has_action=True),
    )
    assert (machine.replaced, machine.events) == (1, ("ball", "done"))
    assert machine.in_no_transition == ("bodyIdle",)
    assert machine.unreachable() == ("bodySearch", "bodyKick")
    assert machine.asked == ("Config.walk.fast",)
    assert machine.jumps == (
        Jump("BodyFSM", "bodyKick", "entry", "HeadFSM", "headKick"),
        Jump("BodyFSM", "bodyKick", "exit", "BodyFSM", ""),
        Jump("BodyFSM", "bodyKick", "exit", "HeadFSM", "headTrack"),
    )


def test_what_the_configuration_chooses_can_be_said(folder):
    (machine,) = read_machines(folder / "BodyFSM1.lua", {"Config.walk.fast": True})
    assert Transition("bodyKick", "fall", "bodyIdle") in machine.transitions
    file = folder / "BodyFSM.lua"
    with pytest.raises(MachineFileError, match=r"asks for Config\.fsm\.playMode"):
        read_machines(file)
    assert read_machines(file, {"gcm.get_team_role": 0.0})[0].name == "BodyFSM1"
    (other,) = read_machines(file, {"Config.fsm.playMode": 2.0})
    assert (other.name, other.role) == ("BodyFSM2", "BodyFSM")
    assert other.unknown == ("bodyKick",)


def test_jumps_from_other_machines_lead_to_states(folder):
    (machine,) = read_machines(folder / "BodyFSM1.lua")
    jump = Jump("GameFSM", "gamePlaying", "entry", "BodyFSM", "bodySearch")
    assert machine.unreachable([jump]) == ()


@pytest.mark.parametrize(
    "text, reason",
    [
        ("sm = fsm.new(bodyIdle", "')' expected"),
        ("require('fsm') sm = fsm.new(nothing)", "no initial state"),
        ("require('fsm') while true do end", "instructions"),
        ("os.execute('true')", "it makes no state machine"),
        ("x = 1", "it makes no state machine"),
    ],
)
def test_what_makes_no_machine_is_said(tmp_path, text, reason):
    file = tmp_path / "BodyFSM.lua"
    file.write_text(text)
    with pytest.raises(MachineFileError) as caught:
        read_machines(file)
    assert reason in str(caught.value)
    assert str(file) in str(caught.value)


def test_the_command_prints_and_draws(folder, capsys):
    out = {kind: folder / f"machine.{kind}" for kind in ("svg", "dot")}
    arguments = ["state_machines", str(folder / "BodyFSM1.lua")]
    arguments += ["--set", "Config.walk.fast=false"]
    assert main([*arguments, "--svg", str(out["svg"]), "--dot", str(out["dot"])]) == 0
    text = capsys.readouterr().out
    assert "BodyFSM1: 3 states, 2 transitions (1 more were replaced), 2 events" in text
    assert "bodySearch: ball→bodyKick" in text
    assert "set_state: BodyFSM bodyKick.exit → a computed name" in text
    assert '"BodyFSM.bodySearch" -> "BodyFSM.bodyKick" [label="ball"];' in out["dot"].read_text()
    groups = {
        group.get("id") for group in ElementTree.parse(out["svg"]).iter() if group.get("class")
    }
    assert {"BodyFSM.bodyIdle", "BodyFSM.bodySearch.bodyKick"} <= groups
    assert main(["state_machines", str(folder / "none.lua")]) == 1
    assert "none.lua cannot be read" in capsys.readouterr().err


def test_the_present_state_and_the_last_transition_are_lit(folder):
    machines = read_machines(folder / "BodyFSM1.lua")
    picture = svg(machines, lit={"bodyKick"}, last={("bodySearch", "bodyKick")})
    kinds = {
        group.get("id"): group.get("class", "").split()
        for group in ElementTree.fromstring(picture).iter()
    }
    assert "lit" in kinds["BodyFSM.bodyKick"]
    assert "lit" not in kinds["BodyFSM.bodySearch"]
    assert "last" in kinds["BodyFSM.bodySearch.bodyKick"]
    graph = dot(machines, {"bodyKick"}, {("bodySearch", "bodyKick")}, {"BodyFSM": "body: kicks"})
    assert '"BodyFSM.bodyKick" [label="bodyKick",style=filled,fillcolor=red' in graph
    assert '"BodyFSM.bodyKick" [label="ball",color=red' in graph
    assert 'label="body: kicks"' in graph


def test_names_are_escaped(tmp_path):
    file = tmp_path / "BodyFSM.lua"
    file.write_text("""require('fsm') require('<a "b">') sm = fsm.new(_G['<a "b">'])""")
    machines = read_machines(file)
    assert '"BodyFSM.<a \\"b\\">"' in dot(machines)
    ElementTree.fromstring(svg(machines))
