# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Scenario files: which robots and e-partners take part, with which abilities.

``writer`` writes them.
"""

from bw4t_world.scenarios.model import BotSpec, Controller, EPartnerSpec, Scenario
from bw4t_world.scenarios.reader import parse_scenario, read_scenario
from bw4t_world.scenarios.validator import ScenarioError, scenario_remarks, validate_scenario

__all__ = [
    "BotSpec",
    "Controller",
    "EPartnerSpec",
    "Scenario",
    "ScenarioError",
    "parse_scenario",
    "read_scenario",
    "scenario_remarks",
    "validate_scenario",
]
