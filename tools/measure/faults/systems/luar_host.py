# SPDX-License-Identifier: Apache-2.0
"""The campaign with luar_host: a Lua of the campaign's own walks the simulated robot on wheels."""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections.abc import Mapping
from typing import ClassVar

from geometry_msgs.msg import Twist
from sensor_msgs.msg import JointState

from legacy_robots_common.node import qos
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS
from luar_bridge.protocol import host_image, host_walk
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.simulator.segment_owner import SegmentOwner
from measure.faults.errands import End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import FREEZE, KILL, STOP, System, until

PERIOD_S = 0.02
TURN = 0.5
"""rad/s."""
WIDTH, HEIGHT = 160, 120
STANDS_STILL = "Lua stands still"
"""Its count does not go up for a while, as when it is stopped in a debugger."""
REMOVED = "segment removed"
"""Lua ends and takes its segment along, and begins anew."""


class Lua(threading.Thread):
    """Turns the robot on the spot, counts, and moves its head."""

    def __init__(self, user: str) -> None:
        super().__init__(name="Lua", daemon=True)
        identity = RobotIdentity(0, 1, user)
        self._walk = identity.file_name(host_walk.SEGMENT)
        self._image = identity.file_name(host_image.SEGMENT)
        self._sensor, self._actuator = f"dcmSensor{user}", f"dcmActuator{user}"
        self._owner = SegmentOwner()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.still_until = 0.0
        self.yaw = 0.3
        self.make()

    def make(self) -> None:
        """Make all segments, or those that are missing."""
        bytes_of_image = 2 * WIDTH * HEIGHT
        joints, one = len(JOINTS), ("time", "count")
        sensor = {"position": joints, "command": joints, "imuAngle": 2, **dict.fromkeys(one, 1)}
        actuator = {**dict.fromkeys(("command", "hardness", "velocity"), joints), "count": 1}
        image = {
            **dict.fromkeys(host_image.BUFFERS, bytes_of_image // 8),
            **dict.fromkeys((*one, "width", "height"), 1),
            "headAngles": 2,
        }
        with self._lock:
            for file, lengths in (
                (self._walk, host_walk.LENGTHS),
                (self._sensor, sensor),
                (self._actuator, actuator),
                (self._image, image),
            ):
                self._owner.create(file, 2 * bytes_of_image + 65536)
                for name, length in lengths.items():
                    self._owner.set(file, name, [0.0] * length)
            self._owner.set(self._image, "width", float(WIDTH))
            self._owner.set(self._image, "height", float(HEIGHT))
            self._owner.set(self._actuator, "hardness", [1.0] * joints)
            self._owner.sync()

    def remove(self) -> None:
        """Unlink the segment of the walk, and make it anew."""
        with self._lock:
            self._owner.remove(self._walk)
            self._owner.sync()
        time.sleep(0.5)
        self.make()

    def run(self) -> None:
        """Count until the end."""
        count = 0
        while not self._over.wait(PERIOD_S):
            if time.monotonic() < self.still_until:
                continue
            count += 1
            with self._lock:
                self._owner.set(self._walk, "velocity", [0.0, 0.0, TURN])
                command = [self.yaw, *[0.0] * (len(JOINTS) - 1)]
                self._owner.set(self._actuator, "command", command)
                for file in (self._walk, self._actuator):
                    self._owner.set(file, "count", float(count))
                self._owner.flush()

    def close(self) -> None:
        """End, and take the segments away."""
        self._over.set()
        self.join()
        self._owner.close()
        for file in (self._walk, self._image, self._sensor, self._actuator):
            (DIRECTORY / file).unlink(missing_ok=True)


class HeadErrand:
    """A position of the head that Lua wants: the robot's joint tells whether it was done."""

    def __init__(self, system: LuarHost, yaw: float) -> None:
        self.name = f"head to {yaw}"
        self._system, self._yaw = system, yaw
        system.lua.yaw = yaw

    def end(self, timeout: float) -> End:
        """Wait until the head is there; while the host stands it need not be."""
        done = until(lambda: abs(self._system.yaw - self._yaw) < 0.05)
        return End(succeeded=done, reason=f"{self.name}: it is at {self._system.yaw:.2f}")


class LuarHost(System):
    """Turns the simulated robot and its head."""

    name = "luar_host"
    node = "host"
    simulator = None
    main_stream = ((Twist, "field_robot/cmd_vel"),)
    faults: ClassVar[Mapping[str, str]] = {
        KILL + "host": "link",
        STOP + "host": "link",
        KILL + "field_robot": "link",
        FREEZE + "field_robot": "link",
        STANDS_STILL: "link",
        REMOVED: "link",
    }
    of_peer = frozenset({STANDS_STILL, REMOVED})
    instant = frozenset({REMOVED})

    def arguments(self) -> list[str]:
        """Start Lua; return launch arguments."""
        user = f"faults{uuid.uuid4().hex[:8]}"
        self.lua = Lua(user)
        self.lua.start()
        self.yaw = math.nan
        file = self._scratch / "luar_host.yaml"
        file.write_text(f"/**/host:\n  ros__parameters:\n    joints_suffix: {user}\n")
        return [f"user:={user}", f"params_file:={file}"]

    def close(self) -> None:
        """End Lua."""
        self.lua.close()

    def inject(self, fault: str) -> bool:
        """Have Lua misbehave."""
        if fault == STANDS_STILL:
            self.lua.still_until = time.monotonic() + self.lasting(fault)
        elif fault == REMOVED:
            self.lua.remove()
        return fault in self.of_peer

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the velocities, and the head."""
        streams = super().watch(peer, observer, launch)
        states = f"{self.namespace}/field_robot/joint_states"
        peer.subscribe_with(JointState, states, self._on_joints, qos.stream(10))
        return streams

    def _on_joints(self, message: JointState) -> None:
        self.yaw = dict(zip(message.name, message.position, strict=True))[HEAD_JOINTS[0]]

    def under_way(self) -> list[Errand]:
        """Turn the head."""
        return [self.proof()]

    def proof(self) -> Errand:
        """Turn the head to the other side."""
        return HeadErrand(self, -self.lua.yaw)


SYSTEM = LuarHost
