-- SPDX-FileCopyrightText: 2026 Legacy Robots contributors
-- SPDX-License-Identifier: Apache-2.0
-- Runs the file of a motion, with the vectors that such files use.
local kept, main, texts = ...

vector = {}
local mt = {}
function vector.new(t) return setmetatable(t or {}, mt) end
local function each(f)
  return function(a, b)
    local v = {}
    for i = 1, #(type(a) == 'table' and a or b) do
      v[i] = f(type(a) == 'table' and a[i] or a, type(b) == 'table' and b[i] or b)
    end
    return vector.new(v)
  end
end
mt.__add = each(function(a, b) return a + b end)
mt.__sub = each(function(a, b) return a - b end)
mt.__mul = each(function(a, b) return a * b end)
mt.__div = each(function(a, b) return a / b end)
mt.__unm = function(a) return each(function(x) return -x end)(a, a) end
function require(name) return _G[name] end

local chunk, problem = kept.loadstring(texts[main], '=' .. main)
if not chunk then error(problem, 0) end
return chunk()
