# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the server for Foxglove."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start, of `/**/foxglove` in a parameters file."""

    host: str = parameter(
        "127.0.0.1",
        "address at which Foxglove is served; the SDK has neither passwords nor a check of the "
        "origin",
    )
    port: int = parameter(8765, "TCP port; 0: a free one", minimum=0, maximum=65535)
    services: bool = parameter(
        False,
        "offer services, too: clients, and any page that a browser of this machine shows, may "
        "then command robots",
    )
    publish: bool = parameter(
        False,
        "let clients publish, too: they, and any page that a browser of this machine shows, may "
        "then send robots to a goal",
    )
    publishable: list[str] = parameter(
        ["goal_pose", "clicked_point", "initialpose"],
        "topics that clients may publish to: absolute names, or ends of names",
    )
    backlog: int = parameter(
        256,
        "messages that may wait for a slow client; the oldest are dropped",
        minimum=1,
        maximum=100000,
    )
