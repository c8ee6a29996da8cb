# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Experiments: conditions, maps, teams and seeds from a file, played without ROS."""

from bw4t_study.experiment.design import Design, DesignError, Trial, read_design
from bw4t_study.experiment.running import run_experiment

__all__ = ["Design", "DesignError", "Trial", "read_design", "run_experiment"]
