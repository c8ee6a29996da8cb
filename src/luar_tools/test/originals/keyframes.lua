-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- In the original's Player: plays motions by its own keyframe.lua, without a robot, and prints what it sets.
--
-- lua5.1 keyframes.lua FILE...   A line a cycle: time, then the 22 commands, then the 22 values of hardness.
package.path = 'Util/?.lua;Motion/?.lua;' .. package.path
local COUNT = 22
local time = 100
local sensor, command, hardness = {}, {}, {}
for i = 1, COUNT do sensor[i], command[i], hardness[i] = 0.01 * i, -1, -1 end
Body = {nJoint = COUNT}
function Body.get_time() return time end
function Body.get_sensor_position(i) return sensor[i] end
function Body.set_actuator_command(value, i) command[i] = value end
function Body.set_actuator_hardness(value, i) hardness[i] = value end
function Body.set_actuator_velocity() end
function Body.set_syncread_enable() end
package.loaded.Body, package.loaded.walk = Body, {}
walk, Config = {}, {platform = {}} -- of later branches
require('keyframe')
for _, file in ipairs(arg) do
  print(file)
  for i = 1, COUNT do hardness[i] = -1 end
  keyframe.load_motion_file(file, 'motion')
  keyframe.entry()
  keyframe.do_motion('motion')
  time = time + 0.2 -- it waits for a tenth of a second
  local cycle = 0
  while true do
    if keyframe.update() == 'done' then break end
    local line = {string.format('%.17g', time)}
    for i = 1, COUNT do line[#line + 1] = string.format('%.17g', command[i]) end
    for i = 1, COUNT do line[#line + 1] = string.format('%.17g', hardness[i]) end
    print(table.concat(line, ' '))
    cycle = cycle + 1
    time = time + 0.01 + 0.003 * (cycle % 3) -- cycles are not alike
  end
end
