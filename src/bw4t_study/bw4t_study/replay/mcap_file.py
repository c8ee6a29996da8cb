# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Recorded games as MCAP files of ROS 2 messages, for Foxglove, rosbag2 and plotting programs.

Needs mcap-ros2-support (extra ``mcap``), which is loaded when a file is written; no ROS. Frame
``map``: the upper left corner, m for map units, y up.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from bw4t_study.replay.film import moments
from bw4t_study.replay.replayed import Replay, ReplayError

STRING = "string data\n"

_LINE = "=" * 80
POSE = f"""std_msgs/Header header
geometry_msgs/Pose pose
{_LINE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
{_LINE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
{_LINE}
MSG: geometry_msgs/Pose
geometry_msgs/Point position
geometry_msgs/Quaternion orientation
{_LINE}
MSG: geometry_msgs/Point
float64 x
float64 y
float64 z
{_LINE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
"""

NANOSECONDS = 1_000_000_000


def write_mcap(replay: Replay, path: Path, *, every_s: float) -> int:
    """Write a game; return the number of messages.

    ``/bw4t/NAME/pose`` (geometry_msgs/PoseStamped) of each robot each ``every_s`` simulated
    seconds, and each line of the record on ``/bw4t/record`` (std_msgs/String, JSON). A stamp is
    the start of the game and the simulated time. Raises OSError, and ReplayError.
    """
    try:
        from mcap_ros2.writer import Writer
    except ImportError as error:
        raise ReplayError('--mcap needs mcap: pip install "bw4t_study[mcap]"') from error

    start = round(datetime.fromisoformat(replay.game.header["started"]).timestamp() * NANOSECONDS)
    tick_ns = round(replay.world.profile.tick_seconds * NANOSECONDS)
    number = 0
    with path.open("wb") as file, Writer(file) as writer:
        text = writer.register_msgdef("std_msgs/msg/String", STRING)
        pose = writer.register_msgdef("geometry_msgs/msg/PoseStamped", POSE)

        def write(topic: str, schema: Any, message: dict[str, Any], stamp: int) -> None:
            nonlocal number
            number += 1
            writer.write_message(topic, schema, message, stamp, stamp)

        for line in replay.game.lines:
            stamp = start + line["tick"] * tick_ns
            write("/bw4t/record", text, {"data": json.dumps(line)}, stamp)
        for tick in moments(replay, every_s):
            stamp = start + tick * tick_ns
            seconds, nanoseconds = divmod(stamp, NANOSECONDS)
            header = {"stamp": {"sec": seconds, "nanosec": nanoseconds}, "frame_id": "map"}
            for robot in replay.world.snapshot().robots:
                message = {
                    "header": header,
                    "pose": {
                        "position": {"x": robot.x, "y": -robot.y, "z": 0.0},
                        "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
                    },
                }
                name = re.sub(r"\W", "_", robot.name, flags=re.ASCII)
                write(f"/bw4t/{name}/pose", pose, message, stamp)
    return number
