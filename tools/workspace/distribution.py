# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which ROS 2 distribution runs this workspace: the sourced one, or a set of wheels from PyPI."""

from __future__ import annotations

import os
import shutil
import sys

from workspace import SetupError

SETTING = "LEGACY_ROBOTS_DISTRO"
TRIED = ("jazzy", "kilted")
"""The distributions that the tests run on; each has a set of wheels, the first is the default."""


def installation_is_sourced() -> bool:
    """Return whether a ROS 2 installation has been sourced."""
    return bool(os.environ.get("AMENT_PREFIX_PATH")) and shutil.which("ros2") is not None


def wheel_set() -> str:
    """Return the wheels' distribution, as the environment asks for. Raises SetupError."""
    name = os.environ.get(SETTING) or TRIED[0]
    if name not in TRIED:
        raise SetupError(f"{SETTING}={name}: there are wheels of {' and '.join(TRIED)} only")
    return name


def check_installation() -> None:
    """Compare the sourced installation with what was asked for and with what was ever tried.

    Raises SetupError when it is another than the setting asks for; prints one sentence to standard
    error when this workspace was never tried on it.
    """
    sourced = os.environ.get("ROS_DISTRO", "(without ROS_DISTRO)")
    wanted = os.environ.get(SETTING) or sourced
    if wanted != sourced:
        raise SetupError(
            f"{SETTING}={wanted}, but ROS 2 {sourced} is sourced: unset the one or the other"
        )
    if sourced not in TRIED:
        print(
            f"This workspace was never tried on ROS 2 {sourced}, only on {' and '.join(TRIED)}.",
            file=sys.stderr,
        )
