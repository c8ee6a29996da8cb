# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tools for the files of Luar soccer robots, without ROS.

``keyframes`` reads, checks and plays keyframe motions; ``state_machines`` reads state machines by
execution and draws them; ``lua`` runs Lua of an unknown person with limits.
"""
