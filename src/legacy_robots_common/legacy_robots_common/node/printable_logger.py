# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The logger of nodes, through which no text from outside reaches a terminal as it is."""

from __future__ import annotations

import os
from typing import Any

from rclpy.impl import rcutils_logger

from legacy_robots_core.printable import indented, printable

# rclpy's way to have a log's place in the source be that of the caller.
rcutils_logger._internal_callers.append(os.path.realpath(__file__))


class PrintableLogger(rcutils_logger.RcutilsLogger):
    """rclpy's logger; what it writes is :func:`~legacy_robots_core.printable.printable`."""

    def log(self, message: object, severity: Any, **options: Any) -> bool:
        """Log ``message``; a :class:`Lines` keeps its lines, indented."""
        if isinstance(message, Lines):
            text = f"{printable(message.title)}\n{indented(message.text)}"
        else:
            text = printable(str(message))
        return bool(super().log(text, severity, **options))


class Lines:
    """A text of several lines below a ``title``, of which each is marked as a part of it."""

    def __init__(self, title: str, text: str) -> None:
        self.title = title
        self.text = text
