# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a launch has started, read from the command lines of its programs. Linux only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from legacy_robots_common.node.fleet import Entry
from legacy_robots_common.node.given_parameters import given_values
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.system import systems
from legacy_robots_simulation_services.quiescence import descendants

_NAMESPACE, _NODE = "__ns:=", "__node:="


@dataclass
class Siblings:
    """Control channels of simulators, full names of nodes of systems, topics of their links."""

    controls: set[str] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)

    def add(self, words: Sequence[str]) -> None:
        """Add a program by its command line."""
        if "--control" in words:
            self.controls |= {word for word in words[words.index("--control") + 1 :][:1] if word}
        program = next((word for word in words if "/lib/" in word), "").split("/")[-2:]
        if program == ["legacy_robots_common", "fleet"]:
            for text in (t for texts in given_values(words, "nodes") for t in texts):
                try:
                    entry = Entry.parse(text)
                except ParameterError:
                    continue  # the fleet reports it
                place = [f"{_NAMESPACE}{entry.namespace}", *entry.arguments]
                self._add_node(entry.system, entry.executable, place)
        for system in systems():
            if program[:1] == [system.package] and program[1] in system.nodes:
                self._add_node(system.name, program[1], words)

    def _add_node(self, kind: str, executable: str, words: Sequence[str]) -> None:
        namespace, name = "", executable
        for word in words:
            if word.startswith(_NAMESPACE):
                namespace = word.removeprefix(_NAMESPACE).rstrip("/")
            elif word.startswith(_NODE):
                name = word.removeprefix(_NODE)
        self.nodes.add(f"{namespace}/{name}")
        (system,) = (each for each in systems() if each.name == kind)
        if executable == system.bridge and system.ports:
            self.links.add(f"{namespace}/link_state")


def started_by(parent: int) -> Siblings:
    """Return what the process ``parent`` and its children have started."""
    found = Siblings()
    for words in _command_lines(parent):
        found.add(words)
    return found


def _command_lines(parent: int) -> Iterator[list[str]]:
    for pid in sorted(descendants(parent)):
        try:
            text = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # it has ended
        yield text.split("\0")[:-1]
