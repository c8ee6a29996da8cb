# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Reactions to the start and the end of processes and of the launch itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from launch._subset import missing_attribute, reject_keywords
from launch.action import Action
from launch.event import Event
from launch.event_handler import BaseEventHandler
from launch.events import Shutdown
from launch.events.process import ProcessExited, ProcessStarted, RunningProcessEvent
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.utilities import normalize_to_list_of_entities

__all__ = ["OnProcessExit", "OnProcessStart", "OnShutdown"]

_Entities = LaunchDescriptionEntity | Iterable[LaunchDescriptionEntity]
_Reaction = _Entities | Callable[[Any, LaunchContext], _Entities | None]
_Target = Action | Callable[[Action], bool] | None


class _Handler(BaseEventHandler):
    def __init__(self, matcher: Callable[[Event], bool], reaction: _Reaction, **options: Any):
        handle_once = bool(options.pop("handle_once", False))
        reject_keywords(f"launch.event_handlers.{type(self).__name__}", options)
        super().__init__(matcher=matcher, handle_once=handle_once)
        self._call: Callable[[Any, LaunchContext], _Entities | None] | None = None
        self._entities: list[LaunchDescriptionEntity] = []
        if callable(reaction):
            self._call = reaction
        else:
            self._entities = normalize_to_list_of_entities(reaction)

    def handle(self, event: Event, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        """Return what follows from `event`."""
        if self._call is not None:
            return normalize_to_list_of_entities(self._call(event, context))
        return self._entities


def _process_matcher(kind: type[RunningProcessEvent], target: _Target) -> Callable[[Event], bool]:
    def matches(event: Event) -> bool:
        if not isinstance(event, kind):
            return False
        if target is None or isinstance(target, Action):
            return target is None or event.action is target
        return target(event.action)

    if target is not None and not isinstance(target, Action) and not callable(target):
        raise TypeError(f"target_action must be an action or a callable, but is {target!r}")
    return matches


class OnProcessStart(_Handler):
    """React to the start of one process or, without a target, of any."""

    def __init__(
        self, *, target_action: _Target = None, on_start: _Reaction, **kwargs: Any
    ) -> None:
        super().__init__(_process_matcher(ProcessStarted, target_action), on_start, **kwargs)


class OnProcessExit(_Handler):
    """React to the end of one process or, without a target, of any."""

    def __init__(
        self, *, target_action: _Target = None, on_exit: _Reaction, **kwargs: Any
    ) -> None:
        super().__init__(_process_matcher(ProcessExited, target_action), on_exit, **kwargs)


class OnShutdown(_Handler):
    """React to the end of the launch."""

    def __init__(self, *, on_shutdown: _Reaction, **kwargs: Any) -> None:
        super().__init__(lambda event: isinstance(event, Shutdown), on_shutdown, **kwargs)


__getattr__ = missing_attribute(__name__)
