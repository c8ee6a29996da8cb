# SPDX-License-Identifier: Apache-2.0
"""Start the blocks world BW4T, and an agent for each robot of an example team."""

from bw4t_bridge.launch_parts import LAUNCH
from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one world."""
    return launch_description(LAUNCH)
