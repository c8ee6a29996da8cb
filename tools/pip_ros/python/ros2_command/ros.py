# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Modules of ROS 2, imported only when a command needs them.

They carry no complete type information; here they are all of type Any.
"""

from __future__ import annotations

import importlib
from typing import Any


def ros(module: str) -> Any:
    """Return the module `module`, for example ``rclpy.action``."""
    return importlib.import_module(module)
