# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a game of RoboSkate, and by default a simulated game."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import (
    Argument,
    like_parameter,
    node_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from roboskate_bridge.bridge.parameters import Parameters
from roboskate_bridge.system import SYSTEM
from roboskate_game.client.transport import GRPC_PORT, HTTP_PORT
from roboskate_game.protocol.dialect import FORCE_RANGE

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "roboskate"),
    *overruling(Parameters, "frame_prefix"),
    switch("simulate", "Start a simulated game too", default=True),
    switch("rviz", "Open rviz2 with a view of board, crane, path and camera"),
    switch("rqt", "Open rqt with the system's perspective"),
    *node_arguments(shared_file("config", "roboskate.yaml")),
    switch("autopilot", "Skate along the checkpoints"),
    switch("policy", "Skate with the trained policy: wants profile:=game force_scale:=250"),
    like_parameter("port", Parameters, "port", "TCP port of the game"),
    like_parameter(
        "http_port",
        Parameters,
        "port",
        "TCP port of the game's HTTP, where port is that of gRPC",
    ),
    *overruling(Parameters, "transport", "host", "profile", "force_scale", "mode", "level"),
    *overruling(Parameters, "image_width", "image_height", "camera_rate", "publish_clock"),
    *simulator_arguments(SYSTEM.faults),
)


def start(launch):
    """Yield all that is started, as the arguments say."""

    def make_bridge(**parameters):
        return launch.node(
            package="roboskate_bridge",
            executable="bridge",
            parameters_class=Parameters,
            parameters=parameters,
        )

    # The bridge has one port, that of its transport; the simulated game listens at both.
    grpc = make_bridge().values.transport == "grpc"
    bridge = make_bridge(port=launch["port"] if grpc else launch["http_port"] or launch["port"])
    wanted = bridge.values
    launch.check_file("urdf", wanted.urdf)
    # With transport:=http a port alone is that of HTTP.
    grpc_port = wanted.port if grpc else launch["http_port"] and launch["port"]
    http_port = launch["http_port"] if grpc else wanted.port
    if launch["simulate"]:
        yield launch.program(
            package="roboskate_bridge",
            executable="simulator",
            arguments=[
                *("--host", wanted.host, "--profile", wanted.profile),
                *("--port", grpc_port or GRPC_PORT, "--http-port", http_port or HTTP_PORT),
                *("--matrix-order", wanted.matrix_order),
                *("--width", wanted.image_width, "--height", wanted.image_height),
                *launch.simulator_options(),
            ],
        )
        if launch["simulation_interfaces"]:
            yield launch.node(
                package="legacy_robots_common",
                executable="simulation",
                parameters={"control": launch.control_channel()},
            )
    yield bridge
    # Of the level that the bridge loads, unless the parameters file has another for the driver.
    force = wanted.force_scale if wanted.profile == "game" else FORCE_RANGE
    of_driver = {
        "defaults": {"level": wanted.level, "force_scale": force},
        "parameters": {"level": launch["level"]},
    }
    if launch["autopilot"]:
        yield launch.node(package="roboskate_bridge", executable="autopilot", **of_driver)
    if launch["policy"]:
        yield launch.node(package="roboskate_bridge", executable="policy", **of_driver)
    if launch["rviz"]:
        yield launch.rviz(
            shared_file("rviz", "roboskate.rviz"),
            parameters={"use_sim_time": True},
            frame_prefix=wanted.frame_prefix,
        )
    if launch["rqt"]:
        yield launch.rqt(shared_file("config", "rqt", "roboskate.perspective"))


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one game."""
    return launch_description(ARGUMENTS, start)
