# SPDX-License-Identifier: Apache-2.0
"""What is launched for the view: the node that serves the page, and one for Foxglove."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from legacy_robots_common.launching.arguments import (
    like_parameter,
    node_arguments,
    overruling,
    switch,
)
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from legacy_robots_view import foxglove_parameters
from legacy_robots_view.view_parameters import Parameters

_FOXGLOVE = {f.name: f for f in dataclasses.fields(foxglove_parameters.Parameters)}


def _parts(settings: Settings) -> Iterator[Part]:
    yield settings.node("view", Parameters, namespace="/")
    port = settings["foxglove_port"]
    if settings["foxglove"]:
        yield settings.node(
            "foxglove", foxglove_parameters.Parameters, namespace="/", overrides={"port": port}
        )


LAUNCH = SystemLaunch(
    "view",
    "legacy_robots_view",
    (
        *overruling(Parameters, "host", "port"),
        switch("foxglove", "Serve Foxglove and Lichtblick too; needs foxglove-sdk"),
        like_parameter("foxglove_port", _FOXGLOVE["port"], "TCP port for Foxglove"),
        *node_arguments(shared_file("config", "view.yaml")),
    ),
    _parts,
)
