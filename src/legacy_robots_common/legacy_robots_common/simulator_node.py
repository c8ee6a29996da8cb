# SPDX-License-Identifier: Apache-2.0
"""The services of simulation_interfaces over a simulator's control channel, as a node.

It runs beside a bridge and is none of its business: the simulator does what it is told here as a
real robot would do it by itself.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, BinaryIO

from legacy_robots_common.bridge_node import BridgeNode
from legacy_robots_common.link import Link, LinkLost, LinkObserver
from legacy_robots_common.main import run
from legacy_robots_common.parameters import declare_parameters, parameter
from legacy_robots_common.program_node import StartupError
from legacy_robots_common.simulation import (
    SimulatedEntity,
    Simulation,
    SimulationError,
    State,
    offer_simulation,
)
from legacy_robots_common.simulator_control import CALL_TIMEOUT_S, address
from legacy_robots_common.threadsafe_future import result_of

ANSWER_TIMEOUT_S = 2.0 * CALL_TIMEOUT_S
"""A simulator that takes longer for an answer is given up, and connected anew."""


@dataclass(frozen=True)
class Parameters:
    """Those of the node ``simulation``."""

    control: str = parameter("", "name of the simulator's control channel, its --control")


class ControlLink(Link):
    """The client's end of a control channel: one request at a time."""

    def __init__(self, name: str, observer: LinkObserver) -> None:
        super().__init__(f"the simulator at {name!r}", observer, name="control")
        self._address = address(name)
        self._requests: deque[tuple[bytes, Future[Any]]] = deque()
        self._lock = threading.Lock()
        self._is_up = False
        self._connection: socket.socket | None = None
        self._wake, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._wake.setblocking(False)

    def request(self, name: str, /, **arguments: Any) -> Future[Any]:
        """Have the simulator do something; the future raises SimulationError where it does not."""
        future: Future[Any] = Future()
        with self._lock:
            if self._is_up:
                self._requests.append((_line(name, arguments), future))
            else:
                status = self.status
                text = f"there is no connection with {status.peer}: {status.detail}"
                future.set_exception(SimulationError(text))
        self._interrupt()
        return future

    def _interrupt(self) -> None:
        with contextlib.suppress(OSError):  # full: it is awake anyway; closed: it has ended
            self._waker.send(b"\0")
            if self._closing.is_set() and self._connection is not None:
                self._connection.shutdown(socket.SHUT_RDWR)  # it may wait for an answer

    def _release(self) -> None:
        self._wake.close()
        self._waker.close()

    def _serve(self) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_TIMEOUT_S)
            try:
                connection.connect(self._address)
            except OSError as error:
                raise LinkLost(f"it is not there: {error.strerror}") from error
            self._connection = connection
            with connection.makefile("rb") as answers:
                described: Future[Any] = Future()
                self._exchange(connection, answers, _line("describe", {}), described)
                self._observer.on_event(described.result())
                with self._lock:
                    self._is_up = True
                try:
                    self._connected(self._peer)
                    while not self._closing.is_set():
                        self._wait(connection)
                        while self._requests and not self._closing.is_set():
                            self._exchange(connection, answers, *self._requests.popleft())
                finally:
                    self._fail_what_waits()

    def _wait(self, *connections: socket.socket) -> None:
        """Wait for a request. Raises LinkLost when the simulator goes."""
        ready, _, _ = select.select([self._wake, *connections], [], [])
        with contextlib.suppress(BlockingIOError):
            self._wake.recv(4096)
        if any(connection in ready for connection in connections):
            raise LinkLost("the simulator has gone")  # it says nothing unasked

    def _exchange(
        self, connection: socket.socket, answers: BinaryIO, line: bytes, future: Future[Any]
    ) -> None:
        """Send a request and wait for its answer. Raises LinkLost when the simulator goes."""
        lost = "the simulator has gone"
        try:
            connection.sendall(line)
            answer = json.loads(answers.readline())
            if "error" in answer:
                future.set_exception(SimulationError(answer["error"]))
            else:
                future.set_result(answer["ok"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            future.set_exception(SimulationError(f"{lost}: {error}"))
            raise LinkLost(lost) from error

    def _fail_what_waits(self) -> None:
        with self._lock:
            self._is_up = False
        while self._requests:
            self._requests.popleft()[1].set_exception(SimulationError("the simulator has gone"))


def _line(name: str, arguments: Mapping[str, Any]) -> bytes:
    return json.dumps({"do": name, "with": arguments}).encode() + b"\n"


class ControlledSimulation(Simulation):
    """A simulator behind a control channel."""

    spawns_anywhere = True

    def __init__(self, node: BridgeNode, link: ControlLink) -> None:
        from simulation_interfaces.msg import EntityCategory, SimulatorFeatures

        self._node = node
        self._link = link
        self._categories = {
            "robot": EntityCategory.CATEGORY_ROBOT,
            "object": EntityCategory.CATEGORY_OBJECT,
            "dynamic_object": EntityCategory.CATEGORY_DYNAMIC_OBJECT,
        }
        f = SimulatorFeatures
        self._always = (
            f.ENTITY_CATEGORIES,
            f.ENTITY_STATE_GETTING,
            f.SIMULATION_STATE_GETTING,
            f.STEP_SIMULATION_SINGLE,
            f.STEP_SIMULATION_MULTIPLE,
            f.STEP_SIMULATION_ACTION,
        )
        self._of_ability = {
            "play": (f.SIMULATION_STATE_SETTING, f.SIMULATION_STATE_PAUSE),
            "reset": (f.SIMULATION_RESET,),
            "place": (f.ENTITY_STATE_SETTING,),
            "spawn": (f.SPAWNING,),
            "delete": (f.DELETING,),
            "load": (f.WORLD_LOADING,),
        }
        self.features = self._always

    def described(self, description: Mapping[str, Any]) -> None:
        """Know what the simulator can do."""
        self.uris = description["uris"]
        self.frame = description["frame"]
        able = description["abilities"]
        self.features = (*self._always, *(f for a in able for f in self._of_ability[a]))

    async def _do(self, name: str, /, **arguments: Any) -> Any:
        future = self._link.request(name, **arguments)
        return await result_of(self._node.executor, future)

    async def state(self) -> State:
        """Return how time passes."""
        return State[(await self._do("state")).upper()]

    async def set_state(self, state: State) -> None:
        """Let time pass or stand still."""
        await self._do("play" if state is State.PLAYING else "pause")
        if state is State.STOPPED:
            await self._do("reset")

    async def step(self) -> None:
        """Let the simulator's shortest step pass."""
        await self._do("step")

    async def reset(self, scope: int) -> None:
        """Begin again."""
        await self._do("reset")

    async def entities(self) -> Sequence[SimulatedEntity]:
        """Return all entities."""
        return [
            SimulatedEntity(e["name"], self._categories[e["category"]], e["x"], e["y"], e["yaw"])
            for e in await self._do("entities")
        ]

    async def place(self, name: str, entity: SimulatedEntity) -> None:
        """Put an entity elsewhere."""
        await self._do("place", name=name, x=entity.x, y=entity.y, yaw=entity.yaw)

    async def spawn(self, uri: str, name: str, x: float, y: float) -> str:
        """Add an entity."""
        return str(await self._do("spawn", uri=uri, x=x, y=y))

    async def delete(self, name: str) -> None:
        """Take an entity away."""
        await self._do("delete", name=name)

    async def load(self, uri: str) -> None:
        """Load another world."""
        await self._do("load", uri=uri)


class SimulatorNode(BridgeNode):
    """Offers simulation_interfaces for a simulator with a control channel."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("simulation", hardware_id="simulator", **node_arguments)
        name = declare_parameters(self, Parameters).control
        if not name:
            raise StartupError("parameter 'control' is empty: it names the simulator's --control")
        self._control = ControlLink(name, self)
        self._simulation: ControlledSimulation | None = None
        self.use_link(self._control)
        offer_simulation(self, self._make)

    def _make(self) -> Simulation:
        self._simulation = ControlledSimulation(self, self._control)
        return self._simulation

    def on_event(self, event: Mapping[str, Any]) -> None:
        """Learn what the simulator can do, each time before it is connected."""
        if self._simulation is not None:
            self._simulation.described(event)


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(SimulatorNode, Parameters))
