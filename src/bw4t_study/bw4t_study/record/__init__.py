# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Records of games: one file of JSON lines a game, written as it happens."""

from bw4t_study.record.game_file import Game, RecordError, read_game, records_in
from bw4t_study.record.recorded_world import RecordedWorld

__all__ = ["Game", "RecordError", "RecordedWorld", "read_game", "records_in"]
