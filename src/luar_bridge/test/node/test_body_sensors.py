# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Buttons, temperatures, currents, foot pressure and particles as topics; the button pressed."""

from __future__ import annotations

from typing import Any

import pytest
from control_msgs.msg import DynamicJointState
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseArray
from sensor_msgs.msg import Joy
from std_srvs.srv import Trigger

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.model.motion import JOINTS

pytestmark = pytest.mark.node
STREAM = qos.stream(20)


def test_sensors_of_the_body_and_a_button_that_is_pressed(user: str, make_body: Any) -> None:
    with make_body(user) as nao:
        nao.write("dcmSensor", "temperature", [40.0, 55.5, *[30.0] * 20])
        nao.write("dcmSensor", "fsrLeft", [0.1, 0.2, 0.3, 0.4])
        nao.write("dcmSensor", "bumperLeft", [0.0, 1.0])
        parameters = {
            "user": user,
            "memory_directory": str(nao.directory),
            "writable": ["dcmSensor.button"],
        }
        with RosPeer() as peer, RunningNode(LuarBridge, parameters):
            link = peer.subscribe(LinkState, "/luar/link_state")
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            states = peer.subscribe(DynamicJointState, "/luar/dynamic_joint_states", STREAM)
            message = states.wait_for()
            values = {
                name: dict(zip(row.interface_names, row.values, strict=True))
                for name, row in zip(message.joint_names, message.interface_values, strict=True)
            }
            assert list(values) == [*JOINTS, "LFoot"]  # this robot has no right foot's sensors
            assert values["HeadPitch"] == {"temperature": 55.5, "current": 0.0}
            feet = {"front_left": 0.1, "rear_left": 0.2, "front_right": 0.3, "rear_right": 0.4}
            assert values["LFoot"] == feet
            buttons = peer.subscribe(Joy, "/luar/buttons", STREAM)
            assert list(buttons.wait_for().buttons) == [0, 0, 1, 0, 0]
            assert peer.call(Trigger, "/luar/press_button", Trigger.Request()).success
            buttons.wait_for(lambda m: m.buttons[0] == 1)
            assert not peer.call(Trigger, "/luar/press_button", Trigger.Request()).success
            buttons.clear()
            buttons.wait_for(lambda m: m.buttons[0] == 0)
            reports = peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
            reports.wait_for(
                lambda m: (
                    ("hottest joint", "HeadPitch 55.5 °C")
                    in [(v.key, v.value) for v in m.status[0].values]
                )
            )


def test_particles_of_later_branches(make_world: Any) -> None:
    with make_world("--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        particles = w.peer.subscribe(PoseArray, "/luar/particles", STREAM).wait_for()
        assert particles.header.frame_id == "map"
        assert len(particles.poses) == 100
        x = sum(pose.position.x for pose in particles.poses) / 100
        assert x == pytest.approx(w.robot.scene.pose[0], abs=0.3)
