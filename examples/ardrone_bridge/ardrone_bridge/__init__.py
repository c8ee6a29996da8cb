# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A bridge between ROS 2 and AR.Drone, with a simulated one."""
