# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What launch prints, and its log files.

Everything goes to standard output as ``[LEVEL] [logger]: text``; the output of processes as
``[name-N] line``. The same lines, with times, go to `launch.log` in the log folder.
"""

from __future__ import annotations

import datetime
import logging
import os
import socket
import sys
from pathlib import Path
from typing import TextIO

__all__ = ["get_logger"]

_PREFIX = "pip_ros.launch"
_OUTPUT = f"{_PREFIX}.output"


class _ScreenFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.name == _OUTPUT:
            return text
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return f"[{record.levelname}] [{_shown(record.name)}]: {text}"


class _FileFormatter(_ScreenFormatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"{record.created:.7f} {super().format(record)}"


class _ScreenHandler(logging.Handler):
    """Write to the standard output of the moment; after a closed pipe it stays silent."""

    def __init__(self) -> None:
        super().__init__()
        self._closed = False

    def emit(self, record: logging.LogRecord) -> None:
        if self._closed or not getattr(record, "on_screen", True):
            return
        stream: TextIO = sys.stdout
        try:
            stream.write(self.format(record) + "\n")
            stream.flush()
        except (BrokenPipeError, ValueError):
            # The reader has gone; the launched processes go on and are still shut down.
            self._closed = True


class _LogFile(logging.FileHandler):
    """The log file; where it cannot be written, as on a full disk, that is said once."""

    _failed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless one could not be written."""
        if not self._failed:
            try:
                super().emit(record)
            except OSError:  # it cannot be opened
                self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Write no more."""
        self._failed = True
        reason = sys.exc_info()[1]
        print(f"{self.baseFilename} cannot be written: {reason}", file=sys.stderr, flush=True)


def _shown(name: str) -> str:
    return name[len(_PREFIX) + 1 :] or "launch"


def get_logger(name: str | None = None) -> logging.Logger:
    """Return the logger whose lines are marked ``[name]`` (without a name ``[root]``)."""
    return logging.getLogger(f"{_PREFIX}.{name or 'root'}")


def log_output(line: str, *, screen: bool, file: bool) -> None:
    """Pass on one line of a process's output, already marked with its name."""
    if screen or file:
        extra = {"on_screen": screen, "in_file": file}
        logging.getLogger(_OUTPUT).info("%s", line, extra=extra)


def configure(*, debug: bool = False) -> Path | None:
    """Start logging and return the folder of the log files (None where none can be made)."""
    root = logging.getLogger(_PREFIX)
    root.propagate = False
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    screen = _ScreenHandler()
    screen.setFormatter(_ScreenFormatter())
    root.addHandler(screen)
    folder = _log_folder()
    if folder is not None:
        # delay: a launch that is only described leaves no empty file behind
        file = _LogFile(folder / "launch.log", encoding="utf-8", delay=True)
        file.setFormatter(_FileFormatter())
        file.addFilter(lambda record: getattr(record, "in_file", True))
        root.addHandler(file)
    return folder


def _log_folder() -> Path | None:
    """Make the folder of this run below ROS_LOG_DIR, ROS_HOME/log or ~/.ros/log."""
    home = os.environ.get("ROS_HOME") or os.path.join("~", ".ros")
    base = Path(os.environ.get("ROS_LOG_DIR") or os.path.join(home, "log")).expanduser()
    stamp = datetime.datetime.now().strftime("%Y-%m-%d-%H-%M-%S-%f")
    folder = base / f"{stamp}-{socket.gethostname()}-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder
