# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an agent needs of the environment, whatever lies between: percepts in, actions out."""

from __future__ import annotations

from abc import ABC, abstractmethod

from bw4t_world.model.percepts import PerceptUpdate

Argument = str | int | float
"""An identifier or a number."""


class Player(ABC):
    """One robot, as its agent sees it.

    A world in the same process, or a node of a robot middleware, implements these two methods;
    the agents use nothing else.
    """

    @abstractmethod
    def percepts(self) -> PerceptUpdate:
        """Return what has been perceived since the last call; both deliveries are understood."""

    @abstractmethod
    def act(self, action: str, *arguments: Argument) -> None:
        """Start an action, named as in the specification's "Basic Actions".

        Raises :class:`bw4t_world.model.errors.ActionError` when the environment answers with an
        error; actions that fail silently return.
        """
