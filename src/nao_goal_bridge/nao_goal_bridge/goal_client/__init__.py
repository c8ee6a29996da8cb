# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client in place of the GOAL agent, for Python and for the command line. No ROS."""

from nao_goal_bridge.goal_client.client import PORT, GoalClient, Reply

__all__ = ["PORT", "GoalClient", "Reply"]
