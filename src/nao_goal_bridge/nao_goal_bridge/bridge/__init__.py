# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge: ROS 2 drives a Nao in place of the GOAL agent."""
