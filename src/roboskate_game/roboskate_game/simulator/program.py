# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated RoboSkate: a plain program, no ROS, that serves both wires at once.

It waits, paused, for initialize, as the document wants (specification, 1), and time passes only in
run_game. Its physics and its camera are our own: the real game's are not known.
"""

from __future__ import annotations

import argparse
import logging
import math
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

from legacy_robots_core.freed_memory import keep_freed_memory
from legacy_robots_simulation.control_channel import ControlServer, add_control_argument
from legacy_robots_simulation.program import (
    Fault,
    FaultTimer,
    SimulatorArgumentParser,
    add_common_arguments,
    port_number,
    run_until_signal,
    set_up_logging,
)
from roboskate_game.client.transport import GRPC_PORT, HTTP_PORT
from roboskate_game.drawing.camera import CameraView
from roboskate_game.physics.mechanics import STEP, Physics
from roboskate_game.physics.world import GameWorld
from roboskate_game.protocol.dialect import Dialect, MatrixOrder, Profile
from roboskate_game.protocol.image import IMAGE_FORMATS
from roboskate_game.protocol.messages import MAXIMUM_IMAGE_PIXELS, ImageSize
from roboskate_game.simulator.controls import GameControls
from roboskate_game.simulator.game_service import LASTING, ROBOSKATE_FAULTS, GameService
from roboskate_game.simulator.grpc_server import GrpcServer
from roboskate_game.simulator.http_server import HttpServer
from roboskate_game.simulator.relay import CuttingRelay

DEFAULT_SIZE = ImageSize(640, 360)


@dataclass(frozen=True)
class SimulatorConfig:
    """What a simulated game is like and where it is found; sizes in pixels, times in seconds."""

    host: str = "127.0.0.1"
    port: int = GRPC_PORT
    http_port: int = HTTP_PORT
    dialect: Dialect = field(default_factory=Dialect)
    size: ImageSize = DEFAULT_SIZE
    faults: tuple[str, ...] = ()
    fault_after: float = 5.0
    fault_seconds: float = 2.0
    image_format: str = IMAGE_FORMATS[0]
    physics: Physics = field(default_factory=Physics)
    sub_steps: int = 1
    control: str = ""
    """Name of the control channel; empty: none."""


class Simulator:
    """A game on both wires, with faults on request."""

    def __init__(self, config: SimulatorConfig) -> None:
        self._config = config
        self._log = logging.getLogger("simulator")
        self._timer: FaultTimer | None = None
        chosen = [self._checked(fault) for fault in config.faults]
        if len(chosen) == 1:
            self._timer = FaultTimer(lambda: self.inject(chosen[0]), config.fault_after)
        self.service = GameService(
            GameWorld(config.size, physics=config.physics, sub_steps=config.sub_steps),
            config.dialect,
            CameraView(),
            image_format=config.image_format,
            on_call=self._called,
        )
        self._control = ControlServer(GameControls(lambda: self.service.world), config.control)
        self._lock = threading.RLock()
        self._ends: threading.Timer | None = None
        self._closed = False
        # Cutting an answer in two needs a relay before the server; only this fault pays for it.
        cut = Fault.CUT.value in config.faults
        host, inner = config.host, "127.0.0.1" if cut else config.host
        self._grpc = GrpcServer(self.service, inner, 0 if cut else config.port)
        self._http = HttpServer(self.service, inner, 0 if cut else config.http_port)
        self._relays: list[CuttingRelay] = []
        self._relay_wanted = cut
        self._host = host

    @property
    def world(self) -> GameWorld:
        """The game that was started last."""
        return self.service.world

    @property
    def port(self) -> int:
        """Port of gRPC."""
        return self._relays[0].port if self._relays else self._grpc.port

    @property
    def http_port(self) -> int:
        """Port of HTTP."""
        return self._relays[1].port if self._relays else self._http.port

    def start(self) -> None:
        """Begin to serve; raises SimulatorError if a port cannot be had."""
        with self._lock:
            self._grpc.start()
            self._http.start()
            if self._relay_wanted:
                config = self._config
                self._relays = [
                    CuttingRelay(self._host, config.port, self._grpc.port),
                    CuttingRelay(self._host, config.http_port, self._http.port),
                ]
                for relay in self._relays:
                    relay.start()
            self._control.start()
        self._log.info(
            "RoboSkate, profile %s: gRPC on %s:%d, HTTP on %s:%d",
            self._config.dialect.profile.value, self._host, self.port, self._host, self.http_port,
        )  # fmt: skip

    def close(self) -> None:
        """Close the servers and the games. Idempotent."""
        self._control.close()
        if self._timer is not None:
            self._timer.close()
        with self._lock:
            self._closed = True
            if self._ends is not None:
                self._ends.cancel()
            self.service.end_fault()
            for relay in self._relays:
                relay.stop()
            self._grpc.stop()
            self._http.stop()

    def when_finished(self, callback: Callable[[int], None]) -> None:
        """Do nothing: this game never ends by itself."""

    def inject(self, fault: str) -> None:
        """Have a fault happen now; ValueError if it is unknown. One at a time."""
        name = self._checked(fault)
        with self._lock:
            if self._closed or self._ends is not None:
                return
            if name == Fault.CUT:
                for relay in self._relays:
                    relay.cut()
                self._log.warning("fault: %s", name)
                return
            if name == Fault.RESTART:
                self._grpc.stop()
                self._http.stop()
                self.service.close_levels()
                end = self._come_back
            else:
                self.service.begin_fault(name)
                end = self._recover
            self._log.warning("fault: %s", name)  # it has started
            self._ends = threading.Timer(self._config.fault_seconds, end)
            self._ends.daemon = True
            self._ends.start()

    def _come_back(self) -> None:
        with self._lock:
            self._ends = None
            if not self._closed:
                self._grpc.start()
                self._http.start()
                self._log.info("back again, no level loaded")

    def _recover(self) -> None:
        with self._lock:
            self._ends = None
            self.service.end_fault()
            self._log.info("well again")

    def _called(self, name: str) -> None:
        if self._timer is not None and name == "run_game":
            self._timer.link_up()

    def _checked(self, fault: str) -> str:
        if fault not in ROBOSKATE_FAULTS:
            raise ValueError(f"unknown fault {fault!r}, known are {', '.join(ROBOSKATE_FAULTS)}")
        assert fault in (Fault.CUT, Fault.RESTART) or fault in LASTING
        return str(getattr(fault, "value", fault))


def parse_arguments(arguments: Sequence[str]) -> tuple[SimulatorConfig, str]:
    """Read a command line; give the configuration and the log level.

    Bad arguments end the program with exit code 2 and a sentence.
    """
    parser = SimulatorArgumentParser(
        description="A simulated RoboSkate that speaks gRPC and HTTP.",
        allow_abbrev=False,
    )
    add_common_arguments(
        parser,
        port=GRPC_PORT,
        profiles=[profile.value for profile in Profile],
        faults=ROBOSKATE_FAULTS,
    )
    parser.add_argument(
        "--http-port", type=port_number, default=HTTP_PORT,
        help="TCP port of HTTP; --port is that of gRPC (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--matrix-order", choices=[order.value for order in MatrixOrder],
        default=MatrixOrder.ROW_MAJOR.value,
        help="order of the rotation matrix in profile spec (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--width", type=int, default=SimulatorConfig.size.width,
        help="width of the images in pixels; profile game: of those not asked for with initialize "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--height", type=int, default=SimulatorConfig.size.height,
        help="their height (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--image-format", choices=IMAGE_FORMATS, default=IMAGE_FORMATS[0],
        help="of the images in profile game: png loses nothing, jpeg is what the real game sends "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--physics", type=_physical_value, action="append", default=[], metavar="NAME=VALUE",
        help="a parameter of the physics, such as tip_friction=1.1; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--sub-steps", type=int, choices=range(1, 101), default=1, metavar="N",
        help=f"parts in which each step of {STEP} s is computed, 1 to 100 (default: %(default)s)",
    )  # fmt: skip
    add_control_argument(parser)
    given = parser.parse_args(arguments)
    if min(given.width, given.height) < 1 or given.width * given.height > MAXIMUM_IMAGE_PIXELS:
        parser.error(f"images of {given.width} x {given.height} pixels are not possible")
    config = SimulatorConfig(
        host=given.host,
        port=given.port,
        http_port=given.http_port,
        dialect=Dialect(Profile(given.profile), MatrixOrder(given.matrix_order)),
        size=ImageSize(given.width, given.height),
        faults=given.faults,
        fault_after=given.fault_after,
        fault_seconds=given.fault_seconds,
        image_format=given.image_format,
        physics=Physics(**dict(given.physics)),
        sub_steps=given.sub_steps,
        control=given.control,
    )
    return config, given.log_level


def _physical_value(text: str) -> tuple[str, float]:
    """Read NAME=VALUE. Raises argparse.ArgumentTypeError."""
    name, _, value = text.partition("=")
    if name not in {each.name for each in fields(Physics)}:
        raise argparse.ArgumentTypeError(f"the physics has no parameter {name!r}")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0.0):
        raise argparse.ArgumentTypeError(f"{name} must be a number above 0, not {value!r}")
    return name, number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulated game until a signal; give the exit code."""
    config, log_level = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    set_up_logging(log_level)
    simulator = Simulator(config)
    keep_freed_memory()  # not before: 80 MB that only its beginning needs would be kept
    return run_until_signal(simulator, config.faults, exiting=True)


if __name__ == "__main__":
    sys.exit(main())
