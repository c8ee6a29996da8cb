# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Lua of an unknown person does no harm and comes to an end."""

import pytest

from luar_tools.lua import sandbox
from luar_tools.lua.sandbox import Bounds, LuaFailedError

pytest.importorskip("lupa", reason="needs: pip install lupa")

WAYS_OUT = [
    "io", "os", "package", "debug", "python", "dofile", "loadfile", "load", "loadstring",
    "setfenv", "getfenv", "coroutine", "collectgarbage", "newproxy", "module",
]  # fmt: skip
SHORT = Bounds(instructions=3_000_000, memory=16_000_000, seconds=1)


def run(text, bounds=SHORT):
    return sandbox.run("keyframes/run.lua", "file", {"file": text}, bounds=bounds)


def test_a_result_comes_back_as_it_was():
    assert run("return {1.5, 'two', {x = true}, false, nil}") == {
        1: 1.5,
        2: "two",
        3: {"x": True},
        4: False,
    }


def test_nothing_leads_out():
    looks = ", ".join(f"tostring({name}) .. tostring(_G.{name})" for name in WAYS_OUT)
    found = run(f"return {{{looks}}}")
    assert found == dict.fromkeys(range(1, len(WAYS_OUT) + 1), "nilnil")


def test_strings_have_no_way_out_either():
    assert run("return tostring(('').dump) .. tostring(getmetatable('').__index.dump)") == "nilnil"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("while true do end", "instructions"),
        ("while true do pcall(function() while true do end end) end", "instructions"),
        ("local function f() return f() end return f()", "instructions"),
        ("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", "memory"),
        ("return ('x'):rep(1e9)", "memory"),
        ("return (('a'):rep(40)):find(('a?'):rep(40) .. ('a'):rep(40) .. 'b')", "more than 1 s"),
        ("local function f() return 1 + f() end return f()", "stack overflow"),
        ("error({})", ""),
        ("return {{{{{{{{{{{{{{{{{{{{{{{{}}}}}}}}}}}}}}}}}}}}}}}}", "too large"),
        ("\x1bLua", "bytecode"),
    ],
)
def test_it_ends_and_says_why(text, reason):
    with pytest.raises(LuaFailedError) as caught:
        run(text)
    assert reason in str(caught.value)
