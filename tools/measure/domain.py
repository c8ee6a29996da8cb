# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The ROS domain of a measurement."""

from __future__ import annotations

import os
from contextlib import ExitStack

from legacy_robots_testing.machine import own_domain


def own_domain_unless_set(stack: ExitStack) -> None:
    """Take a ROS domain of our own, unless one is set already: that of a test session."""
    if not os.environ.get("ROS_DOMAIN_ID"):
        own_domain(stack)
