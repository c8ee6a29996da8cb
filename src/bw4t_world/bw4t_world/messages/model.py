# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What players can say to each other, as data (specification, section "Messages")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bw4t_world.maps.model import BlockColor


class MessageType(Enum):
    """The kinds of messages; the value is the name that the specification gives them in Java."""

    # What the sender is up to.
    GOING_TO_ROOM = "goingToRoom"
    LOOKING_FOR = "lookingFor"
    AM_GETTING_COLOR = "amGettingColor"
    WILL_GET_COLOR = "willGetColor"
    ABOUT_TO_DROP_OFF_BLOCK = "aboutToDropOffBlock"
    # Requests.
    GO_TO_ROOM = "goToRoom"
    FIND_COLOR = "findColor"
    GET_COLOR_FROM_ROOM = "getColorFromRoom"
    PUT_DOWN = "putDown"
    # The environment.
    ROOM_CONTAINS = "roomContains"
    ROOM_CONTAINS_AMOUNT = "roomContainsAmount"
    ROOM_IS_EMPTY = "roomIsEmpty"
    # The task and the robot.
    IN_ROOM = "inRoom"
    AT_BOX = "atBox"
    HAS_COLOR = "hasColor"
    DROPPED_OFF_BLOCK = "droppedOffBlock"
    AM_WAITING_OUTSIDE_ROOM = "amWaitingOutsideRoom"
    WE_NEED = "weNeed"
    CHECKED = "checked"
    # Questions.
    WHAT_IS_IN_ROOM = "whatIsInRoom"
    WHERE_IS_COLOR = "whereIsColor"
    WHO_IS_IN_ROOM = "whoIsInRoom"
    WHERE_SHOULD_I_GO = "whereShouldIGo"
    WHAT_COLOR_SHOULD_I_GET = "whatColorShouldIGet"
    IS_ANYBODY_GOING_TO_ROOM = "isAnybodyGoingToRoom"
    WILL_YOU_BE_LONG = "willYouBeLong"
    HAS_ANYBODY_CHECKED_ROOM = "hasAnybodyCheckedRoom"
    ARE_YOU_CLOSE = "areYouClose"
    WHO_HAS_A_BLOCK = "whoHasABlock"
    # Answers.
    YES = "yes"
    NO = "no"
    I_DO_NOT_KNOW = "iDoNotKnow"
    WAIT = "wait"
    OK = "ok"
    I_DO_NOT = "iDoNot"
    I_DO = "iDo"
    ON_THE_WAY = "onTheWay"
    FAR_AWAY = "farAway"
    DELAYED = "delayed"
    ALMOST_THERE = "almostThere"
    COULD_NOT = "couldNot"
    # Known to the original's clients, but not in the specification.
    I_WANT_TO_GO = "iWantToGo"
    YOU_FORGOT_ME = "youForgotMe"
    # Any other text.
    UNKNOWN = "unknown"


class Phrasing(Enum):
    """Whose words and terms are used."""

    DOCUMENT = "document"
    """Those of the specification; where it has none, those of the servers."""
    SERVER = "server"
    """Those of the clients of servers 3.8.1 and 3.10 (docs/originals/bw4t.md, 6)."""


class MessageError(ValueError):
    """A message that has no text or no term; says which message, and why."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Which of the parameters a type takes is listed in the package's documentation. ``number``
    is an amount of blocks, or with ``AT_BOX`` the id of a block. ``text`` is only used with
    ``UNKNOWN``: what was said, to the letter.
    """

    type: MessageType
    room: str | None = None
    color: BlockColor | None = None
    player: str | None = None
    number: int | None = None
    text: str | None = None

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters that are given."""
        named = {
            "room": self.room,
            "color": self.color,
            "player": self.player,
            "number": self.number,
            "text": self.text,
        }
        return frozenset(name for name, value in named.items() if value is not None)

    @classmethod
    def unknown(cls, text: str) -> Message:
        """Return the message for a text that means nothing here."""
        return cls(MessageType.UNKNOWN, text=text)
