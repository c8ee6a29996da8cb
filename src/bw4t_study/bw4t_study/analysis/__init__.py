# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tables and plots of recorded games."""

from bw4t_study.analysis.export import write_tables
from bw4t_study.analysis.tables import TABLES, tables_of

__all__ = ["TABLES", "tables_of", "write_tables"]
