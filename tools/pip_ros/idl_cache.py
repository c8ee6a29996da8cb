# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Keeps what rosidl has parsed: each of its generators parses the same interface files again.

Copied into .venv beside rosidl_parser, whose function it replaces (see virtual_environment.py).
"""

import hashlib
import pickle
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(sys.prefix, "idl_cache")

Parse = Callable[..., Any]


def kept(parse: Parse, folder: Path = FOLDER) -> Parse:
    """Return ``parse``, a function of a text, with its results kept in ``folder``."""

    def parse_or_load(text: str, *arguments: Any, **options: Any) -> Any:
        path = folder / hashlib.sha256(text.encode()).hexdigest()
        try:
            return pickle.loads(path.read_bytes())
        except OSError:
            content = parse(text, *arguments, **options)
        folder.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(pickle.dumps(content))
        Path(file.name).replace(path)  # whole or not at all: generators run at the same time
        return content

    return parse_or_load
