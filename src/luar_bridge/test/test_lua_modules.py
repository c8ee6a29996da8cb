# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our Lua modules beside stand-ins of the original's: cameras, game control, the walk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import luar_bridge
from luar_bridge.protocol.ros_body import LENGTHS, WALK_PARAMETERS
from luar_bridge.protocol.ros_camera import DIFFERS, DONE, FAILED, SETTINGS

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


MEMORY = """
util = {init_shm_segment = function(memory, manager, segments)
  for segment, variables in pairs(segments) do
    for name, value in pairs(variables) do
      memory['get_' .. segment .. '_' .. name] = function()
        return #value == 1 and value[1] or {unpack(value)} end
      memory['set_' .. segment .. '_' .. name] = function(v)
        value = type(v) == 'table' and v or {v} end
    end
  end
  last_memory = memory
end}
unix = {usleep = function() end, time = function() return 0 end}
package.loaded.util, package.loaded.unix = util, unix
"""
"""A segment without memory: what is set is what is got."""
CAMERA = """
selected, has, Camera = 0, {[0] = {exposure = 150, gain = 113}, {exposure = 100}}, nil
Module = {
  select_camera = function(n) selected = n end, get_select = function() return selected end,
  get_image = function() return 'image' end,
  set_param = function(key, value) if key == 'hue' then error('no hue') end
    if has[selected][key] then has[selected][key] = math.min(value, 255) end end,
  get_param = function(key) return has[selected][key] or 0 end,
}
package.preload.Camera = function() Camera = Module; return true end
"""


@pytest.mark.parametrize(
    "camera, name, value, result, found",
    [
        (0, "exposure", 90, DONE, 90),
        (1, "exposure", 60, DONE, 60),
        (0, "gain", None, DONE, 113),
        (1, "gain", None, DONE, 0),
        (0, "gain", 300, DIFFERS, 255),
        (0, "contrast", 70, DIFFERS, 0),
        (0, "hue", 5, FAILED, 0),
    ],
)
def test_the_camera_of_the_original_is_set_between_two_images(
    lua: Any, camera: int, name: str, value: int | None, result: int, found: int
) -> None:
    lua.execute(MEMORY + CAMERA)
    lua.execute("require('ros_camera'); require('Camera'); assert(Camera.get_image() == 'image')")
    assert lua.eval("last_memory.get_camera_order_done()") == 0
    order = (camera, SETTINGS.index(name) + 1, int(value is not None), value or 0)
    lua.execute(f"last_memory.set_camera_order({{{', '.join(map(str, order))}}})")
    lua.execute("last_memory.set_camera_order_count(1)")
    for _ in range(2):  # once for each order
        lua.execute("assert(Camera.get_image() == 'image')")
    done = [lua.eval(f"last_memory.get_camera_{n}()") for n in ("order_done", "order_result")]
    assert done == [1, result]
    assert (lua.eval("last_memory.get_camera_value()"), lua.globals().selected) == (found, 0)


def test_a_camera_that_tells_no_settings_has_none_set(lua: Any) -> None:
    lua.execute(MEMORY + CAMERA + "has = {[0] = {}}")
    lua.execute("require('ros_camera'); require('Camera'); Camera.get_image()")
    order = SETTINGS.index("hue") + 1
    lua.execute(f"last_memory.set_camera_order({{0, {order}, 0, 0}})")
    lua.execute("last_memory.set_camera_order_count(1); Camera.get_image()")
    assert lua.eval("last_memory.get_camera_order_result()") == DIFFERS


BODY = """
Config = {walk = {tStep = 0.44, bodyHeight = 0.3, stepHeight = 0.02, footY = 0.0475,
  supportX = 0.016, supportY = 0.025}}
mcm, told = {}, {}
for name in pairs(Config.walk) do mcm['set_walk_' .. name] = function(v) told[name] = v end end
for _, n in ipairs({'walk', 'kick', 'falling', 'standup', 'stance', 'sit', 'relax'}) do
  _G[n] = {}; package.loaded[n] = _G[n]
end
Motion = {sm = {currentState = walk}}
package.loaded.Config, package.loaded.mcm, package.loaded.Motion = Config, mcm, Motion
package.loaded.Body = {}
"""


def test_the_walk_has_the_parameters_of_ros_within_limits_and_its_own_again(lua: Any) -> None:
    lua.execute(MEMORY + BODY)
    lua.execute("require('BodyFSM'); BodyFSM.entry(); BodyFSM.update()")
    own = dict(lua.globals().told)
    names = [name for name, _, _ in WALK_PARAMETERS.values()]
    assert set(own) == set(names)
    assert len(names) == LENGTHS["parameters"] == lua.eval("#last_memory.get_body_parameters()")

    def send(values: list[float]) -> dict[str, float]:
        given = ", ".join(map(str, values))
        lua.execute(f"last_memory.set_body_parameters({{{given}}}); BodyFSM.update()")
        told = dict(lua.globals().told)
        for name, value in told.items():
            assert lua.eval(f"Config.walk.{name}") == lua.eval(f"walk.{name}") == value
        return told

    wanted = [0.5 * (least + most) for _, least, most in WALK_PARAMETERS.values()]
    assert send(wanted) == dict(zip(names, wanted, strict=True))
    ends = {name: (least, most) for name, least, most in WALK_PARAMETERS.values()}
    assert send([-9.0] * 6) == {name: least for name, (least, _) in ends.items()}
    assert send([9.0] * 6) == {name: most for name, (_, most) in ends.items()}
    assert send([0.0] * 6) == own
