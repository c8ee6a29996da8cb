# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with luar_host: Lua, host and field robot are killed, stopped and frozen."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import ClassVar

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from legacy_robots_common.node import qos
from legacy_robots_geometry.rotations import roll_pitch_yaw
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS
from luar_bridge.protocol import host_image, host_walk
from luar_bridge.protocol.naming import DIRECTORY, UNSUFFIXED
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError
from measure.faults.errands import End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, FAULT_SECONDS, FREEZE, KILL, STOP, System, becomes_true
from measure.processes import waited_seconds

ROBOT = "field_robot"
CYCLE_S = 0.02
TURN = 0.5
"""rad/s: Lua has the robot turn in place."""
STOP_S = 0.5
"""The robot stands so soon after Lua has ended (docs/luar_host.md)."""
IMAGE = (160, 120)
STALL, REMOVED = "stall", "removed"


class Lua(threading.Thread):
    """What the original's Lua writes: it turns the robot, and its head to ``yaw`` (rad)."""

    def __init__(self, user: str) -> None:
        super().__init__(name="lua", daemon=True)
        self._user = user
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._count = 0
        self.yaw = 0.0
        self._owner = self._begin()

    def run(self) -> None:
        """Count until it is closed; a Lua that was killed begins anew."""
        while not self._ended.wait(CYCLE_S):
            with self._lock:
                try:
                    self._cycle()
                except StandInError:
                    self._ended.wait(FAULT_SECONDS)
                    self._owner.close()
                    self._owner = self._begin()

    def kill(self) -> None:
        """Have the process that writes die."""
        os.kill(self._owner.pid, signal.SIGKILL)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Write nothing meanwhile."""
        with self._lock:
            yield

    def remove_walk(self) -> None:
        """Take the walk's segment away; it is made anew after FAULT_SECONDS."""
        with self._lock:
            self._owner.remove(self._file(host_walk.SEGMENT))
            self._owner.sync()
            self._owner.close()
            self._ended.wait(FAULT_SECONDS)
            self._owner = self._begin()

    def close(self) -> None:
        """End, and remove the segments."""
        self._ended.set()
        if self.is_alive():
            self.join()
        self._owner.close()
        for path in DIRECTORY.glob(f"*{self._user}"):
            path.unlink()

    def _file(self, segment: str) -> str:
        return segment + ("" if segment in UNSUFFIXED else "01") + self._user

    def _begin(self) -> SegmentOwner:
        """Make the segments; those of joints anew, as the original does."""
        number, size = len(JOINTS), 2 * IMAGE[0] * IMAGE[1] // 8
        owner = SegmentOwner()
        for segment, lengths in (
            (host_walk.SEGMENT, host_walk.LENGTHS),
            ("dcmSensor", {"position": number, "command": number, "imuAngle": 2, "time": 1}),
            ("dcmActuator", {"command": number, "hardness": number, "velocity": number}),
            (host_image.SEGMENT, {**dict.fromkeys(host_image.BUFFERS, size), "headAngles": 2}),
        ):
            file = self._file(segment)
            if segment in UNSUFFIXED:
                owner.remove(file)
            owner.create(file, 2 * 8 * size + 65536)
            for variable, length in {**lengths, "time": 1, "count": 1}.items():
                owner.set(file, variable, [0.0] * length)
        for variable, pixels in zip(("width", "height"), IMAGE, strict=True):
            owner.set(self._file(host_image.SEGMENT), variable, float(pixels))
        owner.set(self._file("dcmActuator"), "hardness", [1.0] * number)
        owner.sync()
        return owner

    def _cycle(self) -> None:
        self._count += 1
        walk, joints = self._file(host_walk.SEGMENT), self._file("dcmActuator")
        self._owner.set(joints, "command", [self.yaw, *[0.0] * (len(JOINTS) - 1)])
        self._owner.set(walk, "velocity", (0.0, 0.0, TURN))
        for file in (joints, walk):
            self._owner.set(file, "count", float(self._count))
        self._owner.sync()


class HeadErrand:
    """Lua commands its head; the robot's joint states tell whether it went there."""

    name = "head"

    def __init__(self, system: LuarHost, yaw: float) -> None:
        self._system = system
        self._yaw = system.lua.yaw = yaw

    def end(self, timeout: float) -> End:
        """Wait until it is there; a newer command, or a loss, takes it elsewhere."""
        system = self._system
        becomes_true(lambda: abs(system.yaw - self._yaw) < 0.05 or system.lua.yaw != self._yaw)
        done = abs(system.yaw - self._yaw) < 0.05
        return End(succeeded=done, reason=f"head: at {system.yaw:.2f}, not {self._yaw:.2f}")


class StandErrand:
    """A robot whose Lua has ended stands: it is false that it does if its odometry goes on.

    It may go on as much longer as host and robot had no processor, but it stands for STOP_S at
    least before Lua comes back.
    """

    name = "stand"

    def __init__(self, system: LuarHost) -> None:
        self._system = system
        self._from, self._to = system.lost_at + STOP_S, system.lost_at + FAULT_SECONDS

    def end(self, timeout: float) -> End:
        """Look at the way that it went from STOP_S after the loss until Lua came back."""
        begin = min(self._from + self._system.waited_since_loss(), self._to - STOP_S)
        ways = [yaw for at, yaw in self._system.headings if begin < at < self._to]
        moved = sum(abs(math.remainder(b - a, math.tau)) for a, b in pairwise(ways))
        reason = f"stand: {moved:.3f} rad"
        return End(len(ways) < 2, succeeded=True, false=moved > 0.01, reason=reason)


class LuarHost(System):
    """Turns a robot on wheels and its head through the host."""

    name = "luar_host"
    node = "host"
    simulator = None
    main_stream = ((TwistStamped, f"{ROBOT}/cmd_vel"),)
    faults: ClassVar[Mapping[str, str]] = {
        KILL + "host": "link",
        STOP + "host": "link",
        CLIENT: "link",
        STALL: "link",
        REMOVED: "link",
        KILL + ROBOT: "link",
        FREEZE + ROBOT: "link",
    }
    of_peer = frozenset({STALL, REMOVED})

    def arguments(self) -> list[str]:
        """Begin Lua; return launch arguments."""
        user = f"faults{uuid.uuid4().hex[:8]}"
        self.lua = Lua(user)
        self.yaw = math.nan
        self.headings: list[tuple[float, float]] = []
        """Times of odometry, and the robot's heading (rad) then."""
        self.lost_at = math.inf
        """When Lua has ended in the present fault (system time, as odometry has)."""
        self._waited = 0.0
        self._aside = 0.4
        file = self._scratch / "luar_host.yaml"
        file.write_text(f"/**/host:\n  ros__parameters:\n    joints_suffix: {user}\n")
        return [f"user:={user}", "enable_stamped_cmd_vel:=true", f"params_file:={file}"]

    def close(self) -> None:
        """End Lua."""
        self.lua.close()

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch velocities, joints and odometry of the robot, and begin to drive."""
        streams = super().watch(peer, observer, launch)
        robot = f"{self.namespace}/{ROBOT}"
        peer.subscribe_with(JointState, f"{robot}/joint_states", self._on_joints, qos.stream(10))
        peer.subscribe_with(Odometry, f"{robot}/odom", self._on_odometry, qos.stream(10))
        self.lua.start()
        return streams

    def _on_joints(self, message: JointState) -> None:
        self.yaw = dict(zip(message.name, message.position, strict=True))[HEAD_JOINTS[0]]

    def _on_odometry(self, message: Odometry) -> None:
        q = message.pose.pose.orientation
        at = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        self.headings.append((at, roll_pitch_yaw((q.x, q.y, q.z, q.w))[2]))

    def before_fault(self) -> None:
        """Forget the way so far."""
        self.headings, self.lost_at = [], math.inf

    def inject(self, fault: str) -> bool:
        """Have Lua stand still, or lose its walk."""
        if fault not in self.of_peer:
            return False
        self._end_lua(self._stall if fault == STALL else self.lua.remove_walk)
        return True

    def kill_client(self) -> Errand:
        """Kill Lua; it comes back by itself."""
        self._end_lua(self.lua.kill)
        return HeadErrand(self, self.lua.yaw)

    def waited_since_loss(self) -> float:
        """Return for how long (s) host and robot have had no processor, in sum, since the loss."""
        present = dict(self._launch.started())  # the latest of each
        pids = (present[name] for name in (self.node, ROBOT))
        return sum(map(waited_seconds, pids)) - self._waited

    def _end_lua(self, way: Callable[[], None]) -> None:
        self._waited = 0.0
        self._waited = self.waited_since_loss()
        self.lost_at = time.time()
        threading.Thread(target=way, daemon=True).start()

    def _stall(self) -> None:
        with self.lua.standing_still():
            time.sleep(FAULT_SECONDS)

    def under_way(self) -> list[Errand]:
        """Turn the head."""
        return [self.proof()]

    def while_away(self) -> list[Errand]:
        """Look whether the robot stands without Lua."""
        return [StandErrand(self)] if math.isfinite(self.lost_at) else []

    def proof(self) -> Errand:
        """Turn the head to the other side."""
        self._aside = -self._aside
        return HeadErrand(self, self._aside)


SYSTEM = LuarHost
