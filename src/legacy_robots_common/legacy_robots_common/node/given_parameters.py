# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a command line gives parameters, read before there is a node that could be asked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

__all__ = ["given_values"]


def given_values(arguments: Sequence[str], name: str) -> Iterator[Any]:
    """Yield what the command line gives a parameter for whichever node of the process.

    The node and its name are not known yet. Files that cannot be read are passed over: rclpy
    reports them.
    """
    for option, value in itertools.pairwise(arguments):
        try:
            if option in ("-p", "--param"):
                full_name, _, text = value.partition(":=")
                if full_name.rpartition(":")[2] == name:
                    yield yaml.safe_load(text)
            elif option == "--params-file":
                yield from _named(yaml.safe_load(Path(value).read_text(encoding="utf-8")), name)
        except (OSError, UnicodeDecodeError, yaml.YAMLError):
            continue


def _named(document: Any, name: str) -> Iterator[Any]:
    if isinstance(document, dict):
        for key, value in document.items():
            if key == name:
                yield value
            else:
                yield from _named(value, name)
