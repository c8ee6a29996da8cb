# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the simulated dogs of both wires share: their configuration, their world, their control."""

from __future__ import annotations

import copy
import logging
import math
import random
from abc import abstractmethod
from dataclasses import dataclass, field

from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.model.room import Room
from aibo_gti_bridge.protocol import wire_table as wire_tables
from aibo_gti_bridge.protocol.sensors import BallView
from aibo_gti_bridge.protocol.wire_table import WireTable
from aibo_gti_bridge.simulator.controls import DogControls
from aibo_gti_bridge.simulator.world import DogWorld, Settings
from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.tcp_simulator import TcpSimulator

FLOOD_MESSAGES = 5_000


@dataclass(frozen=True)
class SimulatorConfig:
    """What a simulated AIBO is like and where it is found."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: the default of the wire; 0: a free one."""
    wire: WireTable = field(default_factory=wire_tables.load)
    room: Room | None = None
    motion_directory: str = ""
    """Where its motion files are; empty: the ones of this package."""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)
    time_scale: float = 1.0
    """Simulated seconds in a second."""
    faults: tuple[str, ...] = ()
    fault_after: float = 5.0
    fault_seconds: float = 2.0
    control: str = ""
    """Name of the control channel; empty: none."""
    paused: bool = False
    """Whether time stands still at first."""
    profile: str = wire_tables.BASE
    """Its wire: GTI's, or tekkotsu."""


class Dog(DogWorld):
    """The simulated world as a server's backend: with its motion files."""

    joints = NAMES

    def __init__(self, config: SimulatorConfig, log: logging.Logger) -> None:
        super().__init__(copy.deepcopy(config.room), config.seed, config.settings)
        self._log = log
        self._motions = MotionLibrary(
            config.motion_directory, full_rotor_range=config.settings.full_rotor_range
        )

    def sensor(self, name: str) -> float:
        """Return a sensor's value as of the latest cycle; NaN: there is none."""
        return self.sensors.get(name, math.nan)

    def sees(self, colour: str) -> bool:
        """Return True: there is always an image."""
        return True

    def ball(self, colour: str) -> BallView:
        """Return what vision holds of the ball of a colour."""
        seen = self.seen.get(colour)
        if seen is None or not seen.visible:
            return BallView(False, 0.0, 0.0, 0.0)
        return BallView(True, seen.x, seen.y, seen.area)

    def play_file(self, file: str) -> bool:
        """Play a motion file, as far as it can be; return whether there is one."""
        motion = self._motions.playable(file, self._log.warning)
        if motion is not None:
            self.play(motion)
        return motion is not None


class DogSimulator(TcpSimulator):
    """A simulated AIBO; ``start`` and ``close`` it. Everything public is thread-safe."""

    def __init__(self, config: SimulatorConfig, port: int) -> None:
        self._config = config
        super().__init__(
            Role.LISTEN,
            config.host,
            port,
            peer_name="the client",
            faults=config.faults,
            fault_after=config.fault_after,
            fault_seconds=config.fault_seconds,
            control=config.control,
            paused=config.paused,
        )
        self._random = random.Random(config.seed)
        self._time_scale = config.time_scale
        self.world = Dog(config, self.log)
        """The dog and its room: to be looked at inside ``wait_for`` only."""
        self._new_session()

    @abstractmethod
    def _new_session(self) -> None:
        """Begin to serve the world."""

    def begin_again(self) -> None:
        """Begin again with the same seed; the client is hung up on."""
        self.hang_up("reset")
        self._random.seed(self._config.seed)
        self.world = Dog(self._config, self.log)
        self._new_session()

    def _make_controls(self) -> DogControls:
        return DogControls(self, tuple(sorted(self._config.wire.colours)))

    def _garbage(self) -> bytes:
        return self._random.randbytes(997)

    def _own_fault(self, fault: str) -> None:
        raise NotImplementedError(fault)
