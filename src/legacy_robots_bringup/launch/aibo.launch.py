# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to an AIBO, and by default a simulated one that it connects to."""

from aibo_gti_bridge.launch_parts import LAUNCH
from launch import LaunchDescription
from legacy_robots_common.launching.description import launch_description


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one AIBO."""
    return launch_description(LAUNCH)
