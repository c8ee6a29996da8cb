# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A bridge between ROS 2 and KUKA arms by RSI, with a simulated one."""
