-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The original's Vision with our RosBody and RosGameControl: run by test_settings.py in the original's Player, with
-- ros_camera.lua by LUA_INIT. The camera is one that has settings, or our RosCam; joints are where they are told to be.
io.stdout:setvbuf('no')
local here = arg[0]:gsub('[^/]*$', '')
dofile(here .. 'controller.lua')
dofile('init.lua')
package.path = arg[1] .. '/?.lua;' .. package.path
require('Config'); require('unix'); require('carray')
Config.dev.body, Config.dev.camera, Config.dev.game_control = 'RosBody', arg[2], 'RosGameControl'
local selected, images, pixels = 0, 0, carray.new('c', 2 * Config.camera.width * Config.camera.height)
local has = {[0] = {}, {}}
package.preload.DeskCam = function()
  return {
    get_width = function() return Config.camera.width end, get_height = function() return Config.camera.height end,
    get_image = function() return carray.pointer(pixels) end, get_select = function() return selected end,
    get_camera_status = function()
      images = images + 1
      return {select = selected, count = images, time = unix.time(), joint = vector.zeros(20)}
    end,
    select_camera = function(number) selected = number end,
    set_param = function(key, value) has[selected][key] = value end,
    get_param = function(key) return has[selected][key] or 0 end,
  }
end
require('Body'); require('GameControl'); require('Vision'); require('gcm'); require('vcm'); require('util')
Vision.entry(); GameControl.entry()
-- Later branches have the particles of the localisation in a manager of theirs.
local later, particle = {}, {x = vector.new({0.5, 1}), y = vector.new({-1, 2}), a = vector.new({0, 1.5})}
util.init_shm_segment(later, 'wcm', {particle = {x = vector.zeros(2), y = vector.zeros(2), a = vector.zeros(2)}}, {})
for name, values in pairs(particle) do later['set_particle_' .. name](values) end
for joint = 1, RosBody.nJoint do RosBody.actuator.hardness[joint] = 0.7 end
print('ready')
local deadline = unix.time() + 120
while unix.time() < deadline do
  RosBody.sensor.count[1] = RosBody.sensor.count[1] + 1
  RosBody.sensor.time[1] = unix.time()
  for joint = 1, RosBody.nJoint do RosBody.sensor.position[joint] = RosBody.actuator.command[joint] end
  GameControl.update()
  Vision.update()
  unix.usleep(10000)
end
