# SPDX-License-Identifier: Apache-2.0
"""What the launch files share. Nothing else imports this: it needs ``launch``."""

from __future__ import annotations

import os
from pathlib import Path

from launch.actions import SetEnvironmentVariable
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import Action

PROFILE_VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
"""The first is what Fast DDS reads up to Jazzy, the second what later releases read."""
PROFILE_FILES = ("DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml")
"""What it reads from the working directory without being told."""


def fast_dds_profile() -> list[Action]:
    """Return actions that let processes exchange big images, see config/fastdds.xml.

    None where the user has a profile of their own, by environment or in the working directory.
    Put them before the processes in a launch description.
    """
    if any(os.environ.get(name) for name in PROFILE_VARIABLES):
        return []
    if any(Path(name).exists() for name in PROFILE_FILES):
        return []
    profile = PathJoinSubstitution(
        [FindPackageShare("legacy_robots_bringup"), "config", "fastdds.xml"]
    )
    return [SetEnvironmentVariable(name, profile) for name in PROFILE_VARIABLES]
