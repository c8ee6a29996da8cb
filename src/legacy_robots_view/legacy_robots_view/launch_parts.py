# SPDX-License-Identifier: Apache-2.0
"""What is launched for the view: the node that serves the page."""

from __future__ import annotations

from collections.abc import Iterator

from legacy_robots_common.launching.arguments import node_arguments, overruling
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from legacy_robots_view.view_parameters import Parameters


def _parts(settings: Settings) -> Iterator[Part]:
    yield settings.node("view", Parameters, namespace="/")


LAUNCH = SystemLaunch(
    "view",
    "legacy_robots_view",
    (
        *overruling(Parameters, "host", "port"),
        *node_arguments(shared_file("config", "view.yaml")),
    ),
    _parts,
)
