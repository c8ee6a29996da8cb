# SPDX-License-Identifier: Apache-2.0
"""A thread that owns a world: lets its time pass, and serves everybody else. ROS-free.

    host = WorldHost(World(load_map("nine_rooms"), Scenario(bots=(BotSpec(),))))
    host.start()
    host.act("Bot_1", "goTo", "RoomC1")             # from any thread; Outcome or ActionError
    stream = host.open_percepts("Bot_1")            # stream.take() ... stream.close()
    watch = host.observe(print, min_period=0.1)     # a Snapshot at most ten times a second
    await asyncio.wrap_future(host.submit(lambda world: world.measures()))
    host.close()

A *cycle* is what everybody perceives at one moment: some ticks pass, all streams are polled, the
observers get a snapshot. At nominal speed there is a cycle a tick; in a faster world there are as
many ticks in a cycle as keep the cycles at ``cycle_rate`` a second.

Everything of :class:`WorldHost` may be called from any thread. What waits for the host's thread
says so; do not call it from an event loop, but ``submit`` and await the future. Callbacks run on
the host's thread: they must be short, and may call everything here that does not wait.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from bw4t_bridge.streams import DEFAULT_CAPACITY, PerceptCycle, PerceptStream
from bw4t_world import Outcome, Snapshot, World, WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario

__all__ = [
    "GOING_ACTIONS",
    "MAX_SPEED",
    "HostEvent",
    "HostStatus",
    "Observation",
    "PerceptCycle",
    "PerceptStream",
    "WorldHost",
]

LOG = logging.getLogger("bw4t_bridge.host")
T = TypeVar("T")

MIN_SPEED, MAX_SPEED = 0.01, 1000.0
"""How many times as fast as nominal a world may run."""

MAX_STEP_TICKS = 1_000_000
"""Ticks that can be asked for in one step."""

MAX_LAG_SECONDS = 1.0
"""What the thread is late by is made up for, but no more than this."""

GOING_ACTIONS = frozenset({"goTo", "goToBlock", "navigateObstacles"})
"""The actions that take the place of what a robot was told before."""


_Job = tuple[Callable[[], None], "Future[Any]"]


class HostEvent(Enum):
    """What happens to a world beside the passing of time."""

    CLOCK = "clock"
    """It was paused or resumed, or its speed has changed."""
    ROSTER = "roster"
    """A player was added or removed."""
    RUN = "run"
    """It began again, perhaps with another map and other players."""
    END = "end"
    """The host is closed, or its thread has failed: nothing more will happen."""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """How the world runs.

    ``speed`` is how many times as fast as nominal it runs unless ``is_paused``; ``run`` counts
    resets and loads; ``ticks_per_cycle`` see the module. ``lateness`` and ``max_lateness`` tell
    (in seconds) by how much the last cycle began later than due, and the worst since the start;
    ``skipped_ticks`` were left out because the thread could not keep up. ``failure`` says why
    the thread has died.
    """

    tick: int
    seconds: float
    speed: float
    is_paused: bool
    run: int
    ticks_per_cycle: int
    lateness: float
    max_lateness: float
    skipped_ticks: int
    failure: str


class Observation:
    """A registered observer, until :meth:`close`."""

    def __init__(
        self, host: WorldHost, callback: Callable[[Snapshot], None], min_period: float
    ) -> None:
        self._host = host
        self._callback = callback
        self._min_period = min_period
        self._next = -math.inf
        self._seen: Snapshot | None = None

    def close(self) -> None:
        """Get no more snapshots. Idempotent."""
        self._host._forget(self)

    def is_due(self, now: float) -> bool:
        """Whether a snapshot may be given at this moment."""
        return now >= self._next

    def give(self, snapshot: Snapshot, now: float) -> None:
        """Hand over a snapshot. Called by the host."""
        if snapshot is self._seen:
            return
        # A little early is on time, or 10 Hz of 50 Hz would become 8.3 Hz.
        self._next = now + 0.9 * self._min_period
        self._seen = snapshot
        _guarded(self._callback, snapshot)


class WorldHost:
    """Owns a world on one thread.

    Parameters
    ----------
    world
        The world; nobody else may touch it from now on.
    speed
        Simulated seconds in a second, from MIN_SPEED to MAX_SPEED.
    paused
        Whether time stands still until :meth:`resume` or :meth:`step`.
    cycle_rate
        Cycles a second at most, see the module.
    simulated_stamps
        Whether stamps are the simulated time since the host was made, which never goes back (a
        reset only begins a new run), instead of the present.
    clock
        Seconds that never go back.

    """

    def __init__(
        self,
        world: World,
        *,
        speed: float = 1.0,
        paused: bool = False,
        cycle_rate: float = 50.0,
        simulated_stamps: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._world = world
        self._clock = clock
        self._simulated_stamps = simulated_stamps
        self._simulated = 0.0
        self._cycle_rate = cycle_rate
        if paused:
            world.pause()
        self._changed = threading.Condition()
        self._jobs: deque[_Job] = deque()
        self._closing = False
        self._streams: list[PerceptStream] = []
        self._observations: list[Observation] = []
        self._event_listeners: list[Callable[[HostEvent], None]] = []
        self._going_listeners: list[Callable[[str], None]] = []
        self._cycle_listeners: list[Callable[[Snapshot, int], None]] = []
        self._step: tuple[int, Future[int]] | None = None
        self._waiting_steps: deque[tuple[int, Future[int]]] = deque()
        self._dirty = True
        self._due = 0.0
        self._run_number = 0
        self._lateness = self._max_lateness = 0.0
        self._skipped = 0
        self._failure = ""
        self._speed = _checked_speed(speed)
        self._ticks_per_cycle = self._cycle_length()
        self._snapshot = world.snapshot()
        self._thread = threading.Thread(target=self._run, name="world", daemon=True)

    # --- Life ------------------------------------------------------------------------------

    def start(self) -> None:
        """Let time pass."""
        self._thread.start()

    def close(self, timeout: float = 5.0) -> None:
        """End the thread and all streams; wait for it. Idempotent.

        Futures that nobody has worked on are cancelled. Raises TimeoutError when the thread is
        still busy in a callback.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"the world's thread did not end within {timeout} s")

    # --- The present -----------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The picture of the last cycle, or of the last change while the world stands still."""
        return self._snapshot

    @property
    def status(self) -> HostStatus:
        """How the world runs."""
        snapshot = self._snapshot
        return HostStatus(
            tick=snapshot.tick,
            seconds=snapshot.seconds,
            speed=self._speed,
            is_paused=snapshot.is_paused,
            run=self._run_number,
            ticks_per_cycle=self._ticks_per_cycle,
            lateness=self._lateness,
            max_lateness=self._max_lateness,
            skipped_ticks=self._skipped,
            failure=self._failure,
        )

    # --- Jobs ------------------------------------------------------------------------------

    def submit(self, job: Callable[[World], T]) -> Future[T]:
        """Have a function called with the world on the host's thread, between two ticks.

        For reading, and for what has no method here. The function's result or exception is the
        future's. After :meth:`close` the future is cancelled.
        """
        future: Future[T] = Future()

        def carry_out() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = job(self._world)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        if threading.current_thread() is self._thread:
            carry_out()
            return future
        with self._changed:
            if self._closing or self._failure:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                self._jobs.append((carry_out, future))
                self._changed.notify_all()
        return future

    def call(self, job: Callable[[World], T], timeout: float = 10.0) -> T:
        """Do the same and wait for the result.

        Raises what the function raises, WorldError when the host is closed, TimeoutError.
        """
        future = self.submit(job)
        if future.cancelled():
            raise WorldError("the world has ended")
        return future.result(timeout)

    # --- Players ---------------------------------------------------------------------------

    def act_soon(self, player: str, action: str, *args: Any) -> Future[Outcome]:
        """Let a player act; the future has its Outcome, or an ActionError."""

        def act(world: World) -> Outcome:
            outcome = world.act(player, action, *args)
            self._dirty = True
            if action in GOING_ACTIONS and outcome.succeeded:
                for listener in self._going_listeners:
                    _guarded(listener, player)
            return outcome

        return self.submit(act)

    def act(self, player: str, action: str, *args: Any, timeout: float = 10.0) -> Outcome:
        """Let a player act, and wait for what comes of it; raises ActionError."""
        return _result(self.act_soon(player, action, *args), timeout)

    def stop(self, player: str) -> Future[None]:
        """Let a robot stand still where it is, as if it had arrived; WorldError if unknown."""

        def halt(world: World) -> None:
            world.stop(player)
            self._dirty = True

        return self.submit(halt)

    def user_request(self, player: str, request: str, *args: Any) -> Future[None]:
        """Tell the agent of a human bot what its user asks for; see ``World.user_request``."""

        def ask(world: World) -> None:
            world.user_request(player, request, *args)
            self._dirty = True

        return self.submit(ask)

    def add_player(self, spec: BotSpec | EPartnerSpec) -> Future[str]:
        """Add one robot or e-partner; the future has its full name, or SpawnError."""

        def add(world: World) -> str:
            if isinstance(spec, BotSpec):
                name = world.add_robot(spec)
            else:
                name = world.add_epartner(spec)
            self._happened(HostEvent.ROSTER)
            return name

        return self.submit(add)

    def remove_player(self, name: str) -> Future[None]:
        """Take a robot or e-partner out of the world; WorldError if there is none."""

        def remove(world: World) -> None:
            world.remove(name)
            self._happened(HostEvent.ROSTER)

        return self.submit(remove)

    # --- Time ------------------------------------------------------------------------------

    def pause(self) -> Future[None]:
        """Let time stand still."""

        def pause(world: World) -> None:
            world.pause()
            self._happened(HostEvent.CLOCK)

        return self.submit(pause)

    def resume(self) -> Future[None]:
        """Let time pass."""

        def resume(world: World) -> None:
            world.resume()
            self._due = self._clock() + self._period()
            self._happened(HostEvent.CLOCK)

        return self.submit(resume)

    def set_speed(self, speed: float) -> Future[None]:
        """Let time pass ``speed`` times as fast as nominal; ValueError out of range."""

        def change(_: World) -> None:
            self._speed = _checked_speed(speed)
            self._ticks_per_cycle = self._cycle_length()
            self._due = self._clock() + self._period()
            self._happened(HostEvent.CLOCK)

        return self.submit(change)

    def step(self, ticks: int = 1) -> Future[int]:
        """Let a number of ticks pass in a paused world, as fast as it goes, cycle by cycle.

        The future has the tick after it, once everybody has perceived it. Other jobs are done in
        between. Raises (in the future) WorldError when the world is not paused or is reset
        meanwhile, ValueError for a bad number.
        """
        done: Future[int] = Future()

        def begin(world: World) -> None:
            if not world.is_paused:
                done.set_exception(WorldError("the world is running: pause it, then step"))
            elif isinstance(ticks, bool) or not 1 <= ticks <= MAX_STEP_TICKS:
                text = f"the number of ticks must be from 1 to {MAX_STEP_TICKS}, not {ticks!r}"
                done.set_exception(ValueError(text))
            else:
                self._waiting_steps.append((ticks, done))

        if self.submit(begin).cancelled():
            done.cancel()
            done.set_running_or_notify_cancel()
        return done

    def reset(self, *, seed: int | None = None) -> Future[None]:
        """Start again at tick 0 with the same map and players; see ``World.reset``."""
        return self._start_again(lambda world: world.reset(seed=seed))

    def load(
        self, spec: MapSpec, scenario: Scenario | None = None, *, seed: int | None = None
    ) -> Future[None]:
        """Start at tick 0 with another map, and another scenario if given; see ``World.load``.

        If it fails (the future has a MapError, ScenarioError or WorldError) all stays as it was.
        """
        return self._start_again(lambda world: world.load(spec, scenario, seed=seed))

    def _start_again(self, start: Callable[[World], None]) -> Future[None]:
        def again(world: World) -> None:
            start(world)
            self._fail_steps("the world was reset")
            self._run_number += 1
            self._due = self._clock() + self._period()
            for stream in self._streams:
                stream.begin_again()
            self._ticks_per_cycle = self._cycle_length()
            self._happened(HostEvent.RUN)

        return self.submit(again)

    # --- Watching --------------------------------------------------------------------------

    def open_percepts(
        self,
        player: str,
        on_cycle: Callable[[PerceptCycle], None] | None = None,
        *,
        on_ready: Callable[[], None] | None = None,
        on_closed: Callable[[], None] | None = None,
        capacity: int = DEFAULT_CAPACITY,
        as_player: bool = True,
    ) -> PerceptStream:
        """Return a new stream of what a player perceives, from the next cycle on.

        See :class:`PerceptStream`. ``as_player=False`` only listens: others do not perceive the
        robot as driven by somebody. Waits for the host's thread; raises WorldError for an
        unknown player.
        """
        stream = PerceptStream(
            player,
            on_cycle=on_cycle,
            on_ready=on_ready,
            on_closed=on_closed,
            capacity=capacity,
            as_player=as_player,
            run_on_host=self._change_stream,
        )

        def begin(world: World) -> None:
            stream.begin(world)
            self._streams.append(stream)
            self._dirty = True

        self.call(begin)
        return stream

    def _change_stream(self, change: Callable[[World], None]) -> Future[None]:
        def carry_out(world: World) -> None:
            change(world)
            self._dirty = True

        return self.submit(carry_out)

    def observe(
        self, callback: Callable[[Snapshot], None], *, min_period: float = 0.0
    ) -> Observation:
        """Have ``callback`` called with the world's picture now, and whenever it has changed.

        At most once in ``min_period`` seconds; the last picture before a standstill always comes.
        """
        observation = Observation(self, callback, min_period)

        def begin(_: World) -> None:
            self._observations.append(observation)
            observation.give(self._snapshot, self._clock())

        self.submit(begin)
        return observation

    def on_event(self, listener: Callable[[HostEvent], None]) -> None:
        """Have ``listener`` called after each event, on the host's thread. Before ``start``."""
        self._event_listeners.append(listener)

    def on_going(self, listener: Callable[[str], None]) -> None:
        """Have ``listener`` called with a robot's name when it gets another target.

        On the host's thread, and before that target's action returns. Before ``start``.
        """
        self._going_listeners.append(listener)

    def on_cycle(self, listener: Callable[[Snapshot, int], None]) -> None:
        """Have ``listener`` called after each cycle with its snapshot and stamp (ns).

        On the host's thread, after all percepts of the cycle have been handed over.
        Before ``start``.
        """
        self._cycle_listeners.append(listener)

    def _forget(self, observation: Observation) -> None:
        def forget(_: World) -> None:
            if observation in self._observations:
                self._observations.remove(observation)

        self.submit(forget)

    # --- The thread ------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._due = self._clock() + self._period()
            while True:
                with self._changed:
                    self._changed.wait_for(self._has_work, self._patience())
                    if self._closing:
                        break
                    jobs = list(self._jobs)
                    self._jobs.clear()
                for job, _ in jobs:
                    job()
                self._pass_time()
        except BaseException as error:
            LOG.exception("the world has failed")
            self._failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            self._end()

    def _has_work(self) -> bool:
        return bool(self._jobs) or self._closing or self._clock() >= self._next_moment()

    def _patience(self) -> float | None:
        """Return how long to wait for jobs, in seconds; None until there is one."""
        moment = self._next_moment()
        return None if moment == math.inf else max(0.0, moment - self._clock())

    def _next_moment(self) -> float:
        if self._waiting_steps or self._step is not None:
            return -math.inf
        if not self._world.is_paused:
            return self._due
        return -math.inf if self._dirty else math.inf

    def _pass_time(self) -> None:
        """Let the next cycle pass if it is due, or show what has changed while time stands."""
        world = self._world
        if world.is_paused:
            if self._step is None and self._waiting_steps:
                self._step = self._waiting_steps.popleft()
            if self._step is not None:
                self._pass_step()
            elif self._dirty:
                self._cycle(0)
            return
        self._fail_steps("the world was resumed")
        now = self._clock()
        if now < self._due:
            return
        self._lateness = now - self._due
        self._max_lateness = max(self._max_lateness, self._lateness)
        if self._lateness > MAX_LAG_SECONDS:
            lost = math.floor((self._lateness - MAX_LAG_SECONDS) / self._period())
            self._skipped += lost * self._ticks_per_cycle
            self._due += lost * self._period()
        self._due += self._period()
        self._cycle(self._ticks_per_cycle)

    def _pass_step(self) -> None:
        assert self._step is not None
        left, done = self._step
        ticks = min(left, self._ticks_per_cycle)
        self._cycle(ticks)
        if self._step is None:
            return  # a callback has reset the world
        left -= ticks
        self._step = (left, done) if left else None
        if not left:
            done.set_result(self._world.now)

    def _cycle(self, ticks: int) -> None:
        world = self._world
        world.step(ticks)
        self._dirty = False
        self._simulated += ticks * world.profile.tick_seconds
        stamp = round(self._simulated * 1e9) if self._simulated_stamps else time.time_ns()
        tick, seconds = world.now, world.seconds
        for stream in self._streams:
            stream.deliver(tick, seconds, stamp)
        if any(stream.is_closed for stream in self._streams):
            self._streams = [stream for stream in self._streams if not stream.is_closed]
        snapshot = self._snapshot = world.snapshot()
        for listener in self._cycle_listeners:
            _guarded(listener, snapshot, stamp)
        now = self._clock()
        rests = world.is_paused
        for observation in tuple(self._observations):
            if rests or observation.is_due(now):
                observation.give(snapshot, now)

    def _happened(self, event: HostEvent) -> None:
        self._dirty = True
        self._snapshot = self._world.snapshot()
        for listener in self._event_listeners:
            _guarded(listener, event)

    def _fail_steps(self, reason: str) -> None:
        steps = [*([self._step] if self._step else []), *self._waiting_steps]
        self._step = None
        self._waiting_steps.clear()
        for _, done in steps:
            done.set_exception(WorldError(reason))

    def _end(self) -> None:
        self._fail_steps("the world has ended")
        for listener in self._event_listeners:
            _guarded(listener, HostEvent.END)
        for stream in tuple(self._streams):
            stream.close()
        with self._changed:
            self._closing = True
            jobs = list(self._jobs)
            self._jobs.clear()
        for _, future in jobs:
            future.cancel()
            future.set_running_or_notify_cancel()

    def _period(self) -> float:
        """Return the seconds between two cycles."""
        return self._ticks_per_cycle * self._world.profile.tick_seconds / self._speed

    def _cycle_length(self) -> int:
        ticks_per_second = self._speed / self._world.profile.tick_seconds
        return max(1, math.ceil(ticks_per_second / self._cycle_rate - 1e-9))


def _checked_speed(speed: float) -> float:
    if not MIN_SPEED <= speed <= MAX_SPEED:
        raise ValueError(f"the speed must be from {MIN_SPEED} to {MAX_SPEED:g}, not {speed!r}")
    return float(speed)


def _result(future: Future[T], timeout: float) -> T:
    if future.cancelled():
        raise WorldError("the world has ended")
    return future.result(timeout)


def _guarded(callback: Callable[..., None], *args: object) -> None:
    """Call an observer, whose faults must not stop the world."""
    try:
        callback(*args)
    except Exception:
        LOG.exception("an observer of the world has failed")
