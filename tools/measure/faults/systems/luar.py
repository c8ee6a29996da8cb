# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with a Luar robot: its launch, its faults, its errands."""

from __future__ import annotations

import itertools
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import ClassVar

import yaml
from geometry_msgs.msg import PoseWithCovarianceStamped

from legacy_robots_msgs.srv import LuarSet
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from measure.faults.errands import Errand, ServiceErrand
from measure.faults.system import KILL, STOP, System, becomes_true


class Luar(System):
    """Has a variable written again and again; the truth is in the memory itself."""

    name = "luar"
    simulator = "simulator_1"
    main_stream = ((PoseWithCovarianceStamped, "pose"),)
    faults: ClassVar[Mapping[str, str]] = {
        "restart": "link",
        "crash": "link",
        "stall": "link",
        "wrong_size": "link",
        "removed": "link",
        "resize": "nothing",
        KILL + "simulator_1": "link",
        KILL + "bridge": "link",
        STOP + "bridge": "link",
    }
    instant = frozenset({"resize"})
    SEGMENT, VARIABLE = "luarDebug", "visiondebuglevel"
    PERIOD = 0.1
    OUTSTANDING = 9
    """Calls without an answer: ROS keeps 10 requests of a service, and drops older ones."""
    shared_memory = DIRECTORY
    """Where the robot's memory is."""

    def arguments(self) -> list[str]:
        """Return launch arguments; no joints, of which a machine can have one robot's only."""
        number = self.number_in_fleet
        user = f"{self.name}_{number}" if number else f"faults{uuid.uuid4().hex[:8]}"
        # The registry's further_copy makes all but the first of a fleet player 2.
        self._identity = RobotIdentity(0, 2 if number > 1 else 1, user)
        self._values = itertools.count(1)
        file = self._scratch / "luar.yaml"
        parameters = {"joints": False, "writable": [f"{self.SEGMENT}.{self.VARIABLE}"]}
        file.write_text(yaml.safe_dump({"/**/bridge": {"ros__parameters": parameters}}))
        return [f"user:={user}", f"params_file:={file}"]

    def under_way(self) -> list[Errand]:
        """Ask for nothing: see ``during``."""
        return []

    def while_away(self) -> list[Errand]:
        """Ask for nothing: see ``during``."""
        return []

    def proof(self) -> ServiceErrand:
        """Write a value."""
        value = float(next(self._values))
        path = self.shared_memory / self._identity.file_name(self.SEGMENT)

        def written() -> bool:
            try:
                with Segment(path) as segment:
                    found = segment.read().number(self.VARIABLE)
            except (ProtocolError, SegmentBusyError, SegmentUnavailableError):
                return False  # its owner is at it
            # A later one may be there by now, or the robot has begun all its variables anew.
            return found is not None and (found >= value or found == 0.0)

        request = LuarSet.Request(
            segment=self.SEGMENT, variable=self.VARIABLE, kind=LuarSet.Request.NUMBERS,
            values=[value],
        )  # fmt: skip
        return ServiceErrand(
            self._peer, LuarSet, f"{self.namespace}/set_variable", request,
            partial(becomes_true, written),
            may_die=self.bridge_is_away, at_once=True,
        )  # fmt: skip

    @contextmanager
    def during(self) -> Iterator[list[Errand]]:
        """Write ten times a second, from another thread, unless OUTSTANDING wait already."""
        errands: list[Errand] = []
        waiting: list[ServiceErrand] = []
        over = threading.Event()

        def write() -> None:
            while not over.wait(self.PERIOD):
                waiting[:] = [each for each in waiting if not each.answered]
                if len(waiting) >= self.OUTSTANDING and not self.bridge_is_away:
                    continue
                try:
                    waiting.append(self.proof())
                    errands.append(waiting[-1])
                except TimeoutError:
                    pass  # the bridge is away

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield errands
        finally:
            over.set()
            thread.join()


SYSTEM = Luar
