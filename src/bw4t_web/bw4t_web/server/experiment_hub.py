# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page's server for an experiment: participants by their codes, and the experimenter."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bw4t_runner.events import Cycle
from bw4t_runner.team import InProcessTeam
from bw4t_runner.world_port import WorldPort
from bw4t_web.experiment.port import Experiment, ExperimentGame
from bw4t_web.experiment.runner import ExperimentRunner
from bw4t_web.server.hub import LOG, Frame, Hub
from bw4t_web.server.settings import Settings
from bw4t_web.sessions import client_requests as requests
from bw4t_web.sessions.controls import PlayerSession, join_with_free_robot
from bw4t_web.sessions.people import PageView, Person
from bw4t_web.view.others import PersonView
from bw4t_web.view.scene import WholeView, describe_map
from bw4t_world import World, WorldError
from bw4t_world.simulation.snapshots import Snapshot
from legacy_robots_web import Client, Fields, State

LONG_S = 86400.0
"""A participant's robot waits for the end of the game."""


class Referee(InProcessTeam):
    """The robots' team of each game; also lets time stand still when a game is over or frozen.

    It observes the runner, on the runner's thread.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.runner: ExperimentRunner | None = None
        self._stops_s: list[float] = []

    def begin(self, game: ExperimentGame) -> None:
        """Take over another game, which is loaded then."""
        self.kind = game.team
        self._stops_s = sorted({*game.freezes_s, game.limit_s})

    def on_event(self, event: object) -> None:
        """Take an event of the runner."""
        stops = isinstance(event, Cycle) and not event.snapshot.is_paused and self._stops(event)
        if stops and self.runner is not None:
            self.runner.hold()
        else:
            super().on_event(event)

    def _stops(self, event: Cycle) -> bool:
        snapshot = event.snapshot
        if snapshot.completed_at is not None:
            return True
        if self._stops_s and snapshot.seconds >= self._stops_s[0] - 1e-9:
            del self._stops_s[0]
            return True
        return False


class ExperimentHub(Hub):
    """Serves the participants of an experiment, and its experimenter."""

    gives_tokens = False
    _runner: ExperimentRunner

    def __init__(
        self,
        runner: ExperimentRunner,
        settings: Settings,
        experiment: Experiment,
        referee: Referee,
    ) -> None:
        super().__init__(
            runner,
            replace(
                settings,
                watch=experiment.watch,
                control=experiment.control,
                language=experiment.language,
                grace=LONG_S,
                wait_for_people=0,
            ),
        )
        self.phase = str(experiment.overview()["phase"])
        """How the experiment stands. May be read on any thread."""
        self._experiment = experiment
        self._referee = referee
        referee.runner = runner
        self._codes: dict[Client, str] = {}
        self._experimenters: set[Client] = set()
        self._refusals: dict[Client, str] = {}
        self._shown: dict[Client, PageView] = {}
        self._drafts: dict[str, requests.Draft] = {}  # by the participants' codes
        self._game: ExperimentGame | None = None
        self._frozen = False
        self._freezes: list[float] = []
        self._lock = asyncio.Lock()
        """Held while a game begins or ends, and by requests that change what comes next."""
        self._paused = True

    # --- The course of the games ---------------------------------------------------------

    async def _take_frame(self) -> Frame:
        async with self._lock:
            frame = await super()._take_frame()
            while await self._go_on(frame.snapshot):  # another game has begun, or one has ended
                frame = await super()._take_frame()
            return frame

    async def _go_on(self, snapshot: Snapshot) -> bool:
        """Begin, freeze or end a game where that is due; return whether a game did either.

        Called with the lock, under which the snapshot was taken.
        """
        self._paused = snapshot.is_paused
        self.phase = str(self._experiment.overview()["phase"])
        if self._game is None:
            return await self._begin_game()
        if self._experiment.present == "playing":
            if snapshot.completed_at is not None:
                self._experiment.ended("complete")
            elif snapshot.seconds >= self._game.limit_s - 1e-9:
                self._experiment.ended("time limit")
            else:
                await self._freeze(snapshot)
                return False
        await self._end_game()
        return True

    async def _begin_game(self) -> bool:
        game = self._experiment.next_game()
        if game is None or not game.seats.keys() <= set(self._codes.values()):
            return False
        view = PersonView(**game.view)
        self._settings = replace(self._settings, view=view)

        def begin(world: WorldPort) -> dict[str, PlayerSession]:
            self._runner.hold().result()
            assert isinstance(world, World)
            game.begin(world)
            self._referee.begin(game)
            self._runner.load(game.map, game.scenario, seed=game.seed).result()
            return {
                code: join_with_free_robot(self._runner, world, robot, view=view)
                for code, robot in game.seats.items()
            }

        self._experiment.begun(game)
        try:
            sessions = await self._on_world(begin)
        except Exception:
            self._experiment.ended("interrupted")
            raise
        self._game, self._frozen, self._freezes = game, False, list(game.freezes_s)
        # Some have gone meanwhile.
        clients = {code: client for client, code in self._codes.items()}
        for code, session in sessions.items():
            person = Person(session, clients.get(code))
            self._people.add(person)
            self._note(person, f"page: joined, participant {code}")
            if person.client is not None:
                self._hand_over(person, person.client, resumed=False)
        await self._on_world(lambda _: self._runner.go_on().result())
        return True

    async def _end_game(self) -> None:
        game, self._game = self._game, None
        assert game is not None
        reason = self._experiment.present
        people = list(self._people)

        def end(world: WorldPort) -> None:
            self._runner.hold().result()
            assert isinstance(world, World)
            game.end(world, reason)
            for person in people:
                person.session.leave(world)

        await self._on_world(end)
        for person in people:
            client = person.client
            self._people.remove(person)
            if client is not None:
                client.tell({"type": "left", "text": ""})

    async def _freeze(self, snapshot: Snapshot) -> None:
        if self._frozen and self._experiment.is_answered:
            self._frozen = False
            self._experiment.thawed()
            await self._on_world(lambda _: self._runner.go_on().result())
        elif not self._frozen and self._freezes and snapshot.seconds >= self._freezes[0] - 1e-9:
            self._frozen = True
            self._experiment.frozen(self._freezes.pop(0))

    # --- Browsers ------------------------------------------------------------------------

    def _may_watch(self, client: Client) -> bool:
        if client in self._experimenters:
            return client not in self._shown
        return super()._may_watch(client) and client not in self._codes

    def _page(self, client: Client, state: State) -> PageView:
        shown = self._shown.get(client)
        if shown is None:
            return super()._page(client, state)
        own: State = {"experiment": state["experiment"], "lobby": state["lobby"]}
        return PageView(shown.world, shown.state | own | {"start": state["start"]})

    def _extra(self, client: Client | None) -> State:
        if client is None:
            return {}
        free: State = {"lobby": {"free": []}}
        if client in self._experimenters:
            connected = sorted(set(self._codes.values()))
            more = {"connected": connected, "paused": self._paused, "frozen": self._frozen}
            state: State = {"experiment": {**self._experiment.overview(), **more}}
            return free | state
        if client in self._codes:
            return free | {"screen": self._screen(self._codes[client])}
        if self._settings.watch and client not in self._refusals:
            return free
        text = self._refusals.get(client, "")  # empty before the first request
        return free | {"screen": {"kind": "refused" if text else "wait", "text": text}}

    def _screen(self, code: str) -> Fields:
        screen = self._experiment.screen(code)
        seats = self._game.seats if self._game is not None else {}
        away = sorted(robot for code, robot in seats.items() if code not in self._codes.values())
        return {**screen, "away": away} if screen["kind"] == "play" else screen

    def exit(self, client: Client) -> None:
        """Handle a closed browser connection; the participant's robot waits."""
        super().exit(client)
        self._experimenters.discard(client)
        self._refusals.pop(client, None)
        self._shown.pop(client, None)
        code = self._codes.pop(client, None)
        if code is not None and code not in self._codes.values():
            self._note_connection(code, "lost")

    def _note_connection(self, code: str, text: str) -> None:
        try:
            self._experiment.connection(code, text)
        except OSError as error:
            LOG.error("it is not noted that participant %s is %s: %s", code, text, error)

    def _release(self, person: Person) -> None:
        """Keep the robot: the game needs its participant."""

    # --- Requests ------------------------------------------------------------------------

    async def _carry_out(self, client: Client, request: requests.ClientRequest) -> None:
        try:
            await self._carry_out_here(client, request)
        except OSError as error:
            LOG.error("a request was not carried out: %s", error)
            raise WorldError(
                f"The server cannot use its files: {error.strerror or error}."
            ) from error

    async def _carry_out_here(self, client: Client, request: requests.ClientRequest) -> None:
        if isinstance(request, requests.Hello):
            async with self._lock:
                self._arrive(client, request)
        elif isinstance(request, requests.Answers):
            code = self._code(client)
            try:
                self._experiment.answer(code, request.form, request.answers)
            finally:
                form = self._experiment.screen(code).get("form")
                if form is None or form["id"] != request.form:
                    self._drafts.pop(code, None)
            client.tell({"type": "taken", "id": request.number})
        elif isinstance(request, requests.Draft):
            self._drafts[self._code(client)] = request
        elif isinstance(request, requests.Withdraw):
            async with self._lock:
                self._experiment.withdraw(self._code(client))
        elif isinstance(request, (requests.Command, requests.Show)):
            if client not in self._experimenters:
                raise WorldError("Only the experimenter can do that.")
            if isinstance(request, requests.Command):
                await self.command(request.command)
            else:
                await self._show(client, request)
            client.tell({"type": "taken", "id": request.number})
        elif isinstance(request, requests.Control) and client not in self._experimenters:
            if request.command in ("reset", "speed"):
                raise WorldError("Only the experimenter can begin another game.")
            if not self._settings.watch:
                self._code(client)
            await super()._carry_out(client, request)
        elif isinstance(request, (requests.Act, requests.Say)):
            if self._experiment.screen(self._code(client))["kind"] != "play":
                raise WorldError("The game stands still.")
            await super()._carry_out(client, request)
        else:
            raise WorldError("That cannot be done in an experiment.")

    def _code(self, client: Client) -> str:
        if client not in self._codes:
            raise WorldError("You do not take part in the experiment.")
        return self._codes[client]

    def _arrive(self, client: Client, request: requests.Hello) -> None:
        if request.secret:
            if not self._experiment.is_secret(request.secret):
                self._refusals[client] = "This link of the experimenter is not valid."
                return
            self._experimenters.add(client)
        elif request.code:
            try:
                self._experiment.arrive(request.code)
            except ValueError as error:
                self._refusals[client] = str(error)
                return
            self._seat(client, request.code)
        elif not self._settings.watch:
            self._refusals[client] = "Please open the link that you were given."

    def _seat(self, client: Client, code: str) -> None:
        """Give a participant's place to this browser."""
        for other in [c for c, owner in self._codes.items() if owner == code and c is not client]:
            del self._codes[other]
            other.tell({"type": "replaced", "text": "Your link was opened on another page."})
            other.finish()
        self._codes[client] = code
        self._note_connection(code, "connected")
        if code in self._drafts:
            draft = self._drafts[code]
            client.tell({"type": "draft", "form": draft.form, "answers": draft.answers})
        person = None
        if self._game is not None and code in self._game.seats:
            person = self._people.holder_of(self._game.seats[code])
        if person is not None:
            self._people.connect(person, client)
            self._note(person, "page: came back")
            self._hand_over(person, client, resumed=True)

    # --- The experimenter ----------------------------------------------------------------

    async def command(self, name: str) -> None:
        """Carry out a command of the experimenter. Raises ValueError, WorldError and OSError."""
        async with self._lock:
            if name == "resume" and self._frozen:
                raise WorldError("The participants still answer.")
            self._experiment.command(name)
            if name in ("pause", "resume"):
                change = self._runner.pause if name == "pause" else self._runner.resume
                await self._on_world(lambda _: change().result())
            await self._go_on(await self._on_world(lambda world: world.snapshot()))

    async def _show(self, client: Client, request: requests.Show) -> None:
        if not request.file:
            self._shown.pop(client, None)
            return
        loop = asyncio.get_running_loop()
        snapshot, length = await loop.run_in_executor(
            None, self._experiment.moment, request.file, request.seconds
        )
        if client not in self._experimenters:
            return  # it has gone meanwhile
        before = self._shown.get(client)
        if before is not None and before.state["replay"]["file"] == request.file:
            world = before.world
        else:
            world = self._world_message | describe_map(snapshot.map)
        replay: Fields = {"file": request.file, "length": round(length, 2)}
        self._shown[client] = PageView(world, WholeView().state(snapshot) | {"replay": replay})
