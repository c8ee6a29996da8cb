# SPDX-License-Identifier: Apache-2.0
"""What is launched for the view: its page, and on request servers for Foxglove and rosbridge."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from legacy_robots_common.launching.arguments import (
    Argument,
    like_parameter,
    node_arguments,
    overruling,
    switch,
)
from legacy_robots_common.launching.parameter_files import node_of
from legacy_robots_common.launching.parts import NodePart, Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from legacy_robots_view import foxglove_parameters
from legacy_robots_view.view_parameters import Parameters

_VIEW = {f.name: f for f in dataclasses.fields(Parameters)}
_FOXGLOVE = {f.name: f for f in dataclasses.fields(foxglove_parameters.Parameters)}


def _parts(settings: Settings) -> Iterator[Part]:
    yield settings.node("view", Parameters, namespace="/")
    port = settings["foxglove_port"]
    if settings["foxglove"]:
        yield settings.node(
            "foxglove", foxglove_parameters.Parameters, namespace="/", overrides={"port": port}
        )
    if settings["rosbridge"]:
        yield NodePart(
            "rosbridge_server",
            "rosbridge_websocket",
            parameters={
                "address": node_of("127.0.0.1"),
                "port": node_of(settings["rosbridge_port"]),
                # Otherwise a client's cancellation waits for the end of the goal that it is for.
                "call_services_in_new_thread": node_of(True),
                "send_action_goals_in_new_thread": node_of(True),
            },
            log_level=settings["log_level"],
            respawn=settings["respawn"],
            reason="rosbridge:=true",
        )


LAUNCH = SystemLaunch(
    "view",
    "legacy_robots_view",
    (
        *overruling(Parameters, "host", "port"),
        switch("foxglove", "Serve Foxglove and Lichtblick too; needs foxglove-sdk"),
        like_parameter("foxglove_port", _FOXGLOVE["port"], "TCP port for Foxglove"),
        switch("rosbridge", "Serve JSON clients by rosbridge too; needs rosbridge_server"),
        Argument(
            "rosbridge_port",
            "TCP port of rosbridge; 0: a free one",
            "9090",
            int,
            field=_VIEW["port"],
        ),
        *node_arguments(shared_file("config", "view.yaml")),
    ),
    _parts,
)
