# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rhmImage, by which images of a robot in ROS get to the original's Vision. No ROS.

lua/RosCam.lua makes it, in the place of the original's own camera.
"""

SEGMENT = "rhmImage"
BUFFERS = ("yuyv0", "yuyv1")
"""Two images of 2 * width * height bytes each; ``count`` modulo 2 is the one that is whole.

The host writes the other one, then ``time`` (Unix seconds) and ``headAngles`` (yaw and pitch, rad)
of it, and at last ``count``. Lua writes ``width`` and ``height`` in pixels.
"""
