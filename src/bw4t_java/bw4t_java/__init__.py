# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents of EIS and of the original's RMI in the blocks world, and its client. No ROS."""
