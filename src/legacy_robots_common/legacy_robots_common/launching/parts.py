# SPDX-License-Identifier: Apache-2.0
"""What is started, as data: from it comes an action of launch, or an entry of a fleet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from legacy_robots_common.launching.parameter_files import Values

T = TypeVar("T")


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

    """

    package: str
    executable: str
    arguments: tuple[str, ...] = ()
    label: str = ""
    respawn: bool = False
    reason: str = ""


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

    """

    namespace: str = "/"
    name: str = ""
    parameters: Values = field(default_factory=dict)
    log_level: str = ""

    @property
    def full_name(self) -> str:
        """The node's name with its namespace; a node is called like its executable."""
        return f"{self.namespace.rstrip('/')}/{self.name or self.executable}"


@dataclass(frozen=True)
class TypedNodePart(NodePart, Generic[T]):
    """A node of ours. ``values`` are its parameters as it will read them."""

    values: T = field(kw_only=True)


@dataclass(frozen=True)
class FleetPart(NodePart):
    """Many nodes in one process, see legacy_robots_common.fleet."""

    members: tuple[NodePart, ...] = ()
