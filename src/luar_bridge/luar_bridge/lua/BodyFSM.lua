-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- The body's state machine of a robot whose behaviour is in ROS: it obeys the segment rcmBody.
--
-- Copy it as Player/BodyFSM/RosBody/BodyFSM.lua, and set fsm.body = {'RosBody'} in the configuration.
-- What each variable means: luar_bridge/protocol/ros_body.py. Game states still count: the robot
-- stands where the others' bodyIdle and bodyStop would.
module(..., package.seeall)

require('Body')
require('Config')
require('Motion')
require('mcm')
require('unix')
require('util')
require('vector')

-- The configuration chooses the modules of some of these: they are known by their globals.
for _, name in ipairs({'walk', 'kick', 'falling', 'standup', 'stance', 'sit', 'relax'}) do require(name) end
local MOTIONS = {
  [walk] = 1, [kick] = 2, [falling] = 3, [standup] = 4, [stance] = 5, [sit] = 6, [relax] = 7,
}
local WALK = 1
local KICKS = {'kickForwardLeft', 'kickForwardRight', 'kickSideLeft', 'kickSideRight'}
local STAND_UP = 10
local DONE, FAILED = 1, 2
-- Of the walk, in the order of the variable parameters: name, least and greatest value.
local PARAMETERS = {
  {'tStep', 0.2, 1.0}, {'bodyHeight', 0.2, 0.35}, {'stepHeight', 0.002, 0.06}, {'footY', 0.03, 0.08},
  {'supportX', -0.03, 0.05}, {'supportY', 0.002, 0.05},
}
for _, parameter in ipairs(PARAMETERS) do parameter.own = Config.walk[parameter[1]] end
local VELOCITY_TIMEOUT, ORDER_TIMEOUT, KICK_TIMEOUT = 0.5, 30.0, 3.0 -- s; a kick begins within the last

local memory = {}
util.init_shm_segment(memory, 'rcm', {body = {
  velocity = vector.zeros(3), velocity_count = vector.zeros(1),
  order = vector.zeros(1), order_count = vector.zeros(1),
  count = vector.zeros(1), motion = vector.zeros(1),
  done_count = vector.zeros(1), result = vector.zeros(1), parameters = vector.zeros(#PARAMETERS),
}}, {})

local count, obeys, walks = 0, true, false
local velocity_count, velocity_at = 0, 0
local order_count, order, order_at, begun = 0, nil, 0, false

-- What GameFSM calls.
sm = {}
function sm:set_state(state) obeys = state ~= 'bodyIdle' and state ~= 'bodyStop' end
function sm:add_event() end

function entry()
  velocity_count, order_count = memory.get_body_velocity_count(), memory.get_body_order_count()
  memory.set_body_result(FAILED) -- of an order that a restart has cut off
  memory.set_body_done_count(order_count)
  memory.set_body_parameters(vector.zeros(#PARAMETERS))
end

local function motion()
  return MOTIONS[Motion.sm.currentState] or 0
end

local function finish(result)
  order = nil
  memory.set_body_result(result)
  memory.set_body_done_count(order_count)
end

local function begin_order(now)
  order, order_at, begun = memory.get_body_order(), now, false
  if KICKS[order] then
    if motion() ~= WALK or not obeys then return finish(FAILED) end
    walk.set_velocity(0, 0, 0)
    kick.set_kick(KICKS[order])
    Motion.event('kick')
  elseif order == STAND_UP then
    Motion.event('standup')
  else
    finish(FAILED)
  end
end

local function follow_order(now)
  if KICKS[order] then
    begun = begun or motion() == 2
    if begun and motion() ~= 2 then
      walk.set_velocity(0, 0, 0)
      finish(motion() == WALK and DONE or FAILED)
    elseif not begun and now - order_at > KICK_TIMEOUT then
      finish(FAILED)
    end
  elseif motion() == WALK then
    finish(DONE)
  end
  if order and now - order_at > ORDER_TIMEOUT then finish(FAILED) end
end

local function follow_velocity(now)
  if memory.get_body_velocity_count() ~= velocity_count then
    velocity_count, velocity_at = memory.get_body_velocity_count(), now
  end
  local v, step = memory.get_body_velocity(), Config.walk.tStep
  local moves = obeys and not order and now - velocity_at < VELOCITY_TIMEOUT
    and (v[1] ~= 0 or v[2] ~= 0 or v[3] ~= 0)
  if moves and motion() == WALK then
    walk.set_velocity(v[1] * step, v[2] * step, v[3] * step) -- of a step
    walk.start()
    walks = true
  elseif walks then
    walk.set_velocity(0, 0, 0)
    walk.stop()
    walks = false
  end
end

-- The walk reads Config.walk in each step, or its own variables. What it walks with is told in mcmWalk.
local function follow_parameters()
  local wanted = memory.get_body_parameters()
  for index, parameter in ipairs(PARAMETERS) do
    local name, value = parameter[1], wanted[index]
    if value ~= parameter.last then
      parameter.last = value
      value = value == 0 and parameter.own or math.min(math.max(value, parameter[2]), parameter[3])
      Config.walk[name], walk[name] = value, value
      local tell = mcm['set_walk_' .. name]
      if tell and value then tell(value) end
    end
  end
end

function update()
  local now = unix.time()
  if memory.get_body_order_count() ~= order_count then
    order_count = memory.get_body_order_count()
    begin_order(now)
  end
  if order then follow_order(now) end
  follow_parameters()
  follow_velocity(now)
  memory.set_body_motion(motion())
  count = count + 1
  memory.set_body_count(count)
end

function exit()
  walk.stop()
end
