# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge: the memory of a Luar robot as ROS 2 topics, and joint commands into it."""
