# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ERS-7: joints, kinematics, gait, poses, motions. No ROS, no wire."""
