# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to one Luar robot or to several, and by default as many simulated robots."""

from pathlib import Path

from launch import LaunchDescription
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.protocol.layout_table import SHIPPED, SIMULATED
from luar_bridge.system import SYSTEM

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "luar"),
    *overruling(Parameters, "frame_prefix"),
    switch("simulate", "Start simulated robots too", default=True),
    switch("rviz", "Open rviz2 with a view of the field and the first robot"),
    switch("rqt", "Open rqt with the system's perspective"),
    *node_arguments(shared_file("config", "luar.yaml")),
    Argument("players", "Numbers of the players, such as 1,2,3", kind=list),
    *overruling(Parameters, "team", "user"),
    Argument(
        "profile",
        "nao: the first player has joints and IMU (dcmSensor); webots: none has",
        choices=("nao", "webots"),
    ),
    switch(
        "joint_commands",
        "ROS moves the first robot's joints (follow_joint_trajectory, joint_trajectory, "
        "set_hardness, leds); a simulated one has no motion process then",
    ),
    switch(
        "walk_commands",
        "ROS walks the robots (cmd_vel, kick, get_up), but for one whose joints it moves; "
        "simulated ones do not play by themselves then",
    ),
    Argument(
        "layout",
        f"Version of Luar: {', '.join(SHIPPED)}, files of your own or directories of them, "
        "separated by commas, later ones add to earlier ones; upenn_2016 cannot be simulated",
        kind=list,
    ),
    Argument(
        "abi",
        "Memory layout of simulated robots: 1 Boost up to 1.86, 2 from 1.87",
        "1",
        choices=("1", "2"),
    ),
    *simulator_arguments(SYSTEM.faults),
)

MOVED = ("dcmActuator.command", "dcmActuator.hardness", "dcmActuator.led*")
"""What ROS writes with joint_commands."""


def start(launch):
    """Yield all that is started, as the arguments say."""
    players = _players(launch)
    first, *_ = players
    for player in players:
        namespace = launch.namespace
        if len(players) > 1:
            namespace = f"{namespace.rstrip('/')}/player_{player}"
        has_moved_joints = launch["joint_commands"] and player == first
        bridge = _bridge(
            launch, namespace, **_parameters(launch, namespace, player, players, has_moved_joints)
        )
        wanted = bridge.values
        yield bridge
        if launch["simulate"]:
            yield launch.program(
                package="luar_bridge",
                executable="simulator",
                name=f"simulator_{player}",
                arguments=[
                    *("--team", wanted.team, "--player", wanted.player, "--user", wanted.user),
                    *("--color", wanted.team % 2, "--abi", launch["abi"]),
                    *("--layout", _simulated_layout(wanted.tables)),
                    *("--profile", "nao" if wanted.joints else "webots"),
                    *(("--no-motion",) if has_moved_joints else ()),
                    *(("--ros-body",) if wanted.walk_commands else ()),
                    *launch.simulator_options(namespace),
                ],
            )
            if launch["simulation_interfaces"]:
                yield launch.node(
                    package="legacy_robots_common",
                    executable="simulation",
                    namespace=namespace,
                    parameters={"control": launch.control_channel(namespace)},
                )
        if launch["rviz"] and player == first:
            yield launch.rviz(
                shared_file("rviz", "luar.rviz"),
                namespace=namespace,
                frame_prefix=wanted.frame_prefix,
                # The field's frame has no prefix: all robots share it.
                frames={
                    "map": wanted.map_frame,
                    "base_footprint": wanted.frame_prefix + wanted.base_frame,
                },
            )
        if launch["rqt"] and player == first:
            yield launch.rqt(shared_file("config", "rqt", "luar.perspective"), namespace=namespace)


def _bridge(launch, namespace=None, **parameters):
    return launch.node(
        package="luar_bridge",
        executable="bridge",
        namespace=namespace,
        parameters_class=Parameters,
        parameters=parameters,
    )


def _parameters(launch, namespace, player, players, has_moved_joints):
    """Return the parameters of the bridge to one of the players. Raises LaunchError."""
    profile, layout = launch["profile"], launch["layout"]
    own = {
        "player": player,
        "joints": None if profile is None else profile == "nao",
        "tables": None if layout is None else _tables(layout),
    }
    if len(players) > 1:
        prefix = _bridge(launch, namespace).values.frame_prefix
        own["frame_prefix"] = f"{prefix}player_{player}/"
    if has_moved_joints:
        if profile == "webots":
            raise LaunchError("joint_commands needs a robot with joints, not profile:=webots")
        writable = _bridge(launch).values.writable
        own |= {"joint_commands": True, "joints": True}
        own["writable"] = [*filter(None, writable), *MOVED]
    if launch["walk_commands"] and not has_moved_joints:
        writable = _bridge(launch).values.writable
        own |= {"walk_commands": True, "writable": [*filter(None, writable), "rcmBody.*"]}
    if player != players[0]:
        # The segments of joints and IMU have no suffix: a machine has one robot with a body.
        own["joints"] = False
    return own


def _players(launch):
    """Return the numbers of the players. Raises LaunchError."""
    texts = launch["players"]
    if texts is None:
        return [_bridge(launch).values.player]
    if not all(text.isdecimal() for text in texts) or len(set(texts)) != len(texts):
        given = ",".join(texts)
        raise LaunchError(f"players must be different numbers such as 1,2,3, not {given!r}")
    return [int(text) for text in texts]


def _tables(names):
    """Return the tables by name or file, those of a directory in its place. Raises LaunchError."""
    found = []
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


def _simulated_layout(tables):
    """Return the version of Luar that is simulated for a bridge with these ``tables``."""
    if "upenn_2016" in tables:
        raise LaunchError("layout upenn_2016 cannot be simulated: add simulate:=false")
    return next((name for name in reversed(tables) if name in SIMULATED), SIMULATED[0])


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the robots of one team."""
    return launch_description(ARGUMENTS, start)
