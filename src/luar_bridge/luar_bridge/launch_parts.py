# SPDX-License-Identifier: Apache-2.0
"""What is launched for Luar: a bridge for each robot of a team, and as many simulated robots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from legacy_robots_common.launching.arguments import (
    Argument,
    common_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.layout_table import SHIPPED, SIMULATED
from luar_bridge.system import SYSTEM


def _parts(settings: Settings) -> Iterator[Part]:
    players = _players(settings)
    base = settings.namespace.rstrip("/")
    namespaces = [f"{base}/player_{player}" if len(players) > 1 else base for player in players]
    profile, layout, abi = settings["profile"], settings["layout"], settings["abi"]
    for index, (player, namespace) in enumerate(zip(players, namespaces, strict=True)):
        own = {
            "player": player,
            "joints": None if profile is None else profile == "nao",
            "tables": None if layout is None else _tables(layout),
        }
        if len(players) > 1:
            given = settings.node("bridge", Parameters, namespace=namespace).values
            own["frame_prefix"] = f"{given.frame_prefix}player_{player}/"
        moved = settings["joint_commands"] and index == 0
        if moved:
            if profile == "webots":
                raise LaunchError("joint_commands needs a robot with joints, not profile:=webots")
            given_writable = settings.node("bridge", Parameters).values.writable
            own |= {"joint_commands": True, "joints": True}
            own["writable"] = [*filter(None, given_writable), "dcmActuator.command"]
        if index > 0:
            # The segments of joints and IMU have no suffix: a machine has one robot with a body.
            own["joints"] = False
        bridge = settings.node("bridge", Parameters, namespace=namespace or "/", overrides=own)
        wanted = bridge.values
        yield bridge
        yield from settings.simulator(
            *("--team", str(wanted.team), "--player", str(wanted.player), "--user", wanted.user),
            *("--color", str(wanted.team % 2), "--abi", abi),
            *("--layout", _simulated_layout(wanted.tables) if settings["simulate"] else ""),
            *("--profile", "nao" if wanted.joints else "webots"),
            *(("--no-motion",) if moved else ()),
            label=f"simulator_{player}",
            namespace=namespace or "/",
        )
        if index == 0:
            yield from settings.rviz(
                "luar",
                namespace=namespace or "/",
                frame_prefix=wanted.frame_prefix,
                # The field's frame has no prefix: all robots share it.
                frames={
                    "map": wanted.map_frame,
                    "base_footprint": wanted.frame_prefix + wanted.base_frame,
                },
            )
            yield from settings.rqt("luar", namespace=namespace or "/")


def _players(settings: Settings) -> list[int]:
    """Return the numbers of the players. Raises LaunchError."""
    texts = settings["players"]
    if texts is None:
        return [settings.node("bridge", Parameters).values.player]
    if not all(text.isdecimal() for text in texts) or len(set(texts)) != len(texts):
        given = ",".join(texts)
        raise LaunchError(f"players must be different numbers such as 1,2,3, not {given!r}")
    return [int(text) for text in texts]


def _tables(names: list[str]) -> list[str]:
    """Return the tables by name or file, those of a directory in its place. Raises LaunchError."""
    found: list[str] = []
    for name in names:
        path = Path(name).expanduser()
        files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
        if name in SHIPPED:
            found.append(name)
        elif files and all(file.is_file() for file in files):
            found += map(str, files)
        else:
            raise LaunchError(
                f"layout {name!r} is neither one of {', '.join(SHIPPED)} nor a file or a "
                "directory of .yaml files"
            )
    return found


def _simulated_layout(tables: list[str]) -> str:
    """Return the version of Luar that is simulated for a bridge with these ``tables``."""
    if "upenn_2016" in tables:
        raise LaunchError("layout upenn_2016 cannot be simulated: add simulate:=false")
    return next((name for name in reversed(tables) if name in SIMULATED), SIMULATED[0])


LAUNCH = SystemLaunch(
    SYSTEM.name,
    SYSTEM.package,
    (
        *common_arguments(
            SYSTEM.name,
            Parameters,
            shared_file("config", "luar.yaml"),
            simulate="Start simulated robots too",
            rviz="the field and the first robot",
        ),
        Argument(
            "players",
            "Numbers of the players, such as 1,2,3",
            kind=list,
        ),
        *overruling(Parameters, "team", "user"),
        Argument(
            "profile",
            "nao: the first player has joints and IMU (dcmSensor); webots: none has",
            choices=("nao", "webots"),
        ),
        switch(
            "joint_commands",
            "ROS moves the first robot's joints (follow_joint_trajectory, joint_trajectory); a "
            "simulated one has no motion process then",
        ),
        Argument(
            "layout",
            f"Version of Luar: {', '.join(SHIPPED)}, files of your own or directories of them, "
            "separated by commas, later ones add to earlier ones; upenn_2016 cannot be "
            "simulated",
            kind=list,
        ),
        Argument(
            "abi",
            "Memory layout of simulated robots: 1 Boost up to 1.86, 2 from 1.87",
            "1",
            choices=("1", "2"),
        ),
        *simulator_arguments(SYSTEM.faults),
    ),
    _parts,
    system=SYSTEM.name,
)
