-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- A session of the original's player.lua without Webots: run by test_states.py in the original's Player,
-- with ros_states.lua by LUA_INIT. A referee and a ball are played here; the states print what they enter.
io.stdout:setvbuf('no')
local here = arg[0]:gsub('[^/]*$', '')
dofile(here .. 'controller.lua')
Speak = {talk = function() end, play = function() end}
package.loaded.Speak = Speak
package.path = './?.lua;' .. package.path

package.cpath = './Lib/?.so;' .. package.cpath
require('player')
player.ready = true
Motion.event('standup')
local seconds = tonumber(arg[1])
local began = unix.time()
local steps = 0
while unix.time() < began + seconds do
  local time = unix.time() - began
  -- The game: ready, set, playing, and once a penalty.
  local state = time < 1 and 0 or time < 2 and 1 or time < 3 and 2 or 3
  gcm.set_game_state(state)
  local penalty = gcm.get_game_penalty()
  penalty[gcm.get_team_player_id()] = (time > 7 and time < 8) and 1 or 0
  gcm.set_game_penalty(penalty)
  -- The ball: seen and lost again, near and far.
  local phase = time % 3
  if phase < 2 then
    wcm.set_ball_t(Body.get_time())
    local near = phase > 1 and 0.15 or 0.6
    wcm.set_ball_xy({near, 0.05 * math.sin(3 * time)})
    vcm.set_ball_detect(1)
  else
    vcm.set_ball_detect(0)
  end
  vcm.set_image_count(steps) -- cognition runs
  player.update()
  controller.wb_robot_step()
  steps = steps + 1
  unix.usleep(8000)
end
print('steps ' .. steps)
