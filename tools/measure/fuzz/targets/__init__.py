# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is fuzzed: a module for each decoder.

A target has ``seeds()``, a list of inputs that are well-formed or nearly so, and
``one_input(data)``, which takes any bytes and raises where the decoder does what it must not:
another exception than its documented one, different results for different pieces, an answer that
cannot be written back the same, places out of bounds. Inputs that once went wrong are kept in
``examples/NAME/`` beside this folder.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from legacy_robots_common.system import systems

PACKAGES = [package for s in systems() for package in (s.package, *s.further_packages)]
"""What is under test."""
HERE = Path(__file__).parent
EXAMPLES = HERE.with_name("examples")
NAMES = sorted(path.stem for path in HERE.glob("[a-z]*.py"))


def load(name: str) -> ModuleType:
    """Import a target, and with it what is under test."""
    return importlib.import_module(f"{__name__}.{name}")


def examples(name: str) -> list[Path]:
    """Return the inputs that once went wrong."""
    return sorted((EXAMPLES / name).glob("*"))
