# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the campaign asks of each system: a module for each, called as --system names it.

A system of another package has no module here: its entry in the registry says what is asked.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from legacy_robots_common.system import systems
from measure.faults.registered import campaign_of
from measure.faults.system import System

FURTHER = ("aibo_tekkotsu", "gti_host", "luar_host", "luar_joints", "nao_host", "nao_tiles")
"""Bring-ups beyond one of each bridge."""
WITH_ORIGINALS = tuple(
    name
    for name in ("bw4t_original",)
    if importlib.import_module(f"{__name__}.{name}").is_possible()
)
"""Bring-ups with programs of the user."""


def _found() -> Iterator[tuple[str, type[System]]]:
    own = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")}
    for declared in systems():
        campaign = None if declared.name in own else campaign_of(declared)
        if campaign is not None:
            yield declared.name, campaign
    registered = [system.name for system in systems() if system.name in own]
    for name in (*registered, *FURTHER, *WITH_ORIGINALS):
        yield name, importlib.import_module(f"{__name__}.{name}").SYSTEM


SYSTEMS: Mapping[str, type[System]] = dict(_found())
