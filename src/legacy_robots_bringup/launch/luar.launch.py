# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to one Luar robot or to several, and by default as many simulated robots."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from luar_bridge.launch_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the robots of one team."""
    return launch_description(LAUNCH)
