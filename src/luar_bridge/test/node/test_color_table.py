# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The picking page takes pictures of a live robot: its topics and its memory."""

from __future__ import annotations

import base64
import json
import re
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from sensor_msgs.msg import CompressedImage

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node


def ask(url: str, **request: Any) -> Any:
    data = json.dumps(request).encode()
    asked = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return json.load(answer)


def rgb(url: str) -> Any:
    data = np.frombuffer(base64.b64decode(url.partition(",")[2]), np.uint8)
    return cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]


def test_pictures_are_taken_of_topics_and_memory(
    make_world: Any, user: str, tmp_path: Path
) -> None:
    small = np.full((20, 30, 3), (20, 110, 230), np.uint8)  # BGR of an orange
    later = DIRECTORY / f"vcmCamera02{user}"  # of a robot of 2016
    with make_world() as w, SegmentOwner() as owner:
        owner.create(later.name)
        owner.set(later.name, "reload_LUT", 0.0)
        owner.sync()
        w.wait_for_link(LinkState.CONNECTED)
        publisher = w.peer.node.create_publisher(CompressedImage, "/jpg", qos.stream(5))
        command = [sys.executable, "-m", "luar_bridge.color_table", "--port", "0"]
        command += ["--image", "/luar/image", "--compressed", "/jpg"]
        command += ["--memory", str(DIRECTORY / f"vcmImage01{user}"), "--reload", str(later)]
        with Process([*command, str(tmp_path / "picks"), str(tmp_path / "table")]) as program:
            url = re.search(r"http://\S+", program.wait_for_line("pick colours at"))[0]  # type: ignore[index]
            first = ask(url)
            assert first["cameras"] == ["/luar/image", "/jpg", f"vcmImage01{user}"]
            jpg = bytes(cv2.imencode(".png", small)[1])
            until(lambda: publisher.get_subscription_count() == 1)

            def take(camera: str) -> Any:
                publisher.publish(CompressedImage(format="png", data=jpg))
                with suppress(urllib.error.HTTPError):  # as long as no picture has come
                    return ask(url, do="take", picture=camera)

            for camera in first["cameras"]:
                taken = until(partial(take, camera), period=0.1)
                image = rgb(taken["image"])
                assert image.shape == ((20, 30, 3) if camera == "/jpg" else (120, 160, 3))
                assert taken["pictures"][-1] == taken["picture"]
            name = next(n for n in taken["pictures"] if n.startswith("/jpg"))
            picked = ask(url, do="flood", picture=name, x0=5, y0=5, **{"class": "orange"})
            assert picked["labelled"]["orange"] == 10 * 15
            with Segment(later) as segment:
                assert segment.snapshot.number("reload_LUT") == 1.0
            later.unlink()
            with pytest.raises(urllib.error.HTTPError) as caught:
                ask(url, do="undo")
            assert "the robot is not told" in json.load(caught.value)["error"]
    assert (tmp_path / "table").stat().st_size == 262144
