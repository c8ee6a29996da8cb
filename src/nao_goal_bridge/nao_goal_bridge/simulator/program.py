# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated Nao at the other end of the GOAL-Nao protocol: a plain program, no ROS.

As the real Nao it dials GOAL; with ``--role listen`` it waits to be dialled. It greets, and
then follows :mod:`nao_goal_bridge.simulator.world`.

- When the link is lost it stops walking and forgets its commands, unless its profile has ways over
  tiles: then it goes on. It dials again at once, then after delays that grow to 0.5 s.
- An unknown opcode is answered with Failure(opcode) and the end of the connection, since the
  length of what follows is unknown; other bytes without meaning end the connection.
- After Exit and its Success the program ends.
- In profile ``naovigate`` it sends KeepAlive every 10 s, and takes none.
- In profiles without See it is ``late``, see :mod:`nao_goal_bridge.simulator.world`.

Beyond the common faults it has those of NAO_FAULTS.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import cycle, islice
from types import MappingProxyType

from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.control_channel import add_control_argument
from legacy_robots_simulation.program import (
    FAULTS,
    SimulatorArgumentParser,
    add_common_arguments,
    positive,
    probability,
    run_until_signal,
    seconds,
    set_up_logging,
)
from legacy_robots_simulation.tcp_simulator import TcpSimulator
from nao_goal_bridge.model.room_map import SHIPPED, RoomMap, RoomMapError, load_room_map
from nao_goal_bridge.protocol import (
    Agent,
    Dialect,
    Event,
    Failure,
    KeepAlive,
    Profile,
    ProtocolError,
    See,
    State,
    UnknownOpcode,
)
from nao_goal_bridge.protocol.robot_wire import KEEP_ALIVE_S, RobotWire
from nao_goal_bridge.simulator.controls import NaoControls
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.world import NaoWorld

PORT = 6474
"""Where GOAL listens (specification, 0.1)."""
FLOOD_EVENTS = 10_000
ERROR_FAULT = "error"
REDIAL_FAULT = "redial"
FLAP_FAULT = "flap"
DELAY_FAULT = "delay"
LONG_LEG_FAULT = "long-leg"
FLAP_S = 0.2
"""How long the connection between two cuts of a flap lasts."""
NAO_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        **FAULTS,
        ERROR_FAULT: "reports a fatal Error and refuses commands until reconnected",
        REDIAL_FAULT: "ends the connection and is there again at once",
        FLAP_FAULT: "the same twice, with a short connection between",
        DELAY_FAULT: "what it sends in the next --fault-seconds arrives after them",
        LONG_LEG_FAULT: "what it is doing takes --fault-seconds longer",
    }
)


@dataclass(frozen=True)
class SimulatorConfig:
    """What a simulated Nao is like and where it is found."""

    role: Role = Role.DIAL
    host: str = "127.0.0.1"
    port: int = PORT
    dialect: Dialect = field(default_factory=Dialect)
    room_map: RoomMap | None = None
    """The maze; None is the one of this package."""
    seed: int = 0
    settings: NaoSettings = field(default_factory=NaoSettings)
    faults: tuple[str, ...] = ()
    """What can go wrong, of NAO_FAULTS; one alone does, ``fault_after`` s into a connection."""
    fault_after: float = 5.0
    fault_seconds: float = 2.0
    control: str = ""
    """Name of the control channel; empty: none."""
    paused: bool = False
    """Whether time stands still at first."""


class Simulator(TcpSimulator):
    """A simulated Nao; ``start`` and ``close`` it. Everything public is thread-safe."""

    own_faults = (ERROR_FAULT, REDIAL_FAULT, FLAP_FAULT, DELAY_FAULT, LONG_LEG_FAULT)

    def __init__(self, config: SimulatorConfig | None = None) -> None:
        config = self._config = config or SimulatorConfig()
        super().__init__(
            config.role,
            config.host,
            config.port,
            peer_name="GOAL",
            faults=config.faults,
            fault_after=config.fault_after,
            fault_seconds=config.fault_seconds,
            control=config.control,
            paused=config.paused,
        )
        self._dialect = config.dialect
        self._wire = RobotWire(config.dialect)
        self._random = random.Random(config.seed)
        self._keep_alive_in = math.inf
        self._flap_in = math.inf
        self._delayed_for = -math.inf
        self._delayed = b""
        self._room_map = config.room_map or load_room_map()
        self.world = self._new_world()
        """The Nao and its maze: to be looked at inside ``wait_for`` only."""

    def _new_world(self) -> NaoWorld:
        config = self._config
        return NaoWorld(self._room_map, config.seed, config.settings, dialect=config.dialect)

    def load_map(self, room_map: RoomMap) -> None:
        """Restart in another maze, with a new connection."""
        self._room_map = room_map
        self.begin_again()

    def begin_again(self) -> None:
        """Restart with the same seed and a new connection."""
        self.hang_up("reset")
        self._random.seed(self._config.seed)
        self.world = self._new_world()

    def _make_controls(self) -> NaoControls:
        return NaoControls(self)

    def _link_up(self) -> None:
        self._wire.restart()
        self._delayed = b""
        if self._dialect.has(KeepAlive):
            self._keep_alive_in = KEEP_ALIVE_S
        self._report(self.world.connect())

    def _link_lost(self) -> None:
        self.world.disconnect()
        try:
            self._wire.end()
        except ProtocolError as error:
            self.log.warning("%s", error)
        self._wire.restart()

    def _received(self, data: bytes) -> None:
        try:
            for command in self._wire.commands(data):
                self.log.info("<- %s", command)
                self._report(self.world.command(command))
        except UnknownOpcode as error:
            self._report([Failure(error.opcode)])
            self.hang_up(str(error))
        except ProtocolError as error:
            self.hang_up(str(error))

    def _next_due(self) -> float | None:
        due = self.world.next_due()
        delay = self._delayed_for if self._delayed else math.inf
        return min(math.inf if due is None else due, self._keep_alive_in, self._flap_in, delay)

    def _advance(self, seconds: float) -> None:
        self._report(self.world.step(seconds))
        self._keep_alive_in -= seconds
        if self._keep_alive_in <= 0:
            self._keep_alive_in = KEEP_ALIVE_S
            self._report([KeepAlive()])
        self._delayed_for -= seconds
        if self._delayed and self._delayed_for <= 0:
            self.send(self._delayed)
            self._delayed = b""
        self._flap_in -= seconds
        if self._flap_in <= 0:
            self._flap_in = math.inf
            self._own_fault(REDIAL_FAULT)
        if self.world.exited:
            self.finish("GOAL has told it to exit")

    def _report(self, events: Iterable[Event]) -> None:
        for event in events:
            self.log.log(logging.DEBUG if isinstance(event, See) else logging.INFO, "-> %s", event)
            data = self._wire.encode(event)
            if self._delayed_for > 0:
                self._delayed += data
            else:
                self.send(data)

    # --- faults ----------------------------------------------------------------------------

    def _torn_message(self) -> bytes:
        whole = self._wire.encode(Agent(0))
        return whole[: len(whole) // 2]

    def _flood(self) -> bytes:
        true: list[Event] = [State(self.world.state)]
        if self._dialect.has(See):
            in_sight = self.world.markers_in_sight().items()
            true = [See(marker_id, rooms) for marker_id, rooms in in_sight] or true
        wire = [self._wire.encode(event) for event in true]
        return b"".join(islice(cycle(wire), FLOOD_EVENTS))

    def _garbage(self) -> bytes:
        # 0x7F is neither an opcode nor a character of the late dialect.
        return b"\x7f" + self._random.randbytes(63)

    def _own_fault(self, fault: str) -> None:
        if fault == REDIAL_FAULT:
            self.hang_up("dialling again at once")
            self._source.pause(time.monotonic())
        elif fault == FLAP_FAULT:
            self._flap_in = FLAP_S
            self._own_fault(REDIAL_FAULT)
        elif fault == DELAY_FAULT:
            self._delayed_for = self._config.fault_seconds
        elif fault == LONG_LEG_FAULT:
            self.world.linger(self._config.fault_seconds)
        else:
            self._report(self.world.break_down())


# --- the program ---------------------------------------------------------------------------


def parse_arguments(arguments: Sequence[str]) -> tuple[SimulatorConfig, str]:
    """Read a command line; return the configuration and the log level.

    Bad arguments end the program with exit code 2 and a sentence.
    """
    parser = SimulatorArgumentParser(
        description="A simulated Nao that speaks the GOAL-Nao protocol.", allow_abbrev=False
    )
    add_common_arguments(
        parser, port=PORT, profiles=[profile.value for profile in Profile], faults=NAO_FAULTS
    )
    parser.add_argument(
        "--role",
        choices=[role.value for role in Role],
        default=Role.DIAL.value,
        help="dial GOAL, as the real Nao does, or listen for it (default: %(default)s)",
    )
    parser.add_argument(
        "--code-width",
        type=int,
        choices=[0, 1, 4],
        default=0,
        help="bytes of the code in Success and Failure; 0: as the profile (default: %(default)s)",
    )
    parser.add_argument(
        "--maze",
        metavar="MAP",
        help=f"room map: a YAML file, or one of {', '.join(SHIPPED)} (default: maze)",
    )
    defaults = NaoSettings()
    for name, kind, what in (
        ("agent_id", int, "how the Nao introduces itself"),
        ("speed", positive, "rooms per second"),
        ("see_rate", float, "reports of the markers in sight, Hz; 0: only after moving"),
        ("sight_range", positive, "how far a marker is seen, rooms"),
        ("grab_time", seconds, "duration of a grab, s"),
        ("put_down_time", seconds, "duration of putting down, s"),
        ("sit_time", seconds, "duration of sitting down, s"),
        ("queue_limit", int, "commands that wait behind the one that runs"),
        ("grab_failure", probability, "probability that a grab fails"),
        ("drop", probability, "probability, for each room, of dropping what is held"),
    ):
        parser.add_argument(
            "--" + name.replace("_", "-"),
            type=kind,
            default=getattr(defaults, name),
            metavar="N",
            help=f"{what} (default: %(default)s)",
        )
    add_control_argument(parser)
    given = parser.parse_args(arguments)
    try:
        config = _config(given)
    except (ValueError, RoomMapError) as error:
        parser.error(str(error))
    if config.role is Role.DIAL and config.port == 0:
        parser.error("argument --port: 0 is no port to dial")
    return config, given.log_level


def _config(given: argparse.Namespace) -> SimulatorConfig:
    return SimulatorConfig(
        role=Role(given.role),
        host=given.host,
        port=given.port,
        dialect=Dialect(Profile(given.profile), given.code_width),
        room_map=load_room_map(given.maze or ""),
        seed=given.seed,
        settings=NaoSettings(**{f.name: getattr(given, f.name) for f in fields(NaoSettings)}),
        faults=given.faults,
        fault_after=given.fault_after,
        fault_seconds=given.fault_seconds,
        control=given.control,
        paused=given.paused,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulated Nao until a signal or Exit; return the exit code."""
    config, log_level = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    set_up_logging(log_level)
    return run_until_signal(Simulator(config), config.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
