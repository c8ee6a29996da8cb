# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server node under simulated time, floods, bad names and failures of its threads."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray

from bw4t_world.scenarios import BotSpec
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tGoing, Bw4tPercepts, Bw4tRoster, Bw4tState, Bw4tWorldState
from legacy_robots_msgs.srv import Bw4tAddPlayer, Bw4tSetSpeed

pytestmark = pytest.mark.node


def test_without_a_clock_simulated_time_makes_no_negative_stamp(serve):
    _, peer = serve(use_sim_time=True, robots=1)
    percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(100))
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    world = peer.subscribe(Bw4tWorldState, "world_state")
    for message in (percepts.wait_for(lambda m: m.cycle > 5), state.wait_for(), world.wait_for()):
        stamp = message.header.stamp
        assert (stamp.sec, stamp.nanosec) == (0, 0)


def test_all_stamps_are_simulated_with_a_clock_of_the_world(serve):
    _, peer = serve(publish_clock=True, paused=True, robots=1)
    for message_type, topic in ((Bw4tWorldState, "world_state"), (Bw4tRoster, "roster")):
        message = peer.subscribe(message_type, topic).wait_for()
        assert message.header.stamp.sec == 0


def test_a_flood_of_refused_requests_is_counted_and_makes_few_log_lines(serve, capfd):
    _, peer = serve(robots=1)
    arrays = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    request = Bw4tSetSpeed.Request(speed=-1.0)
    for _ in range(100):
        assert not peer.call(Bw4tSetSpeed, "set_speed", request).success

    def counted(message):
        (status,) = message.status
        return {v.key: v.value for v in status.values}.get("refused requests") == "100"

    arrays.wait_for(counted)
    assert any("refused requests since" in m.status[0].message for m in arrays.items)
    lines = [line for line in capfd.readouterr().err.splitlines() if "set_speed:" in line]
    assert 1 <= len(lines) <= 20


def test_every_goal_of_a_flood_ends(serve):
    _, peer = serve(robots=1)
    goals = [
        peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place=place))
        for place in ("RoomA1", "RoomC1", "Nowhere") * 30
    ]
    codes = [goal.end().result.outcome.code for goal in goals[:-2]]
    assert set(codes) == {Bw4tGoing.PREEMPTED, Bw4tGoing.REJECTED}


def test_a_player_whose_name_makes_no_topic_has_no_interface_and_disturbs_no_other(serve):
    _, peer = serve(robots=1)
    arrays = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    request = Bw4tAddPlayer.Request(name="x" * 240)
    assert peer.call(Bw4tAddPlayer, "add_player", request).success
    arrays.wait_for(lambda m: "1 players without an interface" in m.status[0].message)
    assert peer.call(Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request(name="Ann")).success
    assert peer.subscribe(Bw4tState, "Ann_1/state").wait_for().name == "Ann_1"


# --- The page ------------------------------------------------------------------------------


def test_a_person_who_leaves_ends_the_goals_of_the_robot(serve):
    aiohttp = pytest.importorskip("aiohttp")
    server, peer = serve(speed=0.05, robots=0, web=True, web_port=0)

    async def play():
        page = server.parts["page"].server
        origin = {"Origin": page.url.rstrip("/")}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{page.url}ws", headers=origin) as connection,
        ):
            await connection.send_str(json.dumps({"type": "join", "name": "Ann"}))
            async for frame in connection:
                if json.loads(frame.data)["type"] == "joined":
                    break
            goal = await asyncio.to_thread(
                peer.send_goal, Bw4tGoTo, "Ann_1/go_to", Bw4tGoTo.Goal(place="RoomA1")
            )
            await asyncio.to_thread(goal.feedback.wait_for)
            await connection.send_str(json.dumps({"type": "leave"}))
            return await asyncio.to_thread(goal.end, 1.0)

    end = asyncio.run(asyncio.wait_for(play(), 60))
    assert end.status == GoalStatus.STATUS_ABORTED
    assert end.result.outcome.code == Bw4tGoing.WORLD_RESET
    assert end.result.outcome.message == "Ann_1 was taken out of the world"


@pytest.mark.parametrize("what", ["server", "hub"])
def test_a_failure_of_the_page_is_reported_and_passes(serve, what, monkeypatch):
    pytest.importorskip("aiohttp")
    from bw4t_web.server import hub

    server, peer = serve(robots=1, web=True, web_port=0)
    arrays = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
    arrays.wait_for()  # the message is there for some seconds only
    if what == "server":
        server.parts["page"].server.call_soon(_cancel_main_task)
    else:
        failed = []

        def describe_map(spec, describe=hub.describe_map):
            if not failed:
                failed.append(spec)
                raise ZeroDivisionError("a fault of the test")
            return describe(spec)

        monkeypatch.setattr(hub, "describe_map", describe_map)
        asyncio.run(asyncio.wait_for(_first_state(server.parts["page"].server.url), 30))
        assert failed
    arrays.wait_for(lambda m: "1 exceptions" in m.status[0].message)
    asyncio.run(asyncio.wait_for(_first_state(server.parts["page"].server.url), 30))


def _cancel_main_task():
    for task in asyncio.all_tasks():
        if task.get_coro().__qualname__ == "ServerThread._serve":
            task.cancel()


async def _first_state(url):
    """Open the page, again and again until it can be opened, and wait for its first state."""
    import aiohttp

    async with aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.ws_connect(
                    f"{url}ws", headers={"Origin": url.rstrip("/")}
                ) as connection:
                    async for frame in connection:
                        if json.loads(frame.data)["type"] == "state":
                            return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.05)  # nothing tells that a port is opened again


@pytest.mark.timeout(180)
def test_a_player_gets_its_interface_though_the_world_stands_still_when_it_comes(serve, capfd):
    server, peer = serve(robots=0, speed=10.0)
    may_go_on = threading.Event()
    added = server.runner.add_player(BotSpec())
    server.runner.submit(lambda _: may_go_on.wait())
    try:
        assert added.result() == "Bot_1"
        # The executor answers, so it has not waited for the world for ever.
        assert peer.parameters("/bw4t/server", "map") == ["nine_rooms"]
    finally:
        may_go_on.set()
    assert peer.subscribe(Bw4tState, "Bot_1/state").wait_for().name == "Bot_1"
    goal = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="FrontDropZone"))
    assert goal.result().outcome.code == Bw4tGoing.ARRIVED
    assert "callback failed" not in capfd.readouterr().err
