-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Sets the camera of the original's player by orders of ROS, in the segment rcmCamera.
--
-- No file of the original changes: LUA_INIT=@DIRECTORY/ros_camera.lua lua5.1 player.lua
-- What each variable means: luar_bridge/protocol/ros_camera.py.
local KEYS = {
  'auto_exposure', 'auto_white_balance', 'autogain', 'exposure', 'gain', 'brightness', 'contrast', 'saturation',
  'red_balance', 'blue_balance', 'hue', 'gamma', 'whiteness', 'hflip', 'vflip', 'hcenter', 'vcenter',
}
local DONE, DIFFERS, FAILED = 1, 2, 3
local SETTLING_US = 100000 -- between two settings, as the original's Vision waits

local memory, order_count

local function open()
  require('util'); require('vector'); require('unix')
  memory = {}
  util.init_shm_segment(memory, 'rcm', {camera = {
    order = vector.zeros(4), order_count = vector.zeros(1),
    order_done = vector.zeros(1), order_result = vector.zeros(1), value = vector.zeros(1),
  }}, {})
  order_count = memory.get_camera_order_count()
  memory.set_camera_order_done(order_count)
end

-- A camera whose settings are all 0 is one that tells none.
local function tells(camera)
  for _, key in ipairs(KEYS) do
    local known, value = pcall(camera.get_param, key)
    if known and (tonumber(value) or 0) ~= 0 then return true end
  end
  return false
end

local function carry_out(camera, key, sets, value)
  if sets == 1 then camera.set_param(key, value); unix.usleep(SETTLING_US) end
  local found = tonumber(camera.get_param(key)) or 0
  memory.set_camera_value(found)
  if (sets == 1 and found ~= value) or (found == 0 and not tells(camera)) then return DIFFERS end
  return DONE
end

local function obey(camera)
  local number = memory.get_camera_order_count()
  if number == order_count then return end
  order_count = number
  local which, key, sets, value = unpack(memory.get_camera_order())
  local present, result = camera.get_select(), FAILED
  memory.set_camera_value(0)
  if KEYS[key] then
    if which ~= present then camera.select_camera(which); unix.usleep(SETTLING_US) end
    local done, answer = pcall(carry_out, camera, KEYS[key], sets, value)
    if done then result = answer else print('ros_camera: ' .. tostring(answer)) end
    if which ~= present then camera.select_camera(present) end
  end
  memory.set_camera_order_result(result)
  memory.set_camera_order_done(number)
end

-- Between two images: the original's Vision asks for one in each of its cycles.
local function instrument(camera)
  local get_image = camera.get_image
  function camera.get_image(...)
    if not memory then open() end
    obey(camera)
    return get_image(...)
  end
end

local original, instrumented = require, false
function require(name, ...)
  local module = original(name, ...)
  if name == 'Camera' and not instrumented and type(rawget(_G, 'Camera')) == 'table' then
    instrumented = true
    instrument(Camera)
  end
  return module
end
