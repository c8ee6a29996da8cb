# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is read of the bridges' messages; drawings for rviz are those that the bridges make."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, PoseWithCovarianceStamped, Vector3
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, JointState
from soccer_model_msgs.msg import Ball
from std_msgs.msg import Header, String
from visualization_msgs.msg import MarkerArray

from legacy_robots_msgs.msg import (
    AiboBall,
    Bw4tDoor,
    Bw4tMap,
    Bw4tTask,
    Bw4tZone,
    LuarBehaviour,
    LuarGameState,
    LuarMachineState,
    LuarReferee,
    LuarRefereeTeam,
    LuarTeam,
    LuarTransition,
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoSighting,
    NaoState,
)
from legacy_robots_view.systems import aibo, bw4t, joints, kinds, luar, nao, roboskate
from legacy_robots_view.view_parameters import Parameters

QUARTER = math.sqrt(0.5)


FEEDS = [(kind.name, feed) for kind in kinds(Parameters()) for feed in kind.feeds]
HAVE_NOTHING_TO_DRAW = {("nao", "rooms"), ("luar", "field"), ("luar", "behaviour_graph")}


@pytest.mark.parametrize("kind,feed", FEEDS, ids=[f"{k}-{f.topic}" for k, f in FEEDS])
def test_every_feed_reads_an_empty_message_or_says_why_not(kind, feed):
    if (kind, feed.topic) in HAVE_NOTHING_TO_DRAW:
        with pytest.raises(ValueError, match="has no"):
            feed.read(feed.type())
    else:
        json.dumps(feed.read(feed.type()), allow_nan=False)


def test_numbers_that_are_none_become_null():
    nan = math.nan
    ball = AiboBall(visible=True, x=nan, azimuth=nan)
    assert aibo.ball(ball)["azimuth"] is None
    assert aibo.ball(ball)["image"] == [None, 0.0, 0.0]
    assert aibo.battery(BatteryState(percentage=nan)) == {"charge": None}
    assert luar.game_state(LuarGameState(time_remaining=nan, state=9))["left"] is None
    state = JointState(name=["a"], position=[math.inf])
    assert joints.positions(state) == {"names": ["a"], "positions": [None]}


# --- Nao -----------------------------------------------------------------------------------


def test_the_maze_is_read_from_what_the_bridge_publishes():
    from nao_goal_bridge.bridge import conversions
    from nao_goal_bridge.model.room_map import load_room_map

    shipped = load_room_map()
    fields = nao.rooms(conversions.rooms(shipped, Header()))
    rooms = {room["id"]: room["at"] for room in fields["rooms"]}
    assert rooms == {r.marker_id: pytest.approx([r.x, r.y]) for r in shipped.rooms.values()}
    passages = sum(len(room.neighbours) for room in shipped.rooms.values()) / 2
    assert len(fields["passages"]) == passages
    one = shipped.rooms[64]
    other = shipped.rooms[80]
    assert pytest.approx([one.x, one.y, other.x, other.y]) in fields["passages"]
    assert fields["size"] == pytest.approx(shipped.room_size)


def test_what_the_nao_sees_is_read_from_what_the_bridge_draws():
    from nao_goal_bridge.bridge.markers import situation_markers
    from nao_goal_bridge.model.room_map import load_room_map

    place = NaoLocation(marker_id=64, valid=True)
    place.header.stamp.sec = 10
    seen = {marker: NaoSighting(marker_id=marker) for marker in (80, 114, 124)}
    seen[80].header.stamp.sec = 10
    seen[114].header.stamp.sec = 11
    seen[124].header.stamp.sec = 9  # from the room before
    drawn = situation_markers(load_room_map(), place, NaoState(), NaoHeldObject(), seen)
    assert nao.sightings(drawn) == {"seen": [80, 114]}
    assert nao.sightings(MarkerArray()) == {"seen": []}


def test_what_the_nao_tells():
    assert nao.location(NaoLocation(marker_id=5, valid=True)) == {"room": 5, "valid": True}
    assert nao.state(NaoState(state=NaoState.WALKING, valid=True))["state"] == "walking"
    assert nao.state(NaoState(state=7))["state"] == "7"
    assert nao.held_object(NaoHeldObject(holding=True, object_id=3, valid=True))["object"] == 3
    assert nao.held_object(NaoHeldObject(object_id=3, valid=True))["object"] is None
    unknown = NaoDropped(object_id=NaoDropped.OBJECT_UNKNOWN)
    assert nao.dropped(unknown)["object"] is None
    assert nao.dropped(NaoDropped(object_id=2))["object"] == 2


# --- RoboSkate and joints ------------------------------------------------------------------


def test_where_the_board_is_and_how_fast():
    message = Odometry()
    message.pose.pose.position = Point(x=1.0, y=2.0, z=3.0)
    message.pose.pose.orientation.z = message.pose.pose.orientation.w = QUARTER
    message.twist.twist.linear = Vector3(x=3.0, y=0.0, z=4.0)
    assert roboskate.odom(message) == {
        "at": [1.0, 2.0, 3.0],
        "heading": pytest.approx(math.pi / 2, abs=1e-3),
        "speed": 5.0,
    }


def test_joints_without_positions_are_refused():
    with pytest.raises(ValueError, match="2 joints have 1 positions"):
        joints.positions(JointState(name=["a", "b"], position=[0.0]))


def test_a_description_has_a_limit():
    assert joints.description(String(data="<robot/>")) == {"urdf": "<robot/>"}
    with pytest.raises(ValueError, match="too long"):
        joints.description(String(data="x" * (joints.MAX_DESCRIPTION + 1)))


# --- Luar ----------------------------------------------------------------------------------


def test_the_field_is_read_from_what_the_bridge_draws():
    from luar_bridge.bridge.markers import field_markers
    from luar_bridge.model import field

    fields = luar.field(field_markers(Header()))
    assert fields["carpet"] == pytest.approx(
        [2 * (field.HALF_LENGTH + field.BORDER), 2 * (field.HALF_WIDTH + field.BORDER)]
    )
    posts = {(tuple(post["at"]), post["color"]) for post in fields["posts"]}
    assert posts == {(p, "yellow") for p in field.YELLOW_POSTS} | {
        (p, "cyan") for p in field.CYAN_POSTS
    }
    drawn = {(tuple(a), tuple(b)) for a, b in fields["lines"]}
    circle = [(round(x, 3), round(y, 3)) for x, y in field.circle()]
    assert {*field.LINES, *pairwise(circle)} <= drawn


def test_where_a_player_is_and_the_ball():
    message = PoseWithCovarianceStamped()
    message.pose.pose.position = Point(x=1.0, y=-2.0)
    message.pose.pose.orientation.z = message.pose.pose.orientation.w = QUARTER
    message.pose.covariance[0], message.pose.covariance[1], message.pose.covariance[7] = 4, 1, 9
    fields = luar.pose(message)
    assert fields["at"] == pytest.approx([1.0, -2.0, math.pi / 2], abs=1e-3)
    assert fields["variance"] == [4.0, 9.0, 1.0]
    ball = Ball()
    ball.point.point = Point(x=0.5, y=0.25)
    assert luar.ball(ball) == {"at": [0.5, 0.25]}


def test_who_plays_what():
    team = LuarTeam(valid=True, number=3, player=2, color=LuarTeam.RED, role=LuarTeam.GOALIE)
    assert luar.team(team) == {
        "team": 3, "player": 2, "color": "red", "role": "goalie", "valid": True,
    }  # fmt: skip
    assert luar.team(LuarTeam(color=-1, role=-1))["color"] is None
    game = LuarGameState(
        valid=True, state=LuarGameState.PLAYING, half=1, time_remaining=59.6, penalties=[0, 15]
    )
    assert luar.game_state(game) == {
        "state": "playing", "half": 1, "left": 60.0, "penalised": [2], "valid": True,
    }  # fmt: skip


def test_what_the_referee_says():
    teams = [LuarRefereeTeam(color=1, score=2), LuarRefereeTeam(number=1, color=9)]
    game = LuarReferee(valid=True, state=LuarReferee.SET, seconds_remaining=30, teams=teams)
    assert luar.referee(game) == {
        "state": "set", "half": 2, "left": 30, "score": [["red", 2], [None, 0]], "valid": True,
    }  # fmt: skip


def test_where_the_state_machines_are():
    message = LuarBehaviour(
        machines=[
            LuarMachineState(machine="body", state="bodyKick", last_event="kick", missed=-1)
        ],
        transitions=[LuarTransition(machine="body", event="kick", target="bodyKick", count=3)],
    )
    message.machines[0].since = Time(sec=5, nanosec=500_000_000)
    fields = luar.behaviour(message)
    assert fields["machines"] == [
        {
            "machine": "body", "state": "bodyKick", "since": 5.5, "event": "kick", "previous": "",
            "missed": None,
        }
    ]  # fmt: skip
    (drawn,) = fields["transitions"]
    assert (drawn["number"], drawn["source"]) == (3, "")
    assert luar.graph(String(data="<svg ></svg>")) == {"svg": "<svg ></svg>"}
    with pytest.raises(ValueError, match="no SVG"):
        luar.graph(String(data="<html>"))


# --- Blocks world --------------------------------------------------------------------------


def test_the_blocks_world_is_read_from_what_the_bridge_draws():
    from bw4t_bridge.bridge.markers import BLOCK_COLORS, world_markers
    from bw4t_world import World
    from bw4t_world.maps import load_map
    from bw4t_world.scenarios import BotSpec, Scenario

    assert {str(c.value): (p.r, p.g, p.b) for c, p in BLOCK_COLORS.items()} == {
        name: pytest.approx(paint) for name, paint in bw4t.BLOCKS.items()
    }
    world = World(load_map("nine_rooms_random"), Scenario(bots=(BotSpec(amount=2),)), seed=1)
    snapshot = world.snapshot()
    fields = bw4t.drawing(MarkerArray(markers=world_markers(snapshot, Header())))
    assert fields["blocks"] == [
        [pytest.approx(b.x, abs=0.01), pytest.approx(-b.y, abs=0.01), b.color.value]
        for b in snapshot.blocks
    ]
    assert fields["held"] == []
    assert {r["name"]: r["at"] for r in fields["robots"]} == {
        r.name: pytest.approx([r.x, -r.y], abs=0.01) for r in snapshot.robots
    }


def test_what_a_robot_holds_is_told_apart_from_what_lies_on_the_floor():
    from bw4t_bridge.bridge.markers import world_markers
    from bw4t_world import World
    from bw4t_world.maps import load_map
    from bw4t_world.scenarios import BotSpec, Scenario

    world = World(load_map("nine_rooms_random"), Scenario(bots=(BotSpec(),)), seed=1)
    room = next(block.zone for block in world.snapshot().blocks)
    world.act("Bot_1", "goTo", room)
    for _ in range(2000):
        world.tick()
    block = next(block for block in world.snapshot().blocks if block.zone == room)
    world.act("Bot_1", "goToBlock", block.id)
    for _ in range(500):
        world.tick()
    world.act("Bot_1", "pickUp")
    world.tick()
    snapshot = world.snapshot()
    assert snapshot.robots[0].held, "the test needs a robot that holds a block"
    fields = bw4t.drawing(MarkerArray(markers=world_markers(snapshot, Header())))
    robot = snapshot.robots[0]
    assert fields["held"] == [
        [pytest.approx(robot.x, abs=0.01), pytest.approx(-robot.y, abs=0.01), block.color.value]
    ]
    assert len(fields["blocks"]) == len(snapshot.blocks)


def test_zones_and_doors_are_rectangles():
    door = Bw4tDoor(center=Point(x=3.0, y=-6.0), width=2.0, height=1.0)
    zones = [
        Bw4tZone(name="A", type=Bw4tZone.ROOM, center=Point(x=3.0, y=-4.0), width=6.0, height=4.0,
                 doors=[door]),
        Bw4tZone(name="D", type=Bw4tZone.ROOM, is_drop_zone=True),
    ]  # fmt: skip
    fields = bw4t.world_map(Bw4tMap(width=20.0, height=10.0, zones=zones))
    assert fields["size"] == [20.0, 10.0]
    assert fields["zones"][0] == {
        "name": "A",
        "kind": "room",
        "box": [0.0, -6.0, 6.0, 4.0],
        "doors": [[2.0, -6.5, 2.0, 1.0]],
    }
    assert fields["zones"][1]["kind"] == "drop"


def test_the_task():
    message = Bw4tTask(sequence=["Red", "Blue"], index=1, time=12.3, wrong_drops=2)
    assert bw4t.task(message) == {
        "sequence": ["Red", "Blue"], "index": 1, "done": False, "seconds": 12.0, "wrong": 2,
    }  # fmt: skip


# --- AIBO ----------------------------------------------------------------------------------


def test_a_ball_that_is_not_seen_is_nowhere():
    ball = AiboBall(visible=False, x=0.5, y=0.5, area=0.1, azimuth=1.0)
    assert aibo.ball(ball) == {
        "visible": False, "image": None, "direction": None, "azimuth": None,
    }  # fmt: skip


def test_a_ball_that_is_seen():
    ball = AiboBall(visible=True, x=0.5, y=-0.25, area=0.125, azimuth=0.5)
    ball.direction = Vector3(x=0.0, y=0.6, z=0.8)
    assert aibo.ball(ball) == {
        "visible": True,
        "image": [0.5, -0.25, 0.125],
        "direction": [0.0, 0.6, 0.8],
        "azimuth": 0.5,
    }
