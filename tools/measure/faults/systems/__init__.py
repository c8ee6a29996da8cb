# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the campaign asks of each system, as its entry in the registry says.

What the registry cannot express has a module here, called as --system names it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from legacy_robots_common.system import systems
from measure.faults.registered import campaign_of
from measure.faults.system import System

FURTHER = ("aibo_tekkotsu", "gti_host", "luar_joints", "nao_host", "nao_tiles")
"""Bring-ups beyond one of each bridge."""


def _found() -> Iterator[tuple[str, type[System]]]:
    own = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")}
    for declared in systems():
        campaign = None if declared.name in own else campaign_of(declared)
        if campaign is not None:
            yield declared.name, campaign
    registered = [system.name for system in systems() if system.name in own]
    for name in (*registered, *FURTHER):
        yield name, importlib.import_module(f"{__name__}.{name}").SYSTEM


SYSTEMS: Mapping[str, type[System]] = dict(_found())
