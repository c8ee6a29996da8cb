# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What AR.Drone is, for the registry of systems."""

from legacy_robots_common.system import Goals, Place, Port, System

from .protocol import AT_PORT, NAVDATA_PORT

STREAMS = {"odom": "nav_msgs/msg/Odometry"}
GOALS = (
    Goals(
        "take_off",
        "legacy_robots_msgs/action/DroneTakeOff",
        ({"altitude": 1.0}, {"altitude": 1.5}),
    ),
)
SYSTEM = System(
    name="ardrone",
    title="AR.Drone",
    package="ardrone_bridge",
    nodes={"bridge": "ardrone_bridge.node:ArdroneBridge"},
    parameters={"bridge": "ardrone_bridge.parameters:Parameters"},
    launch="ardrone_bridge/ardrone.launch.py",
    ports=(
        Port("port", NAVDATA_PORT, "Port of the navdata"),
        Port("at_port", AT_PORT, "Port of the AT commands"),
    ),
    faults=("cut", "stall", "flood", "garbage", "restart"),
    streams=STREAMS,
    goals=GOALS,
    place=Place("ardrone/odom", 0.0, 20.0),
)
