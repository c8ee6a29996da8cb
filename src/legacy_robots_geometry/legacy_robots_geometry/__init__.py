# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rotations, and robots' bodies as URDF files. No ROS."""
