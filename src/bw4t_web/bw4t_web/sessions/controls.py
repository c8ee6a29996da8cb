# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The session of a person who steers one robot: all of it that happens on the world's thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_web.view.others import Mailbox, PersonView, others
from bw4t_web.view.phrases import say
from bw4t_web.view.player_view import Knowledge, begins_anew
from bw4t_world import ActionError, Effect, WorldError
from bw4t_world.messages import Message, MessageError, format_term
from bw4t_world.scenarios import BotSpec, Controller
from bw4t_world.simulation.snapshots import RobotView, Snapshot, nearest_block
from legacy_robots_web import State

ACTIONS: dict[str, tuple[int, ...]] = {
    "goTo": (1, 2),
    "goToBlock": (1,),
    "navigateObstacles": (0,),
    "pickUp": (0,),
    "putDown": (0,),
    "pickUpEPartner": (0,),
    "putDownEPartner": (0,),
}
"""What the page can ask for, with numbers of arguments, besides messages."""

_WALKS = frozenset({"goTo", "goToBlock", "navigateObstacles"})


class Event(NamedTuple):
    """A line in a person's log.

    ``kind`` is ``message``, ``begun``, ``done``, ``failed`` or ``news``;
    ``sender`` is who said the text of a message, ``to`` whom (where that is known).
    """

    kind: str
    text: str
    seconds: float
    sender: str = ""
    to: str = ""

    def message(self) -> dict[str, Any]:
        """Return it as a page gets it."""
        message: dict[str, Any] = {"type": "event", "kind": self.kind, "text": self.text}
        if self.seconds:
            message["seconds"] = round(self.seconds, 1)
        if self.sender:
            message["sender"] = self.sender
        if self.to:
            message["to"] = self.to
        return message


class Answer(NamedTuple):
    """The outcome of a request: whether it did something, and a sentence.

    ``begun`` when it has only begun: an event will report the end.
    """

    succeeded: bool
    text: str
    begun: bool = False


@dataclass(frozen=True)
class PlayerFrame:
    """What a person sees in one frame; ``gone`` when the robot has left."""

    state: State
    events: tuple[Event, ...]
    gone: bool = False


class PlayerSession:
    """Steers one human bot. Belongs to the world's thread, but for its name.

    ``made``: whether the robot came with the person and leaves with them. With
    ``agent_acts``, requests only reach the agent program of the robot, as percepts, and it is up
    to that agent to act (specification, the percepts of type HumanBot); otherwise they are acted
    upon as well.
    """

    def __init__(
        self,
        runner: WorldRunner,
        world: WorldPort,
        name: str,
        *,
        made: bool,
        agent_acts: bool = False,
        view: PersonView | None = None,
    ) -> None:
        self.name = name
        self._view = view or PersonView()
        self._mailbox = Mailbox(self._view)
        self._runner = runner
        self._made = made
        self._agent_acts = agent_acts
        self._consumer = world.connect(name, player=not agent_acts)
        self._knowledge = Knowledge()
        self._has_looked = False
        self._walk = ""
        self._was_collided = False
        self._index: int | None = None

    # --- Seeing --------------------------------------------------------------------------

    def look(self, snapshot: Snapshot, world: WorldPort) -> PlayerFrame:
        """Poll the percepts and return what is to be shown and reported."""
        if not self._consumer.is_connected:
            return PlayerFrame({}, (), gone=True)
        update = self._consumer.poll()
        if begins_anew(update) and self._has_looked:
            self._knowledge, self._walk, self._index = Knowledge(), "", None
            self._mailbox = Mailbox(self._view)
        self._has_looked = True
        self._knowledge.update(self._mailbox.filtered(update, snapshot.seconds))
        self._knowledge.hear(world.profile.message_phrasing)
        events = [
            Event("message", text, snapshot.seconds, sender)
            for sender, text in self._knowledge.beliefs.inbox
        ]
        robot = next((robot for robot in snapshot.robots if robot.name == self.name), None)
        if robot is not None:
            events += self._end_of_walk(robot, snapshot.seconds)
        events += self._progress(snapshot.seconds)
        state = self._knowledge.state()
        state |= others(self._view, snapshot, self.name, state)
        state["task"] = self._knowledge.task(snapshot.seconds, paused=snapshot.is_paused)
        state["me"] = {
            **state["me"],
            "hasBattery": robot is not None and robot.has_battery,
            "hasEPartners": bool(snapshot.epartners),
            "bumps": world.collisions,
            "exactSpots": self._view.exact_spots,
            **({"agentActs": True} if self._agent_acts else {}),
        }
        return PlayerFrame(state, tuple(events))

    def _end_of_walk(self, robot: RobotView, seconds: float) -> list[Event]:
        walk, collided = self._walk, robot.state == "collided"
        newly_collided, self._was_collided = collided and not self._was_collided, collided
        if robot.state == "traveling":
            return []
        self._walk = ""
        if robot.stop == "arrived" and walk:
            return [Event("done", f"Arrived {walk}.", seconds)]
        if walk or newly_collided:
            return [Event("failed", why_stopped(robot), seconds)]
        return []

    def _progress(self, seconds: float) -> list[Event]:
        beliefs = self._knowledge.beliefs
        before, self._index = self._index, beliefs.sequence_index
        total = len(beliefs.sequence)
        if before is None or self._index <= before:
            return []
        color = beliefs.sequence[self._index - 1]
        return [Event("news", f"{color} delivered: {self._index} of {total}.", seconds)]

    # --- Acting --------------------------------------------------------------------------

    def act(self, world: WorldPort, action: str, args: tuple[Any, ...]) -> Answer:
        """Ask for an action; the answer says what happened, or why nothing did."""
        if action == "goTo" and len(args) == 2 and not self._view.exact_spots:
            return Answer(False, "In this game one goes to places and blocks.")
        self._tell_agent(action, args)
        if self._agent_acts:
            return Answer(True, f"Your agent was told: {_shown(action, args)}.")
        if action == "pickUp" and world.profile.pick_up_by_id:
            block = nearest_block(world.snapshot(), self.name)
            if block is None:
                return Answer(False, "No block is close enough.")
            args = (block,)
        try:
            outcome = self._runner.act_soon(self.name, action, *args).result()
        except ActionError as error:
            return Answer(False, sentence(str(error).rpartition(" failed: ")[2]))
        text = sentence(outcome.text.removeprefix(f"{self.name} "))
        if outcome.effect is Effect.WRONG_DROP:
            return Answer(False, text)
        if action not in _WALKS or not outcome.succeeded:
            return Answer(outcome.succeeded, text)
        self._walk = _where(action, args) or "at the target"
        self._was_collided = False
        return Answer(True, text.replace("Goes", "Going", 1).replace("Tries", "Trying", 1), True)

    def say(self, world: WorldPort, receiver: str, message: Message | str) -> Answer:
        """Send a message or a free text; ``ValueError`` when it cannot be said."""
        phrasing = world.profile.message_phrasing
        if isinstance(message, str):
            if not self._view.free_text:
                raise ValueError("only the messages of the list can be said")
            text = term = message
        else:
            text = say(message, phrasing)
            try:
                term = format_term(message, self.name, phrasing)
            except MessageError:
                term = text
        self._tell_agent("sendMessage", (receiver, term))
        if self._agent_acts:
            return Answer(True, f"Your agent was asked to send: {text}")
        try:
            self._runner.act_soon(self.name, "sendMessage", receiver, text).result()
        except ActionError as error:
            return Answer(False, sentence(str(error).rpartition(" failed: ")[2]))
        return Answer(True, text)

    def _tell_agent(self, request: str, args: tuple[Any, ...]) -> None:
        """Let the request become a percept, where the profile has one for it."""
        try:
            self._runner.user_request(self.name, request, *args).result()
        except WorldError:
            if self._agent_acts:
                raise

    # --- Leaving -------------------------------------------------------------------------

    def leave(self, world: WorldPort) -> None:
        """Free the robot; one that came with the person goes, and leaves its blocks in a room."""
        if not self._consumer.is_connected:
            return
        if not self._made:
            self._consumer.close()
            return
        snapshot = world.snapshot()
        robot = next(robot for robot in snapshot.robots if robot.name == self.name)
        rooms = {zone.name for zone in snapshot.map.zones if zone.is_blocks_room}
        if robot.zone in rooms:
            for _ in robot.held:
                self._runner.act_soon(self.name, "putDown").result()
        self._runner.remove_player(self.name).result()


def join_with_new_robot(
    runner: WorldRunner, world: WorldPort, name: str, spec: BotSpec, view: PersonView
) -> PlayerSession:
    """Make a robot for a person, called after ``name``; ``WorldError`` when there is no place.

    ``spec`` has its abilities.
    """
    spec = replace(spec, name=name, controller=Controller.HUMAN, amount=1)
    full_name = runner.add_player(spec).result()
    return PlayerSession(runner, world, full_name, made=True, view=view)


def join_with_free_robot(
    runner: WorldRunner,
    world: WorldPort,
    name: str,
    *,
    agent_acts: bool = False,
    view: PersonView | None = None,
) -> PlayerSession:
    """Take a human bot that is there already; ``WorldError`` where there is none of this name."""
    if name not in human_bots(world.snapshot()):
        raise WorldError(f"there is no human bot named {name}")
    return PlayerSession(runner, world, name, made=False, agent_acts=agent_acts, view=view)


def human_bots(snapshot: Snapshot) -> list[str]:
    """Return the names of the robots that people can steer."""
    return [robot.name for robot in snapshot.robots if robot.kind == "human"]


def why_stopped(robot: RobotView) -> str:
    """Return in a sentence why a robot came to stand."""
    by = robot.stopped_by
    reasons = {
        "wall": f"Stopped at the wall of {by}: rooms are entered through their doors.",
        "closed door": f"Stopped at the door of {by}: it is closed while a robot is inside.",
        "occupied zone": f"Stopped before {by}: only one robot at a time may be there.",
        "robot": f"Stopped: bumped into {by}. Going around obstacles may help.",
        "battery empty": "Stopped: the battery is empty.",
    }
    return reasons.get(robot.stop, "Stopped.")


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def _where(action: str, args: tuple[Any, ...]) -> str:
    if action == "goToBlock":
        return f"at block {args[0]}"
    if action == "goTo" and len(args) == 2:
        return f"at ({args[0]:g}, {args[1]:g})"
    return f"at {args[0]}" if args else ""


def _shown(action: str, args: tuple[Any, ...]) -> str:
    return f"{action}({', '.join(map(str, args))})"
