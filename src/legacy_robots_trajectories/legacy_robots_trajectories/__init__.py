# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""FollowJointTrajectory for robots with position-controlled joints."""
