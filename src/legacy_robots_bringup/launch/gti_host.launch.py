# SPDX-License-Identifier: Apache-2.0
"""Start the GTI server of a ROS 2 robot, and by default a simulated robot of its map."""

from aibo_gti_bridge.host_launch import LAUNCH
from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one gti_host."""
    return launch_description(LAUNCH)
