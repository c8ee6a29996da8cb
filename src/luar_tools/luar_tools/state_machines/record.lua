-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Runs a file that makes a state machine, with a recorder in the place of fsm and stand-ins for all other modules.
--
-- Called with what prelude.lua keeps, the name of the file, the texts of the files beside it by module names, and
-- values that modules have, such as "Config.fsm.playMode". Returns {machines, asked, modules}.
local kept, main, texts, values = ...
local NAMES = {'__add', '__sub', '__mul', '__div', '__mod', '__pow', '__concat'}

-- A module, a function of it, or what that returns: whatever is asked of it is such a one again.
local function stand_in(path)
  local own = {_NAME = path, _M = nil}
  local meta = {}
  function meta.__index(_, key)
    if type(key) ~= 'string' then return nil end
    local name = path .. '.' .. key
    local value = values[name]
    if value == nil then value = stand_in(name) else
      -- As a variable it is the value, as an accessor it returns it.
      if key:sub(1, 4) == 'get_' then local given = value; value = function() return given end end
    end
    rawset(own, key, value)
    return value
  end
  function meta.__call() return stand_in(path .. '()') end
  function meta.__unm() return stand_in(path) end
  function meta.__lt() return false end
  function meta.__le() return false end
  for _, name in ipairs(NAMES) do meta[name] = function() return stand_in(path) end end
  return setmetatable(own, meta)
end

-- The configuration: what is not given is nil, except where something is looked for in it.
local sections, asked, assumed, last = {}, {}, {}, nil
local function configuration(path)
  return setmetatable({}, {__index = function(own, key)
    local name = path .. '.' .. tostring(key)
    local value = values[name]
    if value ~= nil then return value end
    if sections[name] then
      value = configuration(name)
      rawset(own, key, value)
      return value
    end
    asked[name], last = true, name
    return nil
  end})
end
for name in pairs(values) do
  for part in name:gmatch('()%.') do sections[name:sub(1, part - 1)] = true end
end

local function attempt()
  local machines, loaded, modules, globals = {}, {}, {}, {}
  setmetatable(globals, {__index = function(_, key)
    if _G[key] ~= nil then return _G[key] end
    return assumed[key]
  end})
  globals._G = globals
  globals.package = {seeall = function() end, path = '', cpath = '', loaded = loaded}
  function globals.module() end
  function globals.unpack(...) return unpack(...) end

  local here = main
  local fsm = {_NAME = 'fsm'}
  local machine = {}
  machine.__index = function(_, key) return machine[key] or function() end end
  -- Names of globals that were nil when they were read: what a nil state was meant to be.
  local missing = {}
  local function state_of(state)
    if type(state) == 'table' and type(rawget(state, '_NAME')) == 'string' then return state._NAME end
    if state == nil and missing[1] then return table.remove(missing, 1) end
    error('a state is ' .. (state == nil and 'nil' or 'no module'), 3)
  end
  local function problem(o, name)
    local list = o.record.problems
    for _, other in ipairs(list) do if other == name then return end end
    list[#list + 1] = name
  end
  function fsm.new(first, ...)
    if type(first) ~= 'table' then error('no initial state', 2) end
    local o = setmetatable({known = {}, record = {file = here, states = {}, transitions = {}, replaced = 0, problems = {}}}, machine)
    machines[#machines + 1] = o.record
    for _, state in ipairs({first, ...}) do machine.add_state(o, state) end
    return o
  end
  function machine.add_state(o, state)
    local name = state_of(state)
    missing = {}
    if o.known[name] and o.known[name].is_state then return end
    o.known[name] = o.known[name] or {events = {}}
    o.known[name].is_state = true
    o.record.states[#o.record.states + 1] = name
  end
  function machine.set_transition(o, from, event, to, action)
    local a, b = state_of(from), state_of(to)
    missing = {}
    if type(event) ~= 'string' then error('Unknown event', 2) end
    for _, name in ipairs({a, b}) do
      if not o.known[name] or not o.known[name].is_state then problem(o, name) end
      o.known[name] = o.known[name] or {events = {}}
    end
    local list = o.record.transitions
    local old = o.known[a].events[event]
    if old then
      o.record.replaced = o.record.replaced + 1
      list[old].to, list[old].action = b, action ~= nil
    else
      list[#list + 1] = {from = a, event = event, to = b, action = action ~= nil}
      o.known[a].events[event] = #list
    end
  end
  function machine.get_current_state(o) return {_NAME = o.record.states[1]} end

  local run
  function globals.require(name)
    if type(name) ~= 'string' then error('require of no name', 2) end
    if loaded[name] == nil then
      if name == 'fsm' then loaded[name] = fsm
      elseif name == 'Config' then loaded[name] = configuration('Config')
      elseif texts[name] and name ~= main then run(name)
      else loaded[name] = stand_in(name) end
      modules[#modules + 1] = name
    end
    -- Where module() would have made it known.
    if rawget(globals, name) == nil then globals[name] = loaded[name] end
    return loaded[name]
  end
  function run(name)
    local chunk, problem = kept.loadstring(texts[name], '=' .. name)
    if not chunk then error(problem, 0) end
    local before = here
    here = name
    local own = setmetatable({_NAME = name}, {__index = function(_, key)
      local value = globals[key]
      if value == nil then missing[#missing + 1] = key end
      return value
    end})
    own._M = own
    loaded[name] = own
    kept.setfenv(chunk, own)
    local result = chunk(name)
    if result ~= nil then loaded[name] = result end
    here = before
  end
  globals.Config = configuration('Config')
  run(main)
  return machines, modules
end

for _ = 1, 50 do
  last = nil
  local ok, machines, modules = kept.pcall(attempt)
  if ok then
    for name in pairs(sections) do asked[name] = nil end
    return {machines = machines, asked = asked, modules = modules}
  end
  -- A module that another one has loaded by then.
  local global = tostring(machines):match("global '([%w_]+)' %(a nil value%)")
  if global and not assumed[global] then
    assumed[global] = stand_in(global)
  elseif last and not sections[last] then
    sections[last] = true -- something was looked for in it
  else
    error(machines, 0)
  end
end
error('the configuration has no end', 0)
