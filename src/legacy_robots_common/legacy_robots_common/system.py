# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The registry of systems: each bridge package declares what its system is, in one place.

A package has a module with a :class:`System` and names it in its ``setup.py``::

    entry_points={"legacy_robots_common.systems": ["nao = nao_goal_bridge.system:SYSTEM"]}

Launch files, the demonstration, the view, campaigns, benchmarks and tests iterate over
:func:`systems`; none of them lists the systems by name. ROS-free.

The environment variable ``LEGACY_ROBOTS_SYSTEMS_OF`` has the names of packages, separated by
commas: the systems of all others are left out. Without it all that are installed are known.
"""

from __future__ import annotations

import functools
import importlib
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any

__all__ = [
    "DuplicateSystemError",
    "Goals",
    "Place",
    "Port",
    "System",
    "UnknownSystemError",
    "load",
    "names",
    "system",
    "systems",
]

GROUP = "legacy_robots_common.systems"
ONLY_OF = "LEGACY_ROBOTS_SYSTEMS_OF"


class UnknownSystemError(Exception):
    """Raised for the name of a system that no installed package declares; names those that are."""


class DuplicateSystemError(Exception):
    """Raised where two packages declare a system of one name; the message says where they are."""


@dataclass(frozen=True)
class Port:
    """A TCP port of a system: a launch argument, and its default."""

    argument: str
    default: int
    description: str


@dataclass(frozen=True)
class Place:
    """Where a system stands in the demonstration: its root frame, at x and y (m) of ``world``.

    ``yaw`` (rad) is the direction of its x axis.
    """

    frame: str
    x: float
    y: float
    yaw: float = 0.0


@dataclass(frozen=True)
class Goals:
    """Goals of one action that the simulator reaches in seconds, asked for in turn.

    ``type`` is such as ``control_msgs/action/GripperCommand``, or that of a service whose response
    has ``success`` and ``message``; each of ``examples`` has the fields of a goal, those of a
    message in it as a mapping. Two in a row must not be the same place. ``truth`` has, for each of
    them, regular expressions of what the simulator logs in this order when it has been reached;
    empty: joint trajectories have to be seen in ``joint_states``, else the bridge's word counts.
    """

    action: str
    type: str
    examples: tuple[Mapping[str, Any], ...]
    truth: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class System:
    """What is known of one system without importing its code.

    References such as ``"nao_goal_bridge.bridge.node:NaoBridge"`` are resolved by :func:`load`.

    Parameters
    ----------
    name
        Short name; also the default namespace and the stem of launch, config and rviz file.
    title
        Name for people.
    package
        The package.
    further_packages
        Packages of the system that have no nodes.
    nodes
        Class of each executable that is a node: references, by the executable's name.
    bridge
        The executable with the link, which publishes ``link_state``.
    parameters
        Dataclass of each node's parameters: references, by the executable's name.
    faults
        Faults of the simulator; empty where there is no simulator of its own.
    ports
        TCP ports, for several systems or copies on one machine.
    own_arguments
        Further launch arguments that have to differ between copies on one machine, with their
        descriptions.
    exclusive
        What only one copy on a machine can have, such as shared memory of a fixed name.
    further_copy
        Launch arguments that a further copy on one machine needs besides those.
    launched_nodes
        How many nodes the launch file starts by default.
    player
        Example of the part of topic names that stands for one of several players.
    launch
        Its launch file, PACKAGE/FILE.
    demonstration
        Launch arguments with which something happens by itself.
    place
        Where it stands in the demonstration.
    panel
        Reference to its panel of the web view; empty for none.
    faults_seen
        Where a fault is seen from outside: ``link``, ``diagnostics``, ``silence`` of the first
        stream, or ``nothing``. Without an entry it is the link; of ``stall`` silence, of ``flood``
        nothing.
    streams
        Topics on which something comes as long as all is well, with their types, for campaigns and
        benchmarks: ``{"joint_states": "sensor_msgs/msg/JointState"}``.
    goals
        What the fault campaign asks for, the first of them also to see that all is well again;
        without any it watches the streams alone.
    campaign
        Launch arguments of the fault campaign, such as a smaller image.
    order
        Position in lists and on pages.

    """

    name: str
    title: str
    package: str
    nodes: Mapping[str, str]
    parameters: Mapping[str, str]
    place: Place
    further_packages: tuple[str, ...] = ()
    bridge: str = "bridge"
    faults: tuple[str, ...] = ()
    ports: tuple[Port, ...] = ()
    own_arguments: Mapping[str, str] = field(default_factory=dict)
    exclusive: str = ""
    further_copy: Mapping[str, str] = field(default_factory=dict)
    launched_nodes: int = 1
    player: str = ""
    launch: str = ""
    demonstration: Mapping[str, str] = field(default_factory=dict)
    panel: str = ""
    faults_seen: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    goals: tuple[Goals, ...] = ()
    campaign: Mapping[str, str] = field(default_factory=dict)
    order: int = 100


@functools.cache
def systems() -> tuple[System, ...]:
    """Return the systems of all installed packages, in their order.

    One that cannot be imported is left out with a warning, so that the others still run. Raises
    DuplicateSystemError.
    """
    found = {}
    for entry in _entries():
        try:
            found[entry.name] = entry.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            warnings.warn(f"system {entry.name!r} is left out: {reason}", stacklevel=2)
    return tuple(sorted(found.values(), key=lambda system: (system.order, system.name)))


def _entries() -> list[EntryPoint]:
    """Return what the packages declare. Raises DuplicateSystemError."""
    only = os.environ.get(ONLY_OF)
    chosen: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        if only and entry.module.partition(".")[0] not in only.split(","):
            continue
        other = chosen.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise DuplicateSystemError(
                f"two packages declare the system {entry.name!r}: {_place(other)} and "
                f"{_place(entry)}; rename one of them, or take it away"
            )
    return list(chosen.values())


def _place(entry: EntryPoint) -> str:
    where = entry.dist.locate_file("") if entry.dist else "an unknown place"
    return f"{entry.value} in {where}"


def names() -> tuple[str, ...]:
    """Return the names of all systems, in their order."""
    return tuple(system.name for system in systems())


def system(name: str) -> System:
    """Return the system called ``name``. Raises UnknownSystemError."""
    for candidate in systems():
        if candidate.name == name:
            return candidate
    known = ", ".join(names()) or "none is installed"
    raise UnknownSystemError(f"there is no system {name!r}; the systems are: {known}")


def load(reference: str) -> Any:
    """Return the object at ``"module:name"``. Raises ImportError or AttributeError."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)
