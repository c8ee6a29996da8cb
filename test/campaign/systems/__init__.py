# SPDX-License-Identifier: Apache-2.0
"""What the campaign asks of each system: a module for each, called like the system."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from system import System

from legacy_robots_common.system import names

SYSTEMS: Mapping[str, type[System]] = {
    name: importlib.import_module(f"{__name__}.{name}").SYSTEM for name in names()
}
