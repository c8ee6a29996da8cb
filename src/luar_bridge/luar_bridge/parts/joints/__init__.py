# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Nao's joints, moved by ROS: trajectories, positions, hardness, LEDs."""
