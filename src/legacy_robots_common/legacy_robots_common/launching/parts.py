# SPDX-License-Identifier: Apache-2.0
"""What is started, as data: from it comes an action of launch, or an entry of a fleet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from legacy_robots_common.launching.parameter_files import Values, node_of
from legacy_robots_common.system import system

T = TypeVar("T")


@dataclass(frozen=True)
class WrittenFile:
    """A file that launch writes for a program, there as long as the launch runs."""

    name: str
    text: str


@dataclass(frozen=True)
class Part:
    """A program of a package.

    Parameters
    ----------
    package, executable
        What is started.
    arguments
        Its command line.
    label
        What launch calls it in its output.
    respawn
        Whether it is started again when it dies.
    reason
        Why it is started, for the message where its package is not installed.
    file
        A file that is written for it; its path is the last argument.
    after
        A topic that must be published before it is started; empty: it is started at once.

    """

    package: str
    executable: str
    arguments: tuple[str, ...] = ()
    label: str = ""
    respawn: bool = False
    reason: str = ""
    file: WrittenFile | None = None
    after: str = ""


@dataclass(frozen=True)
class NodePart(Part):
    """A program that is one ROS node.

    Parameters
    ----------
    namespace
        Absolute namespace.
    name
        Name of the node; empty: its own.
    parameters
        Its parameters, all that it gets.
    log_level
        Level of its log; empty: the default.
    system
        The system that it is of, where it can be part of a fleet.
    members
        Nodes that it runs in its process.

    """

    namespace: str = "/"
    name: str = ""
    parameters: Values = field(default_factory=dict)
    log_level: str = ""
    system: str = ""
    members: tuple[NodePart, ...] = ()

    @property
    def full_name(self) -> str:
        """The node's name with its namespace; a node is called like its executable."""
        return f"{self.namespace.rstrip('/')}/{self.name or self.executable}"

    @property
    def parameters_file(self) -> dict[str, Values]:
        """The entries of its parameters file, by full name."""
        nodes = (self, *self.members)
        return {node.full_name: node.parameters for node in nodes if node.parameters}


@dataclass(frozen=True)
class TypedNodePart(NodePart, Generic[T]):
    """A node of ours. ``values`` are its parameters as it will read them."""

    values: T = field(kw_only=True)


def stepped(parts: Iterable[Part]) -> list[Part]:
    """Return ``parts`` on one /clock, with the node that lets its time pass.

    Simulators that have no control channel run in real time.
    """
    settings: dict[str, list[str]] = {"controls": [], "nodes": [], "links": []}
    changed: list[Part] = []
    for part in parts:
        if isinstance(part, NodePart):
            follow = {"use_sim_time": node_of(True), "stepped": node_of(True)}
            parameters = {**part.parameters, **(follow if part.system else {})}
            changed.append(dataclasses.replace(part, parameters=parameters))
            if part.system:
                settings["nodes"].append(part.full_name)
                known = system(part.system)
                if part.executable == known.bridge and known.ports:
                    settings["links"].append(f"{part.namespace.rstrip('/')}/link_state")
        elif "--control" in part.arguments:
            settings["controls"].append(part.arguments[part.arguments.index("--control") + 1])
            changed.append(dataclasses.replace(part, arguments=(*part.arguments, "--paused")))
        else:
            changed.append(part)
    stepper = NodePart(
        "legacy_robots_common",
        "stepper",
        namespace="/simulation",
        parameters={name: node_of(value) for name, value in settings.items() if value},
    )
    return [*changed, stepper]


def composed(parts: Iterable[Part]) -> list[Part]:
    """Return ``parts`` with all nodes that can be part of a fleet in one process."""
    parts = list(parts)
    members = tuple(part for part in parts if isinstance(part, NodePart) and part.system)
    if not members:
        return parts
    entries = [f"{m.system}/{m.executable} {m.namespace} {m.name}".rstrip() for m in members]
    fleet = NodePart(
        "legacy_robots_common",
        "fleet",
        parameters={"nodes": node_of(entries)},
        log_level=members[0].log_level,
        respawn=members[0].respawn,
        members=members,
    )
    return [fleet, *(part for part in parts if part not in members)]
