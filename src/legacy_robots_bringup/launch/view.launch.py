# SPDX-License-Identifier: Apache-2.0
"""Start the view, one page on which a browser sees all systems that run, live."""

from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description
from legacy_robots_view.launch_parts import LAUNCH


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the view, which finds the systems by itself."""
    return launch_description(LAUNCH)
