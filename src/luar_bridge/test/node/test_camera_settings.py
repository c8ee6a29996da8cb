# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The service camera_setting, and a program that takes its orders as lua/ros_camera.lua does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import LuarCameraSetting
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.ros_camera import DIFFERS, DONE, FAILED, LENGTHS, SEGMENT, SETTINGS
from luar_bridge.protocol.segment import Segment
from luar_bridge.protocol.writer import write_all
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node


@pytest.fixture
def path(user: str) -> Any:
    path = DIRECTORY / f"{SEGMENT}01{user}"
    with SegmentOwner() as owner:
        owner.create(path.name)
        for name, length in LENGTHS.items():
            owner.set(path.name, name, [0.0] * length)
        owner.sync()
    return path


@pytest.fixture
def call(user: str) -> Iterator[Any]:
    parameters = {"user": user, "joints": False, "writable": [f"{SEGMENT}.*"]}
    with RosPeer() as peer, RunningNode(LuarBridge, parameters):
        peer.subscribe(LinkState, "/luar/link_state").wait_for()

        def ask(
            name: str, camera: int = 0, value: list[float] | None = None
        ) -> tuple[bool, str, float]:
            request = LuarCameraSetting.Request(name=name, camera=camera, value=value or [])
            answer = peer.call(LuarCameraSetting, "/luar/camera_setting", request)
            return answer.success, answer.message, answer.value

        yield ask


@pytest.mark.parametrize(
    "value, result, expected",
    [
        ([90.0], DONE, (True, "", 90.0)),
        ([], DONE, (True, "", 90.0)),
        (
            [90.0],
            DIFFERS,
            (False, "gain: the camera of the robot says 90 after it was set to 90", 0),
        ),
        ([], DIFFERS, (False, "gain: the camera of the robot says 90: it tells no settings", 0)),
        ([90.0], FAILED, (False, "gain: the robot's camera module refuses it", 0)),
    ],
)
def test_a_setting_is_what_the_camera_says(
    path: Any, call: Any, value: list[float], result: int, expected: tuple[bool, str, float]
) -> None:
    def values(name: str) -> list[float]:
        with Segment(path) as segment:
            return list(segment.snapshot.all_numbers(name))

    def take() -> None:
        until(lambda: values("order_count") == [1.0])
        assert values("order") == [1, SETTINGS.index("gain") + 1, len(value), *(value or [0])]
        write_all(path, {"value": (90.0,), "order_result": (result,), "order_done": (1.0,)})

    thread = threading.Thread(target=take)
    thread.start()
    assert call("gain", LuarCameraSetting.Request.BOTTOM, value) == expected
    thread.join()


def test_what_is_refused_names_it(call: Any, path: Any) -> None:
    assert "'zoom' is none of the settings auto_exposure" in call("zoom")[1]
    assert "camera 0 and 1" in call("gain", 2)[1]
    assert "one value or none" in call("gain", 0, [1.0, 2.0])[1]
    assert "Vision stands still" in call("gain")[1]
    path.unlink()
    assert "there is no segment rcmCamera" in call("gain")[1]
