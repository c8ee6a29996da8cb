-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Makes a Lua 5.1 safe for a program of an unknown person: no files, processes, modules or bytecode, and an end.
--
-- Called with the greatest number of instructions; returns what the worker keeps for itself.
local most = ...
local kept = {
  loadstring = loadstring, setfenv = setfenv, sethook = debug.sethook, pcall = pcall, error = error,
}
local step, used = 1000, 0
local text = 'more than ' .. most .. ' instructions of Lua'
local function spend()
  used = used + step
  if used > most then kept.error(text, 0) end
end
kept.sethook(spend, '', step)

for _, name in ipairs({
  'io', 'os', 'package', 'debug', 'python', 'require', 'module', 'dofile', 'loadfile', 'load', 'loadstring',
  'setfenv', 'getfenv', 'coroutine', 'newproxy', 'collectgarbage', 'gcinfo', 'jit', 'bit', 'bit32', 'ffi',
}) do _G[name] = nil end
string.dump = nil

-- What is caught may not be the end.
for _, name in ipairs({'pcall', 'xpcall'}) do
  local own = _G[name]
  _G[name] = function(...)
    local function result(...)
      if used > most then kept.error(text, 0) end
      return ...
    end
    return result(own(...))
  end
end
function print() end
return kept
