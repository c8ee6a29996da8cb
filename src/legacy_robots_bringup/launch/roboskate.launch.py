# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a game of RoboSkate, and by default a simulated game."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from roboskate_bridge.launch_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one game."""
    return launch_description(LAUNCH)
