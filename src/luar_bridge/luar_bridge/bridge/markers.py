# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The field, the robot and what it sees and believes, as markers for rviz: pure functions."""

from __future__ import annotations

from itertools import pairwise
from math import copysign, cos, sin

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.markers import (
    LAYER_M,
    add_rectangle,
    add_strip,
    flat_shapes,
    new_marker,
    paint,
)
from legacy_robots_common.drawing.occupancy import FREE, OCCUPIED, OccupancyMap
from legacy_robots_common.frames.transforms import quaternion_message
from luar_bridge.model import beliefs, field, vision
from luar_bridge.model.beliefs import BallModel, GoalModel, Mate, Obstacle, RobotPose, Team
from luar_bridge.model.pose import Pose
from luar_bridge.model.snapshots import Memory
from luar_bridge.model.vision import SeenBall, SeenGoal

LIFETIME = Duration(sec=1)
"""Lifetime of a marker: what is no longer reported disappears."""
MAP_RESOLUTION = 0.05
"""Of the occupancy grid, m."""

ATTACK_TEXT_M, ATTACK_LINE_M, ATTACK_WIDTH_M = 0.14, 0.2, 1.3
"""Height of the capitals, of a line and the width of a column of what players attack."""
ATTACK_ROWS = 3
NARROW = "\u00a0"
"""Between words: rviz makes a space as wide as for letters 1 m high."""

GRASS = paint("carpet")
WHITE = paint("field-line")
YELLOW = paint("goal-yellow")
CYAN = paint("goal-cyan")
ORANGE = paint("ball")
SEEN = paint("ball-seen", 0.8)
TEAMS = paint("team-blue"), paint("team-red")
GREY = paint("team-none")


def _at(marker: Marker, x: float, y: float, z: float, size: tuple[float, float, float]) -> Marker:
    marker.pose.position = Point(x=x, y=y, z=z)
    marker.scale = Vector3(x=size[0], y=size[1], z=size[2])
    return marker


def field_map(head: Header) -> OccupancyGrid:
    """Return the carpet as free, the goals' posts as occupied; it never changes."""
    length, width = field.HALF_LENGTH + field.BORDER, field.HALF_WIDTH + field.BORDER
    carpet = OccupancyMap(-length, -width, 2 * length, 2 * width, MAP_RESOLUTION)
    carpet.fill(-length, -width, length, width, FREE)
    radius = field.POST_RADIUS
    for x, y in (*field.YELLOW_POSTS, *field.CYAN_POSTS):
        carpet.fill(x - radius, y - radius, x + radius, y + radius, OCCUPIED)
    return carpet.message(head)


def field_markers(head: Header) -> MarkerArray:
    """Return carpet, lines and goals of RoboCup 2011; they never change."""
    length = field.HALF_LENGTH + field.BORDER
    width = field.HALF_WIDTH + field.BORDER
    carpet = flat_shapes(head, "carpet", 0, GRASS)
    add_rectangle(carpet, (-length, -width), (length, width), -LAYER_M)
    lines = flat_shapes(head, "lines", 0, WHITE)
    for start, end in (*field.LINES, *pairwise(field.circle())):
        add_strip(lines, start, end, 0.0, field.LINE_WIDTH)
    for x in (-1.0, 1.0):
        mark = x * (field.HALF_LENGTH - field.PENALTY_MARK)
        add_strip(lines, (mark - 0.05, 0.0), (mark + 0.05, 0.0), 0.0, field.LINE_WIDTH)
        add_strip(lines, (mark, -0.05), (mark, 0.05), 0.0, field.LINE_WIDTH)
    markers = [carpet, lines]
    post = 2 * field.POST_RADIUS
    for number, (posts, color) in enumerate(
        ((field.YELLOW_POSTS, YELLOW), (field.CYAN_POSTS, CYAN))
    ):
        for side, (x, y) in enumerate(posts):
            standing = new_marker(head, "goals", 3 * number + side, Marker.CYLINDER, color)
            size = (post, post, field.GOAL_HEIGHT)
            markers.append(_at(standing, x, y, field.GOAL_HEIGHT / 2, size))
        bar = new_marker(head, "goals", 3 * number + 2, Marker.CYLINDER, color)
        _at(bar, posts[0][0], 0.0, field.GOAL_HEIGHT, (post, post, 2 * field.GOAL_HALF_WIDTH))
        bar.pose.orientation = quaternion_message(1.5707963267948966, 0.0, 0.0)
        markers.append(bar)
    return MarkerArray(markers=markers)


def robot_markers(robot: RobotPose | None, team: Team | None, head: Header) -> list[Marker]:
    """Return an arrow where the robot looks, in its team's colour, and its number.

    The robot itself is ``robot_description``.
    """
    if robot is None:
        return []
    look = _team_colour(team.color if team else None)
    markers = [_heading("robot", 0, robot.pose, look, head)]
    if team is not None and team.player is not None:
        markers.append(_number("robot", 1, robot.pose, team.player, head))
    return _lasting(markers)


def mate_markers(mates: tuple[Mate, ...] | None, color: int | None, head: Header) -> list[Marker]:
    """Return the own team where it has reported to be, in the map: body, heading and number.

    Those who have fallen lie; those who are penalised are grey.
    """
    markers = []
    for number, mate in enumerate(mates or ()):
        look = GREY if mate.penalised else _team_colour(color)
        x, y, a = mate.pose
        height = 0.15 if mate.fallen else 0.45
        body = new_marker(head, "mates", 4 * number, Marker.CYLINDER, look)
        markers.append(_at(body, x, y, height / 2, (0.16, 0.24, height)))
        body.pose.orientation = quaternion_message(0.0, 0.0, a)
        if not mate.fallen:
            skull = new_marker(head, "mates", 4 * number + 1, Marker.SPHERE, WHITE)
            markers.append(_at(skull, x, y, 0.51, (0.13, 0.13, 0.13)))
        markers.append(_heading("mates", 4 * number + 2, mate.pose, look, head))
        if mate.player:
            markers.append(_number("mates", 4 * number + 3, mate.pose, mate.player, head))
    return _lasting(markers)


def _team_colour(color: int | None) -> ColorRGBA:
    return TEAMS[color] if color in (0, 1) else GREY


def _heading(name: str, number: int, pose: Pose, look: ColorRGBA, head: Header) -> Marker:
    """Return an arrow that begins between the feet."""
    x, y, a = pose
    arrow = new_marker(head, name, number, Marker.ARROW, look)
    arrow.pose.orientation = quaternion_message(0.0, 0.0, a)
    return _at(arrow, x, y, LAYER_M, (0.35, 0.06, 0.04))


def _number(name: str, number: int, pose: Pose, player: int, head: Header) -> Marker:
    """Return a player's number behind its back, where neither body nor arrow hides it."""
    x, y, a = pose
    text = new_marker(head, name, number, Marker.TEXT_VIEW_FACING, WHITE)
    text.text = str(player)
    return _at(text, x - 0.25 * cos(a), y - 0.25 * sin(a), 0.3, (0.0, 0.0, 0.2))


def ball_markers(model: BallModel | None, seen: SeenBall | None, head: Header) -> list[Marker]:
    """Return the ball in the robot's frame: as it is believed, and as it is seen now."""
    markers = []
    size = 2 * field.BALL_RADIUS
    if model is not None:
        ball = new_marker(head, "ball", 0, Marker.SPHERE, ORANGE)
        markers.append(_at(ball, model.x, model.y, field.BALL_RADIUS, (size, size, size)))
    if seen is not None:
        ring = new_marker(head, "ball seen", 0, Marker.CYLINDER, SEEN)
        x, y, _ = seen.position
        markers.append(_at(ring, x, y, LAYER_M, (2 * size, 2 * size, 0.01)))
    return _lasting(markers)


def goal_markers(goal: SeenGoal | None, head: Header) -> list[Marker]:
    """Return the goal posts seen now, in the robot's frame."""
    if goal is None:
        return []
    color = {True: YELLOW, False: CYAN, None: GREY}[goal.yellow]
    markers = []
    for number, post in enumerate(goal.posts):
        x, y, _ = post.position
        standing = new_marker(head, "goal seen", number, Marker.CYLINDER, color)
        markers.append(_at(standing, x, y, 0.4, (0.14, 0.14, 0.8)))
    return _lasting(markers)


def attack_marker(goals: GoalModel | None, team: Team | None, head: Header) -> list[Marker]:
    """Return who attacks, in the map, on the carpet's border beside the goal that it attacks.

    Each player has a line of its own, apart from those of the others from above and from the side.
    """
    if goals is None:
        return []
    colors: dict[int | None, str] = {0: "blue", 1: "red"}
    color = colors.get(team.color if team else None, "")
    player = (team.player if team else None) or 0
    column, row = divmod(max(player - 1, 0), ATTACK_ROWS)
    along = field.HALF_LENGTH - ATTACK_WIDTH_M * (0.5 + column)
    line = -ATTACK_ROWS + row if color == "red" else 1 + row
    across = ATTACK_LINE_M * line + copysign(field.HALF_WIDTH, line)
    text = new_marker(head, "attack", 0, Marker.TEXT_VIEW_FACING, WHITE)
    text.text = NARROW.join([*filter(None, (color, str(player or ""))), "attacks"])
    place = (copysign(along, goals.attack[0]), across, LAYER_M + ATTACK_LINE_M * (row + 0.5))
    return _lasting([_at(text, *place, (0.0, 0.0, ATTACK_TEXT_M))])


def obstacle_markers(obstacles: tuple[Obstacle, ...] | None, head: Header) -> list[Marker]:
    """Return other robots, in this one's frame."""
    markers = []
    for number, obstacle in enumerate(obstacles or ()):
        look = GREY if obstacle.opponent else WHITE
        other = new_marker(head, "obstacles", number, Marker.CYLINDER, look)
        markers.append(_at(other, obstacle.x, obstacle.y, 0.29, (0.2, 0.2, 0.58)))
    return _lasting(markers)


def all_markers(
    memory: Memory, camera_height: float, team: Team | None, in_base: Header, in_map: Header
) -> MarkerArray:
    """Return the robot and what it sees and believes; a ball that was never seen is left out."""
    model = beliefs.ball_model(memory)
    if model is not None and not model.last_seen:
        model = None
    color = team.color if team else None
    drawn = [
        *robot_markers(beliefs.robot_pose(memory), team, in_map),
        *mate_markers(beliefs.mates(memory), color, in_map),
        *ball_markers(model, vision.seen_ball(memory, camera_height), in_base),
        *goal_markers(vision.seen_goal(memory, camera_height), in_base),
        *attack_marker(beliefs.goal_model(memory), team, in_map),
        *obstacle_markers(beliefs.obstacles(memory), in_base),
    ]
    return MarkerArray(markers=drawn)


def _lasting(markers: list[Marker]) -> list[Marker]:
    for marker in markers:
        marker.lifetime = LIFETIME
    return markers
