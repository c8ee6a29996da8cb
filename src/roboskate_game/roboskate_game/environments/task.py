# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Episodes in N games: what the single and the vector environments share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import GRPC_PORT, HTTP_PORT, Timeouts, TransportKind
from roboskate_game.environments.backend import (
    Backend,
    ForceDialect,
    Images,
    RemoteGames,
    Worlds,
)
from roboskate_game.environments.in_process import SimulatedGames
from roboskate_game.environments.randomness import Disturbance, Randomness, randomness_of
from roboskate_game.model.coordinates import BoardInRos
from roboskate_game.model.levels import LEVELS, PLAYABLE
from roboskate_game.model.rules import (
    COLUMN,
    FORCE,
    MAXIMUM_STEPS,
    PLACE,
    STEP_SECONDS,
    End,
    Rules,
    Scorer,
    Singles,
)
from roboskate_game.physics.batch import ENGINES
from roboskate_game.protocol.dialect import MatrixOrder, Profile
from roboskate_game.protocol.messages import ImageSize, ProtocolError, check_image_size

BACKENDS = ("in_process", "grpc", "http")
IMAGE_SIZE = ImageSize(96, 54)
"""Of RoboSkateImage, where no other is asked for."""
MAXIMUM_FORCE = 1e6
"""In the game's units."""
_CHOICES = {
    "rules": [each.value for each in Rules],
    "backend": BACKENDS,
    "profile": [each.value for each in Profile],
    "matrix_order": [each.value for each in MatrixOrder],
    "engine": ENGINES,
}
_KINDS: dict[type, tuple[str, tuple[type, ...]]] = {
    bool: ("True or False", (bool, np.bool_)),
    int: ("a whole number", (Integral,)),
    float: ("a number", (Real,)),
    str: ("text", (str,)),
}
"""What an option may be, by the type of its default."""
_MOST_SUB_STEPS = 100
_LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
_END_NAMES = np.array([end.name.lower() for end in End], object)


@dataclass(frozen=True)
class Options:
    """Options of all environments.

    Parameters
    ----------
    level
        The level of every episode; ``reset(options={"level": n})`` takes another.
    random_start_level
        Levels 0 to 2 evenly instead.
    rules
        "original", "modern" or "progress".
    backend
        "in_process", or "grpc" or "http" to a game or a simulator.
    host, port, profile, matrix_order
        Where that is and what it speaks; port 0 is the transport's own, game i has port + i.
    force
        Joint force that an action of 1 stands for.
    step_seconds
        Game time of a step.
    max_episode_length
        Steps after which an episode is cut off.
    small_checkpoint_radius
        Every checkpoint's radius is 1 m.
    width, height
        Of the images, in pixels; over the wire in profile ``game`` only.
    jpeg
        In process: images that have been a JPEG, as the real game's.
    randomness
        A preset's name, or a dictionary of fields of Randomness.
    engine, sub_steps, variation
        In process: see Fleet and SimulatedGames.

    Raises ValueError, which names the option and what it may be.

    """

    level: int = 0
    random_start_level: bool = False
    rules: str = Rules.ORIGINAL.value
    backend: str = "in_process"
    host: str = "127.0.0.1"
    port: int = 0
    profile: str = Profile.GAME.value
    matrix_order: str = MatrixOrder.ROW_MAJOR.value
    force: float = FORCE
    step_seconds: float = STEP_SECONDS
    max_episode_length: int = MAXIMUM_STEPS
    small_checkpoint_radius: bool = False
    width: int = 200
    height: int = 60
    jpeg: bool = False
    randomness: str | Mapping[str, Any] | Randomness = "nominal"
    engine: str = "auto"
    sub_steps: int = 1
    variation: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in fields(self):
            words, kinds = _KINDS.get(type(each.default), ("", ()))
            value = getattr(self, each.name)
            flag = bool in kinds or not isinstance(value, bool)
            if kinds and each.name != "randomness" and not (isinstance(value, kinds) and flag):
                raise ValueError(f"{each.name} must be {words}, not {value!r}")
        if not isinstance(self.variation, Mapping):
            raise ValueError(f"variation must be a dictionary, not {self.variation!r}")
        check_level(self.level)
        drawn = randomness_of(self.randomness)
        object.__setattr__(self, "randomness", drawn)
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
        for name, limit in (("force", MAXIMUM_FORCE), ("step_seconds", 3600.0)):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0.0 < value <= limit):
                raise ValueError(f"{name} must be above 0 and at most {limit:g}, not {value}")
        if self.backend != "in_process" and drawn.simulated_only:
            raise ValueError(
                f"randomness: {', '.join(drawn.simulated_only)} need the backend in_process; "
                "over the wire there is the preset robust_wire"
            )
        if self.backend != "in_process" and (self.variation or self.sub_steps != 1):
            raise ValueError("variation and sub_steps need the backend in_process")
        check_count("max_episode_length", self.max_episode_length)
        if check_count("sub_steps", self.sub_steps) > _MOST_SUB_STEPS:
            raise ValueError(f"sub_steps must be at most {_MOST_SUB_STEPS}, not {self.sub_steps}")
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port must be from 0 to 65535, not {self.port}")
        size = ImageSize(check_count("width", self.width), check_count("height", self.height))
        try:
            check_image_size(size)
        except ProtocolError as error:
            raise ValueError(f"width and height: {error}") from error


@dataclass(frozen=True)
class Outcome:
    """What a step has led to, one entry per game; ``ends`` are values of End."""

    observations: Singles
    rewards: NDArray[np.float64]
    ends: NDArray[np.int8]


class Task:
    """Episodes in N games. Methods raise TransportError and ProtocolError over the wire."""

    def __init__(self, options: Options, count: int) -> None:
        self.options = options
        self.count = check_count("num_envs", count)
        self.rngs: list[np.random.Generator] = [np.random.default_rng() for _ in range(count)]
        """What each game draws from: its level and its variation."""
        self._all: Worlds = np.arange(count)
        self._backend: Backend = _backend_of(options, count)
        self._disturbance = Disturbance(count, randomness_of(options.randomness))
        self.scorer = Scorer(
            count,
            Rules(options.rules),
            maximum_steps=options.max_episode_length,
            small_checkpoints=options.small_checkpoint_radius,
        )
        self.levels: Worlds = np.zeros(count, np.intp)

    def seed(self, seed: int) -> None:
        """Have each game draw from numbers of its own that follow from one seed."""
        # Not (seed, i): evaluations play by those.
        self.rngs = [np.random.default_rng((seed, i, 1)) for i in range(self.count)]

    def reset(self, worlds: Worlds, level: int | None = None) -> Singles:
        """Begin episodes in some games; return the observations of all (n, 10)."""
        if level is not None:
            check_level(level)
        rngs = [self.rngs[world] for world in worlds.tolist()]
        if level is None and self.options.random_start_level:
            levels = np.array([rng.integers(0, PLAYABLE) for rng in rngs], np.intp)
        else:
            levels = np.full(len(worlds), self.options.level if level is None else level, np.intp)
        self.levels[worlds] = levels
        self._backend.begin(worlds, levels, rngs)
        self._disturbance.begin(worlds, self.rngs)
        first = np.array([LEVELS[each].first_checkpoint for each in levels.tolist()], np.intp)
        self._backend.begin_episodes(worlds, first, self.scorer)
        return self._disturbance.noisy(self.scorer.observations, worlds, self.rngs)

    def step(self, actions: Any, worlds: Worlds | None = None) -> Outcome:
        """Let a step pass with actions (n, 3); ``worlds``: only in these.

        Raises ValueError, with nothing changed, for actions of another shape or not finite.
        """
        forces = self._forces(actions)
        worlds = self._all if worlds is None else worlds
        forces = self._disturbance.delayed(forces[worlds], worlds, self.rngs)
        self._backend.play(worlds, forces, self.scorer)
        observations = self._disturbance.noisy(self.scorer.observations, worlds, self.rngs)
        ends = self.scorer.column("end").astype(np.int8)
        return Outcome(observations, self.scorer.column("reward").copy(), ends)

    def images(self) -> Images:
        """Return what all cameras see (n, height, width, 3), RGB."""
        return self._backend.images()

    def boards(self) -> list[BoardInRos]:
        """Return the true states of all games, in this process only: else TypeError."""
        if not isinstance(self._backend, SimulatedGames):
            raise TypeError("the boards of games over the wire are known by their state alone")
        return [self._backend.fleet.board(i) for i in range(self.count)]

    def _forces(self, actions: Any) -> NDArray[np.float64]:
        given = as_numbers(actions)
        if given.shape != (self.count, 3):
            raise ValueError(f"actions must have the shape {(self.count, 3)}, not {given.shape}")
        if given.dtype != np.float32:
            with np.errstate(over="ignore"):
                given = given.astype(np.float32)
        # Rounded once, as the product of float32 and float64 on the wire.
        forces = given.astype(float) * self.options.force
        if not np.abs(forces).max() <= _LARGEST_FLOAT32:  # nor is nan
            wrong = given[~(np.abs(forces) <= _LARGEST_FLOAT32).all(axis=1)]
            raise ValueError(f"actions must be finite, not {wrong[0].tolist()}")
        return forces

    @property
    def steps(self) -> NDArray[np.intp]:
        """Steps of each game's episode."""
        return self.scorer.column("steps").astype(np.intp)

    def info(self, ends: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
        """Return the original's info and more: one array with an entry per game for each key.

        ``ends``: those of the step, values of End.
        """
        numbers = self.scorer.numbers.copy()  # whose changes change no episode
        return {
            "step": numbers[:, COLUMN["steps"]].astype(np.intp) - 1,
            "board_pitch": numbers[:, COLUMN["pitch"]],
            "steering_angle": numbers[:, COLUMN["steering"]],
            "next_checkpoint": numbers[:, COLUMN["next"]].astype(np.intp),
            "distance": numbers[:, COLUMN["distance"]],
            "position": numbers[:, PLACE],
            "end": _END_NAMES[ends],
            "is_success": ends == End.FINISHED,
        }

    def close(self) -> None:
        """Close the games. Idempotent."""
        self._backend.close()


def as_numbers(actions: Any) -> NDArray[Any]:
    """Return actions as an array of real numbers. Raises ValueError for anything else."""
    try:
        given = np.asarray(actions)
    except ValueError:
        given = np.empty(0, object)  # of rows of different lengths
    if given.dtype.kind not in "iuf":
        raise ValueError(f"actions must be numbers, not {actions!r}")
    return given


def check_level(level: int) -> int:
    """Return ``level`` if its checkpoints are known. Raises ValueError."""
    whole = isinstance(level, Integral) and not isinstance(level, bool)
    if not whole or not 0 <= level < PLAYABLE:
        raise ValueError(f"level {level} has no known checkpoints, only 0 to {PLAYABLE - 1}")
    return int(level)


def check_count(name: str, value: Any) -> int:
    """Return ``value`` if it is a whole number of at least 1. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


def _backend_of(options: Options, count: int) -> Backend:
    size = ImageSize(options.width, options.height)
    if options.backend == "in_process":
        return SimulatedGames(
            count,
            size=size,
            force=options.force,
            step_seconds=options.step_seconds,
            randomness=randomness_of(options.randomness),
            engine=options.engine,
            sub_steps=options.sub_steps,
            jpeg=options.jpeg,
            variation=options.variation,
        )
    kind = TransportKind(options.backend)
    port = options.port or (GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT)
    if port + count > 65536:
        raise ValueError(f"{count} games from port {port} on: there are ports up to 65535 only")
    dialect = ForceDialect(Profile(options.profile), MatrixOrder(options.matrix_order))
    clients = [
        GameClient(open_transport(kind, options.host, port + i), dialect, Timeouts(call=2.0))
        for i in range(count)
    ]
    drawn = randomness_of(options.randomness)
    return RemoteGames(clients, size, options.force, options.step_seconds, drawn)


__all__ = ["BACKENDS", "End", "Options", "Outcome", "Task", "as_numbers", "check_count"]
