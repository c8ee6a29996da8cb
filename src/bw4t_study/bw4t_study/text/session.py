# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One robot that is played in words. Time passes only while its player does not think."""

from __future__ import annotations

import time
from collections.abc import Callable

from bw4t_study.text.view import DROP_ZONE, described, listed
from bw4t_world import ActionError, Effect, World
from bw4t_world.agents import Beliefs, WorldPlayer, team_kind
from bw4t_world.agents.teams import STEP_SECONDS
from bw4t_world.messages import FORMS, Message, MessageType, parse_text

MAX_WAY_S = 300.0
"""Simulated seconds after which a way is reported as not ended."""

MAX_WAIT_S = 60.0
MAX_TEXT = 300
"""Characters of an argument."""


class RefusedError(ValueError):
    """Something that cannot be done; the sentence says why. The world is unchanged."""


class TextSession:
    """Plays robot ``name``; ``team`` plays all others.

    The world stands still while the player thinks. With ``budget`` thinking costs: as many
    simulated seconds as real ones, up to ``budget``, pass before each request. Every request and
    its answer become notes of the world, so that they stand in its record. Belongs to one thread
    at a time. Raises ValueError for an unknown team, WorldError for an unknown name.
    """

    def __init__(
        self,
        world: World,
        name: str,
        team: str = "searchers",
        *,
        budget: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.world = world
        self.name = name
        self._player = WorldPlayer(world, name)
        kind = team_kind(team)
        phrasing = world.profile.message_phrasing
        others = [robot.name for robot in world.snapshot().robots if robot.name != name]
        self._mates = [
            kind.make(WorldPlayer(world, mate), seed=world.seed + number, phrasing=phrasing)
            for number, mate in enumerate(others, 1)
        ]
        self._beliefs = Beliefs()
        self._seen: dict[str, dict[int, str]] = {}
        self._heard: list[str] = []
        self._budget = budget
        self._clock = clock
        self._answered_at = clock()
        self._step_ticks = max(1, round(STEP_SECONDS / world.profile.tick_seconds))
        self._perceive()

    # --- Time ----------------------------------------------------------------------------

    def _perceive(self) -> None:
        beliefs = self._beliefs
        beliefs.update(self._player.percepts())
        self._heard += [f"{sender}: {text}" for sender, text in beliefs.inbox]
        if beliefs.room and beliefs.room != DROP_ZONE:
            self._seen[beliefs.room] = beliefs.visible

    def _pass(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        self._perceive()  # an action's effect is seen also where time has stopped
        end = self.world.now + round(seconds / self.world.profile.tick_seconds)
        while self.world.now < end and not self.world.is_complete and not until():
            for mate in self._mates:
                mate.step()
            self.world.tick(min(self._step_ticks, end - self.world.now))
            self._perceive()

    # --- Requests ------------------------------------------------------------------------

    def request(self, tool: str, *arguments: object) -> str:
        """Carry out a request by the name of a method below; return the answer.

        A request that cannot be carried out is answered with a sentence that begins with
        ``Refused``; nothing is raised.
        """
        said = ", ".join(repr(argument)[:MAX_TEXT] for argument in arguments)
        if self._budget:
            self._pass(min(self._budget, self._clock() - self._answered_at))
        self.world.note(self.name, f"request: {tool}({said})")
        try:
            answer: str = getattr(self, tool)(*arguments)
        except (ActionError, RefusedError, TypeError) as error:
            answer = f"Refused: {str(error).rpartition(' failed: ')[2][:MAX_TEXT]}"
        if self._heard:
            answer += "\nHeard: " + " | ".join(self._heard)
            self._heard = []
        if self.world.is_complete:
            answer += f"\nThe sequence is complete after {self.world.seconds:.1f} s."
        self.world.note(self.name, f"answer: {answer}")
        self._answered_at = self._clock()
        return answer

    def look(self) -> str:
        """Return what the robot perceives and remembers."""
        return described(self._beliefs, self._seen, self.world.seconds)

    def places(self) -> str:
        """Return all places with their neighbours."""
        zones = self._beliefs.zones.items()
        return "\n".join(f"{name}: next to {listed(zone[2])}." for name, zone in sorted(zones))

    def go_to(self, place: str) -> str:
        """Go to a place and wait until the robot stands."""
        return self._go("goTo", _text(place, "place"), f"at {place}")

    def go_to_block(self, block: int) -> str:
        """Go to a block in sight and wait until the robot stands."""
        return self._go("goToBlock", _number(block, "block"), f"at block {block}")

    def go_around(self) -> str:
        """Go around what has stopped the robot to its last target."""
        return self._go("navigateObstacles", None, "at the target")

    def _go(self, action: str, target: str | int | None, where: str) -> str:
        self._player.act(action, *(() if target is None else (target,)))
        self._pass(2 * STEP_SECONDS)
        self._pass(MAX_WAY_S, lambda: not self._beliefs.is_moving)
        beliefs = self._beliefs
        if beliefs.is_moving and self.world.is_complete:
            return "Still on the way, and the sequence is complete."
        if beliefs.is_moving:
            return f"Still on the way after {MAX_WAY_S:g} s."
        if beliefs.has_collided:
            return f"Stopped on the way by {listed(beliefs.bumped)}."
        return f"Arrived {where}."

    def pick_up(self) -> str:
        """Pick up the nearest block in reach."""
        before = set(self._beliefs.holding)
        arguments = self._beliefs.at_blocks[:1] if self.world.profile.pick_up_by_id else ()
        self._player.act("pickUp", *arguments)
        self._pass(STEP_SECONDS)
        taken = set(self._beliefs.holding) - before
        if not taken:
            return "Nothing was picked up: no block is in reach, or you hold all that you can."
        return f"Picked up {listed(f'block {b} ({self._beliefs.colors[b]})' for b in taken)}."

    def put_down(self) -> str:
        """Put down the block on top; in the drop zone this delivers it if its colour is due."""
        effect = self.world.act(self.name, "putDown").effect
        self._pass(STEP_SECONDS)
        if effect is Effect.DELIVERED:
            return "Delivered: the colour was due."
        if effect is Effect.WRONG_DROP:
            return "Wrong drop: the colour was not due, and the block is gone."
        return "Put down."

    def say(self, sentence: str, receiver: str = "all") -> str:
        """Send one of the messages of the list to a player, or to all."""
        text = _text(sentence, "sentence")
        message: Message = parse_text(text, self.world.profile.message_phrasing)
        if message.type is MessageType.UNKNOWN:
            raise RefusedError(f"{text!r} is none of the messages; the tool messages lists them")
        self._player.act("sendMessage", _text(receiver, "receiver"), text)
        self._pass(STEP_SECONDS)
        return "Sent."

    def messages(self) -> str:
        """Return all messages that can be said."""
        return "\n".join(sentences(self.world))

    def wait(self, seconds: float) -> str:
        """Let simulated time pass."""
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise RefusedError("seconds must be a number")
        if not 0 < seconds <= MAX_WAIT_S:
            raise RefusedError(f"seconds must be above 0 and at most {MAX_WAIT_S:g}")
        self._pass(float(seconds))
        return f"{seconds:g} s later."

    def measures(self) -> str:
        """Return the measures of the team so far."""
        return "\n".join(self.world.measures().lines())


def sentences(world: World) -> list[str]:
    """Return the messages that can be said, with the names of what is filled in in braces."""
    phrasing = world.profile.message_phrasing
    texts = (form.texts(phrasing)[:1] for form in FORMS)
    return list(dict.fromkeys(text for one in texts for text in one))


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT:
        raise RefusedError(f"{what} must be a text of at most {MAX_TEXT} characters")
    if not value.isprintable():
        raise RefusedError(f"{what} has characters that cannot be printed")
    return value


def _number(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RefusedError(f"{what} must be a whole number")
    return value
