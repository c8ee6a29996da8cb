# SPDX-License-Identifier: Apache-2.0
"""What is launched for RoboSkate: the bridge, a simulated game, and an autopilot on request."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from legacy_robots_common.launching.arguments import (
    common_arguments,
    like_parameter,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from roboskate_bridge.bridge_parameters import Parameters
from roboskate_bridge.protocol import FORCE_RANGE
from roboskate_bridge.system import SYSTEM
from roboskate_bridge.transport import GRPC_PORT, HTTP_PORT

_PORT = next(field for field in dataclasses.fields(Parameters) if field.name == "port")


def _force(wanted: Parameters) -> dict[str, float]:
    """Return the force that a whole key of the bridge stands for, as a driver's parameter."""
    return {"force_scale": wanted.force_scale if wanted.profile == "game" else FORCE_RANGE}


def _parts(settings: Settings) -> Iterator[Part]:
    grpc = settings.node("bridge", Parameters).values.transport == "grpc"
    # The bridge has one port, that of its transport; the simulated game listens at both.
    port = settings["port" if grpc else "http_port"]
    bridge = settings.node("bridge", Parameters, overrides={"port": port})
    wanted = bridge.values
    settings.check_file("urdf", wanted.urdf)
    grpc_port = wanted.port if grpc else settings["port"]
    http_port = settings["http_port"] if grpc else wanted.port
    yield from settings.simulator(
        *("--host", wanted.host, "--profile", wanted.profile),
        *("--port", str(grpc_port or GRPC_PORT), "--http-port", str(http_port or HTTP_PORT)),
        *("--matrix-order", wanted.matrix_order),
        *("--width", str(wanted.image_width), "--height", str(wanted.image_height)),
    )
    yield bridge
    if settings["autopilot"]:
        # Of the level that the bridge loads, unless the parameters file has another for it.
        yield settings.companion(
            "autopilot",
            defaults={"level": wanted.level, **_force(wanted)},
            overrides={"level": settings["level"]},
        )
    if settings["policy"]:
        yield settings.companion(
            "policy",
            defaults={"level": wanted.level, **_force(wanted)},
            overrides={"level": settings["level"]},
        )
    yield from settings.rviz(
        "roboskate", parameters={"use_sim_time": True}, frame_prefix=wanted.frame_prefix
    )
    yield from settings.rqt("roboskate")


LAUNCH = SystemLaunch(
    SYSTEM.name,
    SYSTEM.package,
    (
        *common_arguments(
            SYSTEM.name,
            Parameters,
            shared_file("config", "roboskate.yaml"),
            simulate="Start a simulated game too",
            rviz="board, crane, path and camera",
        ),
        switch("autopilot", "Skate along the checkpoints"),
        switch("policy", "Skate with the trained policy: wants profile:=game force_scale:=250"),
        like_parameter("port", _PORT, "TCP port of the game's gRPC"),
        like_parameter("http_port", _PORT, "TCP port of the game's HTTP"),
        *overruling(
            Parameters,
            *("transport", "host", "profile", "force_scale", "mode", "level"),
            *("image_width", "image_height", "camera_rate", "publish_clock"),
        ),
        *simulator_arguments(SYSTEM.faults),
    ),
    _parts,
    system=SYSTEM.name,
)
