# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One game as an episode: numbers of what robots perceive, actions by number, rewards."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bw4t_study.learning.robot import DROP_ZONE, LOOK_AHEAD, Mask, Observation, Robot
from bw4t_world import ActionError, Effect, World
from bw4t_world.agents import Purpose
from bw4t_world.drawing import draw
from bw4t_world.maps import BlockColor, MapSpec, load_map
from bw4t_world.model.profiles import profile_named
from bw4t_world.scenarios import BotSpec, Scenario

COLORS = tuple(color.value for color in BlockColor)
COLOR_NUMBERS = {color: number for number, color in enumerate(COLORS)}

NOTHING, GO_TO_DUE, PICK_UP, PUT_DOWN, LEAVE = range(5)
"""The first actions. Action 5 + i goes to place i: the rooms in the order of their names, then
the drop zone."""
FIRST_PLACE = 5

ROOM_FEATURES = 5 + LOOK_AHEAD
OWN_FEATURES = 8 + len(COLORS) + LOOK_AHEAD * (1 + len(COLORS))


@dataclass(frozen=True)
class Rules:
    """How an episode goes.

    A step is ``step_s`` simulated seconds; with ``until_stop`` it lasts until a robot stands.
    After ``max_s`` the episode is truncated. All robots get the same reward: ``delivery`` for a
    block that was due, ``wrong_drop`` for another one, ``second`` for each simulated second, and
    ``holding`` when a block is held that is due (with n robots: one of the next n), which is lost
    when that ends. With ``talks`` robots tell each other what they see in a room, where they go
    and what they hold, as the document's messages.
    """

    map: str = "nine_rooms"
    robots: int = 3
    profile: str = "spec"
    collisions: bool = False
    step_s: float = 0.5
    max_s: float = 300.0
    until_stop: bool = False
    delivery: float = 1.0
    wrong_drop: float = -0.5
    second: float = -0.01
    holding: float = 0.0
    talks: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for values that make no episode."""
        if type(self.robots) is not int or not 1 <= self.robots <= 1000:
            raise ValueError(f"robots: from 1 to 1000, not {self.robots!r}")
        for name in ("step_s", "max_s", "delivery", "wrong_drop", "second", "holding"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ValueError(f"{name}: a number, not {value!r}")
        if not 0 < self.step_s <= self.max_s <= 1e7:
            raise ValueError("step_s and max_s: above 0, and a step is no longer than an episode")


class Episode:
    """A world that is driven by numbers.

    An observation is a float32 vector in [0, 1]:

    - own x and y in parts of the map's size; whether the robot stands, travels, has collided; the
      part of the sequence that is delivered; whether the block it holds is due now, whether it is
      due later; the colour of that block (one of ten);
    - three times the colour of a block that is due and that no mate gets or holds, as far as the
      robot has heard (one of ten), and its place in what is left of the sequence;
    - for each room and the drop zone: whether the robot is in it; whether another robot is;
      whether a mate has said that it goes there; whether its blocks are known; the way to it; and
      for each of the three colours, how many blocks of it are known there (a quarter each).

    Nothing else of the world is in it: it follows from the robot's percepts, messages among them.
    An action mask says what can do something; with ``until_stop``, what makes sense. Raises
    ValueError for rules whose step is shorter than the world's.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        tick_s = profile_named(rules.profile).tick_seconds
        self._ticks = round(rules.step_s / tick_s)
        self._last = round(rules.max_s / tick_s)
        if self._ticks < 1:
            raise ValueError(f"step_s: from {tick_s:g}, a tick of the world, not {rules.step_s:g}")
        self.map: MapSpec = load_map(rules.map)
        rooms = sorted(zone.name for zone in self.map.zones if zone.is_blocks_room)
        self.places = (*rooms, DROP_ZONE)
        self._place_numbers = {name: number for number, name in enumerate(self.places)}
        self._ways: dict[str, Observation] = {}
        self.actions = FIRST_PLACE + len(self.places)
        self.size = OWN_FEATURES + ROOM_FEATURES * len(self.places)
        self.names: tuple[str, ...] = tuple(f"Bot_{i + 1}" for i in range(rules.robots))
        self.seed = 0
        self._history: list[dict[str, int]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return rules, seed and actions: a game is what follows from these."""
        return {"rules": self.rules, "seed": self.seed, "history": self._history}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Play the game again up to where it was."""
        self.__init__(state["rules"])  # type: ignore[misc]
        if state["history"] is not None:
            self.reset(state["seed"])
            for actions in state["history"]:
                self.step(actions)

    def picture(self) -> NDArray[np.uint8]:
        """Return the world (height, width, RGB)."""
        if self._history is None:
            raise ValueError("a game is drawn after reset")
        return np.ascontiguousarray(draw(self.world.snapshot(), pixels_per_unit=8)[:, :, ::-1])

    def reset(self, seed: int) -> None:
        """Begin a game with a seed of the world."""
        rules = self.rules
        self.seed = seed
        self._history = []
        self.world = World(
            self.map,
            Scenario(bots=(BotSpec(amount=rules.robots),)),
            profile=rules.profile,
            seed=seed,
            collisions=rules.collisions,
        )
        phrasing = self.world.profile.message_phrasing
        self.robots = {
            name: Robot(self.world.connect(name), rules.talks, phrasing) for name in self.names
        }
        for robot in self.robots.values():
            robot.perceive()

    def step(self, actions: dict[str, int]) -> tuple[float, bool, bool]:
        """Let robots act, in the order of their names, and time pass.

        Returns the reward, whether the sequence is complete, and whether time is over. Raises
        ValueError before :meth:`reset`, for a robot without an action, and for what is no action.
        """
        actions = self._checked(actions)
        reward, begin, held = 0.0, self.world.now, self._due_held()
        for name, robot in self.robots.items():
            reward += self._act(robot, actions[name])
        self._pass_time()
        while self.rules.until_stop and self._all_move() and self.world.now < self._last:
            self._pass_time()
        reward += self.rules.holding * (self._due_held() - held)
        passed_s = (self.world.now - begin) * self.world.profile.tick_seconds
        complete = self.world.is_complete
        over = not complete and self.world.now >= self._last
        return reward + self.rules.second * passed_s, complete, over

    def _checked(self, actions: Mapping[str, Any]) -> dict[str, int]:
        if self._history is None:
            raise ValueError("a game is played after reset")
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions: a number for each robot's name, not {actions!r:.40}")
        if actions.keys() != set(self.names):
            missing = sorted(set(self.names) - actions.keys())
            names = ", ".join(missing or sorted(map(str, actions.keys() - set(self.names))))
            raise ValueError(f"{'no action for' if missing else 'no robots are'} {names}")
        checked = {name: self.checked_action(name, actions[name]) for name in self.names}
        self._history.append(checked)
        return checked

    def checked_action(self, who: str, action: Any) -> int:
        """Return the number of an action; raises ValueError that names who was to do it."""
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if isinstance(action, (bool, np.bool_)) or not 0 <= number < self.actions:
            raise ValueError(f"{who}: an action is 0 to {self.actions - 1}, not {action!r:.40}")
        return number

    def _pass_time(self) -> None:
        self.world.tick(min(self._ticks, self._last - self.world.now))
        for robot in self.robots.values():
            robot.perceive()

    def _due_held(self) -> int:
        """Return how many blocks of those due next are held; 0 where that is not rewarded."""
        if not self.rules.holding:
            return 0
        robots = self.robots.values()
        held = Counter(color for robot in robots for color in robot.held_colors())
        due = Counter(next(iter(robots)).beliefs.needed[: self.rules.robots])
        return (held & due).total()

    def _all_move(self) -> bool:
        return all(robot.beliefs.is_moving for robot in self.robots.values())

    def _act(self, robot: Robot, action: int) -> float:
        try:
            if action >= FIRST_PLACE:
                robot.go_to(self.places[action - FIRST_PLACE])
            elif action == LEAVE:
                robot.go_to(robot.geography.front_of(DROP_ZONE))
            elif action == GO_TO_DUE:
                block = robot.due_block()
                if block is not None:
                    robot.consumer.act("goToBlock", block)
            elif action == PICK_UP:
                by_id = self.world.profile.pick_up_by_id
                robot.consumer.act("pickUp", *(robot.beliefs.at_blocks[:1] if by_id else ()))
            elif action == PUT_DOWN and robot.beliefs.holding:
                effect = robot.consumer.act("putDown").effect
                if effect is Effect.DELIVERED:
                    return self.rules.delivery
                if effect is Effect.WRONG_DROP:
                    return self.rules.wrong_drop
        except ActionError:
            pass  # it does nothing, as a masked action
        return 0.0

    def observe(self, name: str) -> Observation:
        """Return what a robot perceives and remembers."""
        robot = self._look(name)
        x, y = robot.beliefs.location
        robot.observation[0] = min(max(x / self.map.area.x, 0.0), 1.0)
        robot.observation[1] = min(max(y / self.map.area.y, 0.0), 1.0)
        return robot.observation.copy()

    def mask(self, name: str) -> Mask:
        """Return 1 for each action that can do something now, else 0."""
        return self._look(name).mask.copy()

    def _look(self, name: str) -> Robot:
        """Return a robot whose numbers are those of now, but for its location."""
        robot = self.robots[name]
        if robot.looked_at != robot.beliefs.version:
            robot.looked_at = robot.beliefs.version
            robot.observation, robot.mask = self._observation(robot), self._mask(robot)
        return robot

    def _observation(self, robot: Robot) -> Observation:
        beliefs, knowledge = robot.beliefs, robot.knowledge
        result = np.zeros(self.size, np.float32)
        state = 4 if beliefs.has_collided else 3 if beliefs.is_moving else 2
        result[state] = 1.0
        result[5] = beliefs.sequence_index / max(1, len(beliefs.sequence))
        for color in robot.held_colors():
            result[6] = beliefs.needed[:1] == (color,)
            result[7] = not result[6] and not robot.holds_surplus()
            result[8 + COLOR_NUMBERS[color]] = 1.0
        wanted = robot.wanted()[:LOOK_AHEAD]
        at = 8 + len(COLORS)
        for color, place in wanted:
            result[at + COLOR_NUMBERS[color]] = 1.0
            result[at + len(COLORS)] = place / len(beliefs.sequence)
            at += len(COLORS) + 1
        rooms = result[OWN_FEATURES:].reshape(len(self.places), ROOM_FEATURES)
        if beliefs.room in self._place_numbers:
            rooms[self._place_numbers[beliefs.room], 0] = 1.0
        for name in beliefs.occupied:
            if name != beliefs.room and name in self._place_numbers:
                rooms[self._place_numbers[name], 1] = 1.0
        for intention in knowledge.intentions.values():
            if intention.purpose is not Purpose.DELIVER and intention.room in self._place_numbers:
                rooms[self._place_numbers[intention.room], 2] = 1.0
        rooms[:, 4] = self._ways_from(robot)
        for name in knowledge.contents.keys() & self._place_numbers.keys():
            room = rooms[self._place_numbers[name]]
            room[3] = 1.0
            for slot, (color, _) in enumerate(wanted):
                room[5 + slot] = min(max(knowledge.available(name, color) / 4, 0.0), 1.0)
        return result

    def _ways_from(self, robot: Robot) -> Observation:
        """Return the ways to all places, in parts of the map's width and height."""
        here = robot.beliefs.room or robot.beliefs.at
        if here not in self._ways:
            ways = [robot.geography.distance(here, place) for place in self.places]
            longest = self.map.area.x + self.map.area.y
            self._ways[here] = np.minimum(np.array(ways, np.float32) / np.float32(longest), 1.0)
        return self._ways[here]

    def _mask(self, robot: Robot) -> Mask:
        beliefs, result = robot.beliefs, np.ones(self.actions, np.int8)
        due, held = robot.due_block(), bool(beliefs.holding)
        result[GO_TO_DUE] = due is not None and not held and due not in beliefs.at_blocks
        result[PICK_UP] = bool(beliefs.at_blocks) and not held
        result[PUT_DOWN] = held
        if self.rules.until_stop:
            self._leave_out_senseless(robot, result)
        return result

    def _leave_out_senseless(self, robot: Robot, result: Mask) -> None:
        """Mask what only takes time: waiting alone, rooms with a block held, and the like."""
        beliefs, held = robot.beliefs, bool(robot.beliefs.holding)
        many = self.rules.robots > 1
        if beliefs.is_moving:
            result[1:] = 0
            return
        result[NOTHING] = result[LEAVE] = many
        to_get = robot.to_get()
        result[PICK_UP] &= any(beliefs.colors.get(b) in to_get for b in beliefs.at_blocks)
        result[LEAVE] &= bool(beliefs.room) or beliefs.at != robot.geography.front_of(DROP_ZONE)
        result[PUT_DOWN] &= beliefs.room == DROP_ZONE or (many and robot.holds_surplus())
        result[FIRST_PLACE:-1] &= not held
        result[-1] &= held
        for place in {beliefs.room, *beliefs.occupied} & self._place_numbers.keys():
            result[FIRST_PLACE + self._place_numbers[place]] = 0

    def close(self) -> None:
        """Close the robots' connections."""
        for robot in self.robots.values():
            robot.consumer.close()
