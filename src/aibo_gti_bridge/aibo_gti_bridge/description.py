# SPDX-License-Identifier: Apache-2.0
"""The robot's URDF."""

from __future__ import annotations

from pathlib import Path

URDF_FILE = Path(__file__).with_name("urdf") / "ers7.urdf"


def urdf_text() -> str:
    """Return the URDF of an ERS-7."""
    return URDF_FILE.read_text(encoding="utf-8")
