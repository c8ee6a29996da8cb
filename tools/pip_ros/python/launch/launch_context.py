# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The state that actions and substitutions share while launching."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

from launch._process import Guardian
from launch.event import Event


class Text(Protocol):
    """What becomes a text while launching: a substitution."""

    def perform(self, context: LaunchContext) -> str:
        """Return the text."""


class Handler(Protocol):
    """A reaction to events: launch.event_handler.BaseEventHandler."""

    handle_once: bool

    def matches(self, event: Event) -> bool:
        """Return whether this handler wants ``event``."""

    def handle(self, event: Event, context: LaunchContext) -> Any:
        """Return the entities to visit because of ``event``."""


class LaunchContext:
    """Launch configurations, environment, local values, events and their handlers."""

    def __init__(self, *, argv: Iterable[str] | None = None, noninteractive: bool = False) -> None:
        self.argv = list(argv) if argv is not None else []
        self.noninteractive = noninteractive
        #: Texts by name; launch_ros keeps its scoped state here too, hence Any.
        self.launch_configurations: dict[str, Any] = {}
        self.is_shutdown = False
        self.asyncio_loop: asyncio.AbstractEventLoop | None = None
        self._configuration_stack: list[dict[str, Any]] = []
        self._environment_stack: list[dict[str, str]] = []
        self._first_environment = dict(os.environ)
        self._locals: dict[str, Any] = {}
        self._locals_stack: list[dict[str, Any]] = []
        self._handlers: deque[Handler] = deque()
        self._events: deque[Event] = deque()
        self._wake: asyncio.Event | None = None
        #: Ends processes and temporary files when launch itself is killed.
        self.guardian = Guardian()
        #: What still ends groups whose first process has ended long ago.
        self.remnants: list[Callable[[], Coroutine[Any, Any, None]]] = []
        #: Raised by each further Ctrl-C: do not wait for the next step of a shutdown.
        self.haste = 0
        #: How many nodes of each full name launch_ros has started.
        self.node_names: dict[str, int] = {}
        #: Namespaces and names of the nodes that launch_ros has given each parameter file.
        self.parameter_files: dict[Path, set[tuple[str, str | None, str]]] = {}
        #: Called once when all that is started at first has been.
        self.at_rest: list[Callable[[], None]] = []
        self._process_numbers = itertools.count(1)
        self._living: dict[object, Callable[[], None] | None] = {}

    @property
    def environment(self) -> Any:
        """The environment of the launch process, which the launched ones inherit."""
        return os.environ

    # Scopes -----------------------------------------------------------------------------
    def push_launch_configurations(self) -> None:
        """Open a scope for launch configurations."""
        self._configuration_stack.append(dict(self.launch_configurations))

    def pop_launch_configurations(self) -> None:
        """Close the innermost scope; the configurations are again what they were."""
        self._restore(self.launch_configurations, self._configuration_stack.pop())

    def push_environment(self) -> None:
        """Open a scope for environment variables."""
        self._environment_stack.append(dict(os.environ))

    def pop_environment(self) -> None:
        """Close the innermost scope of environment variables."""
        self.set_environment(self._environment_stack.pop())

    def reset_environment(self) -> None:
        """Return to the environment that launch was started with."""
        self.set_environment(self._first_environment)

    @staticmethod
    def set_environment(wanted: Mapping[str, str]) -> None:
        """Make the process environment equal to `wanted`."""
        for name in set(os.environ) - set(wanted):
            del os.environ[name]
        for name, value in wanted.items():
            if os.environ.get(name) != value:
                os.environ[name] = value

    @staticmethod
    def _restore(target: dict[str, Any], wanted: dict[str, Any]) -> None:
        target.clear()
        target.update(wanted)

    # Local values -----------------------------------------------------------------------
    @property
    def locals(self) -> SimpleNamespace:
        """Values that hold while a file is included or an event handled."""
        return SimpleNamespace(**self._locals)

    def get_locals_as_dict(self) -> dict[str, Any]:
        """Return a copy of the local values."""
        return dict(self._locals)

    def extend_locals(self, extensions: Mapping[str, Any]) -> None:
        """Add local values to the present scope."""
        self._locals.update(extensions)

    def push_locals(self) -> None:
        """Open a scope for local values."""
        self._locals_stack.append(dict(self._locals))

    def pop_locals(self) -> None:
        """Close the innermost scope of local values."""
        self._locals = self._locals_stack.pop()

    def perform_substitution(self, sub: Text) -> str:
        """Return the text of `sub`."""
        return sub.perform(self)

    # Events -----------------------------------------------------------------------------
    def register_event_handler(self, handler: Handler, append: bool = False) -> None:
        """Let `handler` see the events from now on, before the older handlers or after them."""
        if append:
            self._handlers.append(handler)
        else:
            self._handlers.appendleft(handler)

    def unregister_event_handler(self, handler: Handler) -> None:
        """Let `handler` see no more events.

        Raises:
            ValueError: The handler is not registered.

        """
        self._handlers.remove(handler)

    @property
    def event_handlers(self) -> list[Handler]:
        """The registered handlers, in the order in which they see an event."""
        return list(self._handlers)

    def emit_event_sync(self, event: Event) -> None:
        """Queue `event`."""
        self._events.append(event)
        if self._wake is not None:
            self._wake.set()

    async def emit_event(self, event: Event) -> None:
        """Queue `event`."""
        self.emit_event_sync(event)

    def next_event(self) -> Event | None:
        """Take the oldest queued event, or None."""
        return self._events.popleft() if self._events else None

    def set_wake_up(self, wake: asyncio.Event) -> None:
        """Name what is set when an event was queued."""
        self._wake = wake

    # What keeps launch running ---------------------------------------------------------------
    def keep_alive(self, on_shutdown: Callable[[], None] | None) -> Callable[[], None]:
        """Keep launch running until the returned function is called.

        `on_shutdown` is called when launch is to end; the returned function may be called often.
        """
        token = object()
        self._living[token] = on_shutdown

        def release() -> None:
            self._living.pop(token, None)
            if self._wake is not None:
                self._wake.set()

        return release

    def next_process_number(self) -> int:
        """Return the number that makes the name of a process unique."""
        return next(self._process_numbers)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left that could still happen."""
        return not self._living and not self._events

    def tell_living(self) -> None:
        """Tell everything that keeps launch running that it is to end, newest first."""
        for on_shutdown in reversed(list(self._living.values())):
            if on_shutdown is not None:
                on_shutdown()
