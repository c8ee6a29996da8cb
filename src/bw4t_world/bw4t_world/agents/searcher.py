# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot that searches rooms and delivers what is due, alone or with others.

In every step it does the first of these that applies: deliver what it holds; charge when the
battery would not last; fetch a block of the first colour in the sequence that no player takes
care of, if some room is known to have one; look into the nearest room that was not looked into;
wait. Colours are taken care of strictly in order, so the team cannot end with all grippers full
of blocks that are due later.

With a voice it tells what it sees (checked rooms and their colours) and what it is about to do
(search, fetch, deliver), and believes the others; it leaves a block to those who go first.
"""

from __future__ import annotations

from collections import Counter

from bw4t_world.agents.driver import Motion
from bw4t_world.agents.geography import DROP_ZONE
from bw4t_world.agents.player import Player
from bw4t_world.agents.roamer import AVOID, DOOR, Roamer
from bw4t_world.agents.team_knowledge import Intention, Purpose, TeamKnowledge, report
from bw4t_world.maps.model import BlockColor
from bw4t_world.messages import Message, MessageType, Phrasing

_FORGET_AFTER_STEPS = 1500
"""Steps after which an intention that was not repeated is dropped."""

_REPEAT = 400
"""Steps after which an intention is said again."""

_LOOK = 1
"""Steps in a room before what is seen counts as all there is to see."""

_GRIP = 6
"""Steps that a grip may take to be perceived."""

_GRIPS = 3
"""Grips at a block before it is given up."""

_RECHECK = 300
"""Steps without anything to do before the rooms are searched again."""


class Searcher(Roamer):
    """A robot that searches and delivers; ``talks`` makes it a member of a team."""

    def __init__(
        self,
        player: Player,
        *,
        seed: int = 0,
        phrasing: Phrasing = Phrasing.DOCUMENT,
        talks: bool = True,
    ) -> None:
        super().__init__(player, seed=seed, phrasing=phrasing)
        self.knowledge = TeamKnowledge()
        self.intention: Intention | None = None
        self._talks = talks
        self._block: int | None = None
        self._grip_until = 0
        self._grips = 0
        self._drop_until = 0
        self._was_holding: tuple[int, ...] = ()
        self._idle_since: int | None = None
        self._pick_up_takes_id = True

    # --- Talking ---------------------------------------------------------------------------

    def hear(self, sender: str, message: Message) -> None:
        """Believe what the others say, and make way for who wants to come here."""
        self.knowledge.hear(sender, message, self.steps)
        if message.type is MessageType.AM_WAITING_OUTSIDE_ROOM:
            self._asked_to_make_way(message.room)

    def say(self, message: Message) -> None:
        """Tell all players, if there are others."""
        if self._talks and self.beliefs.players:
            super().say(message)

    def _intend(self, purpose: Purpose, room: str | None, color: str | None) -> None:
        """Be about to do something, and say so unless all know."""
        old = self.intention
        same = old is not None and (old.purpose, old.room, old.color) == (purpose, room, color)
        if same and old is not None and self.steps < old.said_at + _REPEAT:
            return
        self.intention = Intention(purpose, room, color, self.steps)
        paint = None if color is None else BlockColor.from_text(color)
        kinds = {
            Purpose.SEARCH: MessageType.GOING_TO_ROOM,
            Purpose.FETCH: MessageType.AM_GETTING_COLOR,
            Purpose.DELIVER: MessageType.HAS_COLOR,
        }
        self.say(Message(kinds[purpose], room=room, color=paint))

    def _give_up(self) -> None:
        """Drop the intention."""
        if self.intention is not None and self.intention.purpose is not Purpose.SEARCH:
            # There is no message for "not any more"; going elsewhere says as much.
            self.say(Message(MessageType.GOING_TO_ROOM, room=self.beliefs.at))
        self.intention = None
        self._block = None
        self._grips = 0

    # --- Deciding --------------------------------------------------------------------------

    def decide(self) -> None:
        """Do the first thing that applies."""
        beliefs = self.beliefs
        self.knowledge.forget_absent(beliefs.players, self.steps - _FORGET_AFTER_STEPS)
        self._avoid = {room: end for room, end in self._avoid.items() if end > self.steps}
        self._look_around()
        if (self._grip_until or self._drop_until) and not self._is_done():
            return
        if self._step_aside():
            self._ask_to_make_way()
            return
        if beliefs.holding:
            done = self._deliver()
        elif not beliefs.needed or beliefs.size >= DOOR:
            done = False
        else:
            done = self._charge() or self._fetch() or self._search()
        if done:
            self._idle_since = None
        else:
            self._wait()
        self._ask_to_make_way()

    def _look_around(self) -> None:
        """Note what is in the room, and tell the others unless they know."""
        beliefs, room = self.beliefs, self.beliefs.room
        if room is None or room == DROP_ZONE or beliefs.steps_in_room < _LOOK:
            return
        if beliefs.color_blind and beliefs.visible:
            return
        seen = Counter(beliefs.visible.values())
        known = self.knowledge.contents.get(room)
        if known is None or +known != seen:
            self.knowledge.contents[room] = seen
            for message in report(room, seen):
                self.say(message)

    def _is_done(self) -> bool:
        """Whether a grip or a drop has been perceived, or can no longer be."""
        beliefs = self.beliefs
        changed = beliefs.holding != self._was_holding
        if not changed and self.steps < max(self._grip_until, self._drop_until):
            return False
        if changed and self._grip_until:
            self._gripped()
        elif changed and self._drop_until:
            self._dropped()
        elif self._grip_until:
            self._grips += 1
            if self._grips >= _GRIPS:
                self._give_up_block()
        self._grip_until = self._drop_until = 0
        return True

    def _gripped(self) -> None:
        room, block = self.beliefs.room, self.beliefs.holding[0]
        color = self._color_of(block)
        self._block, self._grips = None, 0
        if room is not None and color is not None:
            self.knowledge.take(room, color)
        self._intend(Purpose.DELIVER, room, color)

    def _dropped(self) -> None:
        intention = self.intention
        self.intention = None
        if self.beliefs.room == DROP_ZONE:
            color = None if intention is None else intention.color
            paint = None if color is None else BlockColor.from_text(color)
            self.say(Message(MessageType.DROPPED_OFF_BLOCK, color=paint))
        elif intention is not None:
            self.intention = intention
            self._give_up()

    def _color_of(self, block: int) -> str | None:
        """Return the colour that was seen, or what a colour-blind robot was told."""
        if not self.beliefs.color_blind:
            return self.beliefs.colors.get(block)
        return None if self.intention is None else self.intention.color

    def _give_up_block(self) -> None:
        room = self.beliefs.room
        if room is not None:
            self._avoid[room] = self.steps + AVOID
        self._give_up()

    # --- Delivering ------------------------------------------------------------------------

    def _deliver(self) -> bool:
        beliefs, needed = self.beliefs, self.beliefs.needed
        color = self._color_of(beliefs.holding[0])
        room = None if self.intention is None else self.intention.room
        self._intend(Purpose.DELIVER, room, color)
        assert self.intention is not None
        if color is not None and needed and needed[0] == color:
            if beliefs.room == DROP_ZONE:
                self._put_down()
            else:
                self._charge(DROP_ZONE) or self._enter(DROP_ZONE)
            return True
        if self.knowledge.is_surplus(needed, beliefs.name, self.intention):
            return self._bring_back(useful=color in needed)
        self._wait_near(DROP_ZONE)
        return True

    def _bring_back(self, *, useful: bool) -> bool:
        """Put down a block that is not needed now: in a room if it may be of use again."""
        beliefs = self.beliefs
        if beliefs.room and beliefs.room != DROP_ZONE:
            self._put_down()
            return True
        if not useful and not beliefs.room and not beliefs.is_moving:
            self._put_down()
            return True
        room = self._nearest(
            room for room in self.geography.rooms if not beliefs.is_occupied_by_another(room)
        )
        return room is not None and self._enter(room)

    def _put_down(self) -> None:
        self._was_holding = self.beliefs.holding
        if self.try_to("putDown"):
            self._drop_until = self.steps + _GRIP

    # --- Fetching --------------------------------------------------------------------------

    def _fetch(self) -> bool:
        beliefs, knowledge, mine = self.beliefs, self.knowledge, self.intention
        if beliefs.capacity < 1:
            return False
        if mine is not None and mine.purpose is Purpose.FETCH and mine.room and mine.color:
            if not self._may_fetch(mine.room, mine.color) or knowledge.is_surplus(
                beliefs.needed, beliefs.name, mine
            ):
                self._give_up()
                mine = None
        else:
            mine = None
        if mine is None:
            open_needs = knowledge.open_needs(beliefs.needed, beliefs.name, None)
            if not open_needs:
                return False
            color = open_needs[0]
            room = self._nearest(
                room for room in knowledge.contents if self._may_fetch(room, color)
            )
            if room is None:
                return False
            self._intend(Purpose.FETCH, room, color)
        else:
            self._intend(Purpose.FETCH, mine.room, mine.color)
        return self._get_block()

    def _may_fetch(self, room: str, color: str) -> bool:
        contents = self.knowledge.contents.get(room, Counter())
        if room in self._avoid or self.knowledge.available(room, color) < 1:
            return False
        # A colour-blind robot finds a colour only where there is no other.
        return not self.beliefs.color_blind or set(+contents) == {color}

    def _get_block(self) -> bool:
        beliefs, mine = self.beliefs, self.intention
        assert mine is not None
        assert mine.room is not None
        if beliefs.room != mine.room:
            self._block = None
            if not self._charge(mine.room):
                self._enter(mine.room)
            return True
        if beliefs.steps_in_room < _LOOK:
            return True
        if self._block not in beliefs.visible:
            wanted = [
                block
                for block, color in sorted(beliefs.visible.items())
                if beliefs.color_blind or color == mine.color
            ]
            if not wanted:
                self._give_up()
                return False
            self._block = wanted[0]
        if self.driver.go_to(self._block, self.geography) is Motion.ARRIVED:
            self._grip(self._block)
        return True

    def _grip(self, block: int) -> None:
        self._was_holding = self.beliefs.holding
        # Servers from 3.8.4 on want to know which block; the document takes the nearest.
        if self._pick_up_takes_id and self.try_to("pickUp", block):
            self._grip_until = self.steps + _GRIP
        elif self.try_to("pickUp"):
            self._pick_up_takes_id = False
            self._grip_until = self.steps + _GRIP
        else:
            self._give_up_block()

    # --- Searching -------------------------------------------------------------------------

    def _search(self) -> bool:
        beliefs, knowledge = self.beliefs, self.knowledge
        if beliefs.color_blind and beliefs.players:
            return False
        others = knowledge.searched_by_others()
        unknown = [
            room
            for room in self.geography.rooms
            if room not in knowledge.contents and room not in self._avoid
        ]
        mine = self.intention
        if mine is not None and mine.purpose is Purpose.SEARCH and mine.room in unknown:
            rival = others.get(mine.room)
            if rival is None or beliefs.name < rival:
                return self._go_and_look(mine.room)
        free = [room for room in unknown if room not in others]
        room = self._nearest(
            [room for room in free if not beliefs.is_occupied_by_another(room)] or free
        )
        if room is None:
            return False
        return self._go_and_look(room)

    def _go_and_look(self, room: str) -> bool:
        beliefs = self.beliefs
        if self._charge(room):
            return True
        self._intend(Purpose.SEARCH, room, None)
        if beliefs.room == room:
            if beliefs.color_blind and beliefs.steps_in_room >= _LOOK:
                self._avoid[room] = self.steps + AVOID
            return True  # what is there will be noted in the next step
        arrived = self._enter(room) and not beliefs.is_moving and beliefs.at == room
        if arrived and not beliefs.room and self.driver.failures == 0:
            # It was taken for a room, but it is none.
            self.knowledge.contents.setdefault(room, Counter())
        return True

    # --- Waiting ---------------------------------------------------------------------------

    def _wait(self) -> None:
        """Have nothing to do: leave rooms to others, and look again after a while."""
        beliefs = self.beliefs
        if self.intention is not None:
            self._give_up()
        if self._idle_since is None:
            self._idle_since = self.steps
        if beliefs.bumped_robots and self.steps >= self._make_way_until:
            self._asked_to_make_way(beliefs.at)
        else:
            self._make_way()
        if beliefs.needed and self.steps > self._idle_since + _RECHECK:
            # What is needed is in no room that we know of: another player must have moved it.
            self._idle_since = None
            open_needs = self.knowledge.open_needs(beliefs.needed, beliefs.name, None)
            if open_needs:
                self.knowledge.contents.clear()
                self._avoid.clear()

    def _rooms_to_wait_in(self) -> list[str]:
        """Return the free rooms without any block that is still needed."""
        needed = set(self.beliefs.needed)
        return [
            room
            for room, contents in self.knowledge.contents.items()
            if not any(contents[color] for color in needed)
            and not self.beliefs.is_occupied_by_another(room)
            and room not in self._avoid
        ]
