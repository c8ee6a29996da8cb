# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The package itself: manifest, parameters file, page, registry and style."""

from pathlib import Path

import pytest
from kuka_rsi_bridge.system import SYSTEM

from legacy_robots_testing.package_checks import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_package(check):
    check(Path(__file__).parents[1], SYSTEM)
