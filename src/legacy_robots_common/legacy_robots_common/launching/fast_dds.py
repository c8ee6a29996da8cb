# SPDX-License-Identifier: Apache-2.0
"""The Fast DDS profile with which processes exchange big images, see config/fastdds.xml."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
"""The first is what Fast DDS reads in the distributions of READ_THE_FIRST; later, the second."""
READ_THE_FIRST = ("humble", "iron", "jazzy")
"""Distributions (ROS_DISTRO)."""
FILES = ("DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml")
"""What it reads from the working directory by itself."""


def environment(profile: str) -> dict[str, str]:
    """Return the environment that names ``profile``.

    It is empty where the user has a profile of their own, by environment or in the working
    directory.
    """
    if any(os.environ.get(name) for name in VARIABLES) or any(Path(n).exists() for n in FILES):
        return {}
    return naming(profile)


def naming(profile: str) -> dict[str, str]:
    """Return the environment that names ``profile`` by the variable that this distribution reads.

    Where it is not known which distribution this is, by both.
    """
    distribution = os.environ.get("ROS_DISTRO")
    if not distribution:
        return dict.fromkeys(VARIABLES, profile)
    # Later releases complain of the older variable.
    return {VARIABLES[0 if distribution in READ_THE_FIRST else 1]: profile}
