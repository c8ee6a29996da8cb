# SPDX-License-Identifier: Apache-2.0
"""Every test session has a ROS domain of its own and talks over loopback only."""

from __future__ import annotations

import os
from contextlib import ExitStack

import pytest

_session = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Choose the domain before anything of ROS is imported."""
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ.pop("ROS_LOCALHOST_ONLY", None)
    os.environ.pop("ROS_STATIC_PEERS", None)
    try:
        from domain_coordinator import domain_id
    except ImportError:
        return  # no ROS here: the packages without ROS can still be tested
    os.environ["ROS_DOMAIN_ID"] = str(_session.enter_context(domain_id()))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that nobody waits for them in the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give the domain back."""
    _session.close()
