# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Visit launch descriptions and handle events until nothing is left to do."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterable

from launch import logging
from launch.event import Event
from launch.events import Shutdown
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.launch_description_entity import LaunchDescriptionEntity


class LaunchService:
    """Run launch descriptions.

    ``run()`` returns 0, or 1 if the launch itself failed. SIGINT, SIGTERM and SIGHUP end every
    launched process in order; a second one hastens that. ``ended_by`` then names SIGTERM or
    SIGHUP, so that a program can end in the way it was asked to.
    """

    def __init__(
        self,
        *,
        argv: Iterable[str] | None = None,
        noninteractive: bool = False,
        debug: bool = False,
    ) -> None:
        self.context = LaunchContext(argv=argv, noninteractive=noninteractive)
        self.ended_by: signal.Signals | None = None
        self._debug = debug
        self._logger = logging.get_logger("launch")
        self._descriptions: list[LaunchDescription] = []
        self._return_code = 0
        self._interrupts = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def include_launch_description(self, launch_description: LaunchDescription) -> None:
        """Add a description to visit when running."""
        self._descriptions.append(launch_description)

    def emit_event(self, event: Event) -> None:
        """Let an event happen; may be called from any thread while running."""
        if self._loop is None:
            self.context.emit_event_sync(event)
        else:
            self._loop.call_soon_threadsafe(self.context.emit_event_sync, event)

    def shutdown(self, force_sync: bool = False) -> None:
        """Ask for the end of a running launch."""
        self.emit_event(Shutdown(reason="LaunchService.shutdown() called"))

    def run(self, *, shutdown_when_idle: bool = True) -> int:
        """Run until everything has ended and return the exit code."""
        return asyncio.run(self.run_async(shutdown_when_idle=shutdown_when_idle))

    async def run_async(self, *, shutdown_when_idle: bool = True) -> int:
        """Run in the present event loop until everything has ended."""
        context = self.context
        loop = self._loop = context.asyncio_loop = asyncio.get_running_loop()
        wake = asyncio.Event()
        context.set_wake_up(wake)
        restore = self._take_signals(loop)
        try:
            for description in () if self._interrupts else self._descriptions:
                self._guarded(lambda description=description: self._visit(description))  # type: ignore[misc]
            while True:
                event = context.next_event()
                if event is not None:
                    self._guarded(lambda event=event: self._handle(event))  # type: ignore[misc]
                    await asyncio.sleep(0)  # processes start and end between two events
                elif context.is_idle and context.is_shutdown:
                    break
                elif context.is_idle and shutdown_when_idle:
                    context.emit_event_sync(Shutdown(reason="idle"))
                elif context.at_rest:
                    self._guarded(context.at_rest.pop(0))
                else:
                    await wake.wait()
                    wake.clear()
            await asyncio.gather(*(end() for end in context.remnants))
        finally:
            context.guardian.close()
            restore()
            self._loop = None
        return self._return_code

    def _visit(self, entity: LaunchDescriptionEntity) -> None:
        for sub in entity.visit(self.context) or ():
            self._visit(sub)

    def _handle(self, event: Event) -> None:
        first_shutdown = isinstance(event, Shutdown) and not self.context.is_shutdown
        if isinstance(event, Shutdown):
            if not first_shutdown:
                return
            self.context.is_shutdown = True
        try:
            self._let_handlers_see(event)
        finally:
            if first_shutdown:
                self.context.tell_living()

    def _let_handlers_see(self, event: Event) -> None:
        for entity in getattr(event, "actions", ()):
            self._visit(entity)
        for handler in self.context.event_handlers:
            if handler.matches(event):
                if handler.handle_once:
                    self.context.unregister_event_handler(handler)
                self.context.push_locals()
                self.context.extend_locals({"event": event})
                try:
                    for entity in handler.handle(event, self.context):
                        self._visit(entity)
                finally:
                    self.context.pop_locals()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do `work`; an exception ends the launch in order and makes it fail."""
        try:
            work()
        except Exception as error:
            self._logger.debug("traceback of the exception below", exc_info=True)
            text = f"Caught exception in launch (see debug for traceback): {error}"
            self._logger.error("%s", text)
            self._return_code = 1
            if not self.context.is_shutdown:
                self.context.emit_event_sync(Shutdown(reason=text))

    def _take_signals(self, loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
        if threading.current_thread() is not threading.main_thread():
            return lambda: None
        taken = [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # ignored under nohup
            taken.append(signal.SIGHUP)
        previous = {number: signal.getsignal(number) for number in taken}
        for number in taken:
            loop.add_signal_handler(number, self._on_signal, number)
        if signal.SIGINT in signal.sigpending():  # it came while ros2 launch had it blocked
            self._on_signal(signal.Signals(signal.sigwait((signal.SIGINT,))))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))

        def restore() -> None:
            for number, handler in previous.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)

        return restore

    def _on_signal(self, number: signal.Signals) -> None:
        text = f"user interrupted with ctrl-c ({number.name})"
        if number is not signal.SIGINT:
            text = f"received {number.name}"
            self.ended_by = self.ended_by or number
        self._interrupts += 1
        if self._interrupts > 1:
            self._logger.warning("%s again, not waiting any longer", text)
            self.context.haste += 1
            return
        self._logger.warning("%s", text)
        self.context.emit_event_sync(Shutdown(reason=text, due_to_sigint=number is signal.SIGINT))
