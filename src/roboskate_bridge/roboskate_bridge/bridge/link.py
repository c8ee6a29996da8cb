# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The connection to a game: keeps it going on a thread of its own, in real time or on request.

Its events are those of events.py.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TypeVar

from legacy_robots_core.link.base import (
    Backoff,
    Link,
    LinkFault,
    LinkLost,
    LinkObserver,
    LinkState,
    NotConnectedError,
)
from roboskate_bridge.bridge.camera_feed import MOST_BEHIND, CameraFeed
from roboskate_bridge.bridge.events import Demand, Step
from roboskate_bridge.bridge.game_clock import NANOSECONDS, SimulationClock
from roboskate_bridge.bridge.held_keys import HeldKeys
from roboskate_bridge.bridge.link_settings import LinkSettings, Mode, OnReconnect
from roboskate_bridge.bridge.play import Play
from roboskate_bridge.bridge.requests import CommandError, Request
from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import DeadlineError, TransportError
from roboskate_game.protocol.dialect import check_run_time
from roboskate_game.protocol.messages import (
    NO_KEYS,
    CallFailedError,
    ImageSize,
    Keys,
    ProtocolError,
)

CLOSING_GRACE = 1.0
"""Seconds that a call under way may still take when the link is closed."""
LOOK_PERIOD = 0.2
"""Seconds of simulated time between two states in mode FREE_RUN that have no subscriber.

While the time has none either and no key is held, this much time passes at once.
"""
PROBE_PERIOD = 0.5
"""Seconds between checks that a game that stands still is still there."""
MOST_AHEAD_S = 60.0
"""Seconds of simulated time for which a command may be held."""
NO_LEVEL = "connected, no level is loaded"
COARSENESS_S = 1e-6
"""Tolerance of a step's time, since sums of periods are not exact."""

T = TypeVar("T")


class GameLink(Link):
    """Connects to a game, keeps a level loaded and time passing, and carries out requests.

    The requests ``initialize``, ``reset``, ``shut_down`` and ``run_game`` may be made on any
    thread. They raise NotConnectedError; their futures may raise CommandError, ProtocolError
    (CallFailedError where the game refused), TransportError, and LinkLost when the connection ends
    before their turn.
    """

    def __init__(
        self, settings: LinkSettings, observer: LinkObserver, *, backoff: Backoff | None = None
    ) -> None:
        super().__init__(
            f"{settings.kind.value}://{settings.host}:{settings.port}",
            observer,
            backoff=backoff,
            name="game-link",
        )
        self._settings = settings
        self._clock = SimulationClock()
        self._keys = HeldKeys(
            settings.command_timeout,
            self._command_time(settings.mode),
            settings.command_wait,
        )
        self._wake = threading.Condition()
        self._requests: deque[Request] = deque()
        self._client: GameClient | None = None
        self._serving: GameClient | None = None
        self.late_steps = 0
        self._camera = CameraFeed(self._connect, observer, self._poke, lambda: self.now())
        self._camera.configure(settings.camera_rate, every_step=settings.mode is Mode.STEPPED)
        self._play = Play(settings, observer, self._clock, self._keys, self._camera)

    def time_passed(self) -> None:
        """Make the steps that have become due. Thread-safe."""
        self._poke()

    def start(self) -> None:
        """Begin to connect. Returns at once."""
        self._camera.start()
        super().start()

    # --- for the owner, on any thread ----------------------------------------------------------

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection, be its camera faulty or not."""
        return self._client is not None

    @property
    def level(self) -> int | None:
        """The level that is loaded; None: none is."""
        return self._play.wanted_level if self._play.loaded else None

    @property
    def key_timeouts(self) -> int:
        """How often the watchdog has released the keys."""
        return self._keys.timeouts

    def configure(self, mode: Mode, camera_rate: float, command_timeout: float) -> None:
        """Change how the game is driven; the keys are released. Thread-safe."""
        self._keys.configure(command_timeout, self._command_time(mode))
        self._camera.configure(camera_rate, every_step=mode is Mode.STEPPED)
        with self._wake:
            self._settings = replace(
                self._settings,
                mode=mode,
                camera_rate=camera_rate,
                command_timeout=command_timeout,
            )
            self._wake.notify_all()

    def hold(self, keys: Keys, until: int = 0) -> None:
        """Hold ``keys`` down from the next step on; ignored while there is no connection.

        ``until``: simulated time (ns) at which the game waits for the next command in FREE_RUN, at
        most MOST_AHEAD_S ahead. Raises ProtocolError for what is no number.
        """
        if self._client is not None:
            waits = self._settings.mode is Mode.FREE_RUN and not self._follows
            near = 0 < until - self._clock.now <= MOST_AHEAD_S * NANOSECONDS
            self._keys.hold(keys, until if waits and near else 0)
            if self._play.resting or until:
                self._poke()

    def release_keys(self) -> None:
        """Hold nothing from the next step on."""
        self._keys.release()
        self._poke()

    def initialize(self, level: int) -> Future[ImageSize]:
        """Load a level; return the size of the images."""

        def act(client: GameClient) -> ImageSize:
            if level < 0:
                raise CommandError(f"there is no level {level}")
            return self._play.initialize(client, level, rewind=False)

        return self._submit("initialize", act)

    def reset(self, *, rewind: bool) -> Future[ImageSize]:
        """Restart the present level; return the size of the images."""

        def act(client: GameClient) -> ImageSize:
            level = self._play.wanted_level
            if level is None:
                raise CommandError("there is no level to restart: initialize one first")
            return self._play.initialize(client, level, rewind=rewind)

        return self._submit("reset", act)

    def shut_down(self) -> Future[None]:
        """Close the level."""

        def act(client: GameClient) -> None:
            client.shutdown()
            self._play.wanted_level = None
            self._play.loaded = False
            self._camera.begin_images(None)

        return self._submit("shutdown", act)

    def run_game(self, seconds: float, keys: Keys | None) -> Future[Step]:
        """Let time pass in mode STEPPED; return the state after it.

        ``keys`` are held from the beginning of that time; None: those that are held already. Any
        other request ends it after the part that it is in, with CommandError.
        """

        def act(client: GameClient) -> Step:
            if self._settings.mode is not Mode.STEPPED:
                raise CommandError("time passes by itself in mode free_run")
            if not self._play.loaded:
                raise CommandError("no level is loaded: initialize one first")
            try:
                check_run_time(seconds)
                if keys is not None:
                    keys.clamped()
            except ProtocolError as error:
                raise CommandError(str(error)) from error
            # The image of the step before must not show this one.
            self._camera.wait_until_idle(self._settings.timeouts.camera)
            if keys is not None:
                self._keys.hold(keys)
            return self._play.run_parts(client, seconds, self._interruption)

        return self._submit("", act)

    # --- life of the thread --------------------------------------------------------------------

    def serve(self) -> None:
        """Serve one connection."""
        client = self._serving = self._connect()
        try:
            self._arrive(client)
            with self._wake:
                self._client = client
            self.connected(self._peer)
            self._drive(client)
        except (ProtocolError, DeadlineError) as error:
            raise LinkFault(str(error)) from error
        except TransportError as error:
            raise LinkLost(str(error)) from error
        finally:
            self._depart(client)

    def _connect(self) -> GameClient:
        s = self._settings
        transport = open_transport(s.kind, s.host, s.port, size_order_is_text=s.size_order_is_text)
        return GameClient(transport, s.dialect, s.timeouts)

    def _arrive(self, client: GameClient) -> None:
        """Bring the game to where it was, or to its start."""
        self._keys.release()
        self._play.sent = None
        resumed = False
        if self._play.loaded and self._settings.on_reconnect is OnReconnect.RESUME:
            try:
                client.get_info()
                client.set_info(NO_KEYS)
                resumed = True
            except CallFailedError:
                pass  # it has restarted and has no level
        if resumed:
            self._play.sent = NO_KEYS
            self._camera.begin_images(self._play.size)
        elif self._play.wanted_level is not None:
            self._play.initialize(client, self._play.wanted_level, rewind=False)
        else:
            self._play.loaded = False
            try:
                client.get_info()
            except CallFailedError:
                pass  # nothing is loaded, as wanted; but there is a game

    def _depart(self, client: GameClient) -> None:
        """Release the keys, if that is still possible, and end all requests that wait."""
        with self._wake:
            self._client = None
            waiting = list(self._requests)
            self._requests.clear()
        self._keys.release()
        self._camera.abandon()
        if self.closing.is_set() and self._play.loaded and self._play.sent != NO_KEYS:
            try:
                client.set_info(NO_KEYS)
            except (ProtocolError, TransportError):
                pass  # gone before us
        client.close()
        for request in waiting:
            request.future.set_exception(LinkLost("the connection to the game was lost"))

    def interrupt(self) -> None:
        """Wake the link's thread."""
        self._poke()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            # Time to release the keys; but a game that does not answer is not waited for.
            self._thread.join(CLOSING_GRACE)
            client = self._serving
            if client is not None and self._thread.is_alive():
                client.close()

    def release(self) -> None:
        """Release what outlives a connection."""
        self._camera.close()

    def _poke(self) -> None:
        """Wake the thread, as something has changed."""
        with self._wake:
            self._wake.notify_all()

    # --- driving -------------------------------------------------------------------------------

    def _drive(self, client: GameClient) -> None:
        """Let time pass and carry out requests. Raises ProtocolError, TransportError."""
        due = self.now()
        while not self.closing.is_set():
            running = self._play.loaded and self._settings.mode is Mode.FREE_RUN
            period = self._settings.step_period
            if not running:
                due = self.now() + PROBE_PERIOD
            patience = self._keys.wait(self._clock.now) if running else 0.0
            if patience > 0.0:
                due = self.now() + patience
            at_once = 1 if patience > 0.0 else self._steps_at_once(running)
            self._show_what_is_missing()
            request = self._wait(due + (at_once - 1) * period)
            if self.closing.is_set():
                return
            now = self.now()
            if patience > 0.0:
                due = now  # the game stood still: nothing is caught up with
            if request is not None:
                request.carry_out(client)
            if request is not None or patience > 0.0:
                continue
            if now < due - COARSENESS_S:
                continue  # woken because something has changed
            if running:
                # Woken early, there are fewer; too late, they are caught up with one by one.
                passed = min(at_once, 1 + int((now - due) / period + 0.01)) * period
                seldom = self._play.unseen + passed + period / 2 > LOOK_PERIOD
                if seldom or self._demand().state:
                    self._play.step(client, passed)
                else:
                    self._play.pass_time(client, passed)
                due += passed
                if self.now() - due > MOST_BEHIND:
                    self.late_steps += 1
                    due = self.now()
            else:
                self._probe(client)

    def _wait(self, due: float) -> Request | None:
        """Return the next request, or None at ``due`` or after a change."""
        with self._wake:
            if not self._requests and not self.closing.is_set():
                left = due - self.now()
                if left > COARSENESS_S:
                    self._wake.wait(None if self._follows else left)
            # While it closes they stay, and are answered as those that come after the end.
            waiting = self._requests and not self.closing.is_set()
            return self._requests.popleft() if waiting else None

    def _steps_at_once(self, running: bool) -> int:
        """Return how many steps may be made as one: no subscriber sees them, no key is held."""
        quiet = running and self._keys.current() == NO_KEYS == self._play.sent
        self._play.resting = quiet and not self._demand().time
        return max(1, round(LOOK_PERIOD / self._settings.step_period)) if self._play.resting else 1

    def _demand(self) -> Demand:
        return self.observer.demand() or Demand()

    def _probe(self, client: GameClient) -> None:
        """Find out whether the game is still there; its answer is not reported."""
        try:
            client.get_info()
        except CallFailedError:
            if self._play.loaded:
                raise

    # --- requests ------------------------------------------------------------------------------

    def _submit(self, name: str, act: Callable[[GameClient], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._wake:
            if self._client is None:
                raise NotConnectedError(f"not connected to {self._peer}: {self.status.detail}")
            self._requests.append(Request(name, act, future))
            self._wake.notify_all()
        return future

    def _interruption(self) -> str | None:
        """Return why a run_game under way shall end."""
        if self.closing.is_set():
            return "the bridge ends"
        other = next((r.name for r in list(self._requests) if r.name), None)
        return other and f"{other} was asked for"

    # --- health --------------------------------------------------------------------------------

    def _show_what_is_missing(self) -> None:
        """Show in the link's state that images fail while the rest works, or that no level is."""
        error, loaded = self._camera.error, self._play.loaded
        if error is not None:
            self._set_status(LinkState.FAULT, f"camera: {error}")
        elif not loaded:
            self._set_status(LinkState.CONNECTED, NO_LEVEL)
        elif self._status.state is LinkState.FAULT:
            self._set_status(LinkState.CONNECTED, "connected, and images come again")
        elif self._status.detail == NO_LEVEL:
            self._set_status(LinkState.CONNECTED, "connected")

    def _command_time(self, mode: Mode) -> Callable[[], float]:
        """Return the time in s that commands age in: simulated time where that may stand still."""
        if mode is Mode.STEPPED:
            return lambda: self._clock.now / NANOSECONDS
        return lambda: self.now()
