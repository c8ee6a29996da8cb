# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The console program, ``python -m bw4t_world``."""

from bw4t_world.console.program import main

__all__ = ["main"]
