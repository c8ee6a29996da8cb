# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Simulated dogs for the tests of this package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from aibo_gti_bridge.simulator.dog import DogSimulator, SimulatorConfig
from aibo_gti_bridge.simulator.program import make

if find_spec("rclpy") is None:  # installed by pip, without ROS
    collect_ignore = ["node", "test_conversions.py", "test_description.py", "test_trajectory.py"]

MakeSimulator = Callable[..., DogSimulator]


@pytest.fixture
def make_simulator() -> Iterator[MakeSimulator]:
    """Return a function that starts a simulator on a free port; all are closed at the end."""
    started: list[DogSimulator] = []

    def start(**config: Any) -> DogSimulator:
        simulator = make(SimulatorConfig(**{"port": 0, **config}))
        simulator.start()
        started.append(simulator)
        return simulator

    yield start
    for simulator in started:
        simulator.close()
