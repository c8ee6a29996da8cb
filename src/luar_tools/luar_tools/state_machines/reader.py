# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Read state machines: the file is run in a sandbox whose ``fsm`` only records.

A text search for ``set_transition`` would count what is commented out, and miss what another file
makes and what the configuration chooses. Jumps by ``set_state`` are inside functions that are not
run: they are read from the words of the states' files, without comments.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from luar_tools.lua import sandbox
from luar_tools.lua.lexer import LuaSyntaxError, Word, words
from luar_tools.lua.sandbox import LuaFailedError
from luar_tools.state_machines.machine import Jump, StateMachine, Transition

LONGEST_FILE = 1_000_000
"""Bytes."""
MOST_FILES = 500
"""In one folder."""
Setting = float | str | bool


class MachineFileError(Exception):
    """The file makes no state machine that can be read; the message says why."""


def read_machines(path: Path, settings: Mapping[str, Setting] | None = None) -> list[StateMachine]:
    """Return the machines that a file makes, mostly one. Raises MachineFileError.

    ``settings`` are values of the configuration and of accessors, such as Config.fsm.playMode and
    gcm.get_team_role; what it lacks is nil.
    """
    texts = {path.stem: _text(path)}
    found_words: dict[str, list[Word]] = {}
    for other in sorted(path.parent.glob("*.lua"))[:MOST_FILES]:
        try:
            text = _text(other)
            found_words[other.stem] = list(words(text))
        except (MachineFileError, LuaSyntaxError):
            continue  # it is not this one, and the sandbox names it where it is needed
        if _makes_machine(found_words[other.stem]):
            texts[other.stem] = text
    try:
        result = sandbox.run("state_machines/record.lua", path.stem, texts, settings)
    except LuaFailedError as error:
        raise MachineFileError(f"{path}: {error}") from error
    asked = tuple(sorted(name for name in result["asked"] if isinstance(name, str)))
    machines = [_machine(record, asked) for record in _entries(result["machines"])]
    if not machines:
        hint = f"; it asks for {', '.join(asked)}, which can be set" if asked else ""
        raise MachineFileError(f"{path}: it makes no state machine{hint}")
    return [
        StateMachine(
            **{**vars(machine), "jumps": tuple(_jumps_of(machine, found_words))},
        )
        for machine in machines
    ]


def _machine(record: Any, asked: tuple[str, ...]) -> StateMachine:
    return StateMachine(
        name=str(record["file"]),
        states=tuple(map(str, _entries(record["states"]))),
        transitions=tuple(
            Transition(str(t["from"]), str(t["event"]), str(t["to"]), bool(t["action"]))
            for t in _entries(record["transitions"])
        ),
        replaced=int(record["replaced"]),
        unknown=tuple(map(str, _entries(record["problems"]))),
        asked=asked,
    )


def _entries(table: Mapping[Any, Any]) -> list[Any]:
    """Return the entries 1, 2 … of a table."""
    return [table[index] for index in range(1, len(table) + 1) if index in table]


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MachineFileError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > LONGEST_FILE:
        raise MachineFileError(f"{path} has {len(data)} bytes, more than {LONGEST_FILE}")
    return data.decode("latin-1")


def _makes_machine(program: list[Word]) -> bool:
    """Return whether a program may make a machine: it calls ``new`` of what it requires as fsm."""
    texts = [word.text for word in program if word.text != "("]
    pairs = set(itertools.pairwise(texts))
    return ("require", "fsm") in pairs and (".", "new") in pairs


def _jumps_of(machine: StateMachine, programs: Mapping[str, list[Word]]) -> Iterator[Jump]:
    for state in machine.states:
        yield from jumps(machine.role, state, programs.get(state, []))


def jumps(machine: str, state: str, program: list[Word]) -> Iterator[Jump]:
    """Yield each distinct ``NAME.sm:set_state('state')`` of a state's program."""
    function, seen = "", set()
    for at, word in enumerate(program):
        if word.kind == "name" and word.text == "function" and program[at + 1].kind == "name":
            function = program[at + 1].text
        here = program[at : at + 7]
        if len(here) < 7 or word.kind != "name" or here[4].text != "set_state":
            continue
        if [w.text for w in (*here[1:4], here[5])] != [".", "sm", ":", "("]:
            continue
        target = here[6].text if here[6].kind == "string" else ""
        jump = Jump(machine, state, function, word.text, target)
        if jump not in seen:
            seen.add(jump)
            yield jump
