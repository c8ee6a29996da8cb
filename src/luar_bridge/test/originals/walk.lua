-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The original's Motion with the body of ROS orders: run by test_peer.py in the original's Player.
-- It obeys until its input ends; after its first kick it is pushed over.
io.stdout:setvbuf('no')
local here = arg[0]:gsub('[^/]*$', '')
dofile(here .. 'controller.lua')

dofile('init.lua')
package.path = arg[1] .. '/?.lua;' .. package.path
require('Config'); require('unix'); require('vcm')
require('Motion'); require('Body'); require('BodyFSM')
Motion.entry()
BodyFSM.entry()

local deadline, step, fall_at, state = unix.time() + 90, 0, nil, nil
while unix.time() < deadline do
  step = step + 1
  BodyFSM.update()
  Motion.update()
  if Motion.sm.currentState._NAME ~= state then
    if state == 'NaoKick' or state == 'kick' then fall_at = step + 50 end
    state = Motion.sm.currentState._NAME
    print('state ' .. state)
  end
  if fall_at then Body.imuAngle[1] = step >= fall_at and step < fall_at + 10 and 1.4 or 0 end
  controller.wb_robot_step()
  vcm.set_image_time(unix.time())
  vcm.set_image_count(step)
  unix.usleep(18000)
end
