# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A session of the original's player.lua, unchanged: its log against the topic behaviour.

Needs the original beside the checkout: see the fixture lua_peer.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import luar_bridge
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LuarBehaviour
from legacy_robots_msgs.srv import LuarOrderState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.protocol.fsm_states import MACHINES
from luar_tools.state_machines.reader import read_machines

pytestmark = pytest.mark.node

STATES_LUA = Path(luar_bridge.__file__).parent / "lua" / "ros_states.lua"
SESSION = Path(__file__).with_name("states.lua")
SECONDS = 20
FILES = {
    "game": "GameFSM/RoboCup/GameFSM.lua",
    "body": "BodyFSM/NaoPlayer/BodyFSM.lua",
    "head": "HeadFSM/NaoPlayer/HeadFSM.lua",
    "motion": "Motion/Motion.lua",
}
ENTRY = re.compile(r"(?:.*state: )?(\w+) entry$")


def session(peer: Path, user: str) -> subprocess.Popen[str]:
    player = peer / "Player"
    environment = {"USER": user, "PWD": str(player), "COMPUTER": "Linux", "PLAYER_ID": "1"}
    environment["LUA_INIT"] = f"@{STATES_LUA}"
    return subprocess.Popen(
        [peer / "bin" / "lua5.1", SESSION, str(SECONDS)],
        cwd=player,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_every_entry_of_the_log_is_in_the_history_in_order(lua_peer: Path, user: str) -> None:
    machines = {name: read_machines(lua_peer / "Player" / f)[0] for name, f in FILES.items()}
    parameters = {
        "user": user,
        "player": 2,
        "joints": False,
        "behaviour_rate": 10.0,
        "writable": ["rcmFsm.*"],
    }
    with RosPeer() as peer, RunningNode(LuarBridge, parameters):
        seen = peer.subscribe(LuarBehaviour, "/luar/behaviour", qos.LATCHED)
        lua = session(lua_peer, user)
        seen.wait_for(lambda m: any(x.state == "bodyApproach" for x in m.machines))
        ordered = peer.call(
            LuarOrderState,
            "/luar/order_state",
            LuarOrderState.Request(machine="body", state="bodyGotoCenter"),
        )
        assert ordered.success, ordered.message
        refused = peer.call(
            LuarOrderState,
            "/luar/order_state",
            LuarOrderState.Request(machine="head", state="bodyGotoCenter"),
        )
        assert refused.message == "head has no state 'bodyGotoCenter'"
        log, _ = lua.communicate(timeout=4 * SECONDS)
        lines = log.splitlines()
        states = {state for machine in machines.values() for state in machine.states}
        begun = next(n for n, line in enumerate(lines) if line == "bodyIdle entry")
        entered = [found[1] for line in lines[begun:] if (found := ENTRY.match(line))]
        entered = [state for state in entered if state in states]
        until(lambda: len(transitions(seen)) > len(entered), "the history ends before the log")
    history = transitions(seen)
    assert [t.count for t in history] == list(range(1, len(history) + 1))
    assert seen.last.machines[0].missed == 0
    beginnings = [t for t in history if not t.source]
    changes = [t for t in history if t.source]
    assert {t.machine: t.target for t in beginnings} == {
        name: machine.initial for name, machine in machines.items()
    }
    # The machines' first states are entered before any of them is updated; Motion's earlier still.
    assert [t.target for t in changes] == entered[len(MACHINES) - 1 :]
    assert len(changes) > 40
    for t in changes:
        known = {(x.source, x.event, x.target) for x in machines[t.machine].transitions}
        assert t.event == "set_state" or (t.source, t.event, t.target) in known
    assert ("body", "set_state", "bodyGotoCenter") in {
        (t.machine, t.event, t.target) for t in changes
    }


def transitions(seen: Any) -> list[Any]:
    found = {t.count: t for message in seen.items for t in message.transitions}
    return [found[count] for count in sorted(found)]
