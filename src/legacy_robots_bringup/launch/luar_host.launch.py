# SPDX-License-Identifier: Apache-2.0
"""Start the host of the original's Lua, and by default a simulated robot with a camera for it."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, node_arguments, overruling, switch
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from luar_bridge.host.parameters import Parameters
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS

ROBOT = "field_robot"
"""Namespace of the simulated robot, below the host's."""

GIVEN = ("cmd_vel", "odom", "image")

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "luar_host"),
    switch("simulate", "Start a simulated robot, and connect the host with it", default=True),
    switch("legs", "The simulated robot walks on a Nao's legs, not on wheels"),
    *overruling(Parameters, "team", "player", "user", "enable_stamped_cmd_vel", *GIVEN),
    *node_arguments(shared_file("config", "luar_host.yaml")),
)


def given(launch, name):
    """Return whether an argument is given that overrules the parameter ``name``."""
    return name in GIVEN and launch[name] is not None


def start(launch):
    """Yield all that is started, as the arguments say."""
    simulated = {}
    if launch["simulate"]:
        has_legs = launch["legs"]
        simulated = {
            "cmd_vel": "" if has_legs else f"{ROBOT}/cmd_vel",
            "odom": f"{ROBOT}/odom",
            "joints": list(JOINTS if has_legs else HEAD_JOINTS),
            "joint_states": f"{ROBOT}/joint_states",
            "joint_commands": f"{ROBOT}/joint_group_position_controller/commands",
            "imu": f"{ROBOT}/imu",
            "image": f"{ROBOT}/image",
        }
        # What is asked for by an argument is so.
        simulated = {name: value for name, value in simulated.items() if not given(launch, name)}
    host = launch.node(
        package="luar_bridge", executable="host", parameters_class=Parameters, parameters=simulated
    )
    yield host
    if launch["simulate"]:
        yield launch.node(
            package="luar_bridge",
            executable="field_robot",
            namespace=launch.absolute(f"{launch['namespace']}/{ROBOT}"),
            parameters={
                "legs": launch["legs"],
                "enable_stamped_cmd_vel": host.values.enable_stamped_cmd_vel,
            },
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one host."""
    return launch_description(ARGUMENTS, start)
