# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Lua modules of the host beside stand-ins of the original's: camera and game control."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import luar_bridge

lua51 = pytest.importorskip("lupa.lua51", reason="needs: pip install lupa")

MODULES = Path(luar_bridge.__file__).parent / "lua"
STAND_INS = """
said = {}
function print(text) said[#said + 1] = text end
Config = {camera = {width = 160, height = 120}, game = {playerID = 2}}
Config.game.teamNumber, Config.game.teamColor, Config.game.nPlayers = 0, 0, 3
memory = {get_image_headAngles = function() return {0, 0} end}
util = {init_shm_segment = function(memory)
  memory.set_image_width, memory.set_image_height = print, print
end}
vector = {zeros = function(n) local v = {} for i = 1, n do v[i] = 0 end return v end}
state, penalty = 0, {0, 0, 0}
gcm = {
  get_game_state = function() return state end,
  set_game_state = function(s) state = s end,
  get_game_penalty = function() return penalty end,
  set_game_penalty = function(p) penalty = p end,
}
for _, n in ipairs({'team_number', 'team_color', 'game_nplayers'}) do gcm['set_' .. n] = print end
RosBody = {sensor = {button = {0}}}
for _, n in ipairs({'Config', 'carray', 'shm', 'util', 'vector', 'gcm', 'RosBody'}) do
  package.loaded[n] = _G[n] or {}
end
"""


@pytest.fixture
def lua() -> Any:
    runtime = lua51.LuaRuntime()
    runtime.execute(STAND_INS)
    runtime.globals().package.path = f"{MODULES}/?.lua"
    return runtime


def test_the_camera_names_what_it_does_not_set_once_for_each(lua: Any) -> None:
    lua.execute("require('RosCam'); for i = 1, #said do said[i] = nil end")
    lua.execute("for _ = 1, 2 do RosCam.set_param('exposure', 150); RosCam.select_camera(1) end")
    lua.execute("RosCam.select_camera(0); RosCam.select(1); zero = RosCam.get_param('gain')")
    said = list(lua.globals().said.values())
    assert [line.partition(":")[0] for line in said] == ["RosCam"] * 3
    assert "exposure is not set to 150" in said[0]
    assert "camera 1 is not selected" in said[1]
    assert "gain is not known" in said[2]
    assert lua.globals().zero == lua.eval("RosCam.get_camera_position()") == 0


def test_the_button_goes_through_the_states(lua: Any) -> None:
    lua.execute("require('RosGameControl')")
    seen = []
    for _ in range(5):
        for button in (1, 1, 0):
            lua.execute(f"RosBody.sensor.button[1] = {button}; RosGameControl.update()")
        seen.append((lua.globals().state, lua.globals().penalty[2]))
    assert seen == [(1, 0), (2, 0), (3, 0), (3, 1), (3, 0)]
    assert list(lua.globals().penalty.values()) == [0, 0, 0]
