# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Luar robot: a plain program that plays soccer into real shared-memory segments.

The segments are made and written by Boost.Interprocess itself, through the compiled helper of
luar_stand_in. This program tells it what: motion 100 times a second, cognition 30 times.
The fault ``restart`` ends the robot's processes and starts them again: its communication managers
find their old segments with old values, the dcm segments are made anew, as with the original.
"""

from __future__ import annotations

import argparse
import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence

from legacy_robots_simulation.control_channel import ControlServer
from legacy_robots_simulation.program import (
    SimulatorError,
    run_until_signal,
    set_up_logging,
    without_ros_arguments,
)
from legacy_robots_simulation.stepped_controls import CallQueue
from luar_bridge.model import field
from luar_bridge.protocol import layout_table, naming
from luar_bridge.protocol.boost_layout import Abi, ProtocolError
from luar_bridge.protocol.game_control import GameState
from luar_bridge.protocol.layout_table import TableError
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.ros_body import SEGMENT
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.simulator.arguments import FAULT_SEGMENT, argument_parser
from luar_bridge.simulator.camera import Camera
from luar_bridge.simulator.controls import SceneControls
from luar_bridge.simulator.robot_writer import RobotWriter
from luar_bridge.simulator.ros_body import RosDrivenBody
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError
from luar_bridge.simulator.shared_ball import BallOfRobot
from luar_bridge.simulator.team_roles import read_team, role_of
from luar_bridge.simulator.world import SoccerScene

MOTION_HZ = 100
_ORDER_TICKS = 5
"""Ticks of motion between two looks at what the referee orders."""
_ROLE_TICKS = 50
"""Of motion, between two looks at who has which role."""
_LOGGER = logging.getLogger("simulator")

PAUSED_LOOK_S = 0.25
"""Between two looks for faults and the end while time stands still."""


class LuarSimulator:
    """One robot, on a thread of its own; a Simulator of legacy_robots_common."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._identity = RobotIdentity(arguments.team, arguments.player, arguments.user)
        self._table = layout_table.load(arguments.layout)
        path = naming.DIRECTORY / self._identity.file_name(SEGMENT)
        self.ros_body = RosDrivenBody(path) if arguments.ros_body else None
        """What obeys rcmBody; to be used on the robot's thread."""
        self.scene = self._new_scene()
        """The robot and the ball: to be looked at on its thread only."""
        width, height = arguments.image_size
        self._camera = Camera(width, height, seed=arguments.seed)
        self._owner: SegmentOwner | None = None
        self._writer: RobotWriter | None = None
        self._ball: BallOfRobot | None = None
        self.is_paused = arguments.paused
        """Whether the scene stands still; to be set on its thread."""
        self._called = threading.Event()
        self.calls = CallQueue(self._called.set)
        self._control = ControlServer(SceneControls(self), arguments.control)
        self._ticks = self._frames = 0
        self._closing = threading.Event()
        self._faults: list[str] = []
        self._lock = threading.Lock()
        self._finished: Callable[[int], None] = lambda code: None
        self._thread = threading.Thread(target=self._run, name="robot", daemon=True)

    # --- for run_until_signal -------------------------------------------------------

    def start(self) -> None:
        """Create the segments and begin to play. Raises SimulatorError."""
        self._refuse_second_writer()
        if port := self._arguments.ball_port:
            try:
                self._ball = BallOfRobot(self._identity.team, self._identity.player, port)
            except OSError as error:
                message = f"UDP port {port} cannot be used: {error.strerror}"
                raise SimulatorError(message) from error
            self._obey_referee()
        self._begin()
        assert self._writer is not None
        _LOGGER.info(
            "robot of %s in %d segments of layout ABI %d",
            self._identity,
            len(self._writer.files),
            self._arguments.abi,
        )
        self._control.start()
        self._thread.start()

    def close(self) -> None:
        """End, and remove the segments. Idempotent."""
        self._control.close()
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._ball is not None:
            self._ball.close()
        if self._owner is not None and self._writer is not None:
            self._owner.close()
            self._owner = None
            for file in self._writer.files:
                (naming.DIRECTORY / file).unlink(missing_ok=True)

    def inject(self, fault: str) -> None:
        """Have a fault happen at the next step."""
        with self._lock:
            self._faults.append(fault)

    def when_finished(self, callback: Callable[[int], None]) -> None:
        """Have ``callback`` called if the helper dies by itself."""
        self._finished = callback

    # --- the robot -------------------------------------------------------------------------

    def _refuse_second_writer(self) -> None:
        """Raise SimulatorError when another program plays this robot already."""
        watched = ["vcmImage"] + (["dcmSensor"] if self._arguments.profile == "nao" else [])
        for name in watched:
            try:
                with Segment(naming.DIRECTORY / self._identity.file_name(name)) as segment:
                    before = segment.peek("count")
                    self._closing.wait(0.1)
                    if segment.peek("count") != before:
                        whose = (
                            "another robot has joints, and a machine has one such: "
                            "--profile webots has none"
                            if name in naming.UNSUFFIXED
                            else f"a robot of {self._identity} runs already"
                        )
                        raise SimulatorError(
                            f"{segment.path.name} is being written by another program: {whose}"
                        )
            except (SegmentUnavailableError, SegmentBusyError, ProtocolError):
                # What a crash left behind: Boost could not open it, so it has to go.
                path = naming.DIRECTORY / self._identity.file_name(name)
                if path.is_file():
                    path.unlink()

    def _new_scene(self) -> SoccerScene:
        given = self._arguments
        if self.ros_body is not None:
            self.ros_body.stand()
        return SoccerScene(
            player=given.player,
            color=given.color,
            seed=given.seed,
            has_motion=not given.no_motion,
            drive=self.ros_body.speed if self.ros_body is not None else None,
        )

    def _obey_referee(self) -> None:
        assert self._ball is not None
        self.scene.on_kick = self._ball.kick
        self.scene.ordered = GameState.INITIAL

    def begin_again(self) -> None:
        """Begin the scene again with the same seed; the segments stay."""
        self.scene = self._new_scene()
        self._ticks = self._frames = 0
        if self._writer is not None:
            self._writer.begin_again(self._arguments.seed)
        if self._ball is not None:
            self._obey_referee()

    def step(self, seconds: float) -> None:
        """Let time pass, until the memory has it; on the robot's thread."""
        assert self._owner is not None
        for _ in range(round(seconds * MOTION_HZ)):
            self._tick()
        self._owner.sync()  # the helper writes by itself, and the memory is read next

    def _stepped_time(self) -> float:
        """Return the simulated time (s): what a robot that stood still at first reports."""
        return self._ticks / MOTION_HZ

    def _tick(self) -> None:
        """Let one tick of motion pass and write what it changes."""
        assert self._writer is not None
        assert self._owner is not None
        if self._ball is not None and self._ticks % _ORDER_TICKS == 0:
            self._take_orders(self._ball)
        if self._ticks % _ROLE_TICKS == 0:
            goal_x = (-1.0 if self.scene.color == 0 else 1.0) * field.HALF_LENGTH
            self.scene.role = role_of(self.scene.player, read_team(self._identity, goal_x))
        self.scene.advance(self._arguments.speed / MOTION_HZ)
        self._writer.write_motion(self.scene)
        self._owner.flush()
        self._ticks += 1
        if self._ticks * self._arguments.cognition >= (self._frames + 1) * MOTION_HZ:
            self._frames += 1
            self._writer.write_cognition(self.scene)
            self._owner.flush()

    def _begin(self) -> None:
        try:
            self._owner = SegmentOwner(Abi(self._arguments.abi))
            self._writer = RobotWriter(
                self._owner,
                self._identity,
                self._table,
                self._camera,
                has_joints=self._arguments.profile == "nao",
                has_motion=not self._arguments.no_motion,
                refereed=bool(self._arguments.ball_port),
                ros_body=self.ros_body,
                seed=self._arguments.seed,
                now=self._stepped_time if self._arguments.paused else time.time,
            )
            self._writer.create()
            self._owner.sync()
        except StandInError as error:
            raise SimulatorError(str(error)) from error

    def _run(self) -> None:
        begun = time.monotonic()
        due = begun
        faults = self._arguments.faults
        fault_at = begun + self._arguments.fault_after if len(faults) == 1 else float("inf")
        try:
            while not self._closing.is_set():
                if time.monotonic() >= fault_at:
                    fault_at = float("inf")
                    self.inject(faults[0])
                with self._lock:
                    wanted, self._faults = self._faults, []
                for fault in wanted:
                    self._apply_fault(fault)
                    due = max(due, time.monotonic())
                self._called.clear()
                answer_callers = self.calls.carry_out()
                answer_callers()
                if self.is_paused:
                    self._called.wait(PAUSED_LOOK_S)
                else:
                    self._tick()
                due = max(due + 1.0 / MOTION_HZ, time.monotonic() - 0.1)
                if not self.is_paused:
                    self._closing.wait(max(0.0, due - time.monotonic()))
        except (StandInError, SimulatorError, OSError) as error:
            _LOGGER.error("%s", error)
            self._finished(1)
        finally:
            self.calls.close()

    def _take_orders(self, ball: BallOfRobot) -> None:
        """Have the scene follow the referee: gcmGame, which a bridge writes, and its ball."""
        assert self._writer is not None
        self.scene.ball = ball.newest() or self.scene.ball
        state, penalty = self._writer.ordered() or (0, 0)
        known = state in GameState.__members__.values()
        self.scene.ordered = GameState(state) if known else GameState.INITIAL
        self.scene.penalised = penalty != 0

    def _apply_fault(self, fault: str) -> None:
        assert self._owner is not None
        assert self._writer is not None
        seconds = self._arguments.fault_seconds
        file = self._identity.file_name(FAULT_SEGMENT)
        _LOGGER.warning("fault: %s", fault)
        if fault == "stall":
            self._closing.wait(seconds)
        elif fault == "resize":
            self._writer.shrink_line()
        elif fault in ("wrong_size", "removed"):
            if fault == "wrong_size":
                self._owner.truncate(file, 2048)
            else:
                self._owner.remove(file)
            self._owner.sync()
            # Its owner still has the whole of the old memory, and would not survive touching it.
            self._owner.close()
            self._closing.wait(seconds)
            (naming.DIRECTORY / file).unlink(missing_ok=True)
            self._begin()
        else:
            if fault == "crash":
                self._owner.die_in_mid_write(*self._writer.image_in_halves(self.scene))
                self._owner.wait()
            self._owner.close()
            self._closing.wait(seconds)
            self._begin()
        _LOGGER.info("fault %s is over", fault)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulator as a program; return the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = argument_parser()
    options = parser.parse_args(without_ros_arguments(given))
    if options.no_motion and options.profile != "nao":
        parser.error("--no-motion needs --profile nao: only a Nao has joints in the memory")
    if options.no_motion and options.ros_body:
        parser.error("--ros-body needs a motion process, and --no-motion has none")
    try:
        simulator = LuarSimulator(options)
    except (ValueError, TableError) as error:
        parser.error(str(error))
    set_up_logging(options.log_level)
    return run_until_signal(simulator, options.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
