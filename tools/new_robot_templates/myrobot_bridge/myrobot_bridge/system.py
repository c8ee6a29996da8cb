# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What Myrobot is, for the registry of systems."""

# --- if tcp udp websocket sdk
from legacy_robots_common.system import Goals, Place, Port, System
# --- end
# --- if serial
from legacy_robots_common.system import Goals, Place, System
# --- end

# --- if plain
STREAMS = {"joint_states": "sensor_msgs/msg/JointState"}
# --- if action
GOALS = (
    Goals(
        "move",
        "control_msgs/action/GripperCommand",
        tuple({"command": {"position": position}} for position in (0.02, 0.08)),
        truth=(("MOVE 0.02", "DONE at 0.020 m"), ("MOVE 0.08", "DONE at 0.080 m")),
    ),
)
# --- end
# --- if no-action
GOALS: tuple[Goals, ...] = ()
# --- end
# --- end
# --- if base
STREAMS = {"odom": "nav_msgs/msg/Odometry"}
# --- if action
GOALS = (
    Goals(
        "navigate_to_pose",
        "nav2_msgs/action/NavigateToPose",
        tuple({"pose": {"pose": {"position": {"x": x}}}} for x in (0.4, 0.0)),
    ),
)
# --- end
# --- if no-action
GOALS: tuple[Goals, ...] = ()
# --- end
# --- end
# --- if arm
STREAMS = {"joint_states": "sensor_msgs/msg/JointState"}
GOALS = (
    Goals(
        "follow_joint_trajectory",
        "control_msgs/action/FollowJointTrajectory",
        tuple(
            {
                "trajectory": {
                    "joint_names": ["pan", "lift", "elbow"],
                    "points": [{"positions": [x, 0.0, x], "time_from_start": {"sec": 2}}],
                }
            }
            for x in (0.5, -0.5)
        ),
    ),
)
# --- end
# --- if drone
STREAMS = {"odom": "nav_msgs/msg/Odometry"}
GOALS = (
    Goals(
        "take_off",
        "legacy_robots_msgs/action/DroneTakeOff",
        ({"altitude": 1.0}, {"altitude": 1.5}),
        truth=(("TAKEOFF 1.0", "hovers at 1.00 m"), ("TAKEOFF 1.5", "hovers at 1.50 m")),
    ),
)
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
    streams=STREAMS,
    goals=GOALS,
    # --- if plain arm
    place=Place("myrobot/base", 0.0, 20.0),
    # --- end
    # --- if base drone
    place=Place("myrobot/odom", 0.0, 20.0),
    # --- end
)
