# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The errors of a running world. Those of map and scenario files are in their packages."""

from __future__ import annotations


class WorldError(Exception):
    """Something asked of a world cannot be done; the text names it. The world goes on."""


class SpawnError(WorldError):
    """A robot or e-partner cannot be put into the world; the text names it and the place."""


class PlacementError(WorldError):
    """The blocks of a room cannot be laid out; the text names the room."""


class ActionError(WorldError):
    """An action that the environment answers with an error (specification, "Basic Actions").

    The text ends with what the original server says, where it says something. What fails
    *silently* there is no error: see :class:`bw4t_world.actions.Outcome`.
    """
