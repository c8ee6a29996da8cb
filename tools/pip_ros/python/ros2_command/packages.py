# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Packages, their folders and executables."""

from __future__ import annotations

import os
from pathlib import Path

from ros2_command.verb import CommandError


def prefix_of(package: str, message: str = "Package '{}' not found") -> Path:
    """Return the prefix of `package`; CommandError with `message` if there is no such package."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        return Path(get_package_prefix(package))
    except (PackageNotFoundError, ValueError) as error:
        raise CommandError(message.format(package, error)) from None


def executables(package: str, message: str = "Package '{}' not found") -> list[Path]:
    """Return the executables of `package` (files below ``lib/<package>``)."""
    folder = prefix_of(package, message) / "lib" / package
    return [
        path for path in sorted(folder.rglob("*")) if path.is_file() and os.access(path, os.X_OK)
    ]
