# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A humanoid of Luar: where on the field it is and takes the ball to be, the game, its camera."""

from __future__ import annotations

from pathlib import Path

from geometry_msgs.msg import PoseWithCovarianceStamped
from sensor_msgs.msg import Image
from soccer_model_msgs.msg import Ball
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.drawing.drawn_shapes import boxes, strips
from legacy_robots_common.frames.transforms import yaw_of
from legacy_robots_common.node.times import seconds
from legacy_robots_msgs.msg import LuarBehaviour, LuarGameState, LuarReferee, LuarTeam
from legacy_robots_view.systems.kind import Camera, Feed, Kind, number, numbers
from legacy_robots_web import Fields

GAME_STATES = {
    LuarGameState.INITIAL: "initial",
    LuarGameState.READY: "ready",
    LuarGameState.SET: "set",
    LuarGameState.PLAYING: "playing",
    LuarGameState.FINISHED: "finished",
}
ROLES = {
    LuarTeam.GOALIE: "goalie",
    LuarTeam.ATTACK: "attacker",
    LuarTeam.DEFEND: "defender",
    LuarTeam.SUPPORT: "supporter",
    LuarTeam.DEFEND_SECOND: "second defender",
    LuarTeam.LOST: "lost",
    LuarTeam.COACH: "coach",
}
COLORS = {LuarTeam.BLUE: "blue", LuarTeam.RED: "red"}


def field(message: MarkerArray) -> Fields:
    """Return the carpet's size, the lines (pairs of ends) and the goals' posts, in m."""
    carpet = [0.0, 0.0]
    lines, posts = [], []
    for marker in message.markers:
        at = marker.pose.position
        if marker.ns == "carpet":
            ((x0, y0), (x1, y1)) = boxes(marker)[0]
            carpet = [x1 - x0, y1 - y0]
        elif marker.ns == "lines":
            lines += [[numbers(a), numbers(b)] for a, b in strips(marker)]
        elif marker.ns == "goals" and marker.id % 3 != 2:  # each third is a crossbar
            yellow = marker.color.r > marker.color.b
            posts.append({"at": numbers((at.x, at.y)), "color": "yellow" if yellow else "cyan"})
    if not all(carpet):
        raise ValueError("the field has no carpet")
    return {"carpet": numbers(carpet), "lines": lines, "posts": posts}


def pose(message: PoseWithCovarianceStamped) -> Fields:
    """Return where it is in the map: m, m, rad; and the variances of x, y and both, in m²."""
    at, covariance = message.pose.pose.position, message.pose.covariance
    return {
        "at": numbers((at.x, at.y, yaw_of(message.pose.pose.orientation))),
        "variance": numbers((covariance[0], covariance[7], covariance[1]), 5),
    }


def ball(message: Ball) -> Fields:
    """Return where it takes the ball to be: in m from itself, x forward, y left."""
    at = message.point.point
    return {"at": numbers((at.x, at.y))}


def team(message: LuarTeam) -> Fields:
    """Return who it is."""
    return {
        "team": message.number,
        "player": message.player,
        "color": COLORS.get(message.color),
        "role": ROLES.get(message.role),
        "valid": message.valid,
    }


def game_state(message: LuarGameState) -> Fields:
    """Return the game: its state, the half, and what is left of it in s.

    ``penalised`` has the numbers of the own players who must stand.
    """
    return {
        "state": GAME_STATES.get(message.state),
        "half": message.half if message.half > 0 else None,
        "left": number(message.time_remaining, 0),
        "penalised": [n for n, code in enumerate(message.penalties, 1) if code],
        "valid": message.valid,
    }


def referee(message: LuarReferee) -> Fields:
    """Return the game as the referee broadcasts it: as ``game_state``, and the score."""
    return {
        "state": GAME_STATES.get(message.state),
        "half": 1 if message.first_half else 2,
        "left": message.seconds_remaining,
        "score": [[COLORS.get(team.color), team.score] for team in message.teams],
        "valid": message.valid,
    }


def behaviour(message: LuarBehaviour) -> Fields:
    """Return where each state machine is, and the last transitions.

    ``since`` and ``at`` are Unix seconds, ``missed`` is None where the robot does not count.
    """
    return {
        "at": number(seconds(message.header.stamp)),
        "machines": [
            {
                "machine": m.machine,
                "state": m.state,
                "since": number(seconds(m.since)),
                "event": m.last_event,
                "previous": m.previous_state,
                "missed": m.missed if m.missed >= 0 else None,
            }
            for m in message.machines
        ],
        "transitions": [
            {
                "at": number(seconds(t.stamp)),
                "number": t.count,
                "machine": t.machine,
                "event": t.event,
                "source": t.source,
                "target": t.target,
            }
            for t in message.transitions
        ],
    }


def graph(message: String) -> Fields:
    """Return the picture of the state machines, as the text of an SVG file."""
    if not message.data.startswith("<svg "):
        raise ValueError("the message has no SVG picture")
    return {"svg": message.data}


KIND = Kind(
    "luar",
    "Luar",
    "legacy_robots_msgs/msg/LuarGameState",
    Path(__file__).with_suffix(".js"),
    (
        Feed("field", MarkerArray, field, latched=True),
        Feed("pose", PoseWithCovarianceStamped, pose),
        Feed("ball", Ball, ball),
        Feed("team", LuarTeam, team, latched=True),
        Feed("game_state", LuarGameState, game_state, latched=True),
        Feed("referee", LuarReferee, referee, latched=True),
        Feed("behaviour", LuarBehaviour, behaviour, latched=True),
        Feed("behaviour_graph", String, graph, latched=True, rate=2.0),
    ),
    tuple(Camera(f"{place}image_rgb", Image) for place in ("", "top/", "bottom/")),
)
