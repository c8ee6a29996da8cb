# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors for constructs that the real launch packages have and this subset has not."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_WHERE = "see tools/pip_ros/README.md; the complete package comes with a ROS 2 installation"


def outside_subset(name: str) -> str:
    """Return the sentence for the construct NAME that is not provided."""
    return f"{name} is not part of the subset that tools/pip_ros provides; {_WHERE}"


def missing_attribute(module: str, folder: str | None = None) -> Callable[[str], Any]:
    """Return a module ``__getattr__`` that names the missing construct.

    Submodules that exist below `folder` are imported on demand, as with the original packages,
    where ``import launch`` makes ``launch.actions`` usable.
    """

    def getattr_(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if folder is not None and not name.startswith("_"):
            path = Path(folder, name)
            if path.is_dir() or path.with_suffix(".py").is_file():
                return importlib.import_module(f"{module}.{name}")
        # An AttributeError would be turned into a bare "cannot import name".
        raise ImportError(outside_subset(f"{module}.{name}"), name=module)

    return getattr_


def reject_keywords(owner: str, unknown: Mapping[str, object]) -> None:
    """Raise TypeError naming the keyword arguments of `owner` that are not provided."""
    if unknown:
        names = ", ".join(repr(name) for name in unknown)
        raise TypeError(outside_subset(f"keyword argument {names} of {owner}"))


class _SubmoduleFinder(importlib.abc.MetaPathFinder):
    """Name the missing submodule of our packages (asked only after every other finder)."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".")[0] in ("launch", "launch_ros") and "." in fullname:
            parent = sys.modules.get(fullname.rpartition(".")[0])
            if parent is not None and not fullname.rpartition(".")[2].startswith("_"):
                raise ModuleNotFoundError(outside_subset(fullname), name=fullname)
        return None


sys.meta_path.append(_SubmoduleFinder())
