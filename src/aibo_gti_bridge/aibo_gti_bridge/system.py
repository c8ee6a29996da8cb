# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the registry knows of the AIBO."""

from __future__ import annotations

from legacy_robots_common.system import Goals, Place, Port, System


def _turns(joint: str, seconds: float, *angles: float) -> Goals:
    """Return goals that turn a joint to angles (rad) in turn."""
    time = {"sec": int(seconds), "nanosec": round(seconds % 1 * 1e9)}
    return Goals(
        "follow_joint_trajectory",
        "control_msgs/action/FollowJointTrajectory",
        tuple(
            {
                "trajectory": {
                    "joint_names": [joint],
                    "points": [{"positions": [angle], "time_from_start": time}],
                }
            }
            for angle in angles
        ),
    )


SYSTEM = System(
    name="aibo",
    title="AIBO",
    package="aibo_gti_bridge",
    nodes={
        "bridge": "aibo_gti_bridge.bridge.node:AiboBridge",
        "ball_game": "aibo_gti_bridge.demonstration.ball_game:BallGame",
        "gti_host": "aibo_gti_bridge.host.node:GtiHost",
        "rover": "aibo_gti_bridge.demonstration.rover:Rover",
    },
    parameters={
        "bridge": "aibo_gti_bridge.bridge.parameters:Parameters",
        "ball_game": "aibo_gti_bridge.demonstration.ball_game:Parameters",
        "gti_host": "aibo_gti_bridge.host.parameters:Parameters",
        "rover": "aibo_gti_bridge.demonstration.rover:Parameters",
    },
    place=Place("aibo/odom", -1.9, 1.5),
    faults=("cut", "stall", "flood", "garbage", "restart"),
    faults_seen={"stall": "link", "flood": "link"},
    streams={"joint_states": "sensor_msgs/msg/JointState"},
    goals=(
        _turns("neck_pan", 0.4, 0.3, -0.3),
        _turns("mouth", 6.0, -0.5, -0.1),
        Goals(
            "walk_steps",
            "legacy_robots_msgs/action/AiboWalkSteps",
            ({"x": 0.15}, {"x": -0.15}),
            truth=((r"<- WalkSteps\(",),) * 2,
        ),
        Goals(
            "play_motion",
            "legacy_robots_msgs/action/AiboPlayMotion",
            ({"name": "stretch"},),
            truth=((r"<- Motion\(",),),
        ),
        Goals("search_ball", "legacy_robots_msgs/action/AiboSearchBall", ({"colour": "pink"},)),
    ),
    ports=(Port("port", 10100, "TCP port of the AIBO's GTI server"),),
    demonstration={"ball_game": "true"},
    launch="legacy_robots_bringup/aibo.launch.py",
    panel="legacy_robots_view.systems.aibo:kind",
    order=5,
)
