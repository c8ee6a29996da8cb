# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server's center: takes a frame of the world regularly, and serves all browsers.

Everything here runs on one event loop; what touches the world is handed to its thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bw4t_runner.jobs import WorldEndedError
from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.server.awaiting import result_of
from bw4t_web.server.lateness import Lateness, refuse_late
from bw4t_web.server.settings import Settings
from bw4t_web.sessions import client_requests as requests
from bw4t_web.sessions.chat_monitor import ChatMonitor
from bw4t_web.sessions.client_requests import Act, Control, Leave, Say
from bw4t_web.sessions.controls import (
    Event,
    PlayerFrame,
    PlayerSession,
    human_bots,
    join_with_free_robot,
    join_with_new_robot,
)
from bw4t_web.sessions.people import PageView, People, Person
from bw4t_web.view.phrases import catalogue
from bw4t_web.view.scene import WholeView, describe_map, measures, task
from bw4t_world import WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.messages import Phrasing
from bw4t_world.simulation.snapshots import Snapshot
from legacy_robots_web import Client, Fields, State

LOG = logging.getLogger("bw4t_web")
T = TypeVar("T")


@dataclass(frozen=True)
class Frame:
    """One moment of the world, for all viewers."""

    snapshot: Snapshot
    phrasing: Phrasing
    humans: list[str]
    measures: Fields | None
    frames: dict[Person, PlayerFrame]
    heard: tuple[Event, ...]


class Hub:
    """Connects all browsers and people with the world."""

    gives_tokens = True
    """Whether a browser gets the secret by which it is recognised after a reload."""

    def __init__(self, runner: WorldRunner, settings: Settings) -> None:
        self._runner = runner
        self._settings = settings
        self._people = People()
        self._clients: set[Client] = set()
        self._has_clients = asyncio.Event()
        self._whole_view = WholeView()
        self._chat_monitor = ChatMonitor()
        self._map: MapSpec | None = None
        self._world_message: dict[str, Any] = {}
        self._index: int | None = None
        self._seconds = 0.0
        self._end = ""
        self._measures: tuple[int, Fields] | None = None
        self._releases: set[asyncio.Task[None]] = set()
        self._awaited_people = settings.wait_for_people
        self._leaving: set[str] = set()
        self._lateness = Lateness()

    # --- The world -----------------------------------------------------------------------

    async def _on_world(self, job: Callable[[WorldPort], T]) -> T:
        """Do a job on the world's thread; raises WorldEndedError after its end."""
        return await result_of(self._runner.submit(job))

    async def run(self) -> None:
        """Take frames and pass them on, until cancelled or until the world ends."""
        loop = asyncio.get_running_loop()
        period = 1.0 / self._settings.frame_rate
        try:
            while True:
                if not self._clients and not len(self._people):
                    self._has_clients.clear()
                    await self._on_world(lambda _: self._chat_monitor.stop())
                    await self._has_clients.wait()
                due = loop.time() + period
                self._pass_on(await self._take_frame())
                await asyncio.sleep(max(0.0, due - loop.time()))
        except WorldEndedError:
            self._end = "The world has ended."
            for client in self._clients:
                self._dismiss(client)

    def _dismiss(self, client: Client) -> None:
        client.tell({"type": "ended", "text": self._end})
        client.finish()

    async def close(self) -> None:
        """Free all robots and end all connections."""
        for person in self._people:
            try:
                await self._on_world(person.session.leave)
            except WorldError:
                pass
            self._people.remove(person)
        try:
            await self._on_world(lambda _: self._chat_monitor.stop())
        except WorldError:
            pass
        for client in self._clients:
            client.finish()

    # --- Frames --------------------------------------------------------------------------

    async def _take_frame(self) -> Frame:
        people = list(self._people)
        watchers = any(self._may_watch(c) for c in self._clients if not self._people.at(c))

        def take(world: WorldPort) -> Frame:
            snapshot = world.snapshot()
            if not watchers:
                self._chat_monitor.stop()
            return Frame(
                snapshot,
                world.profile.message_phrasing,
                human_bots(snapshot),
                self._final_measures(world, snapshot),
                {person: person.session.look(snapshot, world) for person in people},
                self._chat_monitor.listen(world, snapshot) if watchers else (),
            )

        return await self._on_world(take)

    def _final_measures(self, world: WorldPort, snapshot: Snapshot) -> Fields | None:
        if snapshot.completed_at is None:
            self._measures = None
            return None
        if self._measures is None or self._measures[0] != snapshot.completed_at:
            self._measures = (snapshot.completed_at, measures(world.measures()))
        return self._measures[1]

    def _pass_on(self, frame: Frame) -> None:
        snapshot = frame.snapshot
        self._seconds = snapshot.seconds
        if not snapshot.is_paused:
            self._awaited_people = 0
        if self._map is not snapshot.map:
            self._map = snapshot.map
            self._world_message = describe_map(snapshot.map) | {
                "phrases": catalogue(frame.phrasing),
                "watch": self._settings.watch,
                "control": self._settings.control,
                "owned": self._settings.control and self.gives_tokens,
                "grace": self._settings.grace,
                "freeText": self._settings.view.free_text,
                "language": bool(self._settings.language),
            }
        missing = max(0, self._awaited_people - len(self._people))
        start = {"missing": missing, "begun": snapshot.tick > 0}
        extra: State = {"start": start | {"speed": self._runner.world_status.speed}}
        if frame.measures is not None:
            extra["measures"] = frame.measures
        for person, own in frame.frames.items():
            if self._people.known_by(person.token) is person:  # who has not left meanwhile
                self._pass_on_to(person, own, extra)
        events = [*frame.heard, *self._progress(snapshot)]
        watchers = [client for client in self._clients if self._people.at(client) is None]
        if watchers:
            self._pass_on_to_watchers(watchers, frame, events, extra)

    def _pass_on_to_watchers(
        self, watchers: list[Client], frame: Frame, events: list[Event], extra: State
    ) -> None:
        taken = self._leaving | {person.name for person in self._people}
        lobby: State = {"lobby": {"free": [name for name in frame.humans if name not in taken]}}
        seeing = set(filter(self._may_watch, watchers))
        whole = self._whole_view.state(frame.snapshot) | extra if seeing else {}
        plain: State = {"task": task(frame.snapshot), "start": extra["start"]}
        for client in watchers:
            state = (whole if client in seeing else plain) | lobby | self._extra(client)
            client.show(self._page(client, state))
            for event in events if client in seeing else ():
                client.tell(event.message())

    def _may_watch(self, client: Client) -> bool:
        """Whether a browser without a robot sees the world."""
        return self._settings.watch

    def _page(self, client: Client, state: State) -> PageView:
        """Return what a browser without a robot is shown."""
        return PageView(self._world_message, state)

    def _extra(self, client: Client | None) -> State:
        """Return what else a browser is shown."""
        return {}

    def _pass_on_to(self, person: Person, frame: PlayerFrame, extra: State) -> None:
        if frame.gone:
            self._people_left(person, f"{person.name} was taken out of the world.")
            return
        more = extra | self._extra(person.client)
        person.view = PageView(self._world_message, frame.state | more)
        person.events.extend(frame.events)
        if person.client is not None:
            person.client.show(person.view)
            for event in frame.events:
                person.client.tell(event.message())

    def _progress(self, snapshot: Snapshot) -> list[Event]:
        before, self._index = self._index, snapshot.delivered
        sequence, seconds = snapshot.sequence, snapshot.seconds
        new = range(snapshot.delivered if before is None else before, snapshot.delivered)
        return [
            Event("news", f"{sequence[i]} delivered: {i + 1} of {len(sequence)}.", seconds)
            for i in new
        ]

    # --- Browsers ------------------------------------------------------------------------

    def enter(self, client: Client) -> None:
        """Handle a new browser."""
        self._clients.add(client)
        self._has_clients.set()
        if self._end:
            self._dismiss(client)

    def exit(self, client: Client) -> None:
        """Handle a closed browser connection. Its robot waits for ``grace`` seconds."""
        self._clients.discard(client)
        person = self._people.disconnect(client)
        if person is not None:
            self._note(person, "page: connection lost")
            loop = asyncio.get_running_loop()
            person.release = loop.call_later(self._settings.grace, self._release, person)

    def _note(self, person: Person, text: str) -> None:
        self._runner.submit(lambda world: world.note(person.name, text))

    def _release(self, person: Person) -> None:
        LOG.info("%s is free: its person did not come back", person.name)
        self._note(person, "page: did not come back")
        task = asyncio.ensure_future(self._free(person))
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)

    async def _free(self, person: Person) -> None:
        self._people.remove(person)
        try:
            await self._leave(person)
        except WorldError as error:
            LOG.warning("%s could not be freed: %s", person.name, error)

    async def _leave(self, person: Person) -> None:
        """Free the robot; the lobby offers it when that is done, not before."""
        self._leaving.add(person.name)
        try:
            await self._on_world(person.session.leave)
        finally:
            self._leaving.discard(person.name)

    def _people_left(self, person: Person, reason: str) -> None:
        client = person.client
        self._people.remove(person)
        self._note(person, "page: left")
        if client is not None:
            client.tell({"type": "left", "text": reason})

    # --- Requests of browsers ------------------------------------------------------------

    async def receive(self, client: Client, text: str) -> None:
        """Carry out a request of a browser, or tell it why not."""
        number = None
        try:
            request, sent = requests.parse_request(text)
            number = getattr(request, "number", None)
            age = self._lateness.of(client, sent, asyncio.get_running_loop().time())
            if isinstance(request, requests.Ping):
                client.tell({"type": "pong"})
                return
            refuse_late(age)
            await self._carry_out(client, request)
        except (ValueError, WorldError) as error:
            client.tell({"type": "error", "text": str(error), "id": number})

    async def _carry_out(self, client: Client, request: requests.ClientRequest) -> None:
        if isinstance(request, requests.Hello):
            self._welcome(client, request)
        elif isinstance(request, requests.Join):
            await self._join(client, request)
        elif isinstance(request, Control):
            await self._control(client, request)
        elif isinstance(request, (Leave, Act, Say)):
            await self._play(client, request)
        else:
            raise WorldError("There is no experiment here.")

    def _welcome(self, client: Client, request: requests.Hello) -> None:
        if request.token is None:
            return
        if self._people.at(client) is not None:
            raise WorldError("You have a robot already.")
        person = self._people.known_by(request.token)
        if person is None:
            client.tell({"type": "left", "text": "Your robot was freed in the meantime."})
            return
        before = self._people.connect(person, client)
        if before is not None and before is not client:
            before.tell({"type": "replaced", "text": "This robot is steered from another page."})
            before.finish()
        self._note(person, "page: came back")
        self._hand_over(person, client, resumed=True)

    async def _join(self, client: Client, request: requests.Join) -> None:
        if self._people.at(client) is not None:
            raise WorldError("You have a robot already.")
        if request.bot is not None and self._people.holder_of(request.bot) is not None:
            raise WorldError(f"{request.bot} is steered by another person.")

        runner, bot, view = self._runner, self._settings.bot, self._settings.view

        def join(world: WorldPort) -> PlayerSession:
            if request.bot is not None:
                acts = request.agent_acts
                return join_with_free_robot(runner, world, request.bot, agent_acts=acts, view=view)
            return join_with_new_robot(runner, world, request.name, bot, view)

        session = await self._on_world(join)
        if self._people.holder_of(session.name) is not None:
            await self._on_world(session.leave)
            raise WorldError(f"{session.name} is steered by another person.")
        if client not in self._clients or self._people.at(client) is not None:
            await self._on_world(session.leave)  # gone while waiting, or asked twice
            return
        person = Person(session, client)
        self._people.add(person)
        LOG.info("a person steers %s", person.name)
        code = f", participant {request.code}" if request.code else ""
        self._note(person, f"page: joined{code}")
        self._hand_over(person, client, resumed=False)
        if 0 < self._awaited_people <= len(self._people):
            self._awaited_people = 0
            await self._on_world(lambda _: self._runner.resume().result())

    def _hand_over(self, person: Person, client: Client, *, resumed: bool) -> None:
        client.tell(
            {
                "type": "joined",
                "name": person.name,
                "token": person.token if self.gives_tokens else None,
                "resumed": resumed,
                "past": [event.message() for event in person.events],
            }
        )
        if person.view is not None:
            client.show(person.view)

    async def _play(self, client: Client, request: Leave | Act | Say) -> None:
        person = self._people.at(client)
        if person is None:
            raise WorldError("You have no robot.")
        if isinstance(request, Leave):
            self._people_left(person, f"You left {person.name}.")
            await self._leave(person)
            return
        session = person.session
        if isinstance(request, Act):
            action, args = request.action, request.args
            answer = await self._on_world(lambda world: session.act(world, action, args))
            kind = "begun" if answer.begun else "done" if answer.succeeded else "failed"
            event = Event(kind, answer.text, self._seconds)
        else:
            receiver, message = request.receiver, request.message
            answer = await self._on_world(lambda world: session.say(world, receiver, message))
            event = Event("message", answer.text, self._seconds, person.name, receiver)
            if not answer.succeeded:
                event = Event("failed", answer.text, self._seconds)
        person.events.append(event)
        client.tell(event.message() | {"id": request.number, "ok": answer.succeeded})

    async def _control(self, client: Client, request: Control) -> None:
        if not self._settings.control:
            raise WorldError("This page cannot control the world's time.")
        runner = self._runner
        change = getattr(runner, request.command, lambda: runner.set_speed(request.speed))
        await self._on_world(lambda _: change().result())
