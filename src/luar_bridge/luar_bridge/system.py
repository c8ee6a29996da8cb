# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Luar in the registry of systems."""

from legacy_robots_common.system import Place, System

SYSTEM = System(
    name="luar",
    title="Luar",
    package="luar_bridge",
    nodes={
        "bridge": "luar_bridge.bridge.node:LuarBridge",
        "field_robot": "luar_bridge.demonstration.field_robot:FieldRobot",
        "host": "luar_bridge.host.node:LuarHost",
    },
    parameters={
        "bridge": "luar_bridge.bridge.parameters:Parameters",
        "field_robot": "luar_bridge.demonstration.field_robot:Parameters",
        "host": "luar_bridge.host.parameters:Parameters",
    },
    # The field's frame has no prefix: all robots share it.
    place=Place("map", 0.0, 7.0),
    faults=("restart", "crash", "stall", "wrong_size", "removed", "resize"),
    streams={
        "pose": "geometry_msgs/msg/PoseWithCovarianceStamped",
        "image": "sensor_msgs/msg/Image",
    },
    own_arguments={"user": "User at the end of the names of the robot's segments"},
    exclusive="luar_joints",
    further_copy={"profile": "webots", "players": "2"},
    launch="legacy_robots_bringup/luar.launch.py",
    panel="legacy_robots_view.systems.luar:KIND",
    order=3,
)
