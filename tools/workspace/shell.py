# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a user's shell has set for other purposes, and what our commands make of it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from workspace import SetupError

FASTRTPS = "rmw_fastrtps_cpp"
HIGHEST_DOMAIN = 232
"""Above it the ports of DDS are too high."""
OF_OTHER_PYTHONS = (
    "CMAKE_PREFIX_PATH",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "PIP_PREFIX",
    "PIP_REQUIRE_VIRTUALENV",
    "PIP_TARGET",
    "PIP_USER",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
)
"""Variables that would lead the Python, pip or CMake of .venv elsewhere or stop them."""


def leave_other_pythons(env: dict[str, str]) -> None:
    """Remove what is meant for other environments from that of .venv, in place."""
    for name in OF_OTHER_PYTHONS:
        env.pop(name, None)


def check_no_other_ros(env: dict[str, str]) -> None:
    """Raise SetupError where a ROS installation is set up by halves: it would be mixed in."""
    if prefix := env.get("AMENT_PREFIX_PATH"):
        raise SetupError(
            f"AMENT_PREFIX_PATH is {prefix}, but there is no ros2 command: source that "
            "installation's setup file, or unset AMENT_PREFIX_PATH to use ROS 2 from PyPI"
        )


def use_fast_dds(env: dict[str, str]) -> None:
    """Choose the wheels' only middleware, in place; say so where another was asked for."""
    wanted = env.pop("RMW_IMPLEMENTATION", FASTRTPS)
    if wanted != FASTRTPS:
        print(
            f"RMW_IMPLEMENTATION={wanted} is not on PyPI: using {FASTRTPS}; "
            "source a ROS 2 installation that has it to use it",
            file=sys.stderr,
        )


def check_domain(env: dict[str, str]) -> None:
    """Raise SetupError for a ROS_DOMAIN_ID that no ROS 2 node could use."""
    text = env.get("ROS_DOMAIN_ID", "")
    if text and not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_DOMAIN):
        raise SetupError(f"ROS_DOMAIN_ID must be from 0 to {HIGHEST_DOMAIN}, not {text!r}")


def have_place_for_logs(env: dict[str, str]) -> None:
    """Send ROS's logs to the temporary directory where there is no home to write them into."""
    if env.get("ROS_LOG_DIR") or env.get("ROS_HOME"):
        return
    home = env.get("HOME")
    place = Path(home or "/", ".ros")
    if home and os.access(place if place.exists() else home, os.W_OK):
        return
    env["ROS_LOG_DIR"] = str(Path(tempfile.gettempdir(), f"ros_log_{os.getuid()}"))
