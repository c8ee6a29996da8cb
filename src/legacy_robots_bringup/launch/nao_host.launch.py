# SPDX-License-Identifier: Apache-2.0
"""Start the host of an agent that was written for a Nao, and on request a toy robot for it."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from nao_goal_bridge.host_launch_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one host."""
    return launch_description(LAUNCH)
