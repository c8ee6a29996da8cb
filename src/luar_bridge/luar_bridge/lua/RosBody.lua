-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- A body for robots in ROS: the host of luar_bridge is what moves dcmActuator and fills dcmSensor.
--
-- Set dev.body = 'RosBody' in the configuration. The segments are named and laid out as on a Nao; with
-- more than one robot on a machine, LUAR_DCM_SUFFIX in the environment ends their names.
module(..., package.seeall)

require('shm')
require('carray')
require('unix')
require('vector')

jointNames = {
  'HeadYaw', 'HeadPitch', 'LShoulderPitch', 'LShoulderRoll', 'LElbowYaw', 'LElbowRoll',
  'LHipYawPitch', 'LHipRoll', 'LHipPitch', 'LKneePitch', 'LAnklePitch', 'LAnkleRoll',
  'RHipYawPitch', 'RHipRoll', 'RHipPitch', 'RKneePitch', 'RAnklePitch', 'RAnkleRoll',
  'RShoulderPitch', 'RShoulderRoll', 'RElbowYaw', 'RElbowRoll',
}
nJoint = #jointNames
indexHead, nJointHead = 1, 2
indexLArm, nJointLArm = 3, 4
indexLLeg, nJointLLeg = 7, 6
indexRLeg, nJointRLeg = 13, 6
indexRArm, nJointRArm = 19, 4
tDelta = 0.010

handles = {} -- one that is collected unmaps its segment

local function segment(name, lengths)
  local handle = shm.new(name .. (os.getenv('LUAR_DCM_SUFFIX') or ''))
  handles[#handles + 1] = handle
  local existing, values = {}, {}
  for key in handle.next, handle do existing[key] = true end
  for key, length in pairs(lengths) do
    if not existing[key] or handle:size(key) ~= length then handle:set(key, vector.zeros(length)) end
  end
  for key in pairs(lengths) do values[key] = carray.cast(handle:pointer(key)) end
  return values
end

sensor = segment('dcmSensor', {
  time = 1, count = 1, position = nJoint, command = nJoint, imuAngle = 2, imuAcc = 3, imuGyr = 3,
  imuGyr0 = 3, button = 1, bumperLeft = 2, bumperRight = 2, fsrLeft = 4, fsrRight = 4, usLeft = 10,
  usRight = 10, usCommand = 1, batteryCharge = 1, batteryCurrent = 1,
})
actuator = segment('dcmActuator', {
  time = 1, count = 1, disable = 1, position = nJoint, hardness = nJoint, command = nJoint,
  velocity = nJoint, us = 1, ledChest = 3, ledFootLeft = 3, ledFootRight = 3, ledFaceLeft = 24,
  ledFaceRight = 24, ledEarsLeft = 10, ledEarsRight = 10,
})
for joint = 1, nJoint do actuator.hardness[joint], actuator.velocity[joint] = 0, 0 end
sensor.count[1] = 0

local function read(values, first, last)
  local found = {}
  for index = first, last do found[#found + 1] = values[index] end
  return found
end

local function write(values, value, first, count)
  if type(value) == 'number' then
    for index = first, first + (count or 1) - 1 do values[index] = value end
  else
    for offset = 1, #value do values[first + offset - 1] = value[offset] end
  end
end

for key, values in pairs(sensor) do
  _M['get_sensor_' .. key] = function(index) return index and values[index] or read(values, 1, #values) end
end
for key, values in pairs(actuator) do
  _M['set_actuator_' .. key] = function(value, index) write(values, value, index or 1) end
end
for part, span in pairs({
  head = {indexHead, nJointHead}, larm = {indexLArm, nJointLArm}, lleg = {indexLLeg, nJointLLeg},
  rleg = {indexRLeg, nJointRLeg}, rarm = {indexRArm, nJointRArm}, body = {1, nJoint},
}) do
  local first, count = span[1], span[2]
  _M['get_' .. part .. '_position'] = function() return read(sensor.position, first, first + count - 1) end
  _M['set_' .. part .. '_command'] = function(value) write(actuator.command, value, first, count) end
  _M['set_' .. part .. '_hardness'] = function(value) write(actuator.hardness, value, first, count) end
end

get_time = unix.time

-- Waits for the next cycle: the loop that calls it is as fast as a Nao's.
local due = unix.time()
function update()
  actuator.time[1] = unix.time()
  actuator.count[1] = actuator.count[1] + 1
  due = math.max(due + tDelta, unix.time())
  unix.usleep(1E6 * math.max(0, due - unix.time()))
end

-- No button is pressed: the robot is ready as soon as the host has written where its joints are. The kinematics of
-- legs that are straight, as those of an empty memory, has no solution.
local ready = false
function get_change_state() return not ready and sensor.count[1] > 0 and 1 or 0 end
function calibrate()
  write(actuator.command, read(sensor.position, 1, nJoint), 1)
  ready = true
  return true
end
function get_battery_level() return 10 end

local function nothing() end
local function zero() return 0 end
get_change_enable, get_change_team, get_change_role, get_change_kickoff = zero, zero, zero, zero
for _, name in ipairs({
  'set_syncread_enable', 'set_lleg_slope', 'set_rleg_slope', 'set_waist_hardness', 'set_waist_command',
  'set_indicator_state', 'set_indicator_team', 'set_indicator_kickoff', 'set_indicator_batteryLevel',
  'set_indicator_role', 'set_indicator_ball', 'set_indicator_goal',
}) do _M[name] = nothing end
