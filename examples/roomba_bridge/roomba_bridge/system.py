# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What Roomba is, for the registry of systems."""

from legacy_robots_common.system import Goals, Place, System

STREAMS = {"odom": "nav_msgs/msg/Odometry"}
GOALS = (
    Goals(
        "navigate_to_pose",
        "nav2_msgs/action/NavigateToPose",
        tuple({"pose": {"pose": {"position": {"x": x}}}} for x in (0.4, 0.0)),
    ),
)
SYSTEM = System(
    name="roomba",
    title="Roomba",
    package="roomba_bridge",
    nodes={"bridge": "roomba_bridge.node:RoombaBridge"},
    parameters={"bridge": "roomba_bridge.parameters:Parameters"},
    launch="roomba_bridge/roomba.launch.py",
    own_arguments={"device": "Serial port: a path, or the name of a link in TMPDIR"},
    faults=("cut", "stall", "flood", "garbage", "restart"),
    faults_seen={"garbage": "diagnostics"},  # it is passed over, and counted
    streams=STREAMS,
    goals=GOALS,
    place=Place("roomba/odom", 0.0, 20.0),
)
