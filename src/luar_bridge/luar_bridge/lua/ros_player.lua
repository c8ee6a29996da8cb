-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Runs the original's Motion, Vision and state machines, all unchanged, for a robot in ROS.
--
-- In the original's directory Player:  lua5.1 DIRECTORY/ros_player.lua [CONFIGURATION.lua [LABEL_TABLE]]
-- The configuration changes Config before anything is loaded; ros_wheels.lua is one. The label table is an
-- absolute path; "ros2 run luar_bridge label_table" makes one.
io.stdout:setvbuf('no')
local here = arg[0]:gsub('[^/]*$', '')

dofile('init.lua')
package.path = package.path .. ';' .. here .. '?.lua'
require('Config')
Config.dev.body, Config.dev.camera = 'RosBody', 'RosCam'
Config.dev.comm, Config.dev.game_control = 'RosComm', 'RosGameControl'
if arg[1] then dofile(arg[1]) end
if arg[2] then Config.camera.lut_file = ('../'):rep(32) .. arg[2] end -- it is looked for below Data

-- The original's Speak needs espeak; its Team does not parse in every version.
Speak = {talk = function(text) print('Speak: ' .. text) end, play = function() end}
package.loaded.Speak = Speak

require('main')
if not pcall(require, 'Team') then
  Team = setmetatable({}, {__index = function() return function() end end})
  package.loaded.Team = Team
end
require('cognition')
cognition.entry()
gcm.set_game_state(Config.game.begins_in or 0)
while true do
  cognition.update()
  main.update()
  if not main.init then Body.update() end
end
