# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of every node that a program of ours runs, alone or beside others in one process."""

from __future__ import annotations

import difflib
import time
import weakref
from abc import ABCMeta
from collections.abc import Callable, Sequence
from typing import Any

from builtin_interfaces.msg import Time
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.action import ActionClient, ActionServer
from rclpy.callback_groups import CallbackGroup, ReentrantCallbackGroup
from rclpy.clock import Clock, ClockType, JumpHandle, JumpThreshold
from rclpy.duration import Duration
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.executors import await_or_execute
from rclpy.node import Node
from rclpy.service import Service
from rclpy.timer import Timer
from type_description_interfaces.srv import GetTypeDescription

from legacy_robots_common.node.client_discovery import ClientDiscovery
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.printable_logger import Lines, PrintableLogger
from legacy_robots_core.printable import printable

__all__ = ["ProgramNode", "StartupError"]

NANOSECONDS = 1_000_000_000
STEPPED = ParameterDescriptor(
    description="with use_sim_time: durations, such as those of watchdogs, follow /clock too",
    read_only=True,
)
"""The parameter ``stepped`` of every node."""


class StartupError(Exception):
    """Raised when a node cannot start with what it was given; the message says what to change."""


class _Callbacks(ReentrantCallbackGroup):
    """Forgets entities that are gone; rclpy's group keeps a reference to each that it ever had."""

    def add_entity(self, entity: Any) -> None:
        """Take an entity into the group as long as it exists."""
        self.entities.add(weakref.ref(entity, self.entities.discard))


class _DestroysHalfMade(ABCMeta):
    """Destroys a node whose constructor fails: rclpy leaves it on the graph as garbage."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        node: Any = object.__new__(cls)  # type: ignore[arg-type]
        try:
            node.__init__(*args, **kwargs)
        except BaseException:
            if node._exists:
                ProgramNode.destroy_node(node)  # a subclass may need what it has not got yet
            raise
        return node


class ProgramNode(Node, metaclass=_DestroysHalfMade):
    """A node with an orderly beginning and end, see legacy_robots_common.node.runner.

    ``start`` is called once it has its executor, and ``stop`` on it at the program's end. Then the
    executor spins until ``settled``, and ``close`` is called last. Callbacks run one at a time,
    but a coroutine that awaits something does not delay the others.
    """

    _exists = False

    def __init__(self, name: str, **node_arguments: Any) -> None:
        self._callbacks = _Callbacks()
        self._steady_clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._jump_handles: list[JumpHandle] = []
        self._printable_logger: PrintableLogger | None = None
        self.exit_code: int | None = None
        """Set it to have the program end by itself with this exit code."""
        super().__init__(name, **node_arguments)
        self._exists = True
        self._escape_type_hashes()
        try:
            stepped = self.declare_parameter("stepped", False, STEPPED).value
        except InvalidParameterTypeException as error:
            raise ParameterError(f"parameter 'stepped' must be of type bool: {error}") from error
        self.follows_clock: bool = stepped and self.get_parameter("use_sim_time").value
        """Whether durations, too, follow /clock, and not stamps alone."""

    @classmethod
    def largest_message(cls, arguments: Sequence[str]) -> int:
        """Return the size (bytes) of the largest message that it publishes.

        ``arguments`` are those of the process, whose shared memory is made to hold a few of them.
        Not to be overridden for messages of less than 150 kB.
        """
        return 0

    def _escape_type_hashes(self) -> None:
        """Have rcl, which logs what is no type hash as it came, get it escaped."""
        for service in self.services:
            if service.srv_type is GetTypeDescription:

                def answer(request: Any, response: Any, rcl: Any = service.callback) -> Any:
                    request.type_hash = printable(request.type_hash)
                    return rcl(request, response)

                service.callback = answer

    def get_logger(self) -> PrintableLogger:
        """Return the logger, which escapes and bounds what it writes. Thread-safe."""
        if self._printable_logger is None:
            self._printable_logger = PrintableLogger(super().get_logger().name)
        return self._printable_logger

    @classmethod
    def prepare_process(cls) -> None:
        """Set what holds for the whole process; called before the node is made."""

    @property
    def default_callback_group(self) -> CallbackGroup:
        """The group of what is created without one: reentrant, unlike rclpy's."""
        return self._callbacks

    def start(self) -> None:
        """Start timers, links and other activity."""

    def stop(self) -> None:
        """Stop what must not go on without this program. Called on the executor."""

    @property
    def settled(self) -> bool:
        """Whether all that ``stop`` began is over, so that the executor may stop."""
        return True

    def close(self) -> None:
        """Release what the node holds. Called when nothing spins. Idempotent."""

    def create_service(
        self, srv_type: type[Any], srv_name: str, callback: Callable[..., Any], **options: Any
    ) -> Service:
        """Create a service whose answers are sent when their client can get them."""
        clients = ClientDiscovery(self, self.resolve_service_name(srv_name))

        async def answer(request: Any, response: Any) -> Any:
            answered = await await_or_execute(callback, request, response)
            await clients.wait()
            return answered

        return super().create_service(srv_type, srv_name, answer, **options)

    def destroy_node(self) -> None:
        """Destroy the node with its actions, which rclpy leaves to the garbage collector.

        A server that waits there is still on the graph, beside the next one of its name.
        """
        for waitable in list(self.waitables):
            if isinstance(waitable, ActionServer | ActionClient):
                waitable.destroy()
        super().destroy_node()

    def steady_timer(self, period: float, callback: Callable[[], Any]) -> Timer:
        """Return a timer of ``period`` seconds in real time: simulated time may stand still."""
        return self.create_timer(period, callback, clock=self._steady_clock)

    def timer(self, period: float, callback: Callable[[], Any]) -> Timer:
        """Return a timer of ``period`` seconds of :meth:`now`."""
        clock = self.get_clock() if self.follows_clock else self._steady_clock
        return self.create_timer(period, callback, clock=clock)

    def now(self) -> float:
        """Return the seconds that durations are measured in: monotonic ones, or of /clock.

        Thread-safe.
        """
        if not self.follows_clock:
            return time.monotonic()
        return float(self.get_clock().now().nanoseconds / NANOSECONDS)

    def on_clock(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` on the executor at each /clock, where the node follows it."""
        if self.follows_clock:
            threshold = JumpThreshold(
                min_forward=Duration(nanoseconds=1), min_backward=Duration(nanoseconds=-1)
            )
            handle = self.get_clock().create_jump_callback(
                threshold, post_callback=lambda jump: callback()
            )
            self._jump_handles.append(handle)

    def call_soon(self, callback: Callable[..., Any], *arguments: Any) -> None:
        """Schedule ``callback`` on the executor. Thread-safe; not before ``start``."""
        self.executor.create_task(callback, *arguments)

    def stamp(self, moment: float | None = None) -> Time:
        """Return the ROS time of a moment of :meth:`now` (s), of the present without one.

        It is never negative, even before simulated time starts. Thread-safe.
        """
        clock = self.get_clock()
        # Reading the node's clock is slow, and without simulated time it gives the same.
        now = clock.now().nanoseconds if clock.ros_time_is_active else time.time_ns()
        if moment is not None:
            now -= int((self.now() - moment) * NANOSECONDS)
        now = max(0, now)
        return Time(sec=now // NANOSECONDS, nanosec=now % NANOSECONDS)

    def warn_of_undeclared_parameters(self) -> None:
        """Log each parameter that was given but is not declared, with the nearest name."""
        given = getattr(self, "_parameter_overrides", {})  # rclpy has no public way to ask
        declared = sorted(self.get_parameters_by_prefix(""))
        for name in given:
            if self.has_parameter(name) or name.startswith("qos_overrides."):
                continue  # a publisher that is made later may declare its own overrides
            near = difflib.get_close_matches(name, declared, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            self.get_logger().warning(f"parameter '{name}' is not known and has no effect{hint}")

    def on_exception(self, where: str, text: str) -> None:
        """Report an exception that left a callback; ``text`` is its traceback."""
        self.get_logger().error(Lines(f"{where} failed:", text))
