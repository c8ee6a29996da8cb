# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Images that the original's unchanged Lua writes: none is torn, invented or published twice.

Needs the original beside the checkout: see the fixture lua_peer.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sensor_msgs.msg import Image

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer, unix
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge

pytestmark = pytest.mark.node

IMAGES = """
io.stdout:setvbuf('no')
dofile('init.lua')
Config = {game = {teamNumber = 0, playerID = 1, nPlayers = 4}, world = {n = 10}}
Config.camera = {width = 160, height = 120}
Config.vision = {copy_image_to_shm = 1, scaleB = 4}
package.loaded.Config = Config
require('carray'); require('unix'); require('vcm')
local pause, images = tonumber(os.getenv('PAUSE_US')), {}
for k = 1, 16 do
  images[k] = carray.new('i', 160 * 120 * 2 / 4)
  for i = 1, 160 * 120 * 2 / 4 do images[k][i] = k * 0x01010101 end
end
vcm.set_image_width(160); vcm.set_image_height(120); vcm.set_image_select(0)
local count, ends = 0, unix.time() + tonumber(os.getenv('SECONDS'))
while unix.time() < ends do
  count = count + 1
  local time = unix.time()
  vcm.set_image_yuyv(carray.pointer(images[count % 16 + 1]))
  vcm.set_image_count(count); vcm.set_image_time(time)
  if pause > 0 then print(string.format('%.6f', time)); unix.usleep(pause) end
end
"""
"""Writes images of which all bytes are alike, as the original's vision does.

With a pause after each it prints their times.
"""
PAUSE_US = 1000
IMAGES_S, TOO_FAST_S = 100, 20
"""For how long images are written: with pauses at most."""
JUDGED = 1000
"""Images that are judged, however long a busy machine takes to publish them."""


@contextlib.contextmanager
def image_writer(
    peer: Path, user: str, printed: Path, pause_us: int, seconds: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the original as it writes images; what it prints goes to a file."""
    player = peer / "Player"
    environment = {"USER": user, "PWD": str(player), "COMPUTER": "Linux"}
    environment |= {"PAUSE_US": str(pause_us), "SECONDS": str(seconds)}
    command = [peer / "bin" / "lua5.1", "-e", IMAGES]
    with (
        printed.open("w") as file,
        subprocess.Popen(
            command, cwd=player, env={**os.environ, **environment}, stdout=file
        ) as writer,
    ):
        try:
            yield writer
        finally:
            writer.kill()


def test_every_image_that_is_published_is_one_that_the_original_wrote(
    lua_peer: Path, user: str, tmp_path: Path
) -> None:
    seen: list[tuple[int, list[int]]] = []

    def note(message: Image) -> None:
        micros = round(unix(message.header.stamp) * 1e6)
        seen.append((micros, sorted(set(message.data))))

    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}) as bridge:
        peer.subscribe_with(Image, "/luar/image", note, qos.stream(10))
        with image_writer(lua_peer, user, tmp_path / "times", PAUSE_US, IMAGES_S):
            until(lambda: len(seen) >= JUDGED, "too few images are published", IMAGES_S)
        left_out = {k: n for k, (n, _) in bridge.counters.snapshot().items() if "left out" in k}
    times = [line for line in (tmp_path / "times").read_text().split("\n")[:-1] if "." in line]
    counts = {round(float(time) * 1e6): count for count, time in enumerate(times, 1)}
    print(f"{len(times)} images written, {len(seen)} published, {left_out}")
    before = 0
    for micros, values in seen:
        assert len(values) == 1, "an image is torn"
        # The time is written after the count: an image may have that of the one before.
        reported = counts[micros]
        count = next(n for n in (reported, reported + 1) if n % 16 + 1 == values[0])
        assert count > before, "an image is published twice"
        before = count


def test_images_that_come_too_fast_are_left_out_and_that_is_told(
    lua_peer: Path, user: str, tmp_path: Path
) -> None:
    seen: list[bool] = []
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}) as bridge:
        peer.subscribe_with(
            Image, "/luar/image", lambda m: seen.append(len(set(m.data)) == 1), qos.stream(10)
        )
        states = peer.subscribe(LinkState, "/luar/link_state", qos.LATCHED)
        with image_writer(lua_peer, user, tmp_path / "nothing", 0, TOO_FAST_S) as writer:
            assert writer.wait(2 * TOO_FAST_S) == 0
        left_out = [kind for kind in bridge.counters.snapshot() if "images left out" in kind]
    assert all(seen)
    # The next image is being written before one has been read.
    assert left_out or any("unreadable: vcmImage" in s.detail for s in states.items)
