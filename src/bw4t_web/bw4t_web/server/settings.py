# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How the page's server behaves."""

from __future__ import annotations

from dataclasses import dataclass, field

from bw4t_web.view.others import PersonView
from bw4t_world.scenarios import BotSpec


@dataclass(frozen=True)
class Settings:
    """How the server behaves.

    ``frame_rate`` in frames a second; ``grace`` is how long, in seconds, a robot waits for a
    person whose connection is lost; ``watch`` lets those without a robot see the world;
    ``control`` lets all pause and reset it; ``bot`` has the abilities of new human bots.
    A world that stands still goes on when ``wait_for_people`` people steer robots. ``view`` is
    what people see of others, and whether they write free text. ``language`` is a file with the
    texts of the page (docs/bw4t_page.md#another-language); empty: English.
    """

    frame_rate: float = 15.0
    grace: float = 60.0
    watch: bool = True
    control: bool = False
    wait_for_people: int = 0
    bot: BotSpec = field(default_factory=BotSpec)
    language: str = ""
    view: PersonView = field(default_factory=PersonView)
