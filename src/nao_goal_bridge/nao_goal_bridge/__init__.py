# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS 2 in the place of GOAL, driving a Nao over the GOAL-Nao protocol; and a simulated Nao."""
