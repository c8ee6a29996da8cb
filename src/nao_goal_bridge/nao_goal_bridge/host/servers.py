# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions and services of the robot in ROS, by the names and types of parameters."""

from __future__ import annotations

import importlib
from typing import Any

from rclpy.node import Node

from legacy_robots_common.goals.remote import RemoteAction, RemoteService


def remote(node: Node, kind: str, name: str) -> RemoteAction | RemoteService:
    """Return an action or a service by its name, relative to the node's namespace.

    ``kind`` is its type, such as ``nav2_msgs/action/NavigateToPose`` or ``std_srvs/srv/Trigger``.
    Raises ValueError, with a sentence, for one that is none or is not installed.
    """
    package, _, rest = kind.partition("/")
    group, _, type_name = rest.partition("/")
    if group not in ("action", "srv") or not type_name:
        raise ValueError(f"{kind!r} is no type such as nav2_msgs/action/NavigateToPose")
    try:
        interface: type[Any] = getattr(importlib.import_module(f"{package}.{group}"), type_name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the type {kind} is not installed: {error}") from error
    return (RemoteAction if group == "action" else RemoteService)(node, interface, name)
