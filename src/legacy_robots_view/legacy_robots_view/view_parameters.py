# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the view."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start."""

    host: str = parameter(
        "127.0.0.1",
        "address at which the page is served; anything but loopback lets others look "
        "(docs/view.md#who-may-look)",
        group="Where the page is served.",
    )
    port: int = parameter(8100, "TCP port of the page; 0: a free one", minimum=0, maximum=65535)
    rate: float = parameter(
        10.0,
        "states of the page, in Hz",
        minimum=0.5,
        maximum=50.0,
        group="How much is shown, while a browser is connected.",
    )
    camera_rate: float = parameter(
        10.0, "images of each camera, in Hz at most", minimum=0.1, maximum=50.0
    )
    image_width: int = parameter(
        640, "pixels; wider uncompressed images are made smaller", minimum=16, maximum=4096
    )
    jpeg_quality: int = parameter(
        75,
        "quality of images that come uncompressed, percent; others are passed on as they are",
        minimum=1,
        maximum=100,
    )
    balls: list[str] = parameter(
        ["pink"],
        "ball colours that AIBOs are asked for while a browser is connected; each costs the robot "
        "queries",
    )
    stale_after: float = parameter(
        2.0,
        "seconds of silence after which a stream is shown as old",
        minimum=0.1,
        maximum=60.0,
        group="Ages.",
    )
    forget_after: float = parameter(
        120.0,
        "seconds for which a system that has gone is still shown, as gone",
        minimum=0.0,
        maximum=86400.0,
    )
