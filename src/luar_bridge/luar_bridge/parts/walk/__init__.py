# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS walks the robot: cmd_vel, kicks and getting up, by the segment rcmBody."""
