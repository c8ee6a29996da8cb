# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The original server that the parameters of the node describe."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bw4t_bridge.bridge.parameters import Parameters
from bw4t_java.jvm import JavaError, java_command
from bw4t_java.jvm.eis_jar import version_of
from bw4t_java.jvm.process import user_jars
from bw4t_java.original.world import OriginalWorld
from bw4t_runner.remote_runner import RemoteRunner
from bw4t_world.model.profiles import PROFILES
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.program_node import StartupError

PROFILES_BY_EIS = {"v0_5": "server_3_8_1", "v0_7": "server_3_10"}


OWN_WORLD_ONLY = (
    *("scenario", "speed", "repeat_after", "publish_clock"),
    *("web", "wait_for_people", "rmi", "eis"),
)
"""Parameters that an original server has nothing for."""


def make_runner(
    node: BridgeNode, settings: Parameters, stamps: Callable[[], int] | None
) -> tuple[RemoteRunner, Parameters]:
    """Return the runner of an original server, and the parameters that hold with it."""
    if settings.record:
        raise StartupError(
            "record: the games of an original server cannot be recorded, as it does not tell "
            "what other clients do"
        )
    if settings.experiment:
        raise StartupError("experiment: its games need the world of this process (world: own)")
    p, ignored = for_original(settings)
    if ignored:
        names = ", ".join(ignored)
        node.get_logger().warning(f"{names}: ignored with an original server")
    peer = f"rmi://{p.server}/BW4TServer"
    runner = RemoteRunner(
        original_world(p), node, peer=peer, cycle_rate=p.percept_rate, stamps=stamps
    )
    return runner, p


def for_original(p: Parameters) -> tuple[Parameters, list[str]]:
    """Return the parameters with an original server, and the names of those that are ignored."""
    defaults = Parameters()
    ignored = [n for n in OWN_WORLD_ONLY if getattr(p, n) != getattr(defaults, n)]
    values = {name: getattr(defaults, name) for name in OWN_WORLD_ONLY}
    return replace(p, **values, profile=_profile(p), map=f"of {p.server}"), ignored


def original_world(p: Parameters) -> OriginalWorld:
    """Return the world of an original server; raises StartupError for what cannot be asked for."""
    host, _, port = p.server.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise StartupError(f"server: {p.server!r} is not HOST:PORT")
    if not p.robots + p.human:
        raise StartupError("robots and human: a client of an original server needs a player")
    arguments = [host, port, str(p.robots), str(p.human)]
    return OriginalWorld(
        lambda: java_command("OriginalClient", p.jars, arguments),
        PROFILES[p.profile],
        start=not p.paused,
    )


def _profile(p: Parameters) -> str:
    """Return the profile of the jars' version: that of the parameter if they are missing."""
    versions = set()
    try:
        for jar in user_jars(p.jars):
            with suppress(JavaError):  # a jar without EIS
                versions.add(version_of(jar))
    except JavaError:
        pass  # there is no jar, of which the link speaks
    if len(versions) == 1:
        return PROFILES_BY_EIS[versions.pop()]
    return p.profile if p.profile in PROFILES_BY_EIS.values() else "server_3_8_1"
