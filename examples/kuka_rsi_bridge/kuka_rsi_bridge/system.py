# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a KUKA arm with RSI is, for the registry of systems."""

from legacy_robots_common.system import Goals, Place, Port, System

from .protocol import PORT

STREAMS = {"joint_states": "sensor_msgs/msg/JointState"}
GOALS = (
    Goals(
        "follow_joint_trajectory",
        "control_msgs/action/FollowJointTrajectory",
        tuple(
            {
                "trajectory": {
                    "joint_names": ["A1", "A2", "A3"],
                    "points": [{"positions": [x, -1.5, 1.5 + x], "time_from_start": {"sec": 2}}],
                }
            }
            for x in (0.5, -0.5)
        ),
    ),
)
SYSTEM = System(
    name="kuka_rsi",
    title="KUKA RSI",
    package="kuka_rsi_bridge",
    nodes={"bridge": "kuka_rsi_bridge.node:KukaRsiBridge"},
    parameters={"bridge": "kuka_rsi_bridge.parameters:Parameters"},
    launch="kuka_rsi_bridge/kuka_rsi.launch.py",
    ports=(Port("port", PORT, "UDP port to which the controller sends"),),
    faults=("cut", "stall", "flood", "garbage", "restart"),
    streams=STREAMS,
    goals=GOALS,
    place=Place("kuka_rsi/base", 0.0, 20.0),
)
