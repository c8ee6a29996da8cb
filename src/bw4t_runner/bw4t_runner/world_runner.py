# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link to a blocks world in this process: a thread that owns it and lets its time pass.

    runner = WorldRunner(World(load_map("nine_rooms"), Scenario(bots=(BotSpec(),))))
    runner.start()
    runner.act("Bot_1", "goTo", "RoomC1")             # from any thread; Outcome or ActionError
    stream = runner.open_percepts("Bot_1", print)     # a PerceptCycle each cycle
    await asyncio.wrap_future(runner.submit(lambda world: world.measures()))
    runner.close()

A *cycle* is what all players perceive at one moment: some ticks pass, all streams are polled, the
observer gets a snapshot. At nominal speed there is a cycle a tick; in a faster world there are as
many ticks in a cycle as keep the cycles at ``cycle_rate`` a second.

The observer gets the events of :mod:`bw4t_runner.events`. An exception on the runner's
thread is a fault of the link: it ends all steps, and the same world goes on a moment later. If its
next cycle fails too, the run begins anew. All methods of :class:`WorldRunner` may be called on any
thread. What waits for the runner's thread says so; do not call it on an event loop, but ``submit``
and await the future. Callbacks run on the runner's thread: they must be short, and may call
everything here that does not wait. ROS-free.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from bw4t_runner.events import Cycle, Going, LoggingObserver, RunnerEvent, WorldStatus
from bw4t_runner.jobs import Jobs
from bw4t_runner.percept_streams import PerceptCycle, PerceptStream
from bw4t_runner.schedule import COARSENESS_S, Schedule
from bw4t_runner.stepping import Steps
from bw4t_runner.world_port import WorldPort
from bw4t_world import Outcome, Snapshot, WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.scenarios import BotSpec, EPartnerSpec, Scenario
from legacy_robots_core.link.base import Link, LinkObserver

T = TypeVar("T")

GOING_ACTIONS = frozenset({"goTo", "goToBlock", "navigateObstacles"})
"""The actions that replace a robot's earlier order."""


class WorldRunner(Link):
    """Owns a world on one thread.

    Parameters
    ----------
    world
        The world; only the runner may touch it from now on.
    observer
        Gets status, events and problems; by default they are logged.
    peer
        Where the world runs, for the status.
    speed
        Simulated seconds in a second, see :mod:`bw4t_runner.schedule` for the range.
    paused
        Whether time stands still until :meth:`resume` or :meth:`step`.
    cycle_rate
        Cycles a second at most, see the module.
    stamps
        Returns the present in ns, for stamps. None: stamps are the simulated time since the runner
        was made, which never goes back (a reset only begins a new run).
    clock
        Seconds that never go back.

    """

    is_remote = False
    """Whether the world is behind a connection, see :mod:`bw4t_runner.remote_runner`."""

    def __init__(
        self,
        world: WorldPort,
        observer: LinkObserver | None = None,
        *,
        peer: str = "this process",
        speed: float = 1.0,
        paused: bool = False,
        cycle_rate: float = 50.0,
        stamps: Callable[[], int] | None = time.time_ns,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(peer, observer or LoggingObserver(), name="world")
        self._world = world
        self._clock = clock
        self._stamps = stamps
        self._simulated = 0.0
        if paused:
            world.pause()
        self._streams: list[PerceptStream] = []
        self._steps = Steps()
        self._dirty = True
        self._run_number = 0
        self._unfinished_cycles = 0
        self._failure: Exception | None = None
        self._schedule = Schedule(clock, world.profile.tick_seconds, speed, cycle_rate)
        self._snapshot = world.snapshot()
        self._jobs = Jobs(self._thread)

    def close(self, timeout: float = 5.0) -> None:
        """End the thread and all streams; wait for it. Idempotent.

        Jobs that have not begun get WorldEndedError. Raises TimeoutError when the thread is still
        busy in a callback.
        """
        super().close(timeout)
        self._jobs.close()

    # --- The present -----------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the last cycle, or of the last change while the world stands still."""
        return self._snapshot

    @property
    def stamp(self) -> int:
        """The present as cycles are stamped with it, in ns."""
        return round(self._simulated * 1e9) if self._stamps is None else self._stamps()

    @property
    def world_status(self) -> WorldStatus:
        """How the world runs."""
        snapshot, schedule = self._snapshot, self._schedule
        return WorldStatus(
            tick=snapshot.tick,
            seconds=snapshot.seconds,
            speed=schedule.speed,
            is_paused=snapshot.is_paused,
            run=self._run_number,
            ticks_per_cycle=schedule.ticks_per_cycle,
            lateness=schedule.lateness,
            max_lateness=schedule.max_lateness,
            skipped_ticks=schedule.skipped_ticks,
        )

    # --- Jobs ------------------------------------------------------------------------------

    def submit(self, job: Callable[[WorldPort], T]) -> Future[T]:
        """Have a function called with the world on the runner's thread, between two ticks.

        For reading, and for what has no method here. The function's result or exception is the
        future's; after :meth:`close` it is WorldEndedError.
        """
        return self._jobs.submit(lambda: job(self._world))

    def call(self, job: Callable[[WorldPort], T], timeout: float = 10.0) -> T:
        """Do the same and wait for the result.

        Raises what the function raises, WorldEndedError when the runner is closed, TimeoutError.
        """
        future = self.submit(job)
        if wait([future], timeout).not_done:
            future.cancel()  # what the caller has given up is not to be done later
            raise TimeoutError(f"the world stands still for more than {timeout:g} s")
        return future.result()

    # --- Players ---------------------------------------------------------------------------

    def act_soon(self, player: str, action: str, *args: Any) -> Future[Outcome]:
        """Let a player act; the future has its Outcome, or an ActionError."""

        def act(world: WorldPort) -> Outcome:
            outcome = world.act(player, action, *args)
            if action in GOING_ACTIONS and outcome.succeeded:
                self._tell(Going(player))
            return outcome

        return self._change(act)

    def act(self, player: str, action: str, *args: Any, timeout: float = 10.0) -> Outcome:
        """Let a player act, and wait for the outcome; raises ActionError."""
        return self.act_soon(player, action, *args).result(timeout)

    def user_request(self, player: str, request: str, *args: Any) -> Future[None]:
        """Tell the agent of a human bot what its user asks for; see ``World.user_request``."""
        return self._change(lambda world: world.user_request(player, request, *args))

    def add_player(self, spec: BotSpec | EPartnerSpec) -> Future[str]:
        """Add one robot or e-partner; the future has its full name, or SpawnError."""

        def add(world: WorldPort) -> str:
            if isinstance(spec, BotSpec):
                return world.add_robot(spec)
            return world.add_epartner(spec)

        return self._change(add, RunnerEvent.ROSTER)

    def remove_player(self, name: str) -> Future[None]:
        """Take a robot or e-partner out of the world; WorldError if there is none."""
        return self._change(lambda world: world.remove(name), RunnerEvent.ROSTER)

    # --- Time ------------------------------------------------------------------------------

    def pause(self) -> Future[None]:
        """Let time stand still."""
        return self._change(lambda world: world.pause(), RunnerEvent.CLOCK)

    def resume(self) -> Future[None]:
        """Let time pass."""

        def resume(world: WorldPort) -> None:
            world.resume()
            self._schedule.restart()

        return self._change(resume, RunnerEvent.CLOCK)

    def set_speed(self, speed: float) -> Future[None]:
        """Let time pass ``speed`` times as fast as nominal; ValueError out of range."""
        return self._change(lambda _: self._schedule.set_speed(speed), RunnerEvent.CLOCK)

    def step(self, ticks: int = 1) -> Future[int]:
        """Let a number of ticks pass in a paused world, as fast as it goes, cycle by cycle.

        The future has the tick after it, once all players have perceived it. Other jobs are done
        in between. Raises (in the future) WorldError when the world is not paused or is reset
        meanwhile, ValueError for a bad number.
        """
        done: Future[int] = Future()

        def begin(world: WorldPort) -> None:
            if not world.is_paused:
                raise WorldError("the world is running: pause it, then step")
            self._steps.add(ticks, done)

        def on_begun(begun: Future[None]) -> None:
            if (error := begun.exception()) is not None:
                done.set_exception(error)

        self.submit(begin).add_done_callback(on_begun)
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

    def _start_again(self, start: Callable[[WorldPort], None]) -> Future[None]:
        def again(world: WorldPort) -> None:
            start(world)
            self._begin_run()

        return self.submit(again)

    def _begin_run(self) -> None:
        self._steps.fail("the world was reset")
        self._run_number += 1
        self._schedule.restart()
        for stream in self._streams:
            stream.begin_again()
        self._happened(RunnerEvent.RUN)

    # --- Percepts --------------------------------------------------------------------------

    def open_percepts(
        self, player: str, on_cycle: Callable[[PerceptCycle], None], *, as_player: bool = True
    ) -> PerceptStream:
        """Return a new stream of what a player perceives; ``on_cycle`` gets it from now on.

        ``as_player=False`` only listens: others do not perceive the robot as driven. Waits for the
        runner's thread; raises WorldError for an unknown player, TimeoutError.
        """
        stream = PerceptStream(
            player, on_cycle, self._change, self.observer.on_problem, as_player=as_player
        )

        def begin(world: WorldPort) -> None:
            stream.begin(world)
            self._streams.append(stream)
            self._dirty = True

        try:
            self.call(begin)
        except TimeoutError:
            stream.close()  # where it has just begun
            raise
        return stream

    def _change(
        self, change: Callable[[WorldPort], T], event: RunnerEvent | None = None
    ) -> Future[T]:
        def carry_out(world: WorldPort) -> T:
            result = change(world)
            self._dirty = True
            if event is not None:
                self._happened(event)
            return result

        return self.submit(carry_out)

    # --- The thread ------------------------------------------------------------------------

    def serve(self) -> None:
        """Serve one connection."""
        if self._unfinished_cycles > 1:  # to go on has failed at once
            self._unfinished_cycles = 0
            self._world.reset()
            self._begin_run()
        self._failure = None
        self.connected(self._peer)
        for stream in self._streams:
            stream.restart()  # a cycle may have been lost
        self._schedule.restart()
        self._dirty = True
        try:
            while (jobs := self._jobs.take(self._is_due, self._time_to_wait)) is not None:
                for job in jobs:
                    job()
                self._pass_time()
                if self._failure is not None:
                    failure, self._failure = self._failure, None
                    raise failure
        except Exception as error:
            self._steps.fail(f"the world failed: {error}")
            raise

    def interrupt(self) -> None:
        """Wake the link's thread."""
        self._jobs.end()

    def release(self) -> None:
        """Release what outlives a connection."""
        self._steps.fail("the world has ended")
        for stream in tuple(self._streams):
            stream.close()

    def _tell(self, event: object) -> None:
        try:
            self.observer.on_event(event)
        except Exception as error:  # of the link, not of the job in which it happens
            self._failure = error

    def _is_due(self) -> bool:
        return self._clock() >= self._next_moment() - COARSENESS_S

    def _time_to_wait(self) -> float | None:
        """Return how long to wait for jobs, in seconds; None until there is one."""
        moment = self._next_moment()
        if moment == math.inf or (self._follows and moment > self._clock()):
            return None
        return max(0.0, moment - self._clock())

    def _next_moment(self) -> float:
        if self._steps:
            return -math.inf
        if not self._world.is_paused:
            return self._schedule.due
        return -math.inf if self._dirty else math.inf

    def time_passed(self) -> None:
        """Let the cycles pass that have become due. Thread-safe."""
        self._jobs.submit(lambda: None)

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
        self._unfinished_cycles += 1
        world.step(ticks)
        self._dirty = False
        self._simulated += ticks * world.profile.tick_seconds
        tick, seconds, stamp = world.now, world.seconds, self.stamp
        for stream in self._streams:
            stream.deliver(tick, seconds, stamp)
        self._streams = [stream for stream in self._streams if not stream.is_closed]
        self._snapshot = world.snapshot()
        self._unfinished_cycles = 0
        self._tell(Cycle(self._snapshot, stamp))

    def _happened(self, event: RunnerEvent) -> None:
        self._dirty = True
        self._snapshot = self._world.snapshot()
        self._tell(event)
