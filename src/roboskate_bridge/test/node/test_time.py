# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The time of the node: stamps, /clock, and who makes it pass."""

from __future__ import annotations

import math

import pytest
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, CompressedImage, Image, JointState
from tf2_msgs.msg import TFMessage

pytestmark = pytest.mark.node


def stamp(message):
    return message.sec * 10**9 + message.nanosec


@pytest.mark.parametrize("transport", ["grpc", "http"])
@pytest.mark.parametrize("profile", ["spec", "game"])
def test_everything_of_one_step_has_one_stamp(make_world, profile, transport):
    with make_world(profile, transport, mode="stepped") as world:
        world.wait_for_link()
        topics = {
            "clock": world.stream(Clock, "/clock"),
            "odom": world.stream(Odometry, "/roboskate/odom"),
            "joints": world.stream(JointState, "/roboskate/joint_states"),
            "tf": world.stream(TFMessage, "/tf"),
            "image": world.stream(Image, "/roboskate/camera/image_raw"),
            "jpeg": world.stream(CompressedImage, "/roboskate/camera/image_raw/compressed"),
            "info": world.stream(CameraInfo, "/roboskate/camera/camera_info"),
        }
        # Discovery takes its time: step until everything has been heard of.
        stamps = []
        while not all(recorder.items for recorder in topics.values()):
            stamps.append(stamp(world.run_game(0.05).stamp))
        for recorder in topics.values():
            recorder.clear()
        answer = world.run_game(0.05)
        assert answer.success, answer.message
        now = stamp(answer.stamp)
        assert now == stamps[-1] + 50_000_000
        assert stamp(topics["clock"].wait_for().clock) == now
        for name in ("odom", "joints", "image", "jpeg", "info"):
            assert stamp(topics[name].wait_for(
                lambda m: stamp(m.header.stamp) == now
            ).header.stamp) == now  # fmt: skip
        frames = topics["tf"].wait_for().transforms
        assert {stamp(t.header.stamp) for t in frames} == {now}
        assert [(t.header.frame_id, t.child_frame_id) for t in frames] == [
            ("odom", "base_link"),
            ("base_link", "crane_base_link"),
            ("crane_base_link", "crane_upper_link"),
            ("crane_upper_link", "crane_lower_link"),
        ]


def test_run_game_is_refused_where_time_passes_by_itself_or_is_no_time(make_world):
    with make_world() as world:
        world.wait_for_link()
        answer = world.run_game(0.05)
        assert not answer.success
        assert "free_run" in answer.message
        assert set_parameter(world, "mode", "stepped")
        assert world.run_game(0.05).success
        answer = world.run_game(-1.0)
        assert not answer.success
        assert "0 to 3600" in answer.message
        answer = world.run_game(math.nan)
        assert not answer.success


def set_parameter(world, name, value):
    """Set a parameter as `ros2 param set` does; return whether the bridge agreed."""
    kinds = {
        str: (ParameterType.PARAMETER_STRING, "string_value"),
        bool: (ParameterType.PARAMETER_BOOL, "bool_value"),
        float: (ParameterType.PARAMETER_DOUBLE, "double_value"),
    }
    kind, field = kinds[type(value)]
    request = SetParameters.Request(
        parameters=[Parameter(name=name, value=ParameterValue(type=kind, **{field: value}))]
    )
    answer = world.peer.call(SetParameters, "/roboskate/bridge/set_parameters", request)
    return answer.results[0].successful


@pytest.mark.parametrize("rewinds", [False, True])
def test_reset_and_the_clock(make_world, rewinds):
    with make_world(mode="stepped", reset_rewinds_clock=rewinds) as world:
        world.wait_for_link()
        before = stamp(world.run_game(1.0).stamp)
        assert world.trigger("reset").success
        after = stamp(world.run_game(0.05).stamp)
        assert after == (50_000_000 if rewinds else before + 1 + 50_000_000)


def test_simulated_time_that_does_not_begin_makes_no_stamp_negative(make_world):
    with make_world(use_sim_time=True, publish_clock=False) as world:
        state = world.wait_for_link()
        assert (state.header.stamp.sec, state.header.stamp.nanosec) == (0, 0)
        odometry = world.stream(Odometry, "/roboskate/odom").wait_for()
        assert stamp(odometry.header.stamp) > 0
