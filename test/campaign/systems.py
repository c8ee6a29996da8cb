# SPDX-License-Identifier: Apache-2.0
"""The five systems: how they are launched, what can go wrong, and what is asked of them."""

from __future__ import annotations

import itertools
import re
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import ClassVar

from control_msgs.action import FollowJointTrajectory
from errands import ActionErrand, Errand, ServiceErrand
from geometry_msgs.msg import PoseWithCovarianceStamped
from legacy_robots_msgs.action import (
    AiboPlayMotion,
    AiboSearchBall,
    AiboWalkSteps,
    Bw4tGoTo,
    NaoGoTo,
)
from legacy_robots_msgs.msg import Bw4tPercepts, Bw4tState, NaoLocation, NaoSighting
from legacy_robots_msgs.srv import Bw4tAddPlayer, LuarSet, RoboSkateInitialize
from nav_msgs.msg import Odometry
from observer import Observer, Stream
from sensor_msgs.msg import CompressedImage, JointState
from system import KILL, System, until
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common import qos
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer
from luar_bridge.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol import ProtocolError
from luar_bridge.segment import Segment, SegmentBusyError, SegmentUnavailableError


class Nao(System):
    """Walks along the lowest row of the maze, in which it sees every marker."""

    name = "nao"
    main_stream = ((NaoSighting, "sightings"), (NaoLocation, "location"))
    faults: ClassVar[Mapping[str, str]] = {
        "cut": "link",
        "stall": "silence",
        "flood": "diagnostics",
        "garbage": "link",
        "restart": "link",
        "error": "link",
        KILL + "simulator": "link",
        KILL + "bridge": "link",
    }
    instant = frozenset({"cut", "flood", "garbage", "error"})
    busy_when_down = frozenset({"flood"})
    ROW = (64, 80, 114, 85, 146)

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        return [f"port:={self._ports()}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and where it is."""
        streams = super().watch(peer, observer, launch)
        observer.watch_action("/nao/go_to")
        self._location = peer.subscribe(NaoLocation, "/nao/location")
        return streams

    def under_way(self) -> list[Errand]:
        """Walk two rooms away; a second goal waits behind the first."""
        place = self._place()
        away = place + 2 if place < 2 else place - 2
        self._goals = [self._go_to(self.ROW[away]), self._go_to(self.ROW[place])]
        return list(self._goals)

    def settled(self) -> None:
        """End the goals that the fault has left alone."""
        for goal in self._goals:
            goal.cancel()

    def proof(self) -> Errand:
        """Walk to the next room."""
        place = self._place()
        return self._go_to(self.ROW[place + 1 if place < 2 else place - 1])

    def _place(self) -> int:
        self._location.wait_for()
        return self.ROW.index(self._location.last.marker_id)

    def _go_to(self, marker: int) -> ActionErrand:
        mark = self._mark()

        def truth() -> bool:
            return until(lambda: self._has_been_in(marker, mark))

        return self._action(NaoGoTo, "go_to", NaoGoTo.Goal(marker_id=marker), truth)

    def _has_been_in(self, marker: int, mark: int) -> bool:
        """Tell whether the Nao was sent to a room after a mark, succeeded, and was there then."""
        place, told, succeeded = "", False, False
        for number, line in enumerate(self._launch.lines.items):
            if found := re.search(r"-> Location\(marker_id=(\d+)\)", line):
                place = found[1]
            if "<- " in line:
                if succeeded:
                    break
                told = number >= mark and f"<- GoTo(marker_id={marker}," in line
            succeeded = succeeded or (told and "-> Success(code=1)" in line)
        return succeeded and place == str(marker)


class Aibo(System):
    """Moves its head, walks, plays and searches at once."""

    name = "aibo"
    main_stream = ((JointState, "joint_states"),)
    faults: ClassVar[Mapping[str, str]] = {
        "cut": "link",
        "stall": "link",
        "flood": "link",
        "garbage": "link",
        "restart": "link",
        KILL + "simulator": "link",
        KILL + "bridge": "link",
    }
    instant = frozenset({"cut", "flood", "garbage"})

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._way = itertools.cycle((0.15, -0.15))
        self._side = itertools.cycle((0.3, -0.3))
        return [f"port:={self._ports()}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and the joints."""
        streams = super().watch(peer, observer, launch)
        for action in ("follow_joint_trajectory", "walk_steps", "play_motion", "search_ball"):
            observer.watch_action(f"/aibo/{action}")
        self._states = peer.subscribe(JointState, "/aibo/joint_states", qos.stream(10))
        return streams

    def before_fault(self) -> None:
        """Forget what was seen before."""
        self._states.clear()

    def under_way(self) -> list[Errand]:
        """Turn the head slowly, and do something else beside it."""
        mark = self._mark()
        step = next(self._way)
        other = self._chance.choice(("walk", "play", "search"))
        if other == "search":
            goal = AiboSearchBall.Goal(colour="pink")
            return [self._action(AiboSearchBall, "search_ball", goal, lambda: True)]
        mouth = self._turn("mouth", -0.5, 6.0)
        if other == "play":
            goal = AiboPlayMotion.Goal(name="stretch")
            return [
                mouth,
                self._action(
                    AiboPlayMotion, "play_motion", goal,
                    lambda: self._logged(mark, r"<- Motion\("),
                ),
            ]  # fmt: skip
        goal = AiboWalkSteps.Goal(x=step)
        return [
            mouth,
            self._action(
                AiboWalkSteps, "walk_steps", goal, lambda: self._logged(mark, r"<- WalkSteps\(")
            ),
        ]

    def proof(self) -> Errand:
        """Turn the head."""
        return self._turn("neck_pan", next(self._side), 0.4)

    def _turn(self, joint: str, angle: float, seconds: float) -> ActionErrand:
        point = JointTrajectoryPoint(positions=[angle])
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = int(seconds % 1 * 1e9)
        trajectory = JointTrajectory(joint_names=[joint], points=[point])
        mark = len(self._states.items)

        def has_been_there() -> bool:  # another goal may have moved it on by now
            return any(
                abs(state.position[state.name.index(joint)] - angle) < 0.1
                for state in self._states.items[mark:]
            )

        return self._action(
            FollowJointTrajectory, "follow_joint_trajectory",
            FollowJointTrajectory.Goal(trajectory=trajectory),
            lambda: until(has_been_there), succeeded=lambda result: result.error_code == 0,
        )  # fmt: skip


class RoboSkate(System):
    """Loads levels while time passes and somebody looks at the camera."""

    name = "roboskate"
    main_stream = ((Odometry, "odom"),)
    faults: ClassVar[Mapping[str, str]] = {
        "cut": "link",
        "stall": "link",
        "flood": "link",
        "garbage": "link",
        "restart": "link",
        "wrong_length": "link",
        "refuse": "link",
        "bad_image": "link",
        KILL + "simulator": "link",
        KILL + "bridge": "link",
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
        camera = "/roboskate/camera/image_raw/compressed"
        return [*streams, Stream(peer, (CompressedImage, camera))]

    def under_way(self) -> list[Errand]:
        """Load a level, at the very moment."""
        return [self.proof()]

    def proof(self) -> Errand:
        """Load the next level."""
        level, mark = next(self._levels), self._mark()
        return ServiceErrand(
            self._peer, RoboSkateInitialize, "/roboskate/initialize",
            RoboSkateInitialize.Request(level=level),
            lambda: self._logged(mark, rf"simulator: level {level}, images of"),
            may_die=self.killing_the_bridge,
        )  # fmt: skip


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
    }
    instant = frozenset({"resize"})
    SEGMENT, VARIABLE = "luarDebug", "visiondebuglevel"
    PERIOD = 0.1

    def arguments(self) -> list[str]:
        """Return launch arguments; no joints, of which a machine can have one robot's only."""
        self._user = f"faults{uuid.uuid4().hex[:8]}"
        self._values = itertools.count(1)
        file = self._scratch / "luar.yaml"
        file.write_text(
            f"/**:\n  ros__parameters:\n    writable: [{self.SEGMENT}.{self.VARIABLE}]\n",
            encoding="utf-8",
        )
        return [f"user:={self._user}", "profile:=webots", f"params_file:={file}"]

    def under_way(self) -> list[Errand]:
        """Ask for nothing: see ``during``."""
        return []

    def while_away(self) -> list[Errand]:
        """Ask for nothing: see ``during``."""
        return []

    def proof(self) -> Errand:
        """Write a value."""
        value = float(next(self._values))
        path = DIRECTORY / RobotIdentity(0, 1, self._user).file_name(self.SEGMENT)

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
            self._peer, LuarSet, "/luar/set_variable", request, partial(until, written),
            may_die=self.killing_the_bridge, at_once=True,
        )  # fmt: skip

    @contextmanager
    def during(self) -> Iterator[list[Errand]]:
        """Write ten times a second, from another thread."""
        errands: list[Errand] = []
        over = threading.Event()

        def write() -> None:
            while not over.wait(self.PERIOD):
                try:
                    errands.append(self.proof())
                except TimeoutError:
                    pass  # the bridge is away

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield errands
        finally:
            over.set()
            thread.join()


FOUND_AFTER = 1.0
"""Seconds after which the actions of a robot that was added are surely found."""


class Bw4t(System):
    """A robot that an agent drives, and one of our own on its way between corridors."""

    name = "bw4t"
    node = "server"
    simulator = None
    main_stream = ((Bw4tPercepts, "Bot_1/percepts"),)
    faults: ClassVar[Mapping[str, str]] = {KILL + "server": "link", KILL + "agent": "anew"}
    PLACES = ("LeftHallA", "RightHallB", "LeftHallC", "RightHallD", "FrontDropZone")

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._places = itertools.cycle(self.PLACES)
        return ["robots:=1", f"seed:={self._chance.randrange(1000)}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and where our own robot is."""
        streams = super().watch(peer, observer, launch)
        observer.watch_action("/bw4t/Runner_1/go_to")
        self._state = peer.subscribe(Bw4tState, "/bw4t/Runner_1/state")
        self._began: float | None = None
        self._there = False
        peer.subscribe_with(
            Bw4tPercepts, "/bw4t/Bot_1/percepts", self._on_percepts, qos.stream(2000)
        )
        return streams

    def _on_percepts(self, message: Bw4tPercepts) -> None:
        if message.cycle == 0:
            self._began = time.monotonic()

    def before_fault(self) -> None:
        """Take note of how things are."""
        self._began = None
        self._there = not self.killing_the_bridge

    def began_anew(self) -> float | None:
        """Return when the stream of percepts began anew: somebody has subscribed to it."""
        return self._began

    def prepare(self) -> None:
        """Add our own robot, unless it is there."""
        if self._there:
            return
        before = len(self._state.items)
        request = Bw4tAddPlayer.Request(kind=Bw4tAddPlayer.Request.BOT, name="Runner")
        response = self._peer.call(Bw4tAddPlayer, "/bw4t/add_player", request)
        if not response.success or response.ros_name != "Runner_1":
            raise RuntimeError(f"bw4t/add_player: {response}")
        self._state.wait_for_count(before + 1)
        time.sleep(FOUND_AFTER)
        self._there = True

    def under_way(self) -> list[Errand]:
        """Send it to the other end of the map."""
        return [self._go_to("RightHallD" if self._chance.random() < 0.5 else "LeftHallA")]

    def while_away(self) -> list[Errand]:
        """Ask for nothing: the server itself is away."""
        return []

    def proof(self) -> Errand:
        """Send it to the next place."""
        return self._go_to(next(self._places))

    def _go_to(self, place: str) -> ActionErrand:
        mark = len(self._state.items)

        def has_been_there() -> bool:
            return any(
                state.place == place and state.state == Bw4tState.ARRIVED
                for state in self._state.items[max(0, mark - 1) :]
            )

        truth = partial(until, has_been_there)
        return self._action(Bw4tGoTo, "Runner_1/go_to", Bw4tGoTo.Goal(place=place), truth)


SYSTEMS: Mapping[str, type[System]] = {
    system.name: system for system in (Nao, RoboSkate, Luar, Bw4t, Aibo)
}
