# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One /clock for all stand-ins of a launch, and the services that let its time pass.

A step has two halves. First each simulator behind a control channel lets the step pass, and what
it sends is taken in; then /clock moves on, and all that follows it does what has become due. After
each half the programs of the launch come to rest: so what they do depends on the steps, and not on
how fast the machine is.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from builtin_interfaces.msg import Time
from rosgraph_msgs.msg import Clock

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_common.node.program_node import NANOSECONDS
from legacy_robots_msgs.msg import LinkState as LinkStateMessage
from legacy_robots_simulation.control_channel import ControlClient
from legacy_robots_simulation.controls import ControlError, Controls, State
from legacy_robots_simulation_services.quiescence import ProcessTree, RestlessError, wait_for_rest
from legacy_robots_simulation_services.services import offer_simulation
from legacy_robots_simulation_services.siblings import Siblings, started_by

T = TypeVar("T")

READY_TIMEOUT_S = 60.0
"""Time that the first step waits for everything to be there."""
LOOK_PERIOD_S = 0.1


@dataclass(frozen=True)
class Parameters:
    """Those of the node ``stepper``."""

    controls: list[str] = parameter(
        [""],
        "names of the simulators' control channels, their --control; empty: of all that the "
        "launch has started",
    )
    nodes: list[str] = parameter(
        [""],
        "full names of the nodes that the first step waits for; empty: of all systems' nodes "
        "that the launch has started",
    )
    links: list[str] = parameter(
        [""],
        "topics of legacy_robots_msgs/LinkState whose links the first step waits for; empty: "
        "those of these nodes",
    )
    step: float = parameter(0.02, "duration of a step, s", minimum=0.001, maximum=1.0)
    discovery: float = parameter(
        1.0,
        "seconds of real time that programs have to find each other, once all are there",
        minimum=0.0,
        maximum=60.0,
    )
    rest_timeout: float = parameter(
        30.0, "seconds without rest of the programs after which a step fails", minimum=0.1
    )


class SteppedLaunch(Controls):
    """All simulators of a launch, stepped together. Its time passes on one thread."""

    abilities = frozenset(("play",))
    basic_abilities = frozenset(("step",))

    def __init__(self, node: Stepper) -> None:
        self._node = node

    def state(self) -> State:
        """Return whether time passes by itself, once all is there."""
        if not self._node.is_ready:
            self._do(self._node.get_ready)
        return State.PLAYING if self._node.is_playing else State.PAUSED

    def play(self) -> None:
        """Let time pass by itself."""
        self._do(self._node.play)

    def pause(self) -> None:
        """Let time stand still, after the step that is under way."""
        self._node.is_playing = False
        self._do(lambda: None)

    def step(self, seconds: float = 0.0) -> float:
        """Let one step pass, whatever ``seconds`` says; return the simulated time (s)."""
        return self._do(self._node.step)

    def _do(self, function: Callable[[], T]) -> T:
        return self._node.submit(function).result()


class Stepper(BridgeNode):
    """Publishes /clock and steps the simulators of a launch by simulation_interfaces."""

    def __init__(self, **node_arguments: Any) -> None:
        arguments = {"namespace": "simulation", **node_arguments}
        super().__init__("stepper", hardware_id="simulated time", **arguments)
        self._settings = declare_parameters(self, Parameters)
        self._time_publisher = qos.publisher(self, Clock, "/clock", qos.stream(1))
        self._time = 0
        """Simulated time, ns."""
        self._pool = ThreadPoolExecutor(1, "steps")
        self._ending = threading.Event()
        self._tree = ProcessTree(os.getppid(), os.getpid())
        self._controls: dict[str, ControlClient] = {}
        self.is_ready = False
        """Whether all that is to be stepped has been there."""
        self.is_playing = False
        """Whether time passes by itself; False ends that after the present step."""
        self._links: dict[str, bool] = {}
        self._simulation_services = offer_simulation(self, SteppedLaunch(self))

    @property
    def connected(self) -> bool:
        """Whether time can pass: this node has no link, and its goals need none."""
        return True

    def _watch_link(self, name: str) -> None:
        if name not in self._links:
            self._links[name] = False
            learn = functools.partial(self._on_link_state, name)
            self.create_subscription(LinkStateMessage, name, learn, qos.LATCHED)

    def _on_link_state(self, name: str, message: LinkStateMessage) -> None:
        self._links[name] = message.state == LinkStateMessage.CONNECTED

    def submit(self, function: Callable[[], T]) -> Future[T]:
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
        if self._simulation_services is not None:
            self._simulation_services.close()
        self._pool.shutdown()
        for control in self._controls.values():
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
        except ControlError as error:
            self.is_playing = False
            self.get_logger().error(f"time stands still: {error}")
            return
        except Exception:
            self.is_playing = False
            self.on_exception("time stands still: a step", traceback.format_exc())
            return
        due = max(due + self._settings.step, time.monotonic() - 1.0)
        self._ending.wait(max(0.0, due - time.monotonic()))
        self._pool.submit(self._play_on, due)

    def step(self) -> float:
        """Let one step pass; return the simulated time (s). Raises ControlError."""
        self.get_ready()
        for control in self._controls.values():
            if "play" in control.abilities:  # else its bridge lets its time pass
                control.step(self._settings.step)
        self._rest()
        self._time += round(self._settings.step * NANOSECONDS)
        self._show_time()
        self._rest()
        return self._time / NANOSECONDS

    def _show_time(self) -> None:
        stamp = Time(sec=self._time // NANOSECONDS, nanosec=self._time % NANOSECONDS)
        self._time_publisher.publish(Clock(clock=stamp))

    def _rest(self) -> None:
        try:
            wait_for_rest(self._tree, self._settings.rest_timeout)
        except RestlessError as error:
            raise ControlError(str(error)) from error

    def get_ready(self) -> None:
        """Wait until all that is to be stepped is there. Raises ControlError."""
        if self.is_ready:
            return
        deadline = time.monotonic() + READY_TIMEOUT_S
        missing = "nothing"
        while True:
            wanted = self._wanted()
            try:
                for name in sorted(wanted.controls - self._controls.keys()):
                    control = ControlClient(name)
                    control.connect()
                    self._controls[name] = control
                missing = self._missing(wanted)
            except ControlError as error:
                missing = str(error)
            if not missing:
                break
            if time.monotonic() > deadline or self._ending.wait(LOOK_PERIOD_S):
                raise ControlError(f"not all is there: {missing}")
        self._ending.wait(self._settings.discovery)
        self._show_time()
        self._rest()
        self.is_ready = True

    def _wanted(self) -> Siblings:
        """Return what is to be there, as the parameters say or as the launch has started it."""
        found, given = started_by(os.getppid()), self._settings
        return Siblings(
            {name for name in given.controls if name} or found.controls,
            {name for name in given.nodes if name} or found.nodes,
            {name for name in given.links if name} or found.links,
        )

    def _missing(self, wanted: Siblings) -> str:
        for name in sorted(wanted.links):
            self.call_soon(self._watch_link, name)
        present = {
            f"{namespace.rstrip('/')}/{name}"
            for name, namespace in self.get_node_names_and_namespaces()
        }
        absent: Sequence[str] = sorted(wanted.nodes - present)
        absent = absent or [name for name in sorted(wanted.links) if not self._links.get(name)]
        return absent[0] if absent else ""


def main() -> None:
    """Run the node until a signal."""
    sys.exit(run(Stepper, Parameters))
