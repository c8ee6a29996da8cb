# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Actions on configurations, environment, scopes, events and time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from launch.action import Action
from launch.event import Event
from launch.event_handler import BaseEventHandler
from launch.events import Shutdown as ShutdownEvent
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.logging import get_logger
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitutions.logic import text_to_bool
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_entities,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)

_Entities = list[LaunchDescriptionEntity]


class LogInfo(Action):
    """Print a text."""

    def __init__(self, *, msg: SomeSubstitutionsType, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.msg = normalize_to_list_of_substitutions(msg)

    def describe(self) -> str:
        """Return the text."""
        return f"LogInfo({describe_substitutions(self.msg)})"

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Print."""
        get_logger("launch.user").info("%s", perform_substitutions(context, self.msg))
        return None


class _SetEntry(Action):
    """Set an entry of ``mapping``, an attribute of the context."""

    mapping: ClassVar[str]

    def __init__(
        self, name: SomeSubstitutionsType, value: SomeSubstitutionsType, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.name = normalize_to_list_of_substitutions(name)
        self.value = normalize_to_list_of_substitutions(value)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Set it."""
        name = perform_substitutions(context, self.name)
        getattr(context, self.mapping)[name] = perform_substitutions(context, self.value)
        return None


class _UnsetEntry(Action):
    """Remove an entry of ``mapping``, an attribute of the context."""

    mapping: ClassVar[str]

    def __init__(self, name: SomeSubstitutionsType, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.name = normalize_to_list_of_substitutions(name)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Remove it if it is there."""
        getattr(context, self.mapping).pop(perform_substitutions(context, self.name), None)
        return None


class SetLaunchConfiguration(_SetEntry):
    """Set a launch configuration in the present scope."""

    mapping = "launch_configurations"


class UnsetLaunchConfiguration(_UnsetEntry):
    """Remove a launch configuration from the present scope."""

    mapping = "launch_configurations"


class PushLaunchConfigurations(Action):
    """Open a scope for launch configurations."""

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Open it."""
        context.push_launch_configurations()
        return None


class PopLaunchConfigurations(Action):
    """Close the innermost scope for launch configurations."""

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Close it."""
        context.pop_launch_configurations()
        return None


class SetEnvironmentVariable(_SetEntry):
    """Set an environment variable for what is launched afterwards in this scope."""

    mapping = "environment"


class UnsetEnvironmentVariable(_UnsetEntry):
    """Remove an environment variable for what is launched afterwards in this scope."""

    mapping = "environment"


class AppendEnvironmentVariable(Action):
    """Append to (or prepend to) a list in an environment variable."""

    def __init__(
        self,
        name: SomeSubstitutionsType,
        value: SomeSubstitutionsType,
        prepend: bool | SomeSubstitutionsType = False,
        separator: SomeSubstitutionsType = ":",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.name = normalize_to_list_of_substitutions(name)
        self.value = normalize_to_list_of_substitutions(value)
        text = str(prepend) if isinstance(prepend, bool) else prepend
        self.prepend = normalize_to_list_of_substitutions(text)
        self.separator = normalize_to_list_of_substitutions(separator)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Change the variable, or set it where there is none."""
        name = perform_substitutions(context, self.name)
        parts = [perform_substitutions(context, self.value)]
        if name in context.environment:
            parts.insert(0, context.environment[name])
            if text_to_bool(perform_substitutions(context, self.prepend)):
                parts.reverse()
        separator = perform_substitutions(context, self.separator)
        context.environment[name] = separator.join(parts)
        return None


class PushEnvironment(Action):
    """Open a scope for environment variables."""

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Open it."""
        context.push_environment()
        return None


class PopEnvironment(Action):
    """Close the innermost scope for environment variables."""

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Close it."""
        context.pop_environment()
        return None


class OpaqueFunction(Action):
    """Call a Python function ``function(context, *args, **kwargs)``; it may return entities."""

    def __init__(
        self,
        *,
        function: Callable[..., Any],
        args: Iterable[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
        **left_over_kwargs: Any,
    ) -> None:
        super().__init__(**left_over_kwargs)
        if not callable(function):
            raise TypeError(f"OpaqueFunction expected a callable for 'function', got {function!r}")
        self._function = function
        self._args = list(args) if args is not None else []
        self._kwargs = dict(kwargs) if kwargs is not None else {}

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Call the function."""
        return normalize_to_list_of_entities(self._function(context, *self._args, **self._kwargs))


class EmitEvent(Action):
    """Let an event happen."""

    def __init__(self, *, event: Event, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(event, Event):
            raise RuntimeError("EmitEvent() expected an event instance and got something else")
        self.event = event

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Queue the event."""
        context.emit_event_sync(self.event)
        return None


class Shutdown(EmitEvent):
    """End the launch and every process with it."""

    def __init__(self, *, reason: str = "reason not given", **kwargs: Any) -> None:
        super().__init__(event=ShutdownEvent(reason=reason), **kwargs)

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Ask for the shutdown; as an ``on_exit``, also say which process was the reason."""
        event = context.get_locals_as_dict().get("event")
        if event is not None and hasattr(event, "returncode"):
            get_logger("launch").info(
                "process[%s] was required: shutting down launched system", event.process_name
            )
        return super().execute(context)


class RegisterEventHandler(Action):
    """Let an event handler see the events from now on."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(event_handler, BaseEventHandler):
            raise TypeError(f"expected an event handler, but got {event_handler!r}")
        self.event_handler = event_handler

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Register it."""
        context.register_event_handler(self.event_handler)
        return None


class UnregisterEventHandler(RegisterEventHandler):
    """Let an event handler see no more events."""

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Unregister it."""
        context.unregister_event_handler(self.event_handler)
        return None


class TimerEvent(Event):
    """The time of a TimerAction is over."""

    name = "launch.events.TimerEvent"

    def __init__(self, actions: _Entities) -> None:
        self.actions = actions


class TimerAction(Action):
    """Do other actions after a time in seconds."""

    def __init__(
        self,
        *,
        period: float | SomeSubstitutionsType,
        actions: Iterable[LaunchDescriptionEntity],
        cancel_on_shutdown: bool | SomeSubstitutionsType = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        text = str(period) if isinstance(period, (int, float)) else period
        self._period = normalize_to_list_of_substitutions(text)
        cancel = (
            str(cancel_on_shutdown)
            if isinstance(cancel_on_shutdown, bool)
            else (cancel_on_shutdown)
        )
        self._cancel_on_shutdown = normalize_to_list_of_substitutions(cancel)
        self._actions = normalize_to_list_of_entities(actions)
        self._cancelled = False
        self._handle: asyncio.TimerHandle | None = None
        self._pending: Callable[[], None] | None = None

    def describe_sub_entities(self) -> _Entities:
        """Return the actions."""
        return self._actions

    def cancel(self) -> None:
        """Do nothing when the time is over."""
        self._cancelled = True
        if self._handle is not None:
            self._handle.cancel()
        if self._pending is not None:
            self._pending()

    def execute(self, context: LaunchContext) -> _Entities | None:
        """Start the timer."""
        if self._cancelled:
            return None
        assert context.asyncio_loop is not None
        period = float(perform_substitutions(context, self._period))
        cancel = text_to_bool(perform_substitutions(context, self._cancel_on_shutdown))
        release = context.keep_alive(self.cancel if cancel else None)
        self._pending = release

        def fire() -> None:
            context.emit_event_sync(TimerEvent(self._actions))
            release()

        self._handle = context.asyncio_loop.call_later(period, fire)
        return None
