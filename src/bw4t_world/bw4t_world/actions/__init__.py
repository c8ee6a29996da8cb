# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The actions of robots and e-partners, by name and number of arguments.

Names and rules follow the specification, section "Basic Actions", and the servers where the
profile says so (docs/originals/bw4t.md, 3 and 5). What the environment answers with an error
raises :class:`~bw4t_world.model.errors.ActionError`; everything else returns an :class:`Outcome`,
which also says what happened where an action fails silently.
"""

from bw4t_world.actions.outcomes import Effect, Outcome
from bw4t_world.actions.table import DOCUMENT_NAMES, Actions
from bw4t_world.actions.talking import ALL_PLAYERS, BACKLOG_LIMIT

__all__ = ["ALL_PLAYERS", "BACKLOG_LIMIT", "DOCUMENT_NAMES", "Actions", "Effect", "Outcome"]
