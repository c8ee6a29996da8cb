# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A thread that owns a blocks world and runs it in real time. No ROS."""
