# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What Myrobot is, for the registry of systems."""

# --- if tcp udp websocket sdk action
from legacy_robots_common.system import (
    # --- if action
    Goals,
    # --- end
    Place,
    # --- if tcp udp websocket sdk
    Port,
    # --- end
    System,
)

# --- end
# --- if bare
from legacy_robots_common.system import Place, System

# --- end
SYSTEM = System(
    name="myrobot",
    title="Myrobot",
    package="myrobot_bridge",
    nodes={"bridge": "myrobot_bridge.node:MyrobotBridge"},
    parameters={"bridge": "myrobot_bridge.parameters:Parameters"},
    launch="myrobot_bridge/myrobot.launch.py",
    # --- if serial
    own_arguments={"device": "Serial port: a path, or the name of a link in TMPDIR"},
    # --- end
    # --- if tcp udp websocket sdk
    ports=(Port("port", 7000, "Port of Myrobot"),),
    # --- end
    faults=("cut", "stall", "flood", "garbage", "restart"),
    streams={"joint_states": "sensor_msgs/msg/JointState"},
    # --- if action
    goals=Goals(
        "move",
        "control_msgs/action/GripperCommand",
        tuple({"command": {"position": position}} for position in (0.02, 0.08)),
        truth=(("MOVE 0.02", "DONE at 0.020 m"), ("MOVE 0.08", "DONE at 0.080 m")),
    ),
    # --- end
    place=Place("myrobot/base", 0.0, 20.0),
)
