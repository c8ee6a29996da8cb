# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""URDF files of the Nao, the AIBO ERS-7 and RoboSkate's board. No ROS.

Also installed in ``share/legacy_robots_description/urdf``, where launch files find them.
"""

from importlib import resources


def urdf(robot: str) -> str:
    """Return the text of ``nao``, ``ers7`` or ``roboskate``. Raises FileNotFoundError."""
    return (resources.files(__name__) / "urdf" / f"{robot}.urdf").read_text(encoding="utf-8")
