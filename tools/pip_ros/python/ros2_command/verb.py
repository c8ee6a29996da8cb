# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a command of the program consists of."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Result = int | str | None
"""An exit code; a text is printed to standard error and the exit code is 1; None is success."""


class CommandError(Exception):
    """The user has to do something differently; its text says what."""


@dataclass(frozen=True)
class Verb:
    """One command: its help, its arguments and what it does."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], Any]
    main: Callable[[argparse.Namespace], Result]
