# SPDX-License-Identifier: Apache-2.0
"""The field, the robot and what it sees and believes, as markers for rviz: pure functions."""

from __future__ import annotations

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.occupancy import FREE, OCCUPIED, OccupancyMap
from legacy_robots_common.transforms import quaternion_message
from luar_bridge import field
from luar_bridge.beliefs import BallModel, GoalModel, Obstacle, RobotPose
from luar_bridge.vision import SeenBall, SeenGoal

LIFETIME = Duration(sec=1)
"""What is not told any more disappears."""
MAP_RESOLUTION = 0.05
"""Of the occupancy grid, m."""

GRASS = ColorRGBA(r=0.10, g=0.45, b=0.15, a=1.0)
WHITE = ColorRGBA(r=0.95, g=0.95, b=0.95, a=1.0)
YELLOW = ColorRGBA(r=0.95, g=0.85, b=0.10, a=1.0)
CYAN = ColorRGBA(r=0.10, g=0.75, b=0.85, a=1.0)
ORANGE = ColorRGBA(r=1.00, g=0.50, b=0.05, a=1.0)
SEEN = ColorRGBA(r=1.00, g=0.30, b=0.70, a=0.8)
TEAMS = (ColorRGBA(r=0.15, g=0.30, b=0.90, a=1.0), ColorRGBA(r=0.85, g=0.15, b=0.15, a=1.0))
GREY = ColorRGBA(r=0.50, g=0.50, b=0.50, a=1.0)


def _marker(head: Header, namespace: str, number: int, kind: int, color: ColorRGBA) -> Marker:
    marker = Marker(header=head, ns=namespace, id=number, type=kind, action=Marker.ADD)
    marker.color = color
    marker.pose.orientation.w = 1.0
    return marker


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
    length = 2 * (field.HALF_LENGTH + field.BORDER)
    width = 2 * (field.HALF_WIDTH + field.BORDER)
    carpet = _at(
        _marker(head, "carpet", 0, Marker.CUBE, GRASS), 0.0, 0.0, -0.006, (length, width, 0.01)
    )
    lines = _marker(head, "lines", 0, Marker.LINE_LIST, WHITE)
    lines.scale.x = field.LINE_WIDTH
    for start, end in field.LINES:
        lines.points += [Point(x=start[0], y=start[1]), Point(x=end[0], y=end[1])]
    for x in (-1.0, 1.0):
        mark = x * (field.HALF_LENGTH - field.PENALTY_MARK)
        lines.points += [Point(x=mark - 0.05), Point(x=mark + 0.05)]
        lines.points += [Point(x=mark, y=-0.05), Point(x=mark, y=0.05)]
    circle = _marker(head, "lines", 1, Marker.LINE_STRIP, WHITE)
    circle.scale.x = field.LINE_WIDTH
    circle.points = [Point(x=x, y=y) for x, y in field.circle()]
    markers = [carpet, lines, circle]
    post = 2 * field.POST_RADIUS
    for number, (posts, color) in enumerate(
        ((field.YELLOW_POSTS, YELLOW), (field.CYAN_POSTS, CYAN))
    ):
        for side, (x, y) in enumerate(posts):
            standing = _marker(head, "goals", 3 * number + side, Marker.CYLINDER, color)
            size = (post, post, field.GOAL_HEIGHT)
            markers.append(_at(standing, x, y, field.GOAL_HEIGHT / 2, size))
        bar = _marker(head, "goals", 3 * number + 2, Marker.CYLINDER, color)
        _at(bar, posts[0][0], 0.0, field.GOAL_HEIGHT, (post, post, 2 * field.GOAL_HALF_WIDTH))
        bar.pose.orientation = quaternion_message(1.5707963267948966, 0.0, 0.0)
        markers.append(bar)
    return MarkerArray(markers=markers)


def robot_markers(robot: RobotPose | None, color: int | None, head: Header) -> list[Marker]:
    """Return the robot in the map: body, and an arrow where it looks."""
    if robot is None:
        return []
    x, y, a = robot.pose
    paint = TEAMS[color] if color in (0, 1) else GREY
    body = _at(_marker(head, "robot", 0, Marker.CYLINDER, paint), x, y, 0.29, (0.2, 0.2, 0.58))
    heading = _at(_marker(head, "robot", 1, Marker.ARROW, paint), x, y, 0.3, (0.35, 0.05, 0.05))
    heading.pose.orientation = quaternion_message(0.0, 0.0, a)
    return _lasting([body, heading])


def ball_markers(model: BallModel | None, seen: SeenBall | None, head: Header) -> list[Marker]:
    """Return the ball in the robot's frame: as it is believed, and as it is seen now."""
    markers = []
    size = 2 * field.BALL_RADIUS
    if model is not None:
        ball = _marker(head, "ball", 0, Marker.SPHERE, ORANGE)
        markers.append(_at(ball, model.x, model.y, field.BALL_RADIUS, (size, size, size)))
    if seen is not None:
        ring = _marker(head, "ball seen", 0, Marker.CYLINDER, SEEN)
        x, y, _ = seen.position
        markers.append(_at(ring, x, y, 0.005, (2 * size, 2 * size, 0.01)))
    return _lasting(markers)


def goal_markers(goal: SeenGoal | None, head: Header) -> list[Marker]:
    """Return the goal posts seen now, in the robot's frame."""
    if goal is None:
        return []
    color = {True: YELLOW, False: CYAN, None: GREY}[goal.yellow]
    markers = []
    for number, post in enumerate(goal.posts):
        x, y, _ = post.position
        standing = _marker(head, "goal seen", number, Marker.CYLINDER, color)
        markers.append(_at(standing, x, y, 0.4, (0.14, 0.14, 0.8)))
    return _lasting(markers)


def attack_marker(goals: GoalModel | None, head: Header) -> list[Marker]:
    """Return where the robot wants to score, in the map."""
    if goals is None:
        return []
    x, y, _ = goals.attack
    text = _at(
        _marker(head, "attack", 0, Marker.TEXT_VIEW_FACING, WHITE), x, y, 1.1, (0.0, 0.0, 0.2)
    )
    text.text = "attack"
    return _lasting([text])


def obstacle_markers(obstacles: tuple[Obstacle, ...] | None, head: Header) -> list[Marker]:
    """Return other robots, in this one's frame."""
    markers = []
    for number, obstacle in enumerate(obstacles or ()):
        paint = GREY if obstacle.opponent else WHITE
        other = _marker(head, "obstacles", number, Marker.CYLINDER, paint)
        markers.append(_at(other, obstacle.x, obstacle.y, 0.29, (0.2, 0.2, 0.58)))
    return _lasting(markers)


def _lasting(markers: list[Marker]) -> list[Marker]:
    for marker in markers:
        marker.lifetime = LIFETIME
    return markers
