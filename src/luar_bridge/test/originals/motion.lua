-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The original's Motion without Webots: run by test_peer.py in the original's Player.
-- It stands up, walks, falls and gets up again; an image is written at every second step, its time printed.
io.stdout:setvbuf('no')

dofile(arg[0]:gsub('[^/]*$', '') .. 'controller.lua')

dofile('init.lua')
require('Config'); require('unix'); require('carray'); require('vcm')
require('Motion'); require('Body')
local width, height = Config.camera.width, Config.camera.height
vcm.set_image_width(width); vcm.set_image_height(height)
local image = carray.new('i', width * height / 2)
Motion.entry()

local PLAN = {
  [100] = function() Motion.event('standup') end,
  [300] = function() walk.start(); walk.set_velocity(0.04, 0, 0.1) end,
  [500] = function() walk.stop(); Body.imuAngle[1] = 1.4 end,
  [510] = function() Body.imuAngle[1] = 0 end,
}
local state
for step = 1, 1000 do
  if PLAN[step] then PLAN[step]() end
  Motion.update()
  if Motion.sm.currentState._NAME ~= state then
    state = Motion.sm.currentState._NAME
    print('state ' .. state)
  end
  controller.wb_robot_step()
  if step % 2 == 0 then
    vcm.set_image_yuyv(carray.pointer(image))
    local time = unix.time()
    print(string.format('image %.6f', time))
    vcm.set_image_time(time)
    vcm.set_image_count(step / 2)
  end
  unix.usleep(18000)
end
