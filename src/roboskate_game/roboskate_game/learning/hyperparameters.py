# SPDX-License-Identifier: Apache-2.0
"""Hyperparameters: those of zoo_ppo.yml and zoo_sac.yml, files of RL Baselines3 Zoo."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml
from torch import nn


def zoo_settings(algorithm: str, environment: str) -> dict[str, Any]:
    """Return what the zoo's file has for "ppo" or "sac" and a registered environment."""
    source = resources.files("roboskate_game") / "learning" / f"zoo_{algorithm}.yml"
    settings: dict[str, Any] = yaml.safe_load(source.read_text(encoding="utf-8"))[environment]
    # The zoo's format: expressions in strings.
    network = settings["policy_kwargs"]
    settings["policy_kwargs"] = eval(network, {"__builtins__": {}, "dict": dict, "nn": nn})
    return settings
