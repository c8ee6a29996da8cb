# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The registry's entry of RoboSkate."""

from roboskate_bridge.system import SYSTEM
from roboskate_game.simulator.game_service import ROBOSKATE_FAULTS


def test_the_registry_names_the_faults_of_the_game():
    assert sorted(SYSTEM.faults) == sorted(ROBOSKATE_FAULTS)
