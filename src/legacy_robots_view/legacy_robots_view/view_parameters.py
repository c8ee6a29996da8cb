# SPDX-License-Identifier: Apache-2.0
"""The parameters of the view."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start; see config/view.yaml for their defaults with comments."""

    host: str = parameter("127.0.0.1", "address at which the page is served")
    port: int = parameter(8100, "TCP port of the page; 0: a free one", minimum=0, maximum=65535)
    rate: float = parameter(10.0, "states of the page, in Hz", minimum=0.5, maximum=50.0)
    camera_rate: float = parameter(
        10.0, "images of each camera, in Hz at most", minimum=0.1, maximum=50.0
    )
    image_width: int = parameter(
        640, "pixels; wider images are made smaller before they are encoded",
        minimum=16, maximum=4096,
    )  # fmt: skip
    jpeg_quality: int = parameter(
        75, "of images that come uncompressed, in percent", minimum=1, maximum=100
    )
    balls: list[str] = parameter(
        ["pink"], "colours of the balls that AIBOs are asked for while a browser is connected"
    )
    stale_after: float = parameter(
        2.0, "s of silence after which a stream is shown as old", minimum=0.1, maximum=60.0
    )
    forget_after: float = parameter(
        120.0, "s for which a system that has gone is still shown", minimum=0.0, maximum=86400.0
    )
