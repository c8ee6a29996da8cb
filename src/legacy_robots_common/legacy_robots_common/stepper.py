# SPDX-License-Identifier: Apache-2.0
"""One /clock for all stand-ins of a launch, and the services that let its time pass.

A step has two halves. First each simulator behind a control channel lets the step pass, and what
it sends is taken in; then /clock moves on, and all that follows it does what has become due. After
each half the programs of the launch come to rest: so what they do depends on the steps, and not on
how fast the machine is.
"""

from __future__ import annotations

import functools
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from builtin_interfaces.msg import Time
from legacy_robots_msgs.msg import LinkState as LinkStateMessage
from rosgraph_msgs.msg import Clock

from legacy_robots_common import qos
from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.main import run
from legacy_robots_common.parameters import declare_parameters, parameter
from legacy_robots_common.program_node import NANOSECONDS
from legacy_robots_common.quiescence import Family, RestlessError, wait_for_rest
from legacy_robots_common.simulation import Simulation, SimulationError, State, offer_simulation
from legacy_robots_common.simulator_control import CALL_TIMEOUT_S, address
from legacy_robots_common.threadsafe_future import result_of

READY_TIMEOUT_S = 60.0
"""The first step waits so long for everything to be there."""
LOOK_PERIOD_S = 0.1


@dataclass(frozen=True)
class Parameters:
    """Those of the node ``stepper``."""

    controls: list[str] = parameter(
        [""], "names of the simulators' control channels, their --control"
    )
    nodes: list[str] = parameter([""], "full names of the nodes that the first step waits for")
    links: list[str] = parameter(
        [""], "topics of legacy_robots_msgs/LinkState whose links the first step waits for"
    )
    step: float = parameter(0.02, "duration of a step, s", minimum=0.001, maximum=1.0)
    discovery: float = parameter(
        1.0,
        "seconds of real time that programs have to find each other, once all are there",
        minimum=0.0,
        maximum=60.0,
    )
    rest_timeout: float = parameter(
        30.0, "a step fails when the programs do not rest for so many seconds", minimum=0.1
    )


class ControlClient:
    """The client's end of a control channel. Its methods block and may raise SimulationError."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.settimeout(2.0 * CALL_TIMEOUT_S)
        try:
            self._connection.connect(address(name))
        except OSError as error:
            self._connection.close()
            raise SimulationError(f"simulator {name!r}: {error.strerror}") from error
        self._answers = self._connection.makefile("rb")
        self.can_play = "play" in self.call("describe")["abilities"]
        """Whether its time passes by itself or in steps; else its bridge lets it pass."""

    def call(self, name: str, **arguments: Any) -> Any:
        """Have the simulator do something; return its answer."""
        try:
            self._connection.sendall(json.dumps({"do": name, "with": arguments}).encode() + b"\n")
            answer: Mapping[str, Any] = json.loads(self._answers.readline())
        except (OSError, ValueError) as error:
            raise SimulationError(f"simulator {self._name!r} has gone: {error}") from error
        if "error" in answer:
            raise SimulationError(f"simulator {self._name!r}: {answer['error']}")
        return answer["ok"]

    def close(self) -> None:
        """End the connection."""
        self._answers.close()
        self._connection.close()


class SteppedLaunch(Simulation):
    """All stand-ins of a launch, stepped together. Its time passes on one thread."""

    def __init__(self, node: Stepper) -> None:
        from simulation_interfaces.msg import SimulatorFeatures as Features

        self.features = (
            Features.SIMULATION_STATE_GETTING,
            Features.SIMULATION_STATE_SETTING,
            Features.SIMULATION_STATE_PAUSE,
            Features.STEP_SIMULATION_SINGLE,
            Features.STEP_SIMULATION_MULTIPLE,
            Features.STEP_SIMULATION_ACTION,
        )
        self._node = node

    async def state(self) -> State:
        """Return whether time passes by itself, once all is there."""
        if not self._node.is_ready:
            await self._do(self._node.get_ready)
        return State.PLAYING if self._node.is_playing else State.PAUSED

    async def set_state(self, state: State) -> None:
        """Let time pass, or stand still."""
        if state is State.STOPPED:
            raise SimulationError("a launch begins again only by launching it again")
        if state is State.PLAYING:
            await self._do(self._node.play)
        else:
            self._node.is_playing = False
            await self._do(lambda: None)  # after the step that is under way

    async def step(self) -> None:
        """Let one step pass."""
        await self._do(self._node.step)

    async def _do(self, function: Callable[[], None]) -> None:
        await result_of(self._node.executor, self._node.submit(function))


class Stepper(BridgeNode):
    """Publishes /clock and steps the simulators of a launch by simulation_interfaces."""

    def __init__(self, **node_arguments: Any) -> None:
        arguments = {"namespace": "simulation", **node_arguments}
        super().__init__("stepper", hardware_id="simulated time", **arguments)
        p = self._settings = declare_parameters(self, Parameters)
        self._time_publisher = qos.publisher(self, Clock, "/clock", qos.stream(1))
        self._time = 0
        """Nanoseconds."""
        self._pool = ThreadPoolExecutor(1, "steps")
        self._ending = threading.Event()
        self._family = Family(os.getppid(), os.getpid())
        self._controls: list[ControlClient] = []
        self.is_ready = False
        """Whether all that is to be stepped has been there."""
        self.is_playing = False
        """Whether time passes by itself; False ends that after the present step."""
        self._links = {name: False for name in p.links if name}
        for name in self._links:
            learn = functools.partial(self._on_link_state, name)
            self.create_subscription(LinkStateMessage, name, learn, qos.LATCHED)
        offer_simulation(self, lambda: SteppedLaunch(self))

    def _on_link_state(self, name: str, message: LinkStateMessage) -> None:
        self._links[name] = message.state == LinkStateMessage.CONNECTED

    def submit(self, function: Callable[[], None]) -> Future[None]:
        """Have ``function`` called on the thread of the steps."""
        return self._pool.submit(function)

    def stop(self) -> None:
        """Let no more time pass."""
        self.is_playing = False
        self._ending.set()
        super().stop()

    def close(self) -> None:
        """End the connections. Idempotent."""
        self._ending.set()
        self._pool.shutdown()
        for control in self._controls:
            control.close()
        super().close()

    # --- on the thread of the steps --------------------------------------------------------

    def play(self) -> None:
        """Let time pass by itself, no faster than real time."""
        self.get_ready()
        self.is_playing = True
        self._pool.submit(self._play_on, time.monotonic())

    def _play_on(self, due: float) -> None:
        if not self.is_playing or self._ending.is_set():
            return
        try:
            self.step()
        except SimulationError as error:
            self.is_playing = False
            self.get_logger().error(f"time stands still: {error}")
            return
        due = max(due + self._settings.step, time.monotonic() - 1.0)
        self._ending.wait(max(0.0, due - time.monotonic()))
        self._pool.submit(self._play_on, due)

    def step(self) -> None:
        """Let one step pass. Raises SimulationError."""
        self.get_ready()
        for control in self._controls:
            if control.can_play:
                control.call("step", seconds=self._settings.step)
        self._rest()
        self._time += round(self._settings.step * NANOSECONDS)
        self._show_time()
        self._rest()

    def _show_time(self) -> None:
        stamp = Time(sec=self._time // NANOSECONDS, nanosec=self._time % NANOSECONDS)
        self._time_publisher.publish(Clock(clock=stamp))

    def _rest(self) -> None:
        try:
            wait_for_rest(self._family, self._settings.rest_timeout)
        except RestlessError as error:
            raise SimulationError(str(error)) from error

    def get_ready(self) -> None:
        """Wait until all that is to be stepped is there. Raises SimulationError."""
        if self.is_ready:
            return
        deadline = time.monotonic() + READY_TIMEOUT_S
        left = [name for name in self._settings.controls if name]
        missing = "nothing"
        while True:
            try:
                while left:
                    self._controls.append(ControlClient(left[0]))
                    del left[0]
                missing = self._missing()
            except SimulationError as error:
                missing = str(error)
            if not missing:
                break
            if time.monotonic() > deadline or self._ending.wait(LOOK_PERIOD_S):
                raise SimulationError(f"not all is there: {missing}")
        self._ending.wait(self._settings.discovery)
        self._show_time()
        self._rest()
        self.is_ready = True

    def _missing(self) -> str:
        present = {
            f"{namespace.rstrip('/')}/{name}"
            for name, namespace in self.get_node_names_and_namespaces()
        }
        absent: Sequence[str] = sorted({n for n in self._settings.nodes if n} - present)
        absent = absent or [name for name, is_up in self._links.items() if not is_up]
        return absent[0] if absent else ""


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(Stepper, Parameters))
