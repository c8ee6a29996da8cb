# SPDX-License-Identifier: Apache-2.0
"""What the campaign asks of each system: a module for each, called as --system names it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from legacy_robots_common.system import names
from measure.faults.system import System

FURTHER = ("gti_host", "luar_joints", "nao_host")
"""Bring-ups beyond one of each bridge."""
WITH_ORIGINALS = tuple(
    name
    for name in ("bw4t_original",)
    if importlib.import_module(f"{__name__}.{name}").is_possible()
)
"""Bring-ups with programs of the user."""
SYSTEMS: Mapping[str, type[System]] = {
    name: importlib.import_module(f"{__name__}.{name}").SYSTEM
    for name in (*names(), *FURTHER, *WITH_ORIGINALS)
}
