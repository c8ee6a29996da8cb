# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a Nao, and by default a simulated Nao that connects to it."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from nao_goal_bridge.launch_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one Nao."""
    return launch_description(LAUNCH)
