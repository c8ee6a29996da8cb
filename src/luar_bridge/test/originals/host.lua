-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The original's Motion and its state bodyApproach with our walk: run by test_peer.py in the original's Player.
-- The ball lies 1.2 m ahead and 0.3 m to the left of where the robot's odometry begins.
io.stdout:setvbuf('no')
local here = arg[0]:gsub('[^/]*$', '')
dofile(here .. 'controller.lua')

dofile('init.lua')
package.path = 'BodyFSM/NaoPlayer/?.lua;' .. arg[1] .. '/?.lua;' .. package.path
require('Config'); require('unix'); require('wcm')
Config.dev.walk = 'RosWalk'
require('Motion'); require('Body'); require('bodyApproach')
Motion.entry()

local deadline, step, approaches = unix.time() + 90, 0, false
while unix.time() < deadline do
  step = step + 1
  if step == 50 then Motion.event('standup') end
  Motion.update()
  local ball = util.pose_relative({1.2, 0.3, 0}, walk.get_odometry())
  wcm.set_ball_xy({ball[1], ball[2]})
  wcm.set_ball_t(Body.get_time())
  if Motion.sm.currentState == walk then
    if not approaches then
      bodyApproach.entry()
      walk.start()
      approaches = true
      print('approaches')
    end
    bodyApproach.update()
  end
  controller.wb_robot_step()
  unix.usleep(18000)
end
