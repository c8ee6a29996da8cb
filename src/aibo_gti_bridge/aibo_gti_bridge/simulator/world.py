# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated ERS-7 in a room: what its GTI server measures, and what it makes the dog do.

Time passes in frames of 8 ms; sensors and camera are looked at every fourth, each 32 ms, as in
Tekkotsu (docs/originals/aibo.md, 5). Everything is decided by the commands, their times and the
seed. Balance, contact forces, infrared reflection, battery and temperature are simplified.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, hypot, isfinite, pi, sin, sqrt

import numpy as np

from aibo_gti_bridge.model import kinematics as k
from aibo_gti_bridge.model.ball_search import BallSearch, Stage
from aibo_gti_bridge.model.gait import Walker
from aibo_gti_bridge.model.joints import HEAD, JOINTS
from aibo_gti_bridge.model.kinematics import Matrix, Vector
from aibo_gti_bridge.model.motions import Motion
from aibo_gti_bridge.model.room import Ball, Room
from aibo_gti_bridge.protocol.sensors import BUTTONS, BY_NAME, DISTANCE_SENSORS
from aibo_gti_bridge.simulator.body import LEG_JOINTS, Body
from legacy_robots_geometry.rotations import matrix_about

FRAME_S = 0.008
FRAMES_PER_CYCLE = 4
CYCLE_S = FRAME_S * FRAMES_PER_CYCLE
"""Seconds between two states of the sensors."""
DOG_RADIUS_M = 0.16
GRAVITY = 9.80665
MIN_BALL_PIXELS = 12.0
"""Area of a region below which vision takes it for noise."""
FILTER_FRAMES = 1
"""Images that may disagree before a ball appears or disappears."""
CAPACITY_MAH = 2200.0
"""mAh"""


@dataclass(frozen=True)
class Press:
    """A button that is pressed at ``at`` for ``seconds`` of simulated time."""

    button: str
    at: float
    seconds: float = 0.5
    value: float = 1.0


@dataclass(frozen=True)
class Settings:
    """What a world is like at the beginning; metres and radians."""

    x: float = -0.8
    y: float = 0.0
    yaw: float = 0.0
    charge: float = 0.85
    noise: float = 1.0
    """Factor on the noise of all measurements; 0: none."""
    presses: tuple[Press, ...] = ()
    full_rotor_range: bool = False


@dataclass
class SeenBall:
    """What vision holds of the ball of one colour, in generalised image units."""

    visible: bool = False
    x: float = 0.0
    y: float = 0.0
    area: float = 0.0
    disagreeing: int = field(default=0, repr=False)


class DogWorld:
    """The dog, its room and the time."""

    def __init__(
        self, room: Room | None = None, seed: int = 0, settings: Settings | None = None
    ) -> None:
        self.settings = settings or Settings()
        self.room = room or Room()
        self.body = Body(full_rotor_range=self.settings.full_rotor_range)
        self.walker = Walker()
        self.x, self.y, self.yaw = self.settings.x, self.settings.y, self.settings.yaw
        self.time = 0.0
        self.charge = self.settings.charge
        self.sensors: dict[str, float] = {}
        """Values by Tekkotsu's name, in the units of the wire, as of the latest cycle."""
        self.seen: dict[str, SeenBall] = {}
        """What vision holds, by colour; a colour that was never in the room is not there."""
        self._random = random.Random(seed)
        self._frame = 0
        self._left_over = 0.0
        self._search: BallSearch | None = None
        self._search_colour = ""
        self._search_result: bool | None = None
        self._distances: dict[str, tuple[float, float]] = {}
        """By sensor: when it measures next (s), and what it measured last (mm)."""
        self._velocity = (0.0, 0.0, 0.0)
        self._measure()

    # --- commands (specification, The Gti Behavior) ----------------------------------------

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        """Walk with a velocity (m/s, m/s, rad/s), for a number of steps or without end."""
        self.body.release_legs()
        self.walker.walk(dx, dy, da, steps)

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        """Walk over a displacement (m, m, rad) in ``steps`` steps."""
        self.body.release_legs()
        self.walker.walk_steps(dx, dy, da, steps)

    def move_joints(self, targets: Mapping[str, tuple[float, float]]) -> None:
        """Move joints: by name target (rad) and time (s). Moving a leg ends the walk."""
        if any(name in LEG_JOINTS for name in targets):
            self.walker.stop()
        self.body.move(targets)

    def play(self, motion: Motion) -> None:
        """Play a motion. One that moves legs ends the walk."""
        if any(name in LEG_JOINTS for name in motion.joints):
            self.walker.stop()
        self.body.play(motion)

    def search(self, colour: str) -> None:
        """Begin to look around for a ball; ``search_result`` returns when it is over."""
        self._search, self._search_colour, self._search_result = BallSearch(), colour, None

    @property
    def searching(self) -> bool:
        """Whether the head is looking for a ball."""
        return self._search is not None

    def search_result(self) -> bool | None:
        """Return once whether the ball was found, when a search has ended; else None."""
        result, self._search_result = self._search_result, None
        return result

    def stop_everything(self) -> None:
        """Stand still, hold all joints, forget the search."""
        self.walker.stop()
        self.body.hold()
        self._search = None
        self._search_result = None

    # --- time ------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether anything happens without further commands."""
        return self.walker.walking or self.body.moving or self.searching

    def step(self, seconds: float) -> None:
        """Let ``seconds`` pass, in whole frames; what is left over counts next time."""
        self._left_over += seconds
        while self._left_over >= FRAME_S - 1e-12:
            self._left_over -= FRAME_S
            self._step_frame()

    def _step_frame(self) -> None:
        self.time += FRAME_S
        self._frame += 1
        self._velocity = self.walker.step(FRAME_S) if self.walker.walking else (0.0, 0.0, 0.0)
        moving = any(self._velocity)
        self.body.step(FRAME_S, self._velocity if moving else None)
        if moving:
            dx, dy, da = self._velocity
            heading = self.yaw + da * FRAME_S / 2.0
            wanted_x = self.x + (dx * cos(heading) - dy * sin(heading)) * FRAME_S
            wanted_y = self.y + (dx * sin(heading) + dy * cos(heading)) * FRAME_S
            self.yaw = k.wrap(self.yaw + da * FRAME_S)
            self.x, self.y = self.room.allowed(wanted_x, wanted_y, DOG_RADIUS_M)
        self.room.step(FRAME_S, self.x, self.y, DOG_RADIUS_M)
        current = 0.35 + (1.2 if moving else 0.25 if self.body.moving else 0.0)
        self.charge = max(0.0, self.charge - current * 1000.0 * FRAME_S / 3600.0 / CAPACITY_MAH)
        if self._frame % FRAMES_PER_CYCLE == 0:
            self._measure()
            self._look_on()

    def _look_on(self) -> None:
        """Go on with the search, after each image."""
        if self._search is None:
            return
        seen = self.seen.get(self._search_colour)
        place = (seen.x, seen.y) if seen is not None and seen.visible else None
        head = {name: self.body.positions[name] for name in HEAD}
        move = self._search.update(self.time, head, place)
        if move is not None:
            self.body.move({n: (target, move.duration) for n, target in move.targets.items()})
        if self._search.over:
            self._search_result = self._search.stage is Stage.FOUND
            self._search = None

    # --- measuring -------------------------------------------------------------------------

    def _noise(self, sigma: float) -> float:
        return self._random.gauss(0.0, sigma) * self.settings.noise

    def stance(self) -> tuple[Vector, Matrix, dict[str, float]]:
        """Return place and rotation of the body in the room, and the feet's heights (m)."""
        stance = k.stance(self.body.positions)
        heading = matrix_about((0.0, 0.0, 1.0), self.yaw)
        tilt = matrix_about((0.0, 1.0, 0.0), stance.pitch)
        tilt = tilt @ matrix_about((1.0, 0.0, 0.0), stance.roll)
        return np.array([self.x, self.y, stance.height]), heading @ tilt, stance.feet

    def _measure(self) -> None:
        place, rotation, feet = self.stance()
        values: dict[str, float] = {}
        for joint in JOINTS:
            values[joint.tekkotsu] = self.body.positions[joint.name] + self._noise(0.0005)
        self._measure_buttons(values, feet)
        self._measure_distances(values, place, rotation)
        self._measure_acceleration(values, rotation)
        moving = any(self._velocity) or self.body.moving
        values["PowerRemain"] = self.charge
        values["PowerThermo"] = 31.0 + 4.0 * (1.0 - self.charge) + self._noise(0.05)
        values["PowerCapacity"] = CAPACITY_MAH
        values["PowerVoltage"] = 7.0 + 1.2 * self.charge - (0.2 if moving else 0.0)
        values["PowerCurrent"] = -350.0 - (900.0 if moving else 0.0) + self._noise(10.0)
        # WorldState holds 32-bit floats.
        packed = struct.pack(f"{len(values)}f", *values.values())
        self.sensors = dict(zip(values, struct.unpack(f"{len(values)}f", packed), strict=True))
        self._see(place, rotation)

    def _measure_buttons(self, values: dict[str, float], feet: Mapping[str, float]) -> None:
        for button in BUTTONS:
            values[button.name] = 0.0
        for button, leg in zip(BUTTONS, k.LEGS, strict=False):
            values[button.name] = 1.0 if feet[leg] < 0.004 else 0.0
        values["WirelessSw"] = 1.0
        for press in self.settings.presses:
            if press.at <= self.time < press.at + press.seconds:
                values[press.button] = press.value

    def _measure_distances(
        self, values: dict[str, float], place: Vector, rotation: Matrix
    ) -> None:
        for sensor in DISTANCE_SENSORS:
            due, measured = self._distances.get(sensor.name, (0.0, 0.0))
            if self.time >= due:
                eye, head = k.pose_of(sensor.part, self.body.positions)
                ray = (rotation @ head)[:, 0]
                measured = self.room.distance(place + rotation @ eye, ray) * 1000.0
                measured *= 1.0 + self._noise(0.01)
                self._distances[sensor.name] = (self.time + sensor.period, measured)
            values[sensor.name] = min(max(measured, sensor.minimum), sensor.maximum)

    def _measure_acceleration(self, values: dict[str, float], rotation: Matrix) -> None:
        force = rotation.T @ np.array([0.0, 0.0, GRAVITY])
        speed = hypot(self._velocity[0], self._velocity[1]) + 0.05 * abs(self._velocity[2])
        shaking = 0.02 + 6.0 * speed
        forward, left, up = (float(f) + self._noise(shaking if speed else 0.02) for f in force)
        limit = BY_NAME["BAccel"].maximum
        for name, value in (("BAccel", -forward), ("LAccel", left), ("DAccel", -up)):
            values[name] = min(max(value, -limit), limit)

    def _see(self, place: Vector, rotation: Matrix) -> None:
        eye, head = k.pose_of("camera", self.body.positions)
        camera_place, camera_rotation = place + rotation @ eye, rotation @ head
        for colour in {ball.colour for ball in self.room.balls}:
            found = [
                image
                for ball in self.room.balls
                if ball.colour == colour
                and (image := self._image_of(ball, camera_place, camera_rotation)) is not None
            ]
            seen = self.seen.setdefault(colour, SeenBall())
            if bool(found) == seen.visible:
                seen.disagreeing = 0
            else:
                seen.disagreeing += 1
                if seen.disagreeing > FILTER_FRAMES or self._frame == 0:
                    seen.visible, seen.disagreeing = bool(found), 0
            if found and seen.visible:
                seen.x, seen.y, seen.area = max(found, key=lambda image: image[2])

    def _image_of(
        self, ball: Ball, place: Vector, rotation: Matrix
    ) -> tuple[float, float, float] | None:
        """Return the middle of the ball's bounding box and its area, or None if it is not seen."""
        towards = ball.centre - place
        distance = float(np.linalg.norm(towards))
        if distance <= ball.radius * 1.05:
            return None
        in_way = self.room.distance(place, towards / distance, balls=False)
        if in_way < distance - ball.radius - 0.01:
            return None
        centre = k.point_to_image(rotation.T @ towards)
        if centre is None or not all(map(isfinite, centre)):
            return None
        scale = sqrt(distance**2 - ball.radius**2)
        radius = ball.radius / scale / k.IMAGE_SCALE
        left, right = max(-1.0, centre[0] - radius), min(1.0, centre[0] + radius)
        top = max(-k.IMAGE_TOP, centre[1] - radius)
        bottom = min(k.IMAGE_TOP, centre[1] + radius)
        if right <= left or bottom <= top:
            return None
        shown = (right - left) * (bottom - top) / (2.0 * radius) ** 2
        area = pi * radius**2 * shown * (1.0 + self._noise(0.01))
        if area * (k.IMAGE_WIDTH / 2.0) ** 2 < MIN_BALL_PIXELS:
            return None
        x = (left + right) / 2.0 + self._noise(0.003)
        y = (top + bottom) / 2.0 + self._noise(0.003)
        x, y = min(max(x, -1.0), 1.0), min(max(y, -k.IMAGE_TOP), k.IMAGE_TOP)
        return float(x), float(y), float(area)
