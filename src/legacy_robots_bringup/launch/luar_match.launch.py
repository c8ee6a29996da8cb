# SPDX-License-Identifier: Apache-2.0
"""Start a match of two teams of simulated Luar robots, their bridges and a referee."""

from launch import LaunchDescription
from legacy_robots_common.launching import LaunchError
from legacy_robots_common.launching.arguments import Argument, node_arguments, switch
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.simulator.shared_ball import BALL_PORT, BROADCAST

TEAMS = ("blue", "red")
DURATIONS = ("initial", "ready", "set", "half", "half_time", "penalty", "finished")
DRAWN_PLAYERS = 3
"""Of each team, in luar_match.rviz."""
IMAGES_HZ = 10
"""Six cameras at 30 images a second would be more than a small machine draws."""


def _seconds(name, default, what):
    return Argument(name, f"Seconds of {what}", default, float)


ARGUMENTS = (
    Argument("namespace", "Namespace of the match", "luar_match"),
    Argument("players", "Players of each team", "3", int),
    Argument("user", "User at the end of the names of the robots' segments", "match"),
    Argument("port", "UDP port of the referee's broadcast, on loopback", "3838", int),
    Argument("ball_port", "UDP port of the ball, on loopback", str(BALL_PORT), int),
    _seconds("initial", "5", "the state INITIAL"),
    _seconds("ready", "15", "the state READY"),
    _seconds("set", "5", "the state SET"),
    _seconds("half", "600", "each half"),
    _seconds("half_time", "15", "the half time"),
    _seconds("penalty", "30", "a penalty"),
    _seconds("finished", "15", "the state FINISHED, after which the next match begins"),
    switch("penalise", "Penalise the first player after 5 s, and the next at each SIGUSR1"),
    *node_arguments(shared_file("config", "luar.yaml")),
    switch("rviz", "Start rviz2 with the field and both teams"),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    players, user, ball_port = launch["players"], launch["user"], launch["ball_port"]
    if not 1 <= players <= 11:
        raise LaunchError(f"players must be from 1 to 11, not {players}")
    yield launch.program(
        package="luar_bridge",
        executable="referee",
        arguments=[
            *("--players", players, "--port", launch["port"], "--ball-port", ball_port),
            *(w for name in DURATIONS for w in (f"--{name.replace('_', '-')}", launch[name])),
            *(("--fault", "penalty") if launch["penalise"] else ()),
        ],
    )
    for team, name in enumerate(TEAMS):
        for player in range(1, players + 1):
            yield launch.node(
                package="luar_bridge",
                executable="bridge",
                namespace=f"{launch.namespace.rstrip('/')}/{name}/player_{player}",
                parameters_class=Parameters,
                parameters={
                    "frame_prefix": f"{name}/player_{player}/",
                    "team": team,
                    "player": player,
                    "user": user,
                    "joints": False,
                    "game_controller": f"{BROADCAST}:{launch['port']}",
                    "writable": ["gcmGame.*"],
                },
            )
            yield launch.program(
                package="luar_bridge",
                executable="simulator",
                name=f"simulator_{name}_{player}",
                arguments=[
                    *("--team", team, "--player", player, "--user", user, "--color", team),
                    *("--profile", "webots", "--ball-port", ball_port, "--cognition", IMAGES_HZ),
                ],
            )
    if launch["rviz"]:
        missing = range(players + 1, DRAWN_PLAYERS + 1)
        absent = [f"{name.capitalize()} {player}" for name in TEAMS for player in missing]
        yield launch.rviz(
            shared_file("rviz", "luar_match.rviz"),
            without=[*absent, *(f"{name} knows" for name in absent)],
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of a match."""
    return launch_description(ARGUMENTS, start)
