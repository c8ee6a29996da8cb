# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated camera: the same scene gives the same pixels, and things are where they belong."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from roboskate_game.drawing.camera import CameraView
from roboskate_game.drawing.look import random_look
from roboskate_game.drawing.projection import CameraMount, Projection
from roboskate_game.physics.world import GameWorld
from roboskate_game.protocol.messages import ImageSize, Keys


@pytest.fixture(scope="module")
def game():
    world = GameWorld(ImageSize(320, 180))
    return world, CameraView()


def draw(game, level=0, keys=None, seconds=0.0, size=None):
    world, view = game
    world.initialize(level, size)
    world.hold(keys or Keys())
    world.run(seconds)
    return view.draw(world.scene()).astype(int)


@pytest.mark.parametrize("size", [(10, 10), (64, 48), (1000, 300), (1920, 1080), (3, 200)])
def test_any_size(game, size):
    image = draw(game, size=ImageSize(*size))
    assert image.shape == (size[1], size[0], 3)
    assert image.std() > 5  # there is something to see


def test_the_same_scene_gives_the_same_pixels(game):
    first = draw(game, keys=Keys(0.3, 1.0, 0.2), seconds=0.3)
    assert (first == draw(game, keys=Keys(0.3, 1.0, 0.2), seconds=0.3)).all()
    again = CameraView()
    assert (first == draw((game[0], again), keys=Keys(0.3, 1.0, 0.2), seconds=0.3)).all()


def test_sky_above_haze_at_the_sides_ground_in_the_middle(game):
    image = draw(game, level=3)  # on the first disc, nothing to both sides
    red, _, blue = image[2, 160]
    assert blue > red + 20  # blue sky
    for x in (4, 315):
        red, green, blue = image[120, x]
        assert blue > green > red  # nothing but haze
    red, green, blue = image[160, 160]
    assert red > green > blue  # sandstone


def test_the_ground_has_texture_and_the_sun_throws_shadows(game):
    image = draw(game, level=0)
    assert image[140:, 40:100].std(axis=(0, 1)).min() > 2.0
    # With the crane up, its shadow lies to the side that is away from the sun.
    world, view = game
    bare = view.draw(world.scene()).astype(int)
    azimuth, elevation = view.look.sun
    other = CameraView(replace(view.look, sun=(azimuth + math.pi, elevation)))
    moved = other.draw(world.scene()).astype(int)
    darker = (bare.sum(axis=-1) < 0.75 * moved.sum(axis=-1))[100:, 60:260]
    assert darker.sum() > 20


def test_hedges_stand_beside_the_road_of_level_0(game):
    image = draw(game, level=0)
    red, green, blue = image.transpose(2, 0, 1)
    leaves = (green > red + 12) & (green > blue + 12)
    for half in (leaves[:, :160], leaves[:, 160:]):
        assert half.sum() > 200


def test_looks_vary_on_request(game):
    world, view = game
    world.initialize(0, None)
    first, again = (random_look(np.random.default_rng(5)) for _ in range(2))
    assert first == again
    assert first != random_look(np.random.default_rng(6))
    usual = view.draw(world.scene()).astype(int)
    assert np.abs(CameraView(first).draw(world.scene()) - usual).mean() > 4


def test_the_cost_falls_with_the_size(game):
    world, view = game
    costs = {}
    for size in (ImageSize(64, 36), ImageSize(1920, 1080)):
        world.initialize(0, size)
        view.draw(world.scene())
        begin = time.process_time()
        for _ in range(5):
            view.draw(world.scene())
        costs[size.width] = time.process_time() - begin
    assert costs[64] < costs[1920] / 2


def test_the_crane_is_seen_on_the_side_that_it_is_turned_to(game):
    still = draw(game)
    # Tilted and turned, to the left with joint 1 positive.
    columns = {}
    for side in (1.0, -1.0):
        world, view = game
        world.initialize(0, None)
        world.hold(Keys(0.0, 1.0, 0.0))
        world.run(0.3)
        world.hold(Keys(side, 0.0, 0.0))
        world.run(0.6)
        world.hold(Keys())
        orange = view.draw(world.scene()).astype(int)
        where = (orange[..., 0] > 200) & (orange[..., 2] < 90) & (orange[..., 1] < 180)
        columns[side] = np.nonzero(where & (still != orange).any(axis=-1))[1].mean()
    assert columns[1.0] < 150
    assert columns[-1.0] > 170


def test_a_point_ahead_is_where_a_pinhole_camera_sees_it(game):
    world, _ = game
    world.initialize(0, None)
    mount = CameraMount(behind=2.0, above=1.0, down=0.0, vertical_fov=math.radians(90.0))
    view = Projection(world.state(), mount, ImageSize(200, 100))
    assert view.focal == pytest.approx(50.0)
    # 10 m ahead of the camera, 1 m to the left of it and 2 m above it.
    point = view.into_camera(np.array([[8.0, 1.0, 3.0]]))
    assert point[0] == pytest.approx([-1.0, -2.0, 10.0])
    assert view.pixels(point)[0] == pytest.approx([95.0, 40.0])


def test_a_board_that_has_fallen_off_can_still_be_drawn(game):
    world, view = game
    world.initialize(0, None)
    board = world.state()
    for position in ((0.0, 0.0, -30.0), (1e4, 1e4, -30.0), (40.0, 30.0, -3.0)):
        scene = type(world.scene())(
            type(board)(**{**vars(board), "position": position}), ImageSize(64, 48)
        )
        assert view.draw(scene).shape == (48, 64, 3)


def test_clouds_stay_when_the_board_rolls(game):
    world, view = game
    world.initialize(3, None)
    scene = world.scene()
    roll = math.radians(8.0)
    cosine, sine = math.cos(roll), math.sin(roll)
    turned = np.array(scene.board.rotation) @ [[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]
    rolled = replace(
        scene, board=replace(scene.board, rotation=tuple(map(tuple, turned.tolist())))
    )
    texture = []
    for each in (scene, rolled):
        sky = view.draw(each)[:20].astype(float)
        texture.append(np.abs(np.diff(sky, axis=1)).mean())
    assert min(texture) > 2.0
    assert texture[1] > 0.5 * texture[0]


def test_the_side_of_the_white_s_has_no_slit(game):
    _, view = game
    sides = [quad for quad, raised in zip(*view_sides(view), strict=True) if not raised]
    # At the joint of the second arc and its end the side faces south, at y -48.9.
    end = [q for q in sides if np.allclose(q[:, 1], -48.9) and (q[:, 0] > 50.0).all()]
    reach = [x for q in end for x in q[:, 0] if q[:, 0].max() < 52.0]
    assert min(reach) <= 50.65
    assert max(reach) == pytest.approx(51.15)


def view_sides(view):
    scenery = view._stage[2]
    return scenery.planes.transpose(2, 1, 0), scenery.raised
