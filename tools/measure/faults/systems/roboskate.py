# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with RoboSkate: its launch, its faults, its errands."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import ClassVar

from nav_msgs.msg import Odometry
from sensor_msgs.msg import CompressedImage

from legacy_robots_msgs.srv import RoboSkateInitialize
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import Errand, ServiceErrand
from measure.faults.observer import Observer, Stream
from measure.faults.system import ON_A_LINK, System


class RoboSkate(System):
    """Loads levels while time passes and the camera has a subscriber."""

    name = "roboskate"
    main_stream = ((Odometry, "odom"),)
    faults: ClassVar[Mapping[str, str]] = {
        **ON_A_LINK,
        "wrong_length": "link",
        "refuse": "link",
        "bad_image": "link",
    }
    instant = frozenset({"cut"})
    busy_when_down = frozenset({"bad_image"})

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._levels = itertools.cycle((1, 2, 0))
        size = ["image_width:=160", "image_height:=90", "camera_rate:=10.0"]
        return [f"port:={self._ports()}", f"http_port:={self._ports()}", *size]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the camera too, so that there are images to go wrong."""
        streams = super().watch(peer, observer, launch)
        camera = f"{self.namespace}/camera/image_raw/compressed"
        return [*streams, Stream(peer, (CompressedImage, camera))]

    def under_way(self) -> list[Errand]:
        """Load a level, at the very moment."""
        return [self.proof()]

    def proof(self) -> Errand:
        """Load the next level."""
        level, mark = next(self._levels), self._mark()
        return ServiceErrand(
            self._peer, RoboSkateInitialize, f"{self.namespace}/initialize",
            RoboSkateInitialize.Request(level=level),
            lambda: self._logged(mark, rf"simulator: level {level}, images of"),
            may_die=self.killing_the_bridge,
        )  # fmt: skip


SYSTEM = RoboSkate
