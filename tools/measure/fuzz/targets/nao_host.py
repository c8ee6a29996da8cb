# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's end of the GOAL-Nao protocol: bytes to commands, and one reply to each of them."""

from collections import Counter

from nao_goal_bridge.protocol import (
    Command,
    Dialect,
    Event,
    Exit,
    Failure,
    GoTo,
    GoToTiles,
    Halt,
    PickUp,
    Profile,
    ProtocolError,
    PutDown,
    Success,
    TurnAndGoTo,
    encode,
)
from nao_goal_bridge.protocol.command_sequence import CommandSequence
from nao_goal_bridge.protocol.robot_wire import RobotWire

DIALECTS = [Dialect(profile) for profile in Profile]


class Body:
    """Ends and halts commands now, later or never, as the fuzzer has it."""

    def __init__(self, chances: bytes, emit: Counter[int]) -> None:
        self._chances = list(chances)
        self._replies = emit
        self.halting = False
        self.sequence = CommandSequence(self, self._emit, 2)

    def _emit(self, event: Event) -> None:
        if isinstance(event, Success | Failure):
            self._replies[event.code] += 1

    def chance(self) -> int:
        return self._chances.pop() if self._chances else 0

    def begin(self, command: Command) -> None:
        self.halting = False
        if self.chance() % 2:
            self.end()

    def halt(self) -> None:
        choice = self.chance() % 3
        if choice == 0:
            self.end()
        elif choice == 1:
            self.sequence.halt_refused()
        else:
            self.halting = True

    def end(self) -> None:
        self.sequence.reply(bool(self.chance() % 2))
        self.sequence.ended()


def seeds() -> list[bytes]:
    events: list[Command] = [
        *(GoTo(114, 0), TurnAndGoTo(0, 114, 0), GoToTiles(((1, 2), (3, 4))), PickUp(1), PickUp()),
        *(PutDown(), Halt(), Exit()),
    ]
    found = []
    for number, dialect in enumerate(DIALECTS):
        stream = b""
        for event in events:
            try:
                stream += encode(event, dialect)
            except ProtocolError:
                continue  # not one of this dialect
        for chances in (b"\x00" * 8, b"\x01\x02\x03\x04" * 2):
            found.append(bytes([number]) + chances + stream)
    return found


def one_input(data: bytes) -> None:
    if len(data) < 10:
        return
    replies: Counter[int] = Counter()
    reported: Counter[int] = Counter()
    body, wire = Body(data[1:9], replies), RobotWire(DIALECTS[data[0] % len(DIALECTS)])
    sequence = body.sequence
    sequence.connect()
    try:
        for command in wire.commands(data[9:]):
            reported[command.opcode] += 1
            sequence.command(command)
        wire.end()
    except ProtocolError:
        pass
    while sequence.running is not None:
        body.end()
    assert replies == reported
    sequence.disconnect()
    assert sequence.running is None
