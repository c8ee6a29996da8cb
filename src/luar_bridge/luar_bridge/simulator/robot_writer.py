# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes a scene into segments as a Luar robot's processes do, in the original's order. No ROS."""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Callable

from luar_bridge.model import field
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol import fsm_states
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.layout_table import Kind, LayoutTable, VariableInfo
from luar_bridge.protocol.naming import DIRECTORY, UNSUFFIXED, RobotIdentity
from luar_bridge.protocol.ros_body import LENGTHS, SEGMENT, Motion
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.simulator import percepts
from luar_bridge.simulator.camera import Camera, in_robot
from luar_bridge.simulator.motors import Motors, joint_angles
from luar_bridge.simulator.percepts import Value
from luar_bridge.simulator.posture import Posture
from luar_bridge.simulator.ros_body import RosDrivenBody
from luar_bridge.simulator.segment_owner import DEFAULT_SIZE, SegmentOwner
from luar_bridge.simulator.state_reports import StateReports, states
from luar_bridge.simulator.world import SoccerScene

PLAYERS = 4
_FIRST_LENGTH = {"penalty": PLAYERS, "opponent_penalty": PLAYERS}
_PARTICLES = 100
_GYRO_OFFSET = 1900.0
"""Raw readings of a Nao's gyrometers lie around the negative of this.

Source: docs/originals/luar.md, dcmSensor.
"""


def _lengths(file: str) -> dict[str, int]:
    """Return the variables of a segment that is there already, with their lengths in doubles."""
    try:
        with Segment(DIRECTORY / file) as segment:
            return {name: segment.snapshot.length(name) for name in segment.snapshot}
    except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
        return {}


class RobotWriter:
    """The segments of one robot.

    Parameters
    ----------
    owner
        Does the writing.
    identity, table
        Which segments; those of the table whose variables have a known length are created.
    has_joints
        Whether there are dcmSensor and dcmActuator, as on a Nao but not under Webots.
    has_motion
        Whether a motion process runs; without it the joints follow dcmActuator (see Motors).
    refereed
        Whether gcmGame is written from outside, and left alone here.
    ros_body
        Obeys rcmBody, which is made then too.

    """

    def __init__(
        self,
        owner: SegmentOwner,
        identity: RobotIdentity,
        table: LayoutTable,
        camera: Camera,
        *,
        has_joints: bool,
        has_motion: bool = True,
        refereed: bool = False,
        ros_body: RosDrivenBody | None = None,
        seed: int = 0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._owner = owner
        self._now = now
        self._identity = identity
        self._camera = camera
        self._chance = random.Random(seed)
        self._motion_count = 0
        self._frame_count = 0
        self._later = "x" in table.segments.get("wcmBall", {})
        self._ros_body = ros_body
        segments = {**table.segments}
        if ros_body is not None:
            segments[SEGMENT] = {n: VariableInfo(Kind.VECTOR, m) for n, m in LENGTHS.items()}
        table = dataclasses.replace(table, segments=segments)
        self._segments = [
            name
            for name, variables in table.segments.items()
            if variables and (has_joints or name not in UNSUFFIXED)
        ]
        self._table = table
        self._has_joints = has_joints
        self._refereed = refereed
        self._told: dict[str, str] = {}
        self._button = False
        self._posture = Posture()
        self._has_motion = has_motion
        self._motors: Motors | None = None
        file = identity.file_name(fsm_states.SEGMENT)
        self._states = StateReports(owner, file, now) if "gcmFsm" not in table.segments else None

    def begin_again(self, seed: int) -> None:
        """Have the same chance deviations as a new robot with ``seed``; counts go on."""
        self._chance = random.Random(seed)
        self._posture.begin_again()
        self._camera.begin_again(seed)
        if self._states is not None:
            self._states.begin_again()

    def ordered(self) -> tuple[int, int] | None:
        """Return state and penalty that gcmGame orders this player; None where there is none."""
        try:
            with Segment(DIRECTORY / self._identity.file_name("gcmGame")) as segment:
                state, penalties = (segment.snapshot.all_numbers(n) for n in ("state", "penalty"))
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
            return None
        player = self._identity.player - 1
        penalty = penalties[player] if 0 <= player < len(penalties) else 0.0
        return (int(state[0]), int(penalty)) if len(state) == 1 else None

    @property
    def files(self) -> list[str]:
        """Names of the segments' files."""
        names = [*self._segments, *([fsm_states.SEGMENT] if self._states else [])]
        return [self._identity.file_name(segment) for segment in names]

    def create(self) -> None:
        """Create what is missing, as the original.

        Communication managers are kept with what their variables hold, dcm is made anew
        (docs/originals/luar.md, "Observed behaviour", 8).
        """
        width, height = self._camera.width, self._camera.height
        sizes = {"yuyv": 2 * width * height, "labelA": width * height // 4}
        sizes["labelB"] = sizes["labelA"] // 16
        for segment in self._segments:
            file = self._identity.file_name(segment)
            if segment in UNSUFFIXED:
                self._owner.remove(file)
                kept = {}
            else:
                kept = _lengths(file)
            size = sum(sizes.values()) + DEFAULT_SIZE if segment == "vcmImage" else DEFAULT_SIZE
            self._owner.create(file, size)
            for variable, info in self._table.segments[segment].items():
                if info.kind is Kind.CARRAY:
                    octets = sizes.get(variable, 8)
                    if kept.get(variable) != -(-octets // 8):
                        self._owner.set_bytes(file, variable, bytes(octets))
                elif info.kind is Kind.STRING:
                    if variable not in kept:
                        self._owner.set_text(file, variable, "")
                else:
                    length = info.length or _FIRST_LENGTH.get(variable, 10)
                    if kept.get(variable) != length:
                        self._owner.set(file, variable, [0.0] * length)
        if self._states is not None:
            self._states.create()
        self._set("luarDebug", debuglevel=0.0)
        self._set(
            "vcmDebug",
            enable_shm_copy=1.0,
            store_all_images=1.0,
            store_goal_detections=1.0,
            store_ball_detections=1.0,
        )
        self._set("vcmImage", width=float(width), height=float(height))
        self._set("vcmCamera", command=-1.0)

    def _set(self, segment: str, **values: Value) -> None:
        file = self._identity.file_name(segment)
        for variable, value in values.items():
            self._owner.set(file, variable, value)

    # --- motion, 100 times a second --------------------------------------------------------

    def write_motion(self, scene: SoccerScene) -> None:
        """Write what the motion process and the device communication manager write."""
        self._motion_count += 1
        self._write_states(scene)
        if self._ros_body is not None:
            self._set(SEGMENT, **self._ros_body.written)
        if not self._has_motion:
            self._follow_commands(scene)
            return
        if self._has_joints:
            self._take_button(scene)
            ordered = None if self._ros_body is None else self._ros_body.motion
            angles = self._posture.angles(scene, ordered)
            self._write_sensors(scene, angles)
            self._write_commands(angles)
        self._set(
            "mcmWalk",
            bodyOffset=(0.0, 0.004 * math.sin(2 * math.pi * scene.gait()), 0.0),
            uLeft=scene.left_foot,
            uRight=scene.right_foot,
            stillTime=scene.still_time,
            **(self._ros_body.walk if self._ros_body is not None else {}),
        )
        if self._motion_count % 10 == 0:
            side = "left" if self._motion_count % 20 else "right"
            echoes = percepts.echoes(scene, self._chance)
            self._set("mcmUs", **{side: echoes})
            if self._has_joints:
                self._set("dcmSensor", **{f"us{side.capitalize()}": echoes})

    def _outside(self, segment: str, *variables: str) -> list[float | None]:
        """Return variables that others may write; None for what is not there."""
        try:
            with Segment(DIRECTORY / self._identity.file_name(segment)) as opened:
                return [opened.snapshot.number(name) for name in variables]
        except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
            return [None] * len(variables)

    def _take_button(self, scene: SoccerScene) -> None:
        """Have a button that is pressed anew order the next state; looked at each 50 ms."""
        if self._motion_count % 5 == 0:
            (button,) = self._outside("dcmSensor", "button")
            if button and not self._button and not self._refereed:
                scene.press_button()
            self._button = bool(button)

    def _write_states(self, scene: SoccerScene) -> None:
        motion = "walk" if self._has_motion else "relax"
        if self._ros_body is not None:
            motion = self._ros_body.motion.name.lower()
        if self._states is not None:
            self._states.report(scene, motion)
        else:
            file = self._identity.file_name("gcmFsm")
            for machine, state in states(scene, motion).items():
                if self._told.get(machine) != state:
                    self._told[machine] = state
                    self._owner.set_text(file, f"{machine}_state", state)

    def _follow_commands(self, scene: SoccerScene) -> None:
        """Have the joints of a robot without motion process follow dcmActuator."""
        if self._motors is None:
            standing = joint_angles(scene)
            self._write_commands(standing)
            self._owner.sync()
            self._motors = Motors(DIRECTORY / self._identity.file_name("dcmActuator"), standing)
        self._motors.cycle()
        scene.head_yaw, scene.head_pitch = self._motors.positions[:2]
        self._write_sensors(scene, self._motors.positions)

    def _write_sensors(self, scene: SoccerScene, position: list[float]) -> None:
        sway = math.sin(2 * math.pi * scene.gait()) if scene.walking else 0.0
        noise = self._chance.gauss
        lies = self._ros_body is not None and self._ros_body.motion is Motion.FALLING
        pitch = 1.4 if lies else 0.03
        self._set(
            "dcmSensor",
            count=float(self._motion_count),
            time=self._now(),
            position=position,
            command=position,
            hardness=[0.7] * len(JOINTS),
            current=[0.1 + 0.1 * abs(noise(0, 1)) for _ in JOINTS],
            temperature=[35.0 + scene.time / 60.0] * len(JOINTS),
            imuAngle=(0.02 * sway + noise(0, 0.002), pitch + noise(0, 0.002)),
            imuAcc=(noise(0, 0.3), 3.0 * sway + noise(0, 0.3), -58.0 + noise(0, 0.5)),
            imuGyr=(
                -_GYRO_OFFSET + 12.0 * sway + noise(0, 1),
                -_GYRO_OFFSET + noise(0, 1),
                -_GYRO_OFFSET,
            ),
            imuGyr0=[-_GYRO_OFFSET] * 3,
            fsrLeft=[0.6 + 0.5 * sway] * 4,
            fsrRight=[0.6 - 0.5 * sway] * 4,
            batteryCharge=max(0.0, 0.95 - scene.time / 3600.0),
            batteryCurrent=-1.2,
        )

    def _write_commands(self, position: list[float]) -> None:
        """Write what the motion process commands the joints."""
        actuator: dict[str, float | list[float]] = {"count": float(self._motion_count)}
        actuator |= {"time": self._now(), "command": position, "hardness": [0.7] * len(JOINTS)}
        self._set("dcmActuator", **actuator)

    # --- cognition, 30 times a second ------------------------------------------------------

    def write_cognition(self, scene: SoccerScene) -> None:
        """Write what the cognition process writes in one cycle: image, vision, world, game."""
        self._frame_count += 1
        view = self._camera.look(
            scene.pose, scene.head_yaw, percepts.camera_pitch(scene), (scene.ball.x, scene.ball.y)
        )
        (command,) = self._outside("vcmCamera", "command")
        scene.selected = int(command) if command in (0.0, 1.0) else None
        ball, goal = percepts.ball(scene, view, self._chance), percepts.goal(scene, view)
        if self._copies(ball["detect"] == 1.0, goal["detect"] == 1.0):
            image = self._identity.file_name("vcmImage")
            self._owner.set_bytes(image, "yuyv", view.yuyv.tobytes())
            self._owner.set_bytes(image, "labelA", view.labels.tobytes())
            self._owner.set_bytes(image, "labelB", view.labels_b.tobytes())
        self._set(
            "vcmImage",
            select=float(scene.camera),
            count=float(self._frame_count),
            time=self._now(),
            headAngles=(scene.head_yaw, scene.head_pitch),
            horizonA=float(view.horizon),
            horizonB=float(view.horizon // 4),
        )
        self._set("vcmBall", **ball)
        self._set("vcmGoal", **goal)
        self._set("vcmLine", **percepts.line(scene, self._camera if self._later else None))
        self._write_world(scene)
        self._write_game(scene)

    def _copies(self, sees_ball: bool, sees_goal: bool) -> bool:
        """Return whether vcmDebug has this image copied, as the original's Vision decides."""
        names = ("enable_shm_copy", "store_all_images", "store_ball_detections")
        enabled, every, balls, goals = self._outside("vcmDebug", *names, "store_goal_detections")
        if enabled is None:
            return True
        return enabled == 1.0 and (
            every == 1.0 or (balls == 1.0 and sees_ball) or (goals == 1.0 and sees_goal)
        )

    def image_in_halves(self, scene: SoccerScene) -> tuple[str, str, bytes]:
        """Return file, variable and bytes of an image, to die in the middle of writing it."""
        view = self._camera.look(scene.pose, 0.0, 0.3, (scene.ball.x, scene.ball.y))
        return self._identity.file_name("vcmImage"), "yuyv", view.yuyv[::-1].tobytes()

    def shrink_line(self) -> None:
        """Do to vcmLine.vendpoint what the original does: leave two numbers where four were."""
        self._set("vcmLine", vendpoint=[0.0, 0.0])

    def _write_world(self, scene: SoccerScene) -> None:
        noise = self._chance.gauss
        x, y, a = scene.pose
        pose = (x + noise(0, 0.01), y + noise(0, 0.01), a + noise(0, 0.01))
        self._set("wcmRobot", pose=pose)
        ball_x, ball_y = scene.ball_in_robot
        if self._later:
            self._set("wcmBall", x=ball_x, y=ball_y, velx=0.0, vely=0.0, p=0.9)
            spread = [[noise(0, 0.05) for _ in range(_PARTICLES)] for _ in range(3)]
            for name, centre, offsets in zip("xya", pose, spread, strict=True):
                self._set("wcmParticle", **{name: [centre + offset for offset in offsets]})
            weights = [-0.5 * sum((s[i] / 0.05) ** 2 for s in spread) for i in range(_PARTICLES)]
            self._set("wcmParticle", w=weights)
            mate = in_robot((0.0, 1.0), scene.pose)
            self._set(
                "wcmObstacle",
                num=1.0,
                x=[mate[0], *[0.0] * 9],
                y=[mate[1], *[0.0] * 9],
                dist=[math.hypot(*mate), *[0.0] * 9],
                role=[6.0, *[0.0] * 9],
            )
        else:
            self._set("wcmBall", xy=(ball_x, ball_y), velocity=(0.0, 0.0))
        self._set("wcmBall", t=scene.time)
        sign = 1.0 if scene.color == 0 else -1.0
        attack = (sign * field.HALF_LENGTH, 0.0, 0.0)
        defend = (-sign * field.HALF_LENGTH, 0.0, 0.0)
        bearing = math.atan2(-y, attack[0] - x) - a
        self._set("wcmGoal", t=scene.time, attack=attack, defend=defend, attack_bearing=bearing)

    def _write_game(self, scene: SoccerScene) -> None:
        if not self._refereed:
            self._set(
                "gcmGame",
                state=float(scene.state),
                nplayers=float(PLAYERS),
                kickoff=1.0,
                half=1.0,
                penalty=[0.0] * PLAYERS,
                time_remaining=math.ceil(scene.time_remaining),
                last_update=0.0,
            )
        self._set(
            "gcmTeam",
            number=float(self._identity.team),
            player_id=float(scene.player),
            color=float(scene.color),
            role=float(scene.role),
        )
