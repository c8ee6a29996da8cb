# SPDX-License-Identifier: Apache-2.0
"""What one viewer is shown: a state of a world, with the description of its map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.web import State, change, packed


@dataclass(frozen=True)
class Picture:
    """A state with the description of the map it belongs to."""

    world: dict[str, Any]
    state: State

    def since(self, sent: Picture | None) -> Iterator[str]:
        """Return the map where it is another one, and what has changed."""
        if sent is None or sent.world is not self.world:
            yield packed({"type": "world", **self.world})
            sent = None
        difference = change(sent.state if sent else {}, self.state)
        if difference:
            yield packed({"type": "state", **difference})
