# SPDX-License-Identifier: Apache-2.0
"""The host: time, jobs, percept streams and observers of a world on its own thread."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError

import pytest

from bw4t_bridge.host import HostEvent, WorldHost
from bw4t_world import ActionError, SpawnError, World, WorldError
from bw4t_world.maps import MapError, MapSpec, load_map
from bw4t_world.scenarios import BotSpec, Controller, Scenario
from legacy_robots_common.testing.recorder import Recorder

TIMEOUT = 40.0


def make_world(robots=1, **options):
    scenario = Scenario(bots=(BotSpec(amount=robots),))
    return World(load_map("nine_rooms"), scenario, seed=1, **options)


@pytest.fixture
def start():
    """Start hosts that end with the test."""
    hosts = []

    def start(world=None, **options):
        host = WorldHost(world or make_world(), **options)
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


def test_time_passes_at_the_nominal_rate(start):
    host = start()
    seen = Recorder("snapshots")
    begun = time.monotonic()
    host.observe(lambda snapshot: seen.add(snapshot.tick))
    seen.wait_for(lambda tick: tick >= 50)
    assert 0.9 < time.monotonic() - begun < 4.0
    ticks = seen.items
    assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))  # a cycle a tick


def test_a_faster_world_has_more_ticks_in_a_cycle_and_keeps_their_number(start):
    host = start(speed=10.0, cycle_rate=50.0)
    seen = Recorder("snapshots")
    host.observe(lambda snapshot: seen.add(snapshot.tick))
    seen.wait_for(lambda tick: tick >= 500)
    assert host.status.ticks_per_cycle == 10
    assert all(tick % 10 == 0 for tick in seen.items)


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
    status = host.status
    assert status.tick + status.skipped_ticks in (4999, 5000, 5001)
    assert status.max_lateness == pytest.approx(99.48, abs=0.02)


def test_a_paused_world_stands_still_and_steps(start):
    host = start(paused=True)
    host.act("Bot_1", "goTo", "RoomC1")
    assert host.step(7).result(TIMEOUT) == 7
    assert host.step().result(TIMEOUT) == 8
    assert host.status.tick == 8
    assert host.status.is_paused
    host.resume().result(TIMEOUT)
    with pytest.raises(WorldError, match="pause it"):
        host.step().result(TIMEOUT)
    host.pause().result(TIMEOUT)
    assert host.snapshot.is_paused


@pytest.mark.parametrize("ticks", [0, -1, True, 10**9])
def test_bad_numbers_of_ticks_are_refused(start, ticks):
    with pytest.raises(ValueError, match="number of ticks"):
        start(paused=True).step(ticks).result(TIMEOUT)


def test_a_step_ends_when_the_world_is_reset(start):
    host = start(paused=True)
    entered, go_on = threading.Event(), threading.Event()

    def hold(snapshot, stamp):
        entered.set()
        go_on.wait(TIMEOUT)

    host.on_cycle(hold)
    step = host.step(1000)
    assert entered.wait(TIMEOUT)
    reset = host.reset()
    go_on.set()
    reset.result(TIMEOUT)
    with pytest.raises(WorldError, match="was reset"):
        step.result(TIMEOUT)
    assert host.status.run == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf"), 1001])
def test_bad_speeds_are_refused(start, speed):
    with pytest.raises(ValueError, match="speed"):
        WorldHost(make_world(), speed=speed)
    with pytest.raises(ValueError, match="speed"):
        start().set_speed(speed).result(TIMEOUT)


def test_the_speed_can_be_changed(start):
    host = start(paused=True)
    host.set_speed(20).result(TIMEOUT)
    assert host.status.speed == 20
    assert host.status.ticks_per_cycle == 20


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


def test_after_the_end_jobs_are_cancelled(start):
    host = start()
    host.close()
    host.close()
    assert host.submit(lambda world: None).cancelled()
    assert host.step().cancelled()
    with pytest.raises(WorldError, match="ended"):
        host.act("Bot_1", "putDown")


def test_jobs_that_wait_when_the_host_ends_are_cancelled(start):
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
    while not host.submit(lambda world: None).cancelled():
        time.sleep(0.001)
    go_on.set()
    closer.join()
    with pytest.raises(CancelledError):
        waiting.result(TIMEOUT)


# --- Percepts ------------------------------------------------------------------------------


def test_a_stream_is_the_percepts_of_the_world_cycle_by_cycle(start):
    host = start(paused=True)
    stream = host.open_percepts("Bot_1")
    host.act("Bot_1", "goTo", "RoomC1")
    host.step(300).result(TIMEOUT)
    cycles = [cycle for cycle in stream.take() if cycle.tick > 0]
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
    assert stream.dropped == 0


def test_consumers_do_not_disturb_each_other(start):
    host = start(paused=True)
    first, second = host.open_percepts("Bot_1"), host.open_percepts("Bot_1")
    host.step(2).result(TIMEOUT)
    late = host.open_percepts("Bot_1")
    host.step(1).result(TIMEOUT)
    for stream in (first, second, late):
        begin = next(cycle for cycle in stream.take() if cycle.number == 0)
        assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_slow_consumer_learns_how_much_it_has_lost(start):
    host = start(paused=True)
    stream = host.open_percepts("Bot_1", capacity=10)
    host.step(1).result(TIMEOUT)
    stream.take()
    host.step(25).result(TIMEOUT)
    assert stream.dropped == 15
    cycles = stream.take()
    assert [cycle.tick for cycle in cycles] == list(range(17, 27))
    stream.restart()
    host.step(1).result(TIMEOUT)
    (begin, *_) = stream.take()
    assert begin.number == 0
    assert "zone" in {percept.name for percept in begin.update.add}


def test_a_message_is_not_lost_when_a_stream_is_restarted(start):
    host = start(make_world(2), paused=True)
    stream = host.open_percepts("Bot_1")
    host.step().result(TIMEOUT)
    stream.take()

    def send_and_restart(world):
        world.act("Bot_2", "sendMessage", "Bot_1", "hello")
        stream.restart()

    host.call(send_and_restart)
    host.step().result(TIMEOUT)
    heard = [args for cycle in stream.take() for args in cycle.update.named("message")]
    assert heard == [("Bot_2", "hello")]


def test_a_waiting_consumer_is_woken(start):
    host = start(paused=True)
    ready = threading.Event()
    stream = host.open_percepts("Bot_1", on_ready=ready.set)
    assert ready.wait(TIMEOUT)
    assert stream.take(timeout=TIMEOUT)
    assert stream.take() == []


def test_a_consumer_of_nobody_is_refused(start):
    with pytest.raises(WorldError, match="Nobody"):
        start().open_percepts("Nobody")


def test_streams_end_with_their_player_and_begin_anew_with_the_world(start):
    host = start(make_world(2), paused=True)
    closed = threading.Event()
    gone = host.open_percepts("Bot_2", on_closed=closed.set)
    kept = host.open_percepts("Bot_1")
    host.step(3).result(TIMEOUT)
    host.remove_player("Bot_2").result(TIMEOUT)
    assert closed.wait(TIMEOUT)
    assert gone.is_closed
    kept.take()
    host.reset().result(TIMEOUT)
    host.step(1).result(TIMEOUT)
    begin = kept.take()[0]
    assert (begin.number, begin.tick) == (0, 0)
    assert "ownName" in {percept.name for percept in begin.update.add}


def test_a_robot_is_a_player_for_others_while_a_stream_drives_it(start):
    host = start(make_world(2), paused=True)
    stream = host.open_percepts("Bot_1")
    listener = host.open_percepts("Bot_2", as_player=False)
    host.step().result(TIMEOUT)
    assert not [args for cycle in stream.take() for args in cycle.update.named("player")]
    listener.close()
    host.open_percepts("Bot_2")
    host.step().result(TIMEOUT)
    players = [args for cycle in stream.take() for args in cycle.update.named("player")]
    assert players == [("Bot_2",)]


def test_a_failing_consumer_or_observer_does_not_stop_the_world(start, caplog):
    host = start()

    def fail(_):
        raise RuntimeError("broken")

    host.open_percepts("Bot_1", fail)
    host.observe(fail)
    seen = Recorder("snapshots")
    host.observe(lambda snapshot: seen.add(snapshot.tick))
    tick = seen.wait_for()
    seen.wait_for(lambda later: later > tick + 3)
    assert "has failed" in caplog.text


# --- Observers and events ------------------------------------------------------------------


def test_an_observer_gets_no_more_snapshots_than_it_wants(start):
    host = start()
    slow = Recorder("slow")
    host.observe(lambda snapshot: slow.add(snapshot.tick), min_period=0.2)
    slow.wait_for_count(4)
    first, *_, last = slow.items[:4]
    assert last - first >= 25


def test_the_last_picture_before_a_standstill_comes_and_changes_while_it_lasts(start):
    host = start(make_world(2))
    seen = Recorder("snapshots")
    host.observe(seen.add, min_period=1000.0)
    host.pause().result(TIMEOUT)
    last = seen.wait_for(lambda snapshot: snapshot.is_paused)
    host.remove_player("Bot_2").result(TIMEOUT)
    fewer = seen.wait_for(lambda snapshot: len(snapshot.robots) == 1)
    assert fewer.tick == last.tick


def test_a_closed_observation_is_silent(start):
    host = start(paused=True)
    seen = Recorder("snapshots")
    observation = host.observe(seen.add)
    host.step().result(TIMEOUT)
    observation.close()
    observation.close()
    count = len(seen.items)
    host.step(3).result(TIMEOUT)
    assert len(seen.items) == count


def test_events_tell_what_happened(start):
    host = WorldHost(make_world())
    events = Recorder("events")
    host.on_event(events.add)
    host.start()
    try:
        host.pause()
        host.add_player(BotSpec(name="Ann", controller=Controller.HUMAN)).result(TIMEOUT)
        assert "Ann_1" in [robot.name for robot in host.snapshot.robots]
        host.load(load_map("large")).result(TIMEOUT)
        assert len(host.snapshot.map.zones) > 60
        assert events.items == [HostEvent.CLOCK, HostEvent.ROSTER, HostEvent.RUN]
        with pytest.raises(MapError):
            host.load(MapSpec()).result(TIMEOUT)
        assert host.status.run == 1
    finally:
        host.close()


def test_no_room_for_another_robot_is_an_error_of_the_caller(start):
    host = start(make_world(3))
    with pytest.raises(SpawnError, match="spawn points are taken"):
        host.add_player(BotSpec()).result(TIMEOUT)
    assert len(host.snapshot.robots) == 3


def test_whoever_is_sent_elsewhere_is_announced(start):
    host = WorldHost(make_world(), paused=True)
    sent = []
    host.on_going(sent.append)
    host.start()
    try:
        host.act("Bot_1", "goTo", "RoomC1")
        host.act("Bot_1", "pickUp")
        with pytest.raises(ActionError):
            host.act("Bot_1", "goTo", "Nowhere")
        assert sent == ["Bot_1"]
        host.step(30).result(TIMEOUT)
        host.stop("Bot_1").result(TIMEOUT)
        before = host.snapshot.robots[0]
        host.step(30).result(TIMEOUT)
        after = host.snapshot.robots[0]
        assert (after.x, after.y, after.state) == (before.x, before.y, "arrived")
    finally:
        host.close()


def test_a_restarted_stream_begins_at_once_in_a_world_that_stands_still(start):
    host = start(paused=True)
    stream = host.open_percepts("Bot_1")
    assert [cycle.number for cycle in stream.take(TIMEOUT)] == [0]
    stream.restart()
    (again,) = stream.take(TIMEOUT)
    assert (again.number, again.tick) == (0, 0)
    assert "zone" in {percept.name for percept in again.update.add}
