# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the host and its simulated robot compute: the label table, a Nao's way by its feet."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from luar_bridge import label_table
from luar_bridge.demonstration.legs import Legs
from luar_bridge.model.link_poses import STANCE
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.labels import (
    Label,
    rgb_to_webots_yuyv,
    rgb_to_yuyv,
    webots_yuyv_to_rgb,
    yuyv_to_rgb,
)
from luar_bridge.simulator.camera import Camera

SEEN = {
    Label.ORANGE: (235, 100, 20),
    Label.YELLOW: (220, 210, 30),
    Label.CYAN: (40, 190, 210),
    Label.FIELD: (30, 120, 40),
    Label.WHITE: (240, 240, 240),
    0: (90, 90, 110),
}


@pytest.mark.parametrize("colors", ["webots", "standard"])
def test_the_label_table_has_the_field_s_colours(colors: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.raw"
    label_table.main([str(file), "--colors", colors])
    table = np.fromfile(file, np.uint8)
    assert table.shape == (64**3,)
    pack = rgb_to_webots_yuyv if colors == "webots" else rgb_to_yuyv
    for label, colour in SEEN.items():
        y, u, _, v = pack(np.array([[colour, colour]], np.uint8)).ravel() >> 2
        assert table[int(y) << 12 | int(u) << 6 | int(v)] == label, label


def test_the_table_finds_in_the_simulated_camera_s_image_what_is_there() -> None:
    view = Camera().look((0.0, 0.0, 0.0), 0.1, 0.4, (0.6, 0.1))
    y, u, v = (view.yuyv[::2, at::2, part] >> 2 for at, part in ((0, 0), (0, 1), (1, 1)))
    index = y.astype(int) << 12 | u.astype(int) << 6 | v.astype(int)
    labels = label_table.label_table("webots")[index]
    assert (labels == Label.ORANGE).sum() > 10
    assert (labels == view.labels).mean() > 0.99


def test_a_file_that_cannot_be_written_ends_label_table(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="label_table: "):
        label_table.main([str(tmp_path / "none" / "labels.raw")])


def test_packing_by_the_standard_is_what_opencv_unpacks() -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (6, 4, 3), np.uint8)
    rgb[:, 1::2] = rgb[:, 0::2]
    assert np.abs(yuyv_to_rgb(rgb_to_yuyv(rgb)).astype(int) - rgb).max() <= 3
    assert np.abs(webots_yuyv_to_rgb(rgb_to_webots_yuyv(rgb)).astype(int) - rgb).max() <= 2


def test_a_nao_moves_against_the_foot_that_stands() -> None:
    legs = Legs((1.0, 2.0, math.pi / 2))
    stance = list(STANCE)
    assert legs.follow(stance) == pytest.approx((1.0, 2.0, math.pi / 2))
    lifted = list(stance)  # the right foot goes up: the left one stands
    for joint, change in (("RHipPitch", -0.3), ("RKneePitch", 0.6), ("RAnklePitch", -0.3)):
        lifted[JOINTS.index(joint)] += change
    legs.follow(lifted)
    swung = list(lifted)  # the standing leg moves back: the torso goes forward
    swung[JOINTS.index("LHipPitch")] += 0.2
    swung[JOINTS.index("LAnklePitch")] -= 0.2
    x, y, a = legs.follow(swung)
    assert (x, a) == pytest.approx((1.0, math.pi / 2), abs=1e-3)
    assert 0.02 < y - 2.0 < 0.06
