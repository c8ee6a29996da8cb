# SPDX-License-Identifier: Apache-2.0
"""The page's server over real sockets: who may connect, and what people can see and do."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

aiohttp = pytest.importorskip("aiohttp")

from bw4t_bridge.host import PerceptStream, WorldHost  # noqa: E402
from bw4t_bridge.web import Settings, WebServer  # noqa: E402
from bw4t_world import World  # noqa: E402
from bw4t_world.maps import load_map  # noqa: E402
from bw4t_world.scenarios import (  # noqa: E402
    BotSpec,
    Controller,
    EPartnerSpec,
    Scenario,
)

PATIENCE = 20.0
HUMAN = BotSpec(name="Human", controller=Controller.HUMAN)


class Page:
    """What a browser does, without its screen."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.messages: list[dict[str, Any]] = []
        self.state: dict[str, dict[str, Any]] = {}
        self.world: dict[str, Any] = {}
        self.states = 0
        self.closed_with: int | None = None
        self._changed = asyncio.Condition()
        self._reader = asyncio.ensure_future(self._read())
        self._number = 0

    async def _read(self) -> None:
        async for frame in self.socket:
            message = json.loads(frame.data)
            async with self._changed:
                if message["type"] == "world":
                    self.world, self.state = message, {}
                elif message["type"] == "state":
                    self._apply(message)
                else:
                    self.messages.append(message)
                self._changed.notify_all()
        async with self._changed:
            self.closed_with = self.socket.close_code
            self._changed.notify_all()

    def _apply(self, message: dict[str, Any]) -> None:
        self.states += 1
        for name in message.get("gone", ()):
            del self.state[name]
        for name, fields in message.get("set", {}).items():
            self.state[name] = {**self.state.get(name, {}), **fields}

    async def until(self, holds: Callable[[], Any]) -> Any:
        async with self._changed:
            try:
                await asyncio.wait_for(self._changed.wait_for(holds), PATIENCE)
            except asyncio.TimeoutError:
                raise AssertionError(f"{self.state} {self.messages[-10:]}") from None
        return holds()

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == kind]

    def said(self, text: str) -> bool:
        return any(text in message.get("text", "") for message in self.messages)

    def things(self, kind: str) -> dict[str, dict[str, Any]]:
        found = {name: it for name, it in self.state.items() if name.startswith(f"{kind}:")}
        return {name.partition(":")[2]: it for name, it in found.items()}

    @property
    def me(self) -> dict[str, Any]:
        return self.state.get("me", {})

    async def send(self, **request: Any) -> int:
        self._number += 1
        await self.socket.send_str(json.dumps({"id": self._number, **request}))
        return self._number

    async def join(self, name: str = "Ann", **more: Any) -> str:
        await self.send(type="join", name=name, **more)
        await self.until(lambda: self.of("joined"))
        await self.until(lambda: self.me.get("name"))
        return str(self.of("joined")[-1]["token"])

    async def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        number = await self.send(**request)
        answers = await self.until(lambda: [m for m in self.messages if m.get("id") == number])
        return dict(answers[0])

    async def act(self, action: str, *args: Any) -> dict[str, Any]:
        return await self.ask(type="act", action=action, args=list(args))

    async def go(self, action: str, *args: Any) -> dict[str, Any]:
        """Go somewhere; return the event at the end of the way."""
        before = len(self.messages)
        answer = await self.act(action, *args)
        assert answer["ok"], answer
        ends = await self.until(
            lambda: [m for m in self.messages[before:] if m.get("kind") in ("done", "failed")]
        )
        return dict(ends[0])


class Table:
    """A world, its host and the server of the page."""

    def __init__(
        self,
        scenario: Scenario | None = None,
        *,
        speed: float = 20.0,
        map_name: str = "nine_rooms",
        profile: str = "spec",
        collisions: bool = False,
        **settings: Any,
    ) -> None:
        settings.setdefault("frame_rate", 50.0)
        world = World(load_map(map_name), scenario, seed=1, profile=profile, collisions=collisions)
        self.host = WorldHost(world, speed=speed)
        self.server = WebServer(self.host, port=0, settings=Settings(**settings))
        self.host.start()
        self.server.start()

    def close(self) -> None:
        self.server.close()
        self.host.close()

    def names(self) -> tuple[str, ...]:
        return self.host.call(lambda world: world.names)

    @asynccontextmanager
    async def page(self, token: str | None = None) -> Any:
        async with aiohttp.ClientSession() as session:
            origin = {"Origin": self.server.url.rstrip("/")}
            async with session.ws_connect(f"{self.server.url}ws", headers=origin) as connection:
                page = Page(connection)
                await page.send(type="hello", token=token)
                yield page

    async def until(self, holds: Callable[[World], Any]) -> None:
        for _ in range(int(PATIENCE / 0.02)):
            if self.host.call(holds):
                return
            await asyncio.sleep(0.02)
        raise AssertionError("it did not happen")


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def make(*args: Any, **settings: Any) -> Table:
        tables.append(Table(*args, **settings))
        return tables[-1]

    yield make
    for made in tables:
        made.close()


GUI = {"goTo", "goToBlock", "pickUp", "putDown", "sendMessage", "navigateObstacles"}
"""The percepts of a human bot that tell what its user asks for."""


def percepts_of(stream: PerceptStream, names: set[str], *, count: int) -> list[str]:
    """Wait for a number of percepts of some names; return all of them as text."""
    found: list[str] = []
    while len(found) < count:
        cycles = stream.take(timeout=PATIENCE)
        assert cycles, f"only {found} came"
        percepts = [percept for cycle in cycles for percept in cycle.update.add]
        found += [str(percept) for percept in percepts if percept.name in names]
    return found


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 60))


# --- Who may connect -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1", "", "127.0.0.2", "[::2]:80"],
)
def test_a_foreign_host_name_is_refused(table, host):
    made = table()

    async def story():
        async with aiohttp.ClientSession() as session:
            for path in ("", "ws", "static/main.js"):
                async with session.get(made.server.url + path, headers={"Host": host}) as answer:
                    assert answer.status in (400, 403)

    play(story)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost:9999", "[::1]:80"])
def test_names_of_this_machine_are_served_whatever_the_port(table, host):
    made = table()

    async def story():
        headers = {"Host": host}
        async with (
            aiohttp.ClientSession() as session,
            session.get(made.server.url, headers=headers) as answer,
        ):
            assert answer.status == 200
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]

    play(story)


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://localhost:1", "https://{host}"]
)
def test_a_socket_from_a_page_of_another_origin_is_refused(table, origin):
    made = table()
    host = made.server.url.split("/")[2]

    async def story():
        headers = {} if origin is None else {"Origin": origin.format(host=host)}
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
                await session.ws_connect(f"{made.server.url}ws", headers=headers)
            assert refusal.value.status == 403

    play(story)


def test_it_listens_on_loopback_only(table):
    made = table()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # no packet is sent: this only chooses an address
        outside = probe.getsockname()[0]
    if outside.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises((ConnectionError, TimeoutError)):
        socket.create_connection((outside, made.server.port), timeout=2).close()


def test_a_taken_port_is_an_error(table):
    made = table()
    other = WebServer(made.host, port=made.server.port)
    with pytest.raises(OSError, match="in use"):
        other.start()
    other.close()


@pytest.mark.parametrize(
    "request_text",
    [
        "no json",
        "[1]",
        "[" * 2000,
        '{"type": "dance"}',
        '{"type": "join"}',
        '{"type": "join", "name": "1st"}',
        '{"type": "join", "name": "Ann <b>"}',
        '{"type": "join", "name": "%s"}' % ("A" * 21),
        '{"type": "join", "bot": 7}',
        '{"type": "join", "bot": "nobody"}',
        '{"type": "act", "id": 1, "action": "putDown"}',
        '{"type": "act", "id": 1, "action": "receiveMessage", "args": ["a", "b"]}',
        '{"type": "act", "id": 1, "action": "goTo", "args": [NaN, 1]}',
        '{"type": "act", "id": 1, "action": "goTo", "args": [[], 1]}',
        '{"type": "act", "action": "putDown"}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "unknown", "text": "x"}}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "yes", "room": 1}}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "weNeed", "color": "Plum"}}',
        '{"type": "hello", "token": {}}',
        '{"type": "control", "command": "reset"}',
    ],
)
def test_nonsense_is_answered_with_an_error_and_the_connection_lives(table, request_text):
    made = table()

    async def story():
        async with made.page() as page:
            await page.socket.send_str(request_text)
            errors = await page.until(lambda: page.of("error"))
            assert errors[0]["text"]
            await page.join()

    play(story)


def test_a_flood_of_requests_ends_the_connection_and_nothing_else(table):
    made = table()

    async def story():
        async with made.page() as page, made.page() as other:
            for _ in range(100):
                await page.send(type="leave")
            await page.until(lambda: page.closed_with is not None)
            assert page.closed_with == aiohttp.WSCloseCode.POLICY_VIOLATION
            await other.join()

    play(story)


def test_a_frame_that_is_too_long_ends_the_connection(table):
    made = table()

    async def story():
        async with made.page() as page:
            await page.socket.send_str("x" * 100_000)
            await page.until(lambda: page.closed_with is not None)
            assert page.closed_with == aiohttp.WSCloseCode.MESSAGE_TOO_BIG

    play(story)


# --- Watching --------------------------------------------------------------------------------


def test_who_watches_sees_everything(table):
    made = table(Scenario(bots=(BotSpec(amount=2),), epartners=(EPartnerSpec(),)))

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            assert len(page.things("block")) == 22
            assert set(page.things("robot")) == {"Bot_1", "Bot_2"}
            assert set(page.things("epartner")) == {"E-Partner_1"}
            assert page.state["task"]["sequence"]
            zones = {zone["name"]: zone for zone in page.world["zones"]}
            assert zones["DropZone"]["kind"] == "DROPZONE"
            assert zones["RoomA1"]["box"][2:] == [10, 10]
            assert len(zones["RoomA1"]["doors"]) == 1

    play(story)


def test_changes_are_small_and_lead_to_what_a_newcomer_sees(table):
    made = table(Scenario(bots=(BotSpec(amount=2),)), speed=5.0)

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            made.host.act("Bot_1", "goTo", "RoomC1")
            await page.until(lambda: "RoomC1" in page.things("room"))
            made.host.pause().result(5)
            async with made.page() as newcomer:
                await newcomer.until(lambda: newcomer.state)
                await page.until(lambda: page.state == newcomer.state)

    play(story)


def test_who_watches_hears_each_message_once(table):
    made = table(Scenario(bots=(BotSpec(amount=3),)))

    async def story():
        for name in made.names():
            made.host.open_percepts(name)
        async with made.page() as page:
            await page.until(lambda: page.state)
            for _ in range(40):  # until somebody listens
                made.host.act("Bot_1", "sendMessage", "all", "yes")
                made.host.act("Bot_2", "sendMessage", "Bot_3", "no")
                await asyncio.sleep(0.05)
                if page.said("yes"):
                    break
            made.host.act("Bot_1", "sendMessage", "all", "wait")
            made.host.act("Bot_3", "sendMessage", "Bot_1", "OK")
            made.host.act("Bot_3", "sendMessage", "Bot_1", "OK")
            made.host.act("Bot_2", "sendMessage", "all", "I do")
            await page.until(lambda: page.said("I do"))
            events = page.of("event")
            after = next(i for i, message in enumerate(events) if message["text"] == "wait")
            assert [(m["sender"], m["to"], m["text"]) for m in events[after:]] == [
                ("Bot_1", "all", "wait"),
                ("Bot_3", "Bot_1", "OK"),
                ("Bot_3", "Bot_1", "OK"),
                ("Bot_2", "all", "I do"),
            ]

    play(story)


def test_watching_takes_no_message_from_a_player_who_comes_later(table):
    made = table(Scenario(bots=(BotSpec(amount=2),)))

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            made.host.act("Bot_1", "sendMessage", "Bot_2", "wait")
            seen = page.states
            await page.until(lambda: page.states > seen + 10)
        stream = made.host.open_percepts("Bot_2")
        assert percepts_of(stream, {"message"}, count=1) == ["message(Bot_1,wait)"]

    play(story)


def test_watching_can_be_forbidden(table):
    made = table(Scenario(bots=(HUMAN,)), watch=False)

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            assert set(page.state) == {"task", "lobby"}
            assert page.state["lobby"]["free"] == ["Human_1"]

    play(story)


# --- Playing ---------------------------------------------------------------------------------


def test_a_person_fetches_a_block_and_scores(table):
    made = table()

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            due = page.state["task"]["sequence"][0]
            block = next(b for b in page.things("block").values() if b["color"] == due)
            await page.join()
            assert not page.things("block")
            assert not page.things("robot")
            end = await page.go("goTo", block["zone"])
            assert end["text"] == f"Arrived at {block['zone']}."
            await page.until(lambda: page.me["in"] == block["zone"])
            assert str(block["id"]) in page.things("block")
            assert {b["zone"] for b in page.things("block").values()} == {block["zone"]}
            await page.go("goToBlock", block["id"])
            answer = await page.act("pickUp")
            assert answer["ok"]
            await page.until(lambda: page.me["held"] == [[block["id"], due]])
            await page.go("goTo", "DropZone")
            answer = await page.act("putDown")
            assert "delivered" in answer["text"]
            await page.until(lambda: page.state["task"]["index"] == 1)
            await page.until(lambda: page.said(f"{due} delivered: 1 of"))
            rest = page.things("block").values()
            assert all(b["faded"] for b in rest)
        assert made.host.call(lambda world: world.measures().good_drops) == 1

    play(story)


def test_every_failure_is_told(table):
    made = table(Scenario(bots=(BotSpec(),)))

    async def story():
        made.host.act("Bot_1", "goTo", "RoomA1")
        async with made.page() as page:
            await page.join()
            answer = await page.act("putDown")
            assert (answer["ok"], answer["text"]) == (False, "Bot is not holding any block.")
            assert not (await page.act("pickUp"))["ok"]
            assert "unknown place" in (await page.act("goTo", "Mars"))["text"].lower()
            assert not (await page.act("goToBlock", 12345))["ok"]
            assert not (await page.act("navigateObstacles"))["ok"]
            assert not (await page.act("pickUpEPartner"))["ok"]
            assert not (await page.act("putDownEPartner"))["ok"]
            await page.until(lambda: "RoomA1" in page.things("room"))
            end = await page.go("goTo", "RoomA1")
            assert (end["kind"], "door of RoomA1" in end["text"]) == ("failed", True)
            assert page.me["state"] == "collided"
            assert page.me["bumped"] == ["RoomA1"]
            end = await page.go("goTo", 15, 45)
            assert end["text"] == "Arrived at (15, 45)."

    play(story)


def test_a_person_goes_around_a_robot_in_the_way(table):
    made = table(Scenario(bots=(BotSpec(),)), collisions=True)

    async def story():
        async with made.page() as page:
            await page.join()
            end = await page.go("goTo", "RightHallD")
            assert end["text"] == ("Stopped: bumped into Bot_1. Going around obstacles may help.")
            await page.until(lambda: page.me["bumped"] == ["Bot_1"])
            answer = await page.act("navigateObstacles")
            assert (answer["ok"], answer["text"]) == (True, "Trying another way.")
            await page.until(lambda: page.me["at"] == "RightHallD" and page.said("Arrived"))
            assert not page.me["bumped"]

    play(story)


def test_an_empty_battery_is_told(table):
    made = table(bot=BotSpec(battery_enabled=True))

    async def story():
        async with made.page() as page:
            await page.join()
            for place in ("RoomA1", "RoomC3") * 10:
                end = await page.go("goTo", place)
                if end["kind"] == "failed":
                    break
            assert end["text"] == "Stopped: the battery is empty."
            assert page.me["battery"] == 0

    play(story)


def test_a_person_carries_an_epartner(table):
    made = table(Scenario(epartners=(EPartnerSpec(gps=True),)))

    async def story():
        async with made.page() as page:
            await page.join()
            spot = made.host.snapshot.epartners[0]
            await page.go("goTo", spot.x, spot.y)
            assert set(await page.until(lambda: page.things("epartner"))) == {"E-Partner_1"}
            assert (await page.act("pickUpEPartner"))["ok"]
            await page.until(lambda: page.me["epartner"] == "E-Partner_1")
            await page.go("goTo", "RoomC1")
            assert (await page.act("putDownEPartner"))["ok"]
            await page.until(lambda: page.me["epartner"] is None)
            there = made.host.call(lambda world: world.snapshot().epartners[0])
            assert (there.holder, there.y > 50) == (None, True)

    play(story)


def test_people_talk_to_each_other_and_to_agents(table):
    made = table(Scenario(bots=(BotSpec(),)), map_name="nine_rooms_random")

    async def story():
        agent = made.host.open_percepts("Bot_1")
        async with made.page() as ann, made.page() as ben:
            await ann.join("Ann")
            await ben.join("Ben")
            await ann.until(lambda: set(ann.things("player")) == {"Bot_1", "Ben_1"})
            message = {"type": "roomContainsAmount", "room": "RoomA1", "color": "Red", "number": 2}
            answer = await ann.ask(type="say", to="all", message=message)
            assert answer["text"] == "room RoomA1 contains 2 Red blocks"
            await ben.until(lambda: ben.said("room RoomA1 contains 2 Red blocks"))
            await ben.ask(type="say", to="Ann_1", message={"type": "ok", "room": "RoomA1"})
            await ann.until(lambda: ann.said("OK, room RoomA1"))
            assert ann.of("event")[-1]["sender"] == "Ben_1"
            answer = await ben.ask(type="say", to="all", message={"type": "weNeed"})
            assert answer["type"] == "error"
            answer = await ben.ask(type="say", to="Nobody", message={"type": "yes"})
            assert answer["kind"] == "failed"
        heard = percepts_of(agent, {"message"}, count=1)
        assert heard == ["message(Ann_1,room RoomA1 contains 2 Red blocks)"]

    play(story)


def test_every_message_of_the_list_can_be_sent(table):
    made = table(Scenario(bots=(BotSpec(),)))
    blanks = {"room": "RoomA1", "color": "Red", "player": "Bot_1", "number": 3}

    async def story():
        async with made.page() as page:
            await page.join()
            phrases = [p for group in page.world["phrases"] for p in group["messages"]]
            assert len(phrases) > 40
            for phrase in phrases:
                filled = {name: blanks[name] for name in phrase["blanks"]}
                message = {"type": phrase["type"], **filled}
                answer = await page.ask(type="say", to="Bot_1", message=message)
                assert answer["ok"], answer
                assert answer["text"] == phrase["text"].format(**filled)
                await asyncio.sleep(0.05)  # people do not type faster, and are not let to

    play(story)


# --- The percepts of the human GUI -----------------------------------------------------------


def test_requests_become_percepts_of_the_human_bot(table):
    made = table(Scenario(bots=(HUMAN,)), profile="server_3_8_1")

    async def story():
        listener = made.host.open_percepts("Human_1", as_player=False)
        async with made.page() as page:
            await page.send(type="join", bot="Human_1")
            await page.until(lambda: page.me.get("name") == "Human_1")
            await page.go("goTo", "FrontDropZone")
            await page.act("goTo", 25, 65)
            await page.act("navigateObstacles")
            await page.act("pickUp")
            await page.act("putDown")
            await page.act("goToBlock", 40)
            await page.ask(type="say", to="all", message={"type": "weNeed", "color": "Red"})
        assert percepts_of(listener, GUI, count=7) == [
            "goTo(FrontDropZone)",
            "goTo(25,65)",
            "navigateObstacles()",
            "pickUp()",
            "putDown()",
            "goToBlock(40)",
            "sendMessage(all,need('Red'))",
        ]

    play(story)


def test_with_an_agent_for_the_human_bot_only_the_agent_acts(table):
    made = table(Scenario(bots=(HUMAN,)))

    async def story():
        agent = made.host.open_percepts("Human_1")
        async with made.page() as page:
            await page.send(type="join", bot="Human_1", agentActs=True)
            await page.until(lambda: page.me.get("agentActs"))
            answer = await page.act("goTo", "RoomC1")
            assert answer["text"] == "Your agent was told: goTo(RoomC1)."
            assert made.host.call(lambda world: world.snapshot().robots[0].state) == "arrived"
            seen = page.states
            assert percepts_of(agent, GUI, count=1) == ["goTo(RoomC1)"]
            made.host.act("Human_1", "goTo", "RoomC1")
            await page.until(lambda: page.me["in"] == "RoomC1")
            assert page.states > seen

    play(story)


# --- Coming and going ------------------------------------------------------------------------


def test_a_lost_connection_resumes_the_same_robot(table):
    made = table(grace=30.0)

    async def story():
        async with made.page() as page:
            token = await page.join()
            await page.go("goTo", "RoomC1")
            blocks = await page.until(lambda: page.things("block"))
            await page.act("goTo", "RoomA1")
        async with made.page(token) as page:
            joined = await page.until(lambda: page.of("joined"))
            assert joined[0]["name"] == "Ann_1"
            assert joined[0]["resumed"]
            await page.until(lambda: page.me.get("in") == "RoomA1")
            assert {n for n, b in page.things("block").items() if b["faded"]} >= set(blocks)
            assert "Arrived at RoomC1." in [event["text"] for event in joined[0]["past"]]
        assert made.names() == ("Ann_1",)

    play(story)


def test_after_the_grace_time_the_robot_is_freed_and_its_blocks_stay_in_the_room(table):
    made = table(grace=0.3)

    async def story():
        async with made.page() as page:
            token = await page.join()
            await page.go("goTo", "RoomC1")
            block = next(iter((await page.until(lambda: page.things("block"))).values()))
            await page.go("goToBlock", block["id"])
            assert (await page.act("pickUp"))["ok"]
        await made.until(lambda world: world.names == ())
        blocks = made.host.call(lambda world: world.snapshot().blocks)
        assert block["id"] in {b.id for b in blocks if b.zone == "RoomC1"}
        async with made.page(token) as page:
            left = await page.until(lambda: page.of("left"))
            assert "freed" in left[0]["text"]
            await page.join()

    play(story)


def test_who_leaves_frees_the_robot_at_once(table):
    made = table(Scenario(bots=(HUMAN,)))

    async def story():
        async with made.page() as page:
            await page.join()
            await page.send(type="leave")
            await page.until(lambda: page.of("left"))
            await page.until(lambda: set(page.things("robot")) == {"Human_1"})
            await page.send(type="join", bot="Human_1")
            await page.until(lambda: page.me.get("name") == "Human_1")
            async with made.page() as other:
                await other.until(lambda: other.state)
                assert other.state["lobby"]["free"] == []
                await other.send(type="join", bot="Human_1")
                errors = await other.until(lambda: other.of("error"))
                assert "somebody else" in errors[0]["text"]
                await page.send(type="leave")
                await other.until(lambda: other.state["lobby"]["free"] == ["Human_1"])
                assert not other.things("robot")["Human_1"]["played"]

    play(story)


def test_of_two_who_want_the_same_robot_at_once_one_gets_it(table):
    made = table(Scenario(bots=(HUMAN,)))

    async def story():
        async with made.page() as ann, made.page() as ben:
            await asyncio.gather(*(p.send(type="join", bot="Human_1") for p in (ann, ben)))
            await ann.until(lambda: ann.of("joined") or ann.of("error"))
            await ben.until(lambda: ben.of("joined") or ben.of("error"))
            assert sorted(len(p.of("joined")) for p in (ann, ben)) == [0, 1]
            winner = ann if ann.of("joined") else ben
            await winner.go("goTo", "RoomC1")

    play(story)


def test_a_second_page_takes_over_from_the_first(table):
    made = table()

    async def story():
        async with made.page() as first:
            token = await first.join()
            async with made.page(token) as second:
                await second.until(lambda: second.me.get("name") == "Ann_1")
                await first.until(lambda: first.closed_with is not None)
                assert first.of("replaced")
                await second.go("goTo", "RoomC1")

    play(story)


def test_without_a_place_for_another_robot_the_reason_is_told(table):
    made = table(Scenario(bots=(BotSpec(amount=3),)))

    async def story():
        async with made.page() as page:
            await page.send(type="join", name="Ann")
            errors = await page.until(lambda: page.of("error"))
            assert "spawn points are taken" in errors[0]["text"]

    play(story)


def test_a_robot_that_is_taken_out_of_the_world_leaves_its_person_watching(table):
    made = table()

    async def story():
        async with made.page() as page:
            await page.join()
            made.host.remove_player("Ann_1").result(5)
            left = await page.until(lambda: page.of("left"))
            assert "taken out" in left[0]["text"]
            await page.until(lambda: "me" not in page.state)
            assert len(page.things("block")) == 22

    play(story)


def test_a_reset_begins_anew_for_everybody(table):
    made = table(control=True)

    async def story():
        async with made.page() as page:
            await page.join()
            await page.go("goTo", "RoomC1")
            await page.until(lambda: page.things("block"))
            await page.send(type="control", command="pause")
            await page.until(lambda: page.state["task"]["paused"])
            await page.send(type="control", command="reset")
            await page.until(lambda: not page.things("block"))
            await page.send(type="control", command="resume")
            await page.go("goTo", "RoomC1")

    play(story)


def test_another_map_is_shown_to_everybody(table):
    made = table()

    async def story():
        async with made.page() as page, made.page() as watcher:
            await page.join()
            await watcher.until(lambda: watcher.state)
            made.host.load(load_map("large")).result(10)
            await page.until(lambda: len(page.world["zones"]) > 60)
            await page.until(lambda: page.me.get("at"))
            await watcher.until(lambda: len(watcher.things("block")) == 240)

    play(story)


def test_the_measures_come_at_the_end(table):
    made = table(speed=100.0)

    async def story():
        async with made.page() as page:
            await page.until(lambda: page.state)
            blocks = list(page.things("block").values())
            await page.join()
            for color in page.state["task"]["sequence"]:
                block = next(b for b in blocks if b["color"] == color)
                blocks.remove(block)
                await page.go("goTo", block["zone"])
                await page.go("goToBlock", block["id"])
                await page.act("pickUp")
                await page.go("goTo", "DropZone")
                await page.act("putDown")
            measures = await page.until(lambda: page.state.get("measures"))
            assert (measures["goodDrops"], measures["wrongDrops"]) == (6, 0)
            assert measures["robots"][0]["name"] == "Ann_1"
            assert measures["seconds"] > 0

    play(story)


def test_the_end_of_the_world_is_told(table):
    made = table()

    async def story():
        async with made.page() as page:
            await page.join()
            made.host.close()
            ended = await page.until(lambda: page.of("ended"))
            assert "ended" in ended[0]["text"]
        async with made.page() as late:
            await late.until(lambda: late.of("ended"))

    play(story)


def test_closing_the_server_frees_all_robots(table):
    made = table()

    async def story():
        async with made.page() as page:
            await page.join()
            await asyncio.get_running_loop().run_in_executor(None, made.server.close)
            assert made.names() == ()
            await page.until(lambda: page.closed_with is not None)

    play(story)
