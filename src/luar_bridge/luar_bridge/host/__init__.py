# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""luar_host: the original's Lua drives a robot in ROS 2."""
