# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a launch file starts: launch runs it with a prefix that writes down each command line."""

from __future__ import annotations

import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

from launch.actions import IncludeLaunchDescription, SetLaunchConfiguration
from launch.launch_description_sources import PythonLaunchDescriptionSource

from launch import LaunchDescription, LaunchService
from legacy_robots_launch.parameters import values_of

_RECORDER = """
import json, os, sys
folder, *words = sys.argv[1:]
files = [word for word in words if word.endswith((".yaml", ".rviz")) and os.path.isfile(word)]
record = {"words": words, "texts": {file: open(file, encoding="utf-8").read() for file in files}}
with open(f"{folder}/{os.getpid()}.json", "w", encoding="utf-8") as file:
    json.dump(record, file)
"""


class Started:
    """A program that launch has started.

    ``name`` is the full name of a node, ``arguments`` the words before the ROS arguments,
    ``parameters`` what parameters files say for it, as texts, and ``texts`` the files among its
    words by their paths.
    """

    def __init__(self, words: list[str], texts: dict[str, str], folder: Path) -> None:
        self.package, self.executable = words[0].split("/")[-2:]
        end = words.index("--ros-args") if "--ros-args" in words else len(words)
        self.arguments, self.texts = words[1:end], texts
        namespace, name = "/", self.executable
        for word in words[end:]:
            if word.startswith("__ns:="):
                namespace = word.removeprefix("__ns:=")
            elif word.startswith("__node:="):
                name = word.removeprefix("__node:=")
        self.name = f"{namespace.rstrip('/')}/{name}"
        self.parameters: dict[str, str] = {}
        for option, value in itertools.pairwise(words[end:]):
            if option == "--params-file":
                path = folder / "parameters.txt"
                path.write_text(texts[value], encoding="utf-8")
                self.parameters |= values_of(str(path), self.name)

    @property
    def options(self) -> dict[str, str]:
        """Its own options that are not empty."""
        pairs = zip(self.arguments[::2], self.arguments[1::2], strict=True)
        return {option: value for option, value in pairs if value}


def started(folder: Path, path: Path, **given: str) -> list[Started]:
    """Return what a launch file starts, in no order; ``folder`` is an empty one for this.

    Raises RuntimeError where launch fails.
    """
    recorder = folder / "recorder.py"
    recorder.write_text(_RECORDER, encoding="utf-8")
    prefix = f"{sys.executable} -ISs {recorder} {folder}"
    include: Any = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(path)), launch_arguments=given.items()
    )
    service = LaunchService(noninteractive=True)
    service.include_launch_description(
        LaunchDescription([SetLaunchConfiguration("launch-prefix", prefix), include])
    )
    if service.run() != 0:
        raise RuntimeError(f"{path.name} cannot be launched")
    records = [json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.json")]
    return [Started(record["words"], record["texts"], folder) for record in records]


def fake_packages(prefix: Path, *programs: str) -> str:
    """Install programs PACKAGE/EXECUTABLE that are files only; return an AMENT_PREFIX_PATH."""
    for program in programs:
        package = program.split("/")[0]
        for path in (
            prefix / "share" / "ament_index" / "resource_index" / "packages" / package,
            prefix / "lib" / program,
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o755)
    return f"{prefix}:{os.environ['AMENT_PREFIX_PATH']}"
