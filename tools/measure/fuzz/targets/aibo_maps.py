# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The reader of gti_host's maps, and the paths of fields in messages."""

from aibo_gti_bridge.host import robot_map as host_map
from aibo_gti_bridge.host.fields import steps, value_at
from aibo_gti_bridge.host.joints import Joints


def seeds() -> list[bytes]:
    whole = [(host_map.MAPS / f"{name}.yaml").read_bytes() for name in host_map.names()]
    parts = [
        b'joints: {"NECK:tilt": {joint: a, sign: -1}, "NECK:nod": {joint: a, sign: -1}}\n'
        b"controllers: [{trajectory: t, joints: [a], partial: true}]\n",
        b"sensors: {HeadBut: {topic: joy, type: sensor_msgs/msg/Joy, field: 'buttons[2]'}}\n",
    ]
    return [*whole, *parts]


def one_input(data: bytes) -> None:
    try:
        found = host_map.parse(data.decode("utf-8", "replace"))
    except host_map.MapError:
        return
    placed = host_map.placed(found, "/robot")
    assert host_map.placed(placed, "/other") == placed
    joints = Joints(found)
    robot = dict.fromkeys(joints.robot_names, 0.25)
    positions = joints.positions(robot)
    assert set(positions) == set(found.joints)
    joints.moves(0.0, dict.fromkeys(joints.movable, (0.0, 0.0)), robot)
    for source in found.sensors.values():
        if source.topic:
            try:
                value_at(source, steps(source.path))
            except (AttributeError, TypeError, ValueError):
                pass  # this message has no such field, or it is no number
