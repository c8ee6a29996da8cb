# SPDX-License-Identifier: Apache-2.0
"""Start the view, one page on which a browser sees all systems that run, live."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import (
    like_parameter,
    node_arguments,
    overruling,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from legacy_robots_view import foxglove_parameters
from legacy_robots_view.view_parameters import Parameters

ARGUMENTS = (
    *overruling(Parameters, "host", "port"),
    switch("foxglove", "Serve Foxglove and Lichtblick too; needs foxglove-sdk"),
    like_parameter(
        "foxglove_port", foxglove_parameters.Parameters, "port", "TCP port for Foxglove"
    ),
    like_parameter("foxglove_services", foxglove_parameters.Parameters, "services"),
    switch("rosbridge", "Serve JSON clients by rosbridge too; needs rosbridge_server"),
    like_parameter(
        "rosbridge_port", Parameters, "port", "TCP port of rosbridge; 0: a free one", "9090"
    ),
    *node_arguments(shared_file("config", "view.yaml")),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    yield launch.node(package="legacy_robots_view", executable="view", parameters_class=Parameters)
    if launch["foxglove"]:
        yield launch.node(
            package="legacy_robots_view",
            executable="foxglove",
            parameters_class=foxglove_parameters.Parameters,
            parameters={
                "port": launch["foxglove_port"],
                "services": launch["foxglove_services"],
            },
        )
    if launch["rosbridge"]:
        yield launch.node(
            package="rosbridge_server",
            executable="rosbridge_websocket",
            reason="rosbridge:=true",
            parameters={
                "address": "127.0.0.1",
                "port": launch["rosbridge_port"],
                # Otherwise a client's cancellation waits for the end of the goal that it is for.
                "call_services_in_new_thread": True,
                "send_action_goals_in_new_thread": True,
            },
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the view, which finds the systems by itself."""
    return launch_description(ARGUMENTS, start)
