# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Which packages are the project's own, and which are guests: robots that a user has added.

A guest is a package in src/ that declares a system which the bring-up does not name, and what
belongs to it by its name (``gripper_bridge``, ``gripper_msgs``).
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from workspace import ROOT

VARIABLE = "LEGACY_ROBOTS_SYSTEMS_OF"
"""Names the packages whose systems the registry has, see legacy_robots_common.system."""


def shipped() -> set[str]:
    """Return the packages that the bring-up depends on: those of the shipped systems."""
    manifest = ElementTree.parse(ROOT / "src" / "legacy_robots_bringup" / "package.xml")
    return {depend.text or "" for depend in manifest.iter("exec_depend")}


def guests() -> set[str]:
    """Return the names of the guests' packages in src/."""
    named = shipped()
    stems = {
        path.parent.name.removesuffix("_bridge")
        for path in ROOT.glob("src/*/setup.py")
        if path.parent.name not in named and "legacy_robots_common.systems" in path.read_text()
    }
    return {
        path.parent.name
        for path in ROOT.glob("src/*/package.xml")
        if any(path.parent.name in (stem, f"{stem}_bridge", f"{stem}_msgs") for stem in stems)
    }


def packages() -> list[Path]:
    """Return the directories of the project's own packages."""
    others = guests()
    found = (path.parent for path in ROOT.glob("src/*/package.xml"))
    return sorted(path for path in found if path.name not in others)


def leave_out() -> None:
    """Have the registry know the shipped systems alone, here and in all that is started."""
    os.environ.setdefault(VARIABLE, ",".join(sorted(shipped())))
