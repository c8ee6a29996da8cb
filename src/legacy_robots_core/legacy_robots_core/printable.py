# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Texts from outside in logs: no control character reaches a terminal, and no line is forged.

Every log of this project passes through :func:`printable`: nodes through the logger of
``ProgramNode``, other programs through :func:`set_up_logging`, and what Python itself prints
through ``executable.py``. ROS-free.
"""

from __future__ import annotations

import logging
import sys

__all__ = ["printable", "set_up_logging"]

LONGEST = 2000
"""Characters of a line of a log; of a longer one the rest is left out."""
FORMAT = "%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s"


def printable(text: str, longest: int = LONGEST) -> str:
    r"""Return ``text`` as one line of printable characters, at most about ``longest`` of them.

    Line feeds, escape sequences, directional marks and lone surrogates become ``\n``, ``\x1b``,
    ``\u202e`` and ``\udc80``.
    """
    rest = len(text) - longest
    if rest > 0:
        text = text[:longest]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return f"{text}... ({rest} more characters)" if rest > 0 else text


class PrintableFormatter(logging.Formatter):
    """Formats a record as :func:`printable` lines; those of a traceback are indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the record's line."""
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's name
        """Return the lines of a traceback, each of which can be distinguished from a record."""
        return indented(super().formatException(ei))  # type: ignore[arg-type]


def indented(text: str) -> str:
    """Return the lines of ``text``, a traceback, :func:`printable` and marked as a part of it."""
    return "\n".join(f"  | {printable(line)}" for line in text.splitlines())


def set_up_logging(level: str = "info", *, format: str = FORMAT, force: bool = True) -> None:
    """Write log records with their time to standard error, from ``level`` upwards.

    Without ``force`` nothing changes where the program has set up its logging itself.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PrintableFormatter(format, "%H:%M:%S"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=force)
