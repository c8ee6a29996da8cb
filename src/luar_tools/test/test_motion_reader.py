# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from luar_tools.keyframes.motion import Keyframe, KeyframeMotion
from luar_tools.keyframes.reader import MotionFileError, parse_motion, read_motion, run_motion
from luar_tools.keyframes.writer import lua_text

FORMS = """#!/usr/bin/lua
local mot = {};
mot.servos={1,2,-- the head
3,};
--[[ the frames that
that were left out { ]]
mot.keyframes = {
  { angles = {0.1, -.2, 105*math.pi/180,}, duration = 1.5e-1; stiffness = {0.5,.4,1}; },
--[==[ { angles = {9,9,9}, duration = 9; }, ]==]
  { angles = vector.new({0, 90, -45})*math.pi/180, ["duration"] = (1 + 2)/2, stiffnesses={1,1}, },
  { angles = math.pi/180*vector.new({18,0x10,-(1+1)}),
    duration = 2 - 1.25 };
};
return mot;
"""


def test_all_forms_of_the_public_files_are_read():
    motion = parse_motion(FORMS)
    assert motion.servos == (1, 2, 3)
    assert motion.keyframes[0] == Keyframe(
        (0.1, -0.2, 105 * math.pi / 180), 0.15, stiffness=(0.5, 0.4, 1.0)
    )
    second, third = motion.keyframes[1:]
    assert second.angles == (0.0, 90 * math.pi / 180, -45 * math.pi / 180)
    assert (second.duration, second.stiffness, second.unused_stiffness) == (1.5, (), (1.0, 1.0))
    assert third.angles == tuple(math.pi / 180 * degrees for degrees in (18, 16, -2))
    assert motion.duration == 0.15 + 1.5 + 0.75


@pytest.mark.parametrize(
    "text, reason",
    [
        ("os.execute('rm -rf x')", "line 1: os.execute(…) is not run here"),
        ("while true do end", "line 1: only assignments and 'return' are read here"),
        ("return {servos={1},keyframes={{angles={io.read()},duration=1}}}", "'io.read'"),
        ("return {servos={1},keyframes={{angles={1/0},duration=1}}}", "divided by 0"),
        ("return {servos={1},keyframes={{angles={},duration=1}}}", "0 angles for 1 servos"),
        ("return {servos={1},keyframes={{angles={1},duration=0}}}", "duration is no number above"),
        ("return {servos={1,1},keyframes={{angles={1,1},duration=1}}}", "names one twice"),
        ("return {servos={},keyframes={}}", "no list of joint numbers"),
        ("return {servos={1},keyframes={}}", "has no keyframes"),
        ("return {servos={1}}", "there is no table 'keyframes'"),
        ("\n\nreturn {servos={1}", "line 3"),
        ("--[[ never closed", "line 1: the comment that begins here has no end"),
        ("return 3", "returns no table"),
        ("return " + "(" * 500 + "1" + ")" * 500, "too many brackets"),
        ("return {servos={1},keyframes={{angles={1e999},duration=1}}}", "no finite number"),
        ("return @", "'@' begins no word of Lua"),
    ],
)
def test_what_is_no_motion_is_refused_by_name(text, reason):
    with pytest.raises(MotionFileError) as caught:
        parse_motion(text)
    assert reason in str(caught.value)


def test_a_written_motion_is_read_as_it_was():
    motion = KeyframeMotion(
        (1, 2),
        (Keyframe((0.1 + 0.2, -1e-17), 0.1, (0.5, 1.0)), Keyframe((1.0, 2.0), 3.3, (), (1.0,))),
    )
    assert parse_motion(lua_text(motion)) == motion


def test_a_file_that_has_to_be_run_is_run_only_when_asked(tmp_path):
    file = tmp_path / "wave.lua"
    file.write_text(
        "local mot = {servos = {1, 2}, keyframes = {}};"
        "for i = 1, 3 do mot.keyframes[i] = {angles = vector.new({i, -i})*2, duration = 0.5} end "
        "return mot"
    )
    with pytest.raises(MotionFileError, match=r"wave\.lua: line 1: only assignments"):
        read_motion(file)
    assert [frame.angles for frame in run_motion(file).keyframes] == [(2, -2), (4, -4), (6, -6)]
    file.write_text("return os.execute('true')")
    with pytest.raises(MotionFileError, match=r"wave\.lua: .*global 'os'"):
        run_motion(file)


def test_a_file_that_is_not_there_is_said(tmp_path):
    for read in (read_motion, run_motion):
        with pytest.raises(MotionFileError, match=r"none\.lua cannot be read"):
            read(tmp_path / "none.lua")
