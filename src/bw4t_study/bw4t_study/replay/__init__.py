# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Recorded games, played again."""

from bw4t_study.replay.replayed import Replay, ReplayError

__all__ = ["Replay", "ReplayError"]
