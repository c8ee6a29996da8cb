# SPDX-License-Identifier: Apache-2.0
"""Start a match of two teams of simulated Luar robots, their bridges and a referee."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from luar_bridge.match_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of a match."""
    return launch_description(LAUNCH)
