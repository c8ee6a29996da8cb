# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rcmCamera, by which ROS sets a Luar robot's camera. No ROS.

No variable of the original has the settings of its cameras (docs/originals/luar.md, 11): the robot
runs lua/ros_camera.lua beside its own files, which makes this segment.
"""

from __future__ import annotations

SEGMENT = "rcmCamera"
SETTINGS = (
    "auto_exposure", "auto_white_balance", "autogain", "exposure", "gain", "brightness",
    "contrast", "saturation", "red_balance", "blue_balance", "hue", "gamma", "whiteness", "hflip",
    "vflip", "hcenter", "vcenter",
)  # fmt: skip
"""By the names of the original's ``set_param``."""
LENGTHS = {"order": 4, "order_count": 1, "order_done": 1, "order_result": 1, "value": 1}
"""Numbers of each variable.

``order``: the camera (0 top, 1 bottom), the setting's place in SETTINGS from 1, 1 to set it or 0
to read it, its value. It is carried out once when ``order_count`` changes; ``order_done`` is the
count of the last one, ``order_result`` how it ended, ``value`` what the camera said afterwards.
"""
WRITTEN_BY_ROS = ("order", "order_count")
DONE, DIFFERS, FAILED = 1, 2, 3
"""The camera has it; it has another value, or tells none; it raised an error."""
