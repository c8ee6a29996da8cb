# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the user of a human bot can ask its agent for in the GUI."""

from __future__ import annotations

from typing import Any

from bw4t_world.model.entities import Kind
from bw4t_world.model.errors import WorldError
from bw4t_world.model.profiles import Profile

GUI_REQUESTS: dict[str, tuple[int, ...]] = {
    "sendMessage": (2,),
    "goToBlock": (1,),
    "goTo": (1, 2),
    "pickUp": (0,),
    "putDown": (0,),
}
"""What the user of a human bot can ask for, with the numbers of arguments (specification)."""

EXTENDED_GUI_REQUESTS = ("navigateObstacles", "pickUpEPartner", "putDownEPartner")
"""What a user can ask for besides with the original client (docs/originals/bw4t.md, 4)."""


def check_user_request(
    profile: Profile, name: str, kind: str, request: str, args: tuple[Any, ...]
) -> None:
    """Raise WorldError unless the user of a player of this kind can ask for this."""
    if kind != Kind.HUMAN.value:
        raise WorldError(f"{name} has no user: it is a {kind}")
    allowed = dict(GUI_REQUESTS)
    if profile.pick_up_by_id:
        allowed["pickUp"] = (1,)
    if profile.extended_gui_percepts:
        allowed |= dict.fromkeys(EXTENDED_GUI_REQUESTS, (0,))
    if len(args) not in allowed.get(request, ()):
        raise WorldError(f"a user cannot ask for {request} with {len(args)} parameters")
