# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What people are shown and asked in an experiment: forms, and the plan of who takes part."""

from bw4t_study.people.forms import Form, Item
from bw4t_study.people.plan import PeoplePlan, read_people

__all__ = ["Form", "Item", "PeoplePlan", "read_people"]
