# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A live original server as a world: percepts are polled, actions are passed on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from bw4t_java.eis.values import ProtocolError, map_of, percept_of
from bw4t_java.original import kept
from bw4t_java.original.handling import HANDLING, borne, epartner_handled, picked_up, put_down
from bw4t_java.original.perceived_team import PerceivedTeam
from bw4t_java.original.player import OriginalConsumer, OriginalPlayer
from bw4t_java.original.program import Program, Refused
from bw4t_runner.remote_world import RemoteWorld
from bw4t_runner.world_runner import GOING_ACTIONS
from bw4t_world import (
    ActionError,
    Outcome,
    Percept,
    PerceptUpdate,
    Profile,
    Snapshot,
    TeamSummary,
    WorldError,
)
from bw4t_world.actions import Effect
from bw4t_world.maps import MapSpec
from bw4t_world.model.choices import Delivery
from bw4t_world.simulation.user_requests import check_user_request
from legacy_robots_core.link.base import LinkFault, LinkLost

START_TIMEOUT_S = 0.5
"""How long after an action that goes a robot counts as traveling though it does not say so: the
way may be shorter than the time between two polls."""
INTERRUPT_S = 1.0
"""How long an interrupt leaves for the answer to a request, and to leave the server."""
STANDSTILL_S = 10.0
"""How long robots may be on their way without any moving until their server counts as stuck."""


class OriginalWorld(RemoteWorld):
    """Players at an original server.

    Parameters
    ----------
    command
        Returns the command of the Java program; it may raise JavaError.
    profile
        Of the server's version.
    start
        Whether to ask the server to let time pass when it is connected.
    clock
        Seconds that never go back.

    """

    def __init__(
        self,
        command: Callable[[], list[str]],
        profile: Profile,
        *,
        start: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._profile = profile
        self._now = 0
        self._command = command
        self._start = start
        self._clock = clock
        self._program: Program | None = None
        self._ending = False
        self._failure: LinkLost | None = None
        self._began = self._moved_at = clock()
        self._state = "PAUSED"
        self._server = ""
        self._joined = False
        self._players: dict[str, OriginalPlayer] = {}
        self._team = PerceivedTeam(MapSpec())
        self._repeats = profile.percept_delivery is Delivery.EIS_0_5

    # --- The connection --------------------------------------------------------------------

    def open(self) -> None:
        """Connect, with new players; raises LinkLost or LinkFault."""
        program = self._program = Program(self._command)
        if self._ending:
            raise LinkLost("closed")
        try:
            self._begin(program.first_line())
            if self._start and self._state != "RUNNING":
                program.request("start")
                self._state = "RUNNING"
            self.step(0)
            self._check_that_robots_are_placed()
        except Refused as error:
            self.close()
            raise LinkFault(f"the original server refuses: {error}") from error
        except ProtocolError as error:
            self.close()
            raise LinkFault(f"the Java program: {error}") from error
        except LinkLost:
            self.close()
            raise

    def _begin(self, first: dict[str, Any]) -> None:
        delivery = "0.5" if self._repeats else "0.7"
        if first.get("eis") != delivery:
            raise LinkFault(
                f"the client jar is of EIS {first.get('eis')}, but the profile "
                f"{self.profile.name} needs EIS {delivery}"
            )
        try:
            entities = [(str(name), str(kind)) for name, kind in first["entities"]]
            self._team = PerceivedTeam(map_of(first["map"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ProtocolError(f"its first line is wrong: {error!r}") from error
        self._state = str(first.get("state"))
        self._failure = None
        self._began, self._now = self._clock(), 0
        self._moved_at = self._began
        self._server = str(first.get("server"))
        known = kept.take(self._server, [name for name, _ in entities])
        before, self._players = self._players, {}
        for name, kind in entities:
            player = self._players[name] = OriginalPlayer(name, kind, repeats=self._repeats)
            held = known.get(name, [])
            player.update(PerceptUpdate(held, []), self._began, is_paused=True)
            self._team.learn(held)
            if name in before:
                player.consumers = before.pop(name).consumers
                for consumer in player.consumers:
                    consumer._player = player
                    consumer.begin_again()
        for gone in before.values():
            self._detach(gone)
        self._joined = True

    def close(self) -> None:
        """Leave the server; the robots wait there for the next client."""
        program, self._program = self._program, None
        if program is None:
            return
        with suppress(LinkLost, Refused, OSError):
            if self._joined and self._failure is None:
                program.request("leave")
                held = {name: one.held.everything() for name, one in self._players.items()}
                kept.keep(self._server, held)
        self._joined = False
        program.release()

    def interrupt(self) -> None:
        """End the connection and do not connect again. On any thread."""
        self._ending = True
        program = self._program
        if program is not None and self._joined:
            ending = threading.Timer(INTERRUPT_S, program.end)
            ending.daemon = True
            ending.start()
        elif program is not None:
            program.end()

    def refuse(self, request: str) -> NoReturn:
        """Raise WorldError."""
        raise WorldError(f"an original server cannot {request}")

    def _request(self, op: str, **fields: Any) -> Any:
        """Return an answer; raises WorldError without a connection, Refused."""
        if self._program is None or self._failure is not None:
            raise WorldError("there is no connection to the original server")
        try:
            return self._program.request(op, **fields)
        except LinkLost as lost:
            self._failure = lost  # which ends the connection at the next step
            raise WorldError(str(lost)) from lost

    # --- The world -------------------------------------------------------------------------

    @property
    def profile(self) -> Profile:
        """The rules of the server's version."""
        return self._profile

    @property
    def map(self) -> MapSpec:
        """The server's map."""
        return self._team.map

    @property
    def now(self) -> int:
        """Polls since the connection was made, in ticks of the profile."""
        return self._now

    @property
    def names(self) -> tuple[str, ...]:
        """Names of this client's players."""
        return tuple(self._players)

    @property
    def seconds(self) -> float:
        """Seconds since the connection was made."""
        return self._clock() - self._began

    def step(self, ticks: int) -> None:
        """Perceive once; raises LinkLost or LinkFault."""
        try:
            self._poll()
        except Refused as error:
            raise LinkFault(f"the original server refuses percepts: {error}") from error
        except WorldError as error:
            raise self._failure or LinkLost(str(error)) from error
        except ProtocolError as error:
            raise LinkFault(f"the Java program: {error}") from error
        self._check_that_robots_move()
        self._now += ticks
        for player in self._players.values():
            if player.robot.state != "traveling":
                player.robot.measures.idle_ticks += ticks

    def _check_that_robots_are_placed(self) -> None:
        """Raise LinkFault for robots that server 3.8.1 made though it had no spawn point."""
        percepts = {name: player.robot.percepts for name, player in self._players.items()}
        unknown = [name for name, known in percepts.items() if not known.name]
        if unknown:
            raise LinkFault(
                f"the original server told another client what {', '.join(unknown)} perceives, "
                "and tells it once: start it again"
            )
        unplaced = [name for name, known in percepts.items() if known.location == (0.0, 0.0)]
        if unplaced:
            raise LinkFault(
                f"the original server had no spawn point for {', '.join(unplaced)}, which it put "
                "at (0, 0): ask for fewer robots, or start the server again"
            )

    def _check_that_robots_move(self) -> None:
        """Raise LinkFault when a server that runs moves no robot that is on its way.

        A server 3.8.1 that was joined while it started can be so for ever: docs/originals/bw4t.md.
        """
        now = self._clock()
        is_on_its_way = any(p.robot.state == "traveling" for p in self._players.values())
        if not is_on_its_way or self._state != "RUNNING":
            self._moved_at = now
        elif now - self._moved_at > STANDSTILL_S:
            raise LinkFault(
                "the original server answers, but has not moved a robot on its way for "
                f"{STANDSTILL_S:g} s: start the server again"
            )

    def _poll(self) -> None:
        value = self._request("poll")
        try:
            updates = {name: _update(update) for name, update in value["percepts"].items()}
            events = [(str(event), reported) for event, reported in value["events"]]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ProtocolError(f"no answer to poll: {error!r}") from error
        for event, reported in events:
            if event == "state":
                self._state = str(reported)
            elif event == "deleted" and reported in self._players:
                self._detach(self._players.pop(reported))
        now, is_paused = self._clock(), self._state != "RUNNING"
        for name, update in updates.items():
            if name in self._players:
                self._players[name].update(update, now, is_paused=is_paused)
                self._team.learn(update.add)
                if any(percept.name == "location" for percept in update.add):
                    self._moved_at = now

    @staticmethod
    def _detach(player: OriginalPlayer) -> None:
        for consumer in tuple(player.consumers):
            consumer.close()

    def snapshot(self) -> Snapshot:
        """Return what all players perceive together."""
        return self._team.snapshot(
            (player.robot for player in self._players.values()),
            tick=self.now,
            seconds=self.seconds,
            is_paused=self._state != "RUNNING",
        )

    def measures(self) -> TeamSummary:
        """Return what was counted of these players."""
        robots = [player.robot for player in self._players.values()]
        return self._team.measures(robots, self.snapshot())

    def contains(self, x: float, y: float) -> bool:
        """Whether a point is on the map."""
        area = self.map.area
        return 0.0 <= x <= area.x and 0.0 <= y <= area.y

    def connect(
        self, name: str, *, player: bool = True, delivery: Delivery | None = None
    ) -> OriginalConsumer:
        """Return a consumer of a player's percepts; WorldError for an unknown name."""
        found = self._player(name, WorldError)
        consumer = OriginalConsumer(found)
        found.consumers.append(consumer)
        return consumer

    def _player(self, name: str, error: type[WorldError]) -> OriginalPlayer:
        if name not in self._players:
            raise error(f"there is no player {name!r} of this bridge at the original server")
        return self._players[name]

    def pause(self) -> None:
        """Ask for time to stand still."""
        self._control("pause", "PAUSED")

    def resume(self) -> None:
        """Ask for time to pass."""
        self._control("start", "RUNNING")

    def _control(self, op: str, state: str) -> None:
        try:
            self._request(op)
        except Refused as error:
            raise WorldError(f"the original server refuses to {op}: {error}") from error
        self._state = state

    def user_request(self, name: str, request: str, *args: Any) -> None:
        """Tell the agent of a human bot what its user asks for; raises WorldError.

        In the original, too, this is a matter of the client alone.
        """
        player = self._player(name, WorldError)
        check_user_request(self.profile, name, player.robot.kind, request, args)
        for consumer in player.consumers:
            consumer.notify(Percept(request, args))

    def act(self, name: str, action: str, *args: Any) -> Outcome:
        """Let a player act; raises ActionError."""
        player = self._player(name, ActionError)
        percepts = player.robot.percepts
        held, delivered, bears = percepts.holding, percepts.sequence_index, borne(percepts)
        try:
            answer = self._request("act", entity=name, action=action, args=list(args))
        except (Refused, WorldError) as error:
            raise ActionError(f"{name}: {error}") from error
        measures = player.robot.measures
        if action in GOING_ACTIONS:
            player.is_going(self._clock() + START_TIMEOUT_S)
            return Outcome(Effect.STARTED, f"{name} has begun {action}")
        if action == "sendMessage":
            measures.messages += 1
            return Outcome(Effect.SENT, f"{name} sent a message to {args[0]}")
        if action not in HANDLING:
            return Outcome(Effect.ANSWERED, f"{name} did {action}", answer[1] if answer else None)
        try:
            self._poll()  # the server does not report what it did
        except (Refused, ProtocolError, WorldError) as error:
            raise ActionError(f"{name}: {error}") from error
        if action == "pickUp":
            return picked_up(player.robot, held)
        if action == "putDown":
            return put_down(player.robot, held, delivered)
        return epartner_handled(player.robot, action, bears)


def _update(value: Mapping[str, Any]) -> PerceptUpdate:
    return PerceptUpdate(
        [percept_of(item) for item in value["add"]],
        [percept_of(item) for item in value["delete"]],
    )
