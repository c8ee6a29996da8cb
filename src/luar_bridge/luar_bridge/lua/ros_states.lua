-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Tells ROS the state machines of the original's player, and orders states: by the segment rcmFsm.
--
-- No file of the original changes: LUA_INIT=@DIRECTORY/ros_states.lua lua5.1 player.lua
-- What each variable means: luar_bridge/protocol/fsm_states.py.
local SLOTS, WIDTH, WORDS = 32, 96, 96
local MACHINES = {'game', 'body', 'head', 'motion'}
local GLOBALS = {game = 'GameFSM', body = 'BodyFSM', head = 'HeadFSM', motion = 'Motion'}
local DONE, FAILED = 1, 2

local memory, count, order_count
local seen = setmetatable({}, {__mode = 'k'}) -- machines, and what their last lookup found

local function open()
  require('util'); require('vector'); require('unix')
  local lines = #MACHINES + SLOTS
  memory = {}
  util.init_shm_segment(memory, 'rcm', {fsm = {
    text = vector.zeros(lines * WIDTH), time = vector.zeros(lines), number = vector.zeros(lines),
    count = vector.zeros(1), started = vector.zeros(1),
    order = vector.zeros(WORDS), order_count = vector.zeros(1),
    order_done = vector.zeros(1), order_result = vector.zeros(1),
  }}, {})
  memory.set_fsm_count(0)
  memory.set_fsm_number(vector.zeros(lines)) -- what a former program has left is over
  memory.set_fsm_started(unix.time())
  count, order_count = 0, memory.get_fsm_order_count()
  memory.set_fsm_order_done(order_count)
end

-- The values in the memory itself: setting all of them for each transition would take as long as a look at them.
local function write(line, text, time)
  local pointer = memory.fsmPtr
  pointer.number[line] = 0 -- it is being written
  for i = 1, WIDTH do pointer.text[(line - 1) * WIDTH + i] = text:byte(i) or 0 end
  pointer.time[line] = time
  pointer.number[line] = count
end

local function name_of(sm)
  for index, name in ipairs(MACHINES) do
    local module = rawget(_G, GLOBALS[name])
    if type(module) == 'table' and rawget(module, 'sm') == sm then return index, name end
  end
end

local function tell(index, name, event, from, to)
  count = count + 1
  local time = unix.time()
  local text = table.concat({name, event, from, to}, ' ')
  write(index, text, time)
  write(#MACHINES + 1 + (count - 1) % SLOTS, text, time)
  memory.set_fsm_count(count)
end

-- A state has the name by which the machine's file knows it: walk, where the configuration has NaoWalk for it.
local function names_of(sm)
  local names = {}
  for _, state in ipairs(sm.states) do names[state] = state._NAME end
  for name, module in pairs(_G) do
    if names[module] and type(name) == 'string' and names[module] == module._NAME then names[module] = name end
  end
  return names
end

-- Which event leads on is seen by what is looked up and found: the first one is taken.
local function watch(sm)
  local found = {names = names_of(sm)}
  for _, state in ipairs(sm.states) do
    local own = sm.transitions[state]
    sm.transitions[state] = setmetatable({}, {
      __index = function(_, event)
        if own[event] then found.event = event end
        return own[event]
      end,
      __newindex = own,
    })
  end
  seen[sm] = found
  return found
end

local function obey(sm, name, names)
  local number = memory.get_fsm_order_count()
  if number == order_count then return end
  local codes = {}
  for i = 1, WORDS do
    local code = memory.fsmPtr.order[i]
    if code < 1 or code > 255 then break end
    codes[#codes + 1] = string.char(code)
  end
  local machine, state = table.concat(codes):match('^(%w+) ([%w_]+)$')
  if machine ~= name then return end -- of another one
  order_count = number
  local result = FAILED
  for known, short in pairs(names) do
    if short == state then sm:set_state(known._NAME); result = DONE end
  end
  memory.set_fsm_order_result(result)
  memory.set_fsm_order_done(number)
end

local function instrument(fsm)
  local update = fsm.update
  function fsm.update(sm, ...)
    local index, name = name_of(sm)
    if not index then return update(sm, ...) end
    if not memory then open() end
    local found = seen[sm]
    if not found then
      found = watch(sm)
      tell(index, name, '-', '-', found.names[sm.currentState])
    end
    obey(sm, name, found.names)
    local before, ordered = sm.currentState, sm.nextState ~= nil
    found.event = nil
    local result = update(sm, ...)
    if ordered or found.event then
      local event = ordered and 'set_state' or found.event
      tell(index, name, event, found.names[before], found.names[sm.currentState])
    end
    return result
  end
end

local original = require
function require(name, ...)
  local module = original(name, ...)
  if name == 'fsm' and type(module) == 'table' and not seen[module] then
    seen[module] = true
    instrument(module)
  end
  return module
end
