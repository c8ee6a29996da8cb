# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from luar_tools.keyframes.limits import NAO_LIMITS, LimitsError, excesses, within
from luar_tools.keyframes.motion import Keyframe, KeyframeMotion
from luar_tools.keyframes.player import KeyframePlayer

MOTION = KeyframeMotion(
    (1, 2),
    (Keyframe((1.0, 0.4), 0.25, (0.5, 0.6)), Keyframe((1.0, 0.0), 0.125, (0.5,))),
)


def test_each_frame_is_a_straight_line_from_the_target_before():
    player = KeyframePlayer(MOTION, (0.0, 0.2), 10.0)
    assert player.update(10.0) == ((0.0, 0.2), (0.5, 0.6))
    assert player.update(10.125).angles == pytest.approx((0.5, 0.3))
    assert player.number == 0
    # Late: the target is reached in this cycle, and the next keyframe begins in it.
    assert player.update(10.375).angles == (1.0, 0.4)
    assert player.number == 1
    assert player.update(10.4375) == (
        pytest.approx((1.0, 0.2)),
        (),
    )  # one stiffness for two servos
    assert player.update(10.5).angles == (1.0, 0.0)
    assert player.frame is None
    assert player.update(11.0) == ((1.0, 0.0), ())


def test_excesses_name_joint_limit_amount_and_keyframe():
    motion = KeyframeMotion((1, 2), (Keyframe((0.0, 0.6), 1.0), Keyframe((2.2, 0.7), 0.1)))
    found = excesses(motion, NAO_LIMITS)
    assert list(map(str, found)) == [
        "HeadPitch is 0.185 rad beyond its limit of 0.515 rad in keyframe 2 (2 in all)",
        "HeadYaw is 0.114 rad beyond its limit of 2.086 rad in keyframe 2 (1 in all)",
        "HeadYaw turns 13.73 rad/s faster than its 8.27 rad/s on the way to keyframe 2 (1 in all)",
    ]


def test_a_motion_of_another_robot_is_said():
    with pytest.raises(LimitsError, match="servo 23 is none of the robot's 22"):
        within(KeyframeMotion((1, 23), (Keyframe((0.0, 0.0), 1.0),)), NAO_LIMITS)


def test_positions_are_clamped_or_rejected():
    wide = KeyframeMotion((1, 2), (Keyframe((3.0, -1.0), 1.0),))
    clamped, said = within(wide, NAO_LIMITS)
    assert clamped.keyframes[0].angles == (2.0857, -0.672)
    assert clamped.keyframes[0].duration == 1.0
    assert [text.partition(":")[0] for text in said] == ["clamped", "clamped"]
    assert not excesses(clamped, NAO_LIMITS)
    with pytest.raises(LimitsError, match=r"HeadYaw is 0\.914 rad beyond .*HeadPitch"):
        within(wide, NAO_LIMITS, positions="reject")
    assert within(MOTION, NAO_LIMITS, positions="reject") == (MOTION, [])


def test_durations_are_kept_or_stretched():
    fast = KeyframeMotion((1,), (Keyframe((0.0,), 1.0), Keyframe((1.654,), 0.1)))
    kept, said = within(fast, NAO_LIMITS)
    assert kept == fast
    assert said[0].startswith("too fast, kept: HeadYaw turns 8.27 rad/s faster")
    stretched, said = within(fast, NAO_LIMITS, speeds="stretch", start=(-1.654,))
    assert [frame.duration for frame in stretched.keyframes] == pytest.approx([1.0, 0.2])
    assert said[0] == "stretched from 1.10 to 1.20 s"
    hurried, _ = within(fast, NAO_LIMITS, speeds="stretch", start=(-16.54 / 2,))
    assert hurried.keyframes[0].duration == pytest.approx(1.0)
