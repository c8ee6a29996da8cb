# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the host."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.goals.requests import Limits
from legacy_robots_common.node.parameters import parameter
from nao_goal_bridge.bridge.wire_parameters import WireParameters


@dataclass(frozen=True)
class Parameters(WireParameters):
    """Read once at the start."""

    role: str = parameter(
        "dial",
        "who opens the TCP connection: dial, the agent listens, as GOAL did; listen, it dials us",
        choices=("dial", "listen"),
    )
    agent_id: int = parameter(
        1, "number by which the robot introduces itself", minimum=-(2**31), maximum=2**31 - 1
    )
    exit_program: bool = parameter(
        True, "end this program at Exit, as the document says; false: wait for the next agent"
    )
    queue_length: int = parameter(
        8, "commands that may wait behind the one being carried out", minimum=0, maximum=1000
    )

    room_map: str = parameter(
        "",
        "YAML file with the rooms, or maze, naovigate or bw4t, the maps of the package; empty: "
        "maze",
        group="Where the robot is.",
    )
    map_frame: str = parameter("map", "frame of the room map and of the goals")
    base_frame: str = parameter("base_link", "frame of the robot")
    frame_prefix: str = parameter("", "put before both frames, such as robot_2/")
    room_radius: float = parameter(
        0.0,
        "m from a room's centre within which the robot is in it; 0: 0.4 of the room size",
        minimum=0.0,
        maximum=1000.0,
    )
    pose_timeout: float = parameter(
        2.0, "seconds after which a pose on /tf is too old", minimum=0.1, maximum=3600.0
    )
    moving_speed: float = parameter(
        0.03, "m/s above which the robot walks, though it has no goal", minimum=0.001, maximum=10.0
    )

    sight_range: float = parameter(
        5.9,
        "rooms to a marker that the robot can spot",
        minimum=0.0,
        maximum=1000.0,
        group="What the robot sees.",
    )
    see_rate: float = parameter(
        1.0,
        "reports of what is in sight, Hz; 0: only when the room changes",
        minimum=0.0,
        maximum=10.0,
    )
    go_to_unseen: bool = parameter(
        False, "walk to markers that are not in sight, too; the document has GoTo fail then"
    )
    detections: str = parameter(
        "",
        "topic of vision_msgs/msg/Detection3DArray whose class ids are markers; empty: what is in "
        "sight in the room map",
    )

    navigation: str = parameter(
        "navigate_to_pose", "action that moves the robot", group="What the robot does."
    )
    navigation_type: str = parameter(
        "nav2_msgs/action/NavigateToPose", "its type: any whose goal has a PoseStamped `pose`"
    )
    pick_up: str = parameter(
        "", "action or service that picks up; empty: built in, it only counts what is held"
    )
    pick_up_type: str = parameter("std_srvs/srv/Trigger", "its type")
    put_down: str = parameter("", "action or service that puts down; empty: built in")
    put_down_type: str = parameter("std_srvs/srv/Trigger", "its type")
    object_field: str = parameter(
        "object_id", "field of the goals or requests of both that gets the ObjectID, where it is"
    )
    server_timeout: float = parameter(
        3.0,
        "seconds that an action, a service or a new pose of the robot may be missing",
        minimum=0.1,
        maximum=600.0,
    )
    halt_timeout: float = parameter(
        5.0, "seconds in which a cancellation must be answered", minimum=0.1, maximum=600.0
    )

    @property
    def limits(self) -> Limits:
        """The time limits of actions and services."""
        return Limits(self.server_timeout, self.server_timeout, self.halt_timeout)
