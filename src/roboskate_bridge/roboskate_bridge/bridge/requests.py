# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a game is asked for besides going on: one request, from its submission to its answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from roboskate_game.client.client import GameClient
from roboskate_game.protocol.messages import CallFailedError


class CommandError(Exception):
    """Raised for what is not possible now; the message says why."""


@dataclass(frozen=True)
class Request:
    """``name`` is empty for a request that does not end a run_game that is under way."""

    name: str
    act: Callable[[GameClient], Any]
    future: Future[Any]

    def carry_out(self, client: GameClient) -> None:
        """Do it; answer with what it returns or raises.

        Raises what it raised, if that says something of the connection.
        """
        try:
            result = self.act(client)
        except Exception as error:
            self.future.set_exception(error)
            if not isinstance(error, (CommandError, CallFailedError)):
                raise
        else:
            self.future.set_result(result)
