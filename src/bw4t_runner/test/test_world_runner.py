# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The runner: time, jobs, percept streams and observers of a world on its own thread."""

from __future__ import annotations

import threading
import time

import pytest

from bw4t_runner.events import Cycle, Going, RunnerEvent
from bw4t_runner.jobs import WorldEndedError
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import ActionError, SpawnError, World, WorldError
from bw4t_world.maps import MapError, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, Controller, Scenario
from legacy_robots_core.link.base import LinkObserver, LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT, Recorder


def make_world(robots=1, **options):
    scenario = Scenario(bots=(BotSpec(amount=robots),))
    return World(load_map("nine_rooms"), scenario, seed=1, **options)


class Observer(LinkObserver):
    """Records what a runner tells."""

    def __init__(self):
        self.snapshots = Recorder("snapshots")
        self.events = []
        self.statuses = Recorder("statuses")
        self.problems = Recorder("problems")
        self.hook = lambda event: None

    def on_status(self, status):
        self.statuses.add(status)

    def on_event(self, event):
        if isinstance(event, Cycle):
            self.snapshots.add(event.snapshot)
        else:
            self.events.append(event)
        self.hook(event)

    def on_problem(self, counter, text):
        self.problems.add((counter, text))


@pytest.fixture
def observer():
    return Observer()


@pytest.fixture
def start(observer):
    """Start runners that end with the test."""
    runners = []

    def start(world=None, **options):
        runner = WorldRunner(world or make_world(), observer, **options)
        runners.append(runner)
        runner.start()
        return runner

    yield start
    for runner in runners:
        runner.close()


class Clock:
    """Time that stands still until it is set; who waits for it looks every millisecond."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


# --- Time ----------------------------------------------------------------------------------


def test_time_passes_at_the_nominal_rate(start, observer):
    begun = time.monotonic()
    start()
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 50)
    assert 0.9 < time.monotonic() - begun < 4.0
    ticks = [snapshot.tick for snapshot in observer.snapshots.items]
    assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))  # a cycle a tick


def test_a_faster_world_has_more_ticks_in_a_cycle_and_keeps_their_number(start, observer):
    runner = start(speed=10.0, cycle_rate=50.0)
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 500)
    assert runner.world_status.ticks_per_cycle == 10
    assert all(snapshot.tick % 10 == 0 for snapshot in observer.snapshots.items)


def test_what_the_thread_is_late_by_is_made_up_for_up_to_a_second(start):
    clock = Clock()
    runner = start(clock=clock)
    cycles = Recorder("cycles")
    runner.open_percepts("Bot_1", lambda cycle: cycles.add(cycle.tick))
    clock.now = 0.501
    runner.submit(lambda world: None)
    cycles.wait_for(lambda tick: tick == 25)
    clock.now = 100.0
    runner.submit(lambda world: None)
    cycles.wait_for(lambda tick: tick >= 74)
    status = runner.world_status
    assert status.tick + status.skipped_ticks in (4999, 5000, 5001)
    assert status.max_lateness == pytest.approx(99.48, abs=0.02)


def test_a_paused_world_stands_still_and_steps(start):
    runner = start(paused=True)
    runner.act("Bot_1", "goTo", "RoomC1")
    assert runner.step(7).result(TIMEOUT) == 7
    assert runner.step().result(TIMEOUT) == 8
    assert runner.world_status.tick == 8
    assert runner.world_status.is_paused
    runner.resume().result(TIMEOUT)
    with pytest.raises(WorldError, match="pause it"):
        runner.step().result(TIMEOUT)
    runner.pause().result(TIMEOUT)
    assert runner.snapshot.is_paused


@pytest.mark.parametrize("ticks", [0, -1, True, 10**9])
def test_bad_numbers_of_ticks_are_refused(start, ticks):
    with pytest.raises(ValueError, match="number of ticks"):
        start(paused=True).step(ticks).result(TIMEOUT)


def test_a_step_ends_when_the_world_is_reset(start, observer):
    runner = start(paused=True)
    entered, go_on = threading.Event(), threading.Event()

    def hold(event):
        entered.set()
        go_on.wait(TIMEOUT)

    runner.call(lambda world: setattr(observer, "hook", hold))
    step = runner.step(1000)
    assert entered.wait(TIMEOUT)
    reset = runner.reset()
    go_on.set()
    reset.result(TIMEOUT)
    with pytest.raises(WorldError, match="was reset"):
        step.result(TIMEOUT)
    assert runner.world_status.run == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf"), 1001])
def test_bad_speeds_are_refused(start, speed):
    with pytest.raises(ValueError, match="speed"):
        WorldRunner(make_world(), speed=speed)
    with pytest.raises(ValueError, match="speed"):
        start().set_speed(speed).result(TIMEOUT)


def test_the_speed_can_be_changed(start):
    runner = start(paused=True)
    runner.set_speed(20).result(TIMEOUT)
    assert runner.world_status.speed == 20
    assert runner.world_status.ticks_per_cycle == 20


# --- Jobs ----------------------------------------------------------------------------------


def test_jobs_are_done_on_the_thread_of_the_world(start):
    runner = start()
    assert runner.call(lambda world: threading.current_thread().name) == "world"
    # also from a callback, at once
    assert runner.call(lambda world: runner.call(lambda world: world.names)) == ("Bot_1",)


def test_the_exception_of_a_job_is_its_caller_s_and_the_world_goes_on(start):
    runner = start()
    with pytest.raises(ZeroDivisionError):
        runner.call(lambda world: 1 / 0)
    with pytest.raises(ActionError, match="unknown place"):
        runner.act("Bot_1", "goTo", "Nowhere")
    assert runner.call(lambda world: world.names) == ("Bot_1",)


def test_after_the_end_jobs_are_refused(start):
    runner = start()
    runner.close()
    runner.close()
    for future in (
        runner.submit(lambda world: None),
        runner.step(),
        runner.act_soon("Bot_1", "putDown"),
    ):
        assert isinstance(future.exception(TIMEOUT), WorldEndedError)
    with pytest.raises(WorldError, match="ended"):
        runner.act("Bot_1", "putDown")


def test_jobs_that_wait_when_the_runner_ends_are_refused(start):
    runner = start()
    entered, go_on = threading.Event(), threading.Event()

    def hold(world):
        entered.set()
        go_on.wait(TIMEOUT)

    runner.submit(hold)
    assert entered.wait(TIMEOUT)
    waiting = runner.submit(lambda world: None)
    closer = threading.Thread(target=runner.close)
    closer.start()
    until(lambda: runner.submit(lambda world: None).done())
    go_on.set()
    closer.join()
    assert isinstance(waiting.exception(TIMEOUT), WorldEndedError)


def test_jobs_of_a_runner_that_never_started_are_refused():
    runner = WorldRunner(make_world())
    waiting = runner.submit(lambda world: None)
    runner.close()
    assert isinstance(waiting.exception(TIMEOUT), WorldEndedError)


# --- Percepts ------------------------------------------------------------------------------


def test_a_stream_is_the_percepts_of_the_world_cycle_by_cycle(start):
    runner = start(paused=True)
    got = []
    runner.open_percepts("Bot_1", got.append)
    runner.act("Bot_1", "goTo", "RoomC1")
    runner.step(300).result(TIMEOUT)
    cycles = [cycle for cycle in got if cycle.tick > 0]
    world = make_world()
    consumer = world.connect("Bot_1")
    world.act("Bot_1", "goTo", "RoomC1")
    expected = []
    first = consumer.poll()
    for _ in range(300):
        world.tick()
        expected.append(consumer.poll())
    assert first.add
    assert [cycle.tick for cycle in cycles] == list(range(1, 301))
    assert [cycle.update for cycle in cycles][1:] == expected[1:]


def test_consumers_do_not_disturb_each_other(start):
    runner = start(paused=True)
    first, second, late = [], [], []
    runner.open_percepts("Bot_1", first.append)
    runner.open_percepts("Bot_1", second.append)
    runner.step(2).result(TIMEOUT)
    runner.open_percepts("Bot_1", late.append)
    runner.step(1).result(TIMEOUT)
    for cycles in (first, second, late):
        begin = next(cycle for cycle in cycles if cycle.number == 0)
        assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_message_is_not_lost_when_a_stream_is_restarted(start):
    runner = start(make_world(2), paused=True)
    cycles = []
    stream = runner.open_percepts("Bot_1", cycles.append)
    runner.step().result(TIMEOUT)

    def send_and_restart(world):
        world.act("Bot_2", "sendMessage", "Bot_1", "hello")
        stream.restart()

    runner.call(send_and_restart)
    runner.step().result(TIMEOUT)
    heard = [args for cycle in cycles for args in cycle.update.named("message")]
    assert heard == [("Bot_2", "hello")]


def test_a_consumer_of_an_unknown_player_is_refused(start):
    with pytest.raises(WorldError, match="Stranger"):
        start().open_percepts("Stranger", print)


def test_streams_end_with_their_player_and_begin_anew_with_the_world(start):
    runner = start(make_world(2), paused=True)
    kept = []
    gone = runner.open_percepts("Bot_2", print)
    runner.open_percepts("Bot_1", kept.append)
    runner.step(3).result(TIMEOUT)
    runner.remove_player("Bot_2").result(TIMEOUT)
    runner.step(1).result(TIMEOUT)
    assert gone.is_closed
    kept.clear()
    runner.reset().result(TIMEOUT)
    runner.step(1).result(TIMEOUT)
    begin = kept[0]
    assert (begin.number, begin.tick) == (0, 0)
    assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_robot_is_a_player_for_others_while_a_stream_drives_it(start):
    runner = start(make_world(2), paused=True)
    cycles = []
    runner.open_percepts("Bot_1", cycles.append)
    listener = runner.open_percepts("Bot_2", print, as_player=False)
    runner.step().result(TIMEOUT)
    assert not [args for cycle in cycles for args in cycle.update.named("player")]
    listener.close()
    runner.open_percepts("Bot_2", print)
    runner.step().result(TIMEOUT)
    players = [args for cycle in cycles for args in cycle.update.named("player")]
    assert players == [("Bot_2",)]


def test_a_failing_consumer_does_not_stop_the_world(start, observer):
    runner = start()

    def fail(_):
        raise RuntimeError("broken")

    runner.open_percepts("Bot_1", fail)
    counter, text = observer.problems.wait_for()
    assert counter == "exceptions"
    assert "percepts of Bot_1 failed" in text
    assert "RuntimeError: broken" in text
    tick = runner.snapshot.tick
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick > tick + 3)
    assert runner.status.connections == 1


# --- Faults --------------------------------------------------------------------------------


def failing_step(runner, times):
    """Have the world's next steps fail, ``times`` times."""

    def patch(world):
        step, left = world.step, [times]

        def fail(ticks):
            if left[0]:
                left[0] -= 1
                raise ZeroDivisionError("a fault of the test")
            return step(ticks)

        world.step = fail

    runner.call(patch)


def test_an_exception_of_the_world_is_a_fault_and_the_same_run_goes_on(start, observer):
    runner = start()
    cycles = Recorder("cycles")
    runner.open_percepts("Bot_1", cycles.add)
    tick = cycles.wait_for(lambda cycle: cycle.number > 2).tick
    cycles.clear()
    failing_step(runner, 1)
    fault = observer.statuses.wait_for(lambda status: status.state is LinkState.FAULT)
    assert fault.detail == "unexpected ZeroDivisionError: a fault of the test"
    assert "Traceback" in observer.problems.wait_for()[1]
    observer.statuses.wait_for(
        lambda status: status.state is LinkState.CONNECTED and status.connections == 2
    )
    # All percepts are sent again.
    again = cycles.wait_for(lambda cycle: cycle.number == 0)
    assert again.tick >= tick
    assert "ownName" in {percept.name for percept in again.update.add}
    assert runner.world_status.run == 0


def test_a_run_that_cannot_go_on_begins_anew(start, observer):
    runner = start()
    runner.act("Bot_1", "goTo", "RoomC1")
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 5)
    failing_step(runner, 2)
    observer.statuses.wait_for(lambda status: status.connections == 3)
    assert RunnerEvent.RUN in observer.events
    observer.snapshots.clear()
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 5)
    assert runner.world_status.run == 1
    assert runner.snapshot.robots[0].state == "arrived"


def test_a_step_ends_when_the_world_fails(start):
    runner = start(paused=True)
    failing_step(runner, 1)
    with pytest.raises(WorldError, match="a fault of the test"):
        runner.step(5).result(TIMEOUT)
    assert runner.step(5).result(TIMEOUT) == 5


def test_an_exception_of_the_observer_is_a_fault_wherever_it_happens(start, observer):
    runner = start(paused=True)

    def fail(event):
        observer.hook = lambda event: None
        raise ZeroDivisionError("a fault of the test")

    runner.call(lambda world: setattr(observer, "hook", fail))
    assert runner.add_player(BotSpec()).result(TIMEOUT) == "Bot_2"  # the job itself has succeeded
    fault = observer.statuses.wait_for(lambda status: status.state is LinkState.FAULT)
    assert "a fault of the test" in fault.detail
    observer.statuses.wait_for(lambda status: status.connections == 2)
    assert runner.world_status.run == 0


# --- Events --------------------------------------------------------------------------------


def test_changes_of_a_world_that_stands_still_make_a_cycle(start, observer):
    runner = start(make_world(2))
    runner.pause().result(TIMEOUT)
    last = observer.snapshots.wait_for(lambda snapshot: snapshot.is_paused)
    runner.remove_player("Bot_2").result(TIMEOUT)
    fewer = observer.snapshots.wait_for(lambda snapshot: len(snapshot.robots) == 1)
    assert fewer.tick == last.tick


def test_events_tell_what_happened(start, observer):
    runner = start()
    runner.pause()
    runner.add_player(BotSpec(name="Ann", controller=Controller.HUMAN)).result(TIMEOUT)
    assert "Ann_1" in [robot.name for robot in runner.snapshot.robots]
    runner.load(load_map("large")).result(TIMEOUT)
    assert len(runner.snapshot.map.zones) > 60
    assert observer.events == [RunnerEvent.CLOCK, RunnerEvent.ROSTER, RunnerEvent.RUN]
    with pytest.raises(MapError):
        runner.load(MapSpec()).result(TIMEOUT)
    assert runner.world_status.run == 1


def test_no_room_for_another_robot_is_an_error_of_the_caller(start):
    runner = start(make_world(3))
    with pytest.raises(SpawnError, match="spawn points are taken"):
        runner.add_player(BotSpec()).result(TIMEOUT)
    assert len(runner.snapshot.robots) == 3


def test_another_target_is_announced_and_a_robot_can_be_stopped(start, observer):
    runner = start(paused=True)
    runner.act("Bot_1", "goTo", "RoomC1")
    runner.act("Bot_1", "pickUp")
    with pytest.raises(ActionError):
        runner.act("Bot_1", "goTo", "Nowhere")
    assert observer.events == [Going("Bot_1")]
    runner.step(30).result(TIMEOUT)
    runner.call(lambda world: world.stop("Bot_1"))
    before = runner.snapshot.robots[0]
    runner.step(30).result(TIMEOUT)
    after = runner.snapshot.robots[0]
    assert (after.x, after.y, after.state) == (before.x, before.y, "arrived")


def test_a_restarted_stream_begins_at_once_in_a_world_that_stands_still(start):
    runner = start(paused=True)
    cycles = Recorder("cycles")
    stream = runner.open_percepts("Bot_1", cycles.add)
    assert cycles.wait_for().number == 0
    cycles.clear()
    stream.restart()
    again = cycles.wait_for()
    assert (again.number, again.tick) == (0, 0)
    assert "zone" in {percept.name for percept in again.update.add}
