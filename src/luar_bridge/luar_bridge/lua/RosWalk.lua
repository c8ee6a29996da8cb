-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- A walk for robots of any shape: the host of luar_bridge turns its velocities into cmd_vel.
--
-- Copy it as Player/Motion/RosWalk.lua, and set dev.walk = 'RosWalk' in the configuration. What each
-- variable of the segment rhmWalk means: luar_bridge/protocol/host_walk.py.
module(..., package.seeall)

require('Config')
require('util')
require('vector')

local memory = {}
util.init_shm_segment(memory, 'rhm', {walk = {
  velocity = vector.zeros(3), count = vector.zeros(1),
  odometry = vector.zeros(3), odometry_count = vector.zeros(1),
}}, {})

-- Of a walk on legs, for those that read it.
local own = Config.walk
tStep, bodyHeight, stepHeight = own.tStep, own.bodyHeight, own.stepHeight
footX, footY, supportX, supportY = own.footX or 0, own.footY, own.supportX, own.supportY
bodyTilt, qLArm, qRArm = own.bodyTilt or 0, own.qLArm, own.qRArm
supportLeg = 0

active, still = false, true
uTorso, uLeft, uRight = vector.zeros(3), vector.new({0, footY, 0}), vector.new({0, -footY, 0})
velCommand, velCurrent = vector.zeros(3), vector.zeros(3)
local count, begun_at = 0, nil

local function follow_odometry()
  local at = vector.new(memory.get_walk_odometry())
  begun_at = begun_at or at
  uTorso = util.pose_relative(at, begun_at)
  uLeft = util.pose_global(vector.new({0, footY, 0}), uTorso)
  uRight = util.pose_global(vector.new({0, -footY, 0}), uTorso)
end

local function write(velocity)
  memory.set_walk_velocity(velocity)
  count = count + 1
  memory.set_walk_count(count)
end

function entry()
  follow_odometry()
end

function update()
  follow_odometry()
  local v = active and velCommand or vector.zeros(3)
  still = v[1] == 0 and v[2] == 0 and v[3] == 0
  velCurrent = vector.new(v)
  write({v[1] / tStep, v[2] / tStep, v[3] / tStep}) -- they are of a step
end

function exit()
  write({0, 0, 0})
end

function set_velocity(x, y, a)
  velCommand = vector.new({x, y, a or 0})
end
setVelocity = set_velocity

function start() active = true end
function stop() active = false end
stopAlign = stop

function get_velocity() return velCurrent end

function get_odometry(from)
  return util.pose_relative(uTorso, from or vector.zeros(3)), uTorso
end

function get_body_offset() return vector.zeros(3) end
