# SPDX-License-Identifier: Apache-2.0
"""Scenario files: which robots and e-partners take part, with which abilities."""

from bw4t_world.scenarios.model import BotSpec, Controller, EPartnerSpec, Scenario

__all__ = ["BotSpec", "Controller", "EPartnerSpec", "Scenario"]
