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

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from bw4t_bridge.host_status import LOG, HostEvent, HostStatus, Observation, guarded
from bw4t_bridge.jobs import Jobs, cancel
from bw4t_bridge.schedule import MAX_SPEED, MIN_SPEED, Schedule
from bw4t_bridge.stepping import Steps
from bw4t_bridge.streams import DEFAULT_CAPACITY, PerceptCycle, PerceptStream
from bw4t_world import Outcome, Snapshot, World, WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario

__all__ = [
    "GOING_ACTIONS",
    "MAX_SPEED",
    "MIN_SPEED",
    "HostEvent",
    "HostStatus",
    "Observation",
    "PerceptCycle",
    "PerceptStream",
    "WorldHost",
]

T = TypeVar("T")

GOING_ACTIONS = frozenset({"goTo", "goToBlock", "navigateObstacles"})
"""The actions that take the place of what a robot was told before."""


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
        if paused:
            world.pause()
        self._streams: list[PerceptStream] = []
        self._observations: list[Observation] = []
        self._event_listeners: list[Callable[[HostEvent], None]] = []
        self._going_listeners: list[Callable[[str], None]] = []
        self._cycle_listeners: list[Callable[[Snapshot, int], None]] = []
        self._steps = Steps()
        self._dirty = True
        self._run_number = 0
        self._failure = ""
        self._schedule = Schedule(clock, world.profile.tick_seconds, speed, cycle_rate)
        self._snapshot = world.snapshot()
        self._thread = threading.Thread(target=self._run, name="world", daemon=True)
        self._jobs = Jobs(self._thread)

    # --- Life ------------------------------------------------------------------------------

    def start(self) -> None:
        """Let time pass."""
        self._thread.start()

    def close(self, timeout: float = 5.0) -> None:
        """End the thread and all streams; wait for it. Idempotent.

        Futures that nobody has worked on are cancelled. Raises TimeoutError when the thread is
        still busy in a callback.
        """
        self._jobs.end()
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
        snapshot, schedule = self._snapshot, self._schedule
        return HostStatus(
            tick=snapshot.tick,
            seconds=snapshot.seconds,
            speed=schedule.speed,
            is_paused=snapshot.is_paused,
            run=self._run_number,
            ticks_per_cycle=schedule.ticks_per_cycle,
            lateness=schedule.lateness,
            max_lateness=schedule.max_lateness,
            skipped_ticks=schedule.skipped_ticks,
            failure=self._failure,
        )

    # --- Jobs ------------------------------------------------------------------------------

    def submit(self, job: Callable[[World], T]) -> Future[T]:
        """Have a function called with the world on the host's thread, between two ticks.

        For reading, and for what has no method here. The function's result or exception is the
        future's. After :meth:`close` the future is cancelled.
        """
        return self._jobs.submit(lambda: job(self._world))

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
                    guarded(listener, player)
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
            self._schedule.restart()
            self._happened(HostEvent.CLOCK)

        return self.submit(resume)

    def set_speed(self, speed: float) -> Future[None]:
        """Let time pass ``speed`` times as fast as nominal; ValueError out of range."""

        def change(_: World) -> None:
            self._schedule.set_speed(speed)
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
            if world.is_paused:
                self._steps.add(ticks, done)
            else:
                done.set_exception(WorldError("the world is running: pause it, then step"))

        if self.submit(begin).cancelled():
            cancel(done)
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
            self._steps.fail("the world was reset")
            self._run_number += 1
            self._schedule.restart()
            for stream in self._streams:
                stream.begin_again()
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
        observation = Observation(callback, min_period, self._forget)

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
            self._schedule.restart()
            while (jobs := self._jobs.take(self._is_due, self._patience)) is not None:
                for job in jobs:
                    job()
                self._pass_time()
        except BaseException as error:
            LOG.exception("the world has failed")
            self._failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            self._end()

    def _is_due(self) -> bool:
        return self._clock() >= self._next_moment()

    def _patience(self) -> float | None:
        """Return how long to wait for jobs, in seconds; None until there is one."""
        moment = self._next_moment()
        return None if moment == math.inf else max(0.0, moment - self._clock())

    def _next_moment(self) -> float:
        if self._steps:
            return -math.inf
        if not self._world.is_paused:
            return self._schedule.due
        return -math.inf if self._dirty else math.inf

    def _pass_time(self) -> None:
        """Let the next cycle pass if it is due, or show what has changed while time stands."""
        world = self._world
        if world.is_paused:
            if self._steps:
                step = self._steps.first
                ticks = min(step.left, self._schedule.ticks_per_cycle)
                self._cycle(ticks)
                self._steps.passed(step, ticks, world.now)
            elif self._dirty:
                self._cycle(0)
            return
        self._steps.fail("the world was resumed")
        if self._schedule.is_due():
            self._cycle(self._schedule.begin_cycle())

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
            guarded(listener, snapshot, stamp)
        now = self._clock()
        rests = world.is_paused
        for observation in tuple(self._observations):
            if rests or observation.is_due(now):
                observation.give(snapshot, now)

    def _happened(self, event: HostEvent) -> None:
        self._dirty = True
        self._snapshot = self._world.snapshot()
        for listener in self._event_listeners:
            guarded(listener, event)

    def _end(self) -> None:
        self._steps.fail("the world has ended")
        for listener in self._event_listeners:
            guarded(listener, HostEvent.END)
        for stream in tuple(self._streams):
            stream.close()
        self._jobs.close()


def _result(future: Future[T], timeout: float) -> T:
    if future.cancelled():
        raise WorldError("the world has ended")
    return future.result(timeout)
