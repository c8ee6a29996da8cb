# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rhmWalk, by which the original's Lua walks a robot in ROS. No ROS.

lua/RosWalk.lua makes it, in the place of the original's own walk.
"""

SEGMENT = "rhmWalk"
LENGTHS = {"velocity": 3, "count": 1, "odometry": 3, "odometry_count": 1}
"""Numbers of each variable.

Lua writes ``velocity`` (m/s forward, m/s to the left, rad/s) and, after it, ``count``, which goes
up while it walks or stands ready; the host writes ``odometry`` (m, m, rad in the robot's own frame
of odometry) and ``odometry_count``.
"""
