# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds this workspace and runs commands in it, with or without a ROS 2 installation.

Only the standard library is used here: these modules run before anything is installed.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: the directory that holds src/, launch/ and tools/."""


class SetupError(Exception):
    """Something the user has to change on the machine; the message is one sentence saying what."""
