# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Images and labels: the Webots controller's colours, and the capture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from luar_bridge.protocol.labels import (
    Label,
    colourised,
    or_blocks,
    or_of_blocks,
    rgb_to_webots_yuyv,
    webots_yuyv_to_rgb,
    yuyv_to_rgb,
)
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.camera import Camera


def test_the_inverse_of_the_webots_packing() -> None:
    colours = np.random.default_rng(1).integers(0, 256, (8, 6, 3), np.uint8)
    pairs = np.repeat(colours, 2, axis=1)
    again = webots_yuyv_to_rgb(rgb_to_webots_yuyv(pairs)).astype(int)
    assert np.array_equal(again[..., 1], pairs[..., 1])
    assert np.abs(again - pairs).max() <= 1  # the halved difference is rounded


def test_by_hand() -> None:
    # G = 100, U = 128 + (50 - 100) / 2 = 103, V = 128 + (200 - 100) / 2 = 178.
    yuyv = np.array([[[100, 103], [100, 178]]], np.uint8)
    assert webots_yuyv_to_rgb(yuyv).tolist() == [[[200, 100, 50]] * 2]
    grey = np.array([[[126, 128], [126, 128]]], np.uint8)
    assert np.ptp(yuyv_to_rgb(grey)) == 0


def test_the_capture_has_right_colours_only_by_the_inverse(captures: Path) -> None:
    with Segment(captures / "vcmImage11cclabaugh") as segment:
        seen = segment.snapshot
    yuyv = np.frombuffer(seen.raw("yuyv"), np.uint8).reshape(120, 160, 2)
    labels = np.frombuffer(seen.raw("labelA"), np.uint8, 4800).reshape(60, 80)
    rgb = webots_yuyv_to_rgb(yuyv)[::2, ::2].astype(int)
    field = rgb[labels == Label.FIELD]
    assert len(field) > 500
    # The carpet is green there, more so than red or blue.
    assert (field[:, 1] > field[:, 0]).mean() > 0.95
    assert (field[:, 1] > field[:, 2]).mean() > 0.95


def test_labels_are_drawn() -> None:
    masks = np.array([[0, 1, 2], [4, 8, 16]], np.uint8)
    drawn = colourised(masks)
    assert drawn.shape == (2, 3, 3)
    assert len({tuple(pixel) for row in drawn.tolist() for pixel in row}) == 6


def test_or_of_blocks() -> None:
    masks = np.zeros((8, 8), np.uint8)
    masks[0, 0], masks[3, 3], masks[4, 4] = 1, 2, 16
    assert or_blocks(masks, 4).tolist() == [[3, 0], [0, 16]]


@pytest.mark.parametrize("size", [(160, 120), (320, 240)])
def test_the_simulated_camera_sees_what_is_there(size: tuple[int, int]) -> None:
    camera = Camera(*size)
    view = camera.look((-1.0, 0.0, 0.0), 0.0, 0.2, (0.0, 0.0))
    rows, columns = size[1] // 2, size[0] // 2
    assert view.labels.shape == (rows, columns)
    assert view.yuyv.shape == (size[1], size[0], 2)
    assert np.array_equal(or_blocks(view.labels, 4), view.labels_b)
    ball_rows, ball_columns = (view.labels == Label.ORANGE).nonzero()
    assert abs(ball_columns.mean() - columns / 2) < 2
    assert ball_rows.mean() > rows / 2
    assert (view.labels == Label.YELLOW).sum() > 20
    assert (view.labels == Label.CYAN).sum() == 0
    turned = camera.look((-1.0, 0.0, 0.0), 0.3, 0.2, (0.0, 0.0))
    moved = (turned.labels == Label.ORANGE).nonzero()[1].mean()
    assert moved > ball_columns.mean()  # the head turned left, the ball went right


@pytest.mark.parametrize("height, width", [(60, 80), (120, 160), (7, 9), (3, 80)])
@pytest.mark.parametrize("block", [1, 2, 4])
def test_the_or_of_blocks_from_bytes_is_that_of_arrays(
    height: int, width: int, block: int
) -> None:
    masks = np.random.default_rng(1).integers(0, 256, (height, width), np.uint8)
    padded = masks.tobytes() + b"\xff" * 8
    expected = or_blocks(masks, block).tobytes()
    assert or_of_blocks(padded, height, width, block) == expected
