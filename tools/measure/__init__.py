# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What measures speed and reliability: each a package that ``python -m measure.NAME`` runs.

tools/bench, tools/faults, tools/soak, tools/fuzz and tools/rviz_views start them in the workspace.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
RESULTS = ROOT / "docs" / "results"
"""Where the tools keep their tables, each on a page of its own."""
