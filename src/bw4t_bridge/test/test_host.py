# SPDX-License-Identifier: Apache-2.0
"""The host: time, jobs, percept streams and observers of a world on its own thread."""

from __future__ import annotations

import threading
import time

import pytest

from bw4t_bridge.host import WorldHost
from bw4t_bridge.host_events import Cycle, Going, HostEvent
from bw4t_bridge.jobs import WorldEndedError
from bw4t_world import ActionError, SpawnError, World, WorldError
from bw4t_world.maps import MapError, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, Controller, Scenario
from legacy_robots_common.link import LinkObserver, LinkState
from legacy_robots_common.testing.recorder import Recorder

TIMEOUT = 40.0


def make_world(robots=1, **options):
    scenario = Scenario(bots=(BotSpec(amount=robots),))
    return World(load_map("nine_rooms"), scenario, seed=1, **options)


class Observer(LinkObserver):
    """Records what a host tells."""

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
    """Start hosts that end with the test."""
    hosts = []

    def start(world=None, **options):
        host = WorldHost(world or make_world(), observer, **options)
        hosts.append(host)
        host.start()
        return host

    yield start
    for host in hosts:
        host.close()


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
    host = start(speed=10.0, cycle_rate=50.0)
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 500)
    assert host.world_status.ticks_per_cycle == 10
    assert all(snapshot.tick % 10 == 0 for snapshot in observer.snapshots.items)


def test_what_the_thread_is_late_by_is_made_up_for_up_to_a_second(start):
    clock = Clock()
    host = start(clock=clock)
    cycles = Recorder("cycles")
    host.open_percepts("Bot_1", lambda cycle: cycles.add(cycle.tick))
    clock.now = 0.501
    host.submit(lambda world: None)
    cycles.wait_for(lambda tick: tick == 25)
    clock.now = 100.0
    host.submit(lambda world: None)
    cycles.wait_for(lambda tick: tick >= 74)
    status = host.world_status
    assert status.tick + status.skipped_ticks in (4999, 5000, 5001)
    assert status.max_lateness == pytest.approx(99.48, abs=0.02)


def test_a_paused_world_stands_still_and_steps(start):
    host = start(paused=True)
    host.act("Bot_1", "goTo", "RoomC1")
    assert host.step(7).result(TIMEOUT) == 7
    assert host.step().result(TIMEOUT) == 8
    assert host.world_status.tick == 8
    assert host.world_status.is_paused
    host.resume().result(TIMEOUT)
    with pytest.raises(WorldError, match="pause it"):
        host.step().result(TIMEOUT)
    host.pause().result(TIMEOUT)
    assert host.snapshot.is_paused


@pytest.mark.parametrize("ticks", [0, -1, True, 10**9])
def test_bad_numbers_of_ticks_are_refused(start, ticks):
    with pytest.raises(ValueError, match="number of ticks"):
        start(paused=True).step(ticks).result(TIMEOUT)


def test_a_step_ends_when_the_world_is_reset(start, observer):
    host = start(paused=True)
    entered, go_on = threading.Event(), threading.Event()

    def hold(event):
        entered.set()
        go_on.wait(TIMEOUT)

    host.call(lambda world: setattr(observer, "hook", hold))
    step = host.step(1000)
    assert entered.wait(TIMEOUT)
    reset = host.reset()
    go_on.set()
    reset.result(TIMEOUT)
    with pytest.raises(WorldError, match="was reset"):
        step.result(TIMEOUT)
    assert host.world_status.run == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf"), 1001])
def test_bad_speeds_are_refused(start, speed):
    with pytest.raises(ValueError, match="speed"):
        WorldHost(make_world(), speed=speed)
    with pytest.raises(ValueError, match="speed"):
        start().set_speed(speed).result(TIMEOUT)


def test_the_speed_can_be_changed(start):
    host = start(paused=True)
    host.set_speed(20).result(TIMEOUT)
    assert host.world_status.speed == 20
    assert host.world_status.ticks_per_cycle == 20


# --- Jobs ----------------------------------------------------------------------------------


def test_jobs_are_done_on_the_thread_of_the_world(start):
    host = start()
    assert host.call(lambda world: threading.current_thread().name) == "world"
    # also from a callback, at once
    assert host.call(lambda world: host.call(lambda world: world.names)) == ("Bot_1",)


def test_the_exception_of_a_job_is_its_caller_s_and_the_world_goes_on(start):
    host = start()
    with pytest.raises(ZeroDivisionError):
        host.call(lambda world: 1 / 0)
    with pytest.raises(ActionError, match="unknown place"):
        host.act("Bot_1", "goTo", "Nowhere")
    assert host.call(lambda world: world.names) == ("Bot_1",)


def test_after_the_end_jobs_are_refused(start):
    host = start()
    host.close()
    host.close()
    for future in (
        host.submit(lambda world: None),
        host.step(),
        host.act_soon("Bot_1", "putDown"),
    ):
        assert isinstance(future.exception(TIMEOUT), WorldEndedError)
    with pytest.raises(WorldError, match="ended"):
        host.act("Bot_1", "putDown")


def test_jobs_that_wait_when_the_host_ends_are_refused(start):
    host = start()
    entered, go_on = threading.Event(), threading.Event()

    def hold(world):
        entered.set()
        go_on.wait(TIMEOUT)

    host.submit(hold)
    assert entered.wait(TIMEOUT)
    waiting = host.submit(lambda world: None)
    closer = threading.Thread(target=host.close)
    closer.start()
    while not host.submit(lambda world: None).done():
        time.sleep(0.001)
    go_on.set()
    closer.join()
    assert isinstance(waiting.exception(TIMEOUT), WorldEndedError)


def test_jobs_of_a_host_that_never_started_are_refused():
    host = WorldHost(make_world())
    waiting = host.submit(lambda world: None)
    host.close()
    assert isinstance(waiting.exception(TIMEOUT), WorldEndedError)


# --- Percepts ------------------------------------------------------------------------------


def test_a_stream_is_the_percepts_of_the_world_cycle_by_cycle(start):
    host = start(paused=True)
    got = []
    host.open_percepts("Bot_1", got.append)
    host.act("Bot_1", "goTo", "RoomC1")
    host.step(300).result(TIMEOUT)
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
    host = start(paused=True)
    first, second, late = [], [], []
    host.open_percepts("Bot_1", first.append)
    host.open_percepts("Bot_1", second.append)
    host.step(2).result(TIMEOUT)
    host.open_percepts("Bot_1", late.append)
    host.step(1).result(TIMEOUT)
    for cycles in (first, second, late):
        begin = next(cycle for cycle in cycles if cycle.number == 0)
        assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_message_is_not_lost_when_a_stream_is_restarted(start):
    host = start(make_world(2), paused=True)
    cycles = []
    stream = host.open_percepts("Bot_1", cycles.append)
    host.step().result(TIMEOUT)

    def send_and_restart(world):
        world.act("Bot_2", "sendMessage", "Bot_1", "hello")
        stream.restart()

    host.call(send_and_restart)
    host.step().result(TIMEOUT)
    heard = [args for cycle in cycles for args in cycle.update.named("message")]
    assert heard == [("Bot_2", "hello")]


def test_a_consumer_of_an_unknown_player_is_refused(start):
    with pytest.raises(WorldError, match="Stranger"):
        start().open_percepts("Stranger", print)


def test_streams_end_with_their_player_and_begin_anew_with_the_world(start):
    host = start(make_world(2), paused=True)
    kept = []
    gone = host.open_percepts("Bot_2", print)
    host.open_percepts("Bot_1", kept.append)
    host.step(3).result(TIMEOUT)
    host.remove_player("Bot_2").result(TIMEOUT)
    host.step(1).result(TIMEOUT)
    assert gone.is_closed
    kept.clear()
    host.reset().result(TIMEOUT)
    host.step(1).result(TIMEOUT)
    begin = kept[0]
    assert (begin.number, begin.tick) == (0, 0)
    assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_robot_is_a_player_for_others_while_a_stream_drives_it(start):
    host = start(make_world(2), paused=True)
    cycles = []
    host.open_percepts("Bot_1", cycles.append)
    listener = host.open_percepts("Bot_2", print, as_player=False)
    host.step().result(TIMEOUT)
    assert not [args for cycle in cycles for args in cycle.update.named("player")]
    listener.close()
    host.open_percepts("Bot_2", print)
    host.step().result(TIMEOUT)
    players = [args for cycle in cycles for args in cycle.update.named("player")]
    assert players == [("Bot_2",)]


def test_a_failing_consumer_does_not_stop_the_world(start, observer):
    host = start()

    def fail(_):
        raise RuntimeError("broken")

    host.open_percepts("Bot_1", fail)
    counter, text = observer.problems.wait_for()
    assert counter == "exceptions"
    assert "percepts of Bot_1 failed" in text
    assert "RuntimeError: broken" in text
    tick = host.snapshot.tick
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick > tick + 3)
    assert host.status.connections == 1


# --- Faults --------------------------------------------------------------------------------


def failing_step(host, times):
    """Have the world's next steps fail, ``times`` times."""

    def patch(world):
        step, left = world.step, [times]

        def fail(ticks):
            if left[0]:
                left[0] -= 1
                raise ZeroDivisionError("a fault of the test")
            return step(ticks)

        world.step = fail

    host.call(patch)


def test_an_exception_of_the_world_is_a_fault_and_the_same_run_goes_on(start, observer):
    host = start()
    cycles = Recorder("cycles")
    host.open_percepts("Bot_1", cycles.add)
    tick = cycles.wait_for(lambda cycle: cycle.number > 2).tick
    cycles.clear()
    failing_step(host, 1)
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
    assert host.world_status.run == 0


def test_a_run_that_cannot_go_on_begins_anew(start, observer):
    host = start()
    host.act("Bot_1", "goTo", "RoomC1")
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 5)
    failing_step(host, 2)
    observer.statuses.wait_for(lambda status: status.connections == 3)
    assert HostEvent.RUN in observer.events
    observer.snapshots.clear()
    observer.snapshots.wait_for(lambda snapshot: snapshot.tick >= 5)
    assert host.world_status.run == 1
    assert host.snapshot.robots[0].state == "arrived"


def test_a_step_ends_when_the_world_fails(start):
    host = start(paused=True)
    failing_step(host, 1)
    with pytest.raises(WorldError, match="a fault of the test"):
        host.step(5).result(TIMEOUT)
    assert host.step(5).result(TIMEOUT) == 5


def test_an_exception_of_the_observer_is_a_fault_wherever_it_happens(start, observer):
    host = start(paused=True)

    def fail(event):
        observer.hook = lambda event: None
        raise ZeroDivisionError("a fault of the test")

    host.call(lambda world: setattr(observer, "hook", fail))
    assert host.add_player(BotSpec()).result(TIMEOUT) == "Bot_2"  # the job itself has succeeded
    fault = observer.statuses.wait_for(lambda status: status.state is LinkState.FAULT)
    assert "a fault of the test" in fault.detail
    observer.statuses.wait_for(lambda status: status.connections == 2)
    assert host.world_status.run == 0


# --- Events --------------------------------------------------------------------------------


def test_changes_of_a_world_that_stands_still_make_a_cycle(start, observer):
    host = start(make_world(2))
    host.pause().result(TIMEOUT)
    last = observer.snapshots.wait_for(lambda snapshot: snapshot.is_paused)
    host.remove_player("Bot_2").result(TIMEOUT)
    fewer = observer.snapshots.wait_for(lambda snapshot: len(snapshot.robots) == 1)
    assert fewer.tick == last.tick


def test_events_tell_what_happened(start, observer):
    host = start()
    host.pause()
    host.add_player(BotSpec(name="Ann", controller=Controller.HUMAN)).result(TIMEOUT)
    assert "Ann_1" in [robot.name for robot in host.snapshot.robots]
    host.load(load_map("large")).result(TIMEOUT)
    assert len(host.snapshot.map.zones) > 60
    assert observer.events == [HostEvent.CLOCK, HostEvent.ROSTER, HostEvent.RUN]
    with pytest.raises(MapError):
        host.load(MapSpec()).result(TIMEOUT)
    assert host.world_status.run == 1


def test_no_room_for_another_robot_is_an_error_of_the_caller(start):
    host = start(make_world(3))
    with pytest.raises(SpawnError, match="spawn points are taken"):
        host.add_player(BotSpec()).result(TIMEOUT)
    assert len(host.snapshot.robots) == 3


def test_another_target_is_announced_and_a_robot_can_be_stopped(start, observer):
    host = start(paused=True)
    host.act("Bot_1", "goTo", "RoomC1")
    host.act("Bot_1", "pickUp")
    with pytest.raises(ActionError):
        host.act("Bot_1", "goTo", "Nowhere")
    assert observer.events == [Going("Bot_1")]
    host.step(30).result(TIMEOUT)
    host.call(lambda world: world.stop("Bot_1"))
    before = host.snapshot.robots[0]
    host.step(30).result(TIMEOUT)
    after = host.snapshot.robots[0]
    assert (after.x, after.y, after.state) == (before.x, before.y, "arrived")


def test_a_restarted_stream_begins_at_once_in_a_world_that_stands_still(start):
    host = start(paused=True)
    cycles = Recorder("cycles")
    stream = host.open_percepts("Bot_1", cycles.add)
    assert cycles.wait_for().number == 0
    cycles.clear()
    stream.restart()
    again = cycles.wait_for()
    assert (again.number, again.tick) == (0, 0)
    assert "zone" in {percept.name for percept in again.update.add}
