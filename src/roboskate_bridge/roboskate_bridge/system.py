# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate in the registry of systems."""

from legacy_robots_common.system import Goals, Place, Port, System

SYSTEM = System(
    name="roboskate",
    title="RoboSkate",
    package="roboskate_bridge",
    nodes={
        "bridge": "roboskate_bridge.bridge.node:RoboSkateBridge",
        "autopilot": "roboskate_bridge.drivers.autopilot:Autopilot",
        "policy": "roboskate_bridge.drivers.policy_node:PolicyNode",
        "teleop": "roboskate_bridge.drivers.teleop:Teleop",
    },
    parameters={
        "bridge": "roboskate_bridge.bridge.parameters:Parameters",
        "autopilot": "roboskate_bridge.drivers.autopilot:Parameters",
        "policy": "roboskate_bridge.drivers.policy_node:Parameters",
        "teleop": "roboskate_bridge.drivers.teleop:Parameters",
    },
    place=Place("roboskate/odom", 6.0, 135.0, yaw=1.5708),
    faults=(
        "cut", "stall", "flood", "garbage", "restart", "wrong_length", "refuse", "bad_image",
    ),
    faults_seen={"stall": "link", "flood": "link"},
    streams={
        "odom": "nav_msgs/msg/Odometry",
        "camera/image_raw/compressed": "sensor_msgs/msg/CompressedImage",
    },
    goals=(Goals(
        "initialize", "legacy_robots_msgs/srv/RoboSkateInitialize",
        tuple({"level": level} for level in (1, 2, 0)),
        truth=tuple((f"simulator: level {level}, images of",) for level in (1, 2, 0)),
    ),),
    campaign={"image_width": "160", "image_height": "90", "camera_rate": "10.0"},
    ports=(
        Port("port", 50051, "TCP port of the game's gRPC"),
        Port("http_port", 50052, "TCP port of the game's HTTP"),
    ),
    further_copy={"publish_clock": "false"},
    demonstration={"autopilot": "true"},
    launch="legacy_robots_bringup/roboskate.launch.py",
    panel="legacy_robots_view.systems.roboskate:KIND",
    order=2,
)  # fmt: skip
