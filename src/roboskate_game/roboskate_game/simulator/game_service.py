# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The six calls as the simulated game answers them, on either wire, faults included."""

from __future__ import annotations

import enum
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from legacy_robots_simulation.program import FAULTS, Fault
from roboskate_game.drawing.camera import CameraView
from roboskate_game.model.coordinates import board_in_game
from roboskate_game.physics.world import GameWorld, RefusedError, check_level
from roboskate_game.protocol.dialect import FAILURE, Dialect, Profile, check_run_time
from roboskate_game.protocol.image import IMAGE_FORMATS, encode_jpeg, encode_png
from roboskate_game.protocol.messages import (
    MAXIMUM_MESSAGE_BYTES,
    CameraReply,
    InfoReply,
    InitializeReply,
    ProtocolError,
    RunReply,
)

T = TypeVar("T")


class GameFault(str, enum.Enum):
    """What this game can do wrong beyond the faults that all simulators have."""

    WRONG_LENGTH = "wrong_length"
    REFUSE = "refuse"
    BAD_IMAGE = "bad_image"


ROBOSKATE_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        **FAULTS,
        Fault.CUT.value: "ends the connections in the middle of an answer",
        Fault.STALL.value: "answers nothing for --fault-seconds",
        Fault.FLOOD.value: "answers far too much for --fault-seconds",
        Fault.GARBAGE.value: "answers bytes that mean nothing for --fault-seconds",
        Fault.RESTART.value: "ends, and is back after --fault-seconds with no level loaded",
        GameFault.WRONG_LENGTH.value: "sends 7 floats as the rotation for --fault-seconds",
        GameFault.REFUSE.value: "answers that every call has failed for --fault-seconds",
        GameFault.BAD_IMAGE.value: "sends images that are cut short for --fault-seconds",
    }
)
"""All faults of this simulator and what they do."""

LASTING = (
    Fault.STALL,
    Fault.FLOOD,
    Fault.GARBAGE,
    GameFault.WRONG_LENGTH,
    GameFault.REFUSE,
    GameFault.BAD_IMAGE,
)
"""Those that go on for a while and happen inside the answers."""

_FLOOD_FLOATS = 100_000
_MOST_GAMES = 64
"""Games that are kept at once; beyond that, the oldest are dropped."""


class GameService:
    """Answers calls in one dialect, for a game of each connection's own. Thread-safe.

    A connection that loads a level while another one plays gets a game of its own. One that has
    loaded none, such as a second connection for images or the one after a fault, plays the game
    that was started last: ``world``.

    Parameters
    ----------
    image_format
        Of the files of profile ``game``, one of IMAGE_FORMATS.
    on_call
        Called at each call with its name.

    """

    def __init__(
        self,
        world: GameWorld,
        dialect: Dialect,
        view: CameraView,
        *,
        image_format: str = IMAGE_FORMATS[0],
        on_call: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.world = world
        self._games: OrderedDict[str, GameWorld] = OrderedDict()
        self._games_lock = threading.Lock()
        self._caller = threading.local()
        self._dialect = dialect
        self._view = view
        self._encode = encode_jpeg if image_format == "jpeg" else encode_png
        self._on_call = on_call
        self._log = logging.getLogger("simulator")
        self._refused: tuple[str, str] | None = None
        self._fault: str | None = None
        self._fault_over = threading.Event()
        self._fault_over.set()

    @contextmanager
    def call_from(self, connection: str) -> Iterator[None]:
        """Take the calls that this thread makes within for those of a connection."""
        self._caller.connection = connection
        try:
            yield
        finally:
            self._caller.connection = None

    def connection_closed(self, connection: str) -> None:
        """Let the next connection that loads a level have this one's game."""
        with self._games_lock:
            self._games.pop(connection, None)

    def close_levels(self) -> None:
        """Close the levels of all games, as a restart does."""
        with self._games_lock:
            worlds = {id(world): world for world in (self.world, *self._games.values())}
            self._games.clear()
        for world in worlds.values():
            if world.level is not None:
                world.shutdown()

    def _game(self) -> GameWorld:
        """Return the game of the connection that calls."""
        connection = getattr(self._caller, "connection", None)
        with self._games_lock:
            return self._games.get(connection, self.world) if connection else self.world

    def _game_to_load(self) -> GameWorld:
        """Return the same for initialize: not one that another connection plays."""
        connection = getattr(self._caller, "connection", None)
        if connection is None:
            return self.world
        with self._games_lock:
            world = self._games.get(connection)
            if world is None:
                played = any(each is self.world for each in self._games.values())
                world = self.world.another() if played else self.world
                if played:
                    self._log.info("%s begins a game of its own", connection)
                self._games[connection] = world
                while len(self._games) > _MOST_GAMES:
                    self._games.popitem(last=False)
            self.world = world
            return world

    @property
    def failure(self) -> bytes:
        """The success value of a call that has failed."""
        return FAILURE[self._dialect.profile]

    @property
    def fault(self) -> str | None:
        """The fault that is active now."""
        return self._fault

    def begin_fault(self, fault: str) -> None:
        """Have one of LASTING happen until end_fault."""
        self._fault_over.clear()
        self._fault = fault

    def end_fault(self) -> None:
        """Be well again; calls that were held up go on."""
        self._fault = None
        self._fault_over.set()

    def initialize(self, argument: str) -> InitializeReply:
        """Load a level."""

        def act() -> InitializeReply:
            level, wanted = self._dialect.decode_initialize(argument)
            check_level(level)  # before a game is begun for it: a refusal changes nothing
            size = self._game_to_load().initialize(level, wanted)
            self._log.info("level %d, images of %d x %d", level, size.width, size.height)
            return InitializeReply(self._dialect.success, size.width, size.height)

        return self._answer("initialize", act, InitializeReply(self.failure, 0, 0))

    def shutdown(self) -> bytes:
        """Close the level; answer the success value."""

        def act() -> bytes:
            self._game().shutdown()
            self._log.info("level closed")
            return self._dialect.success

        return self._answer("shutdown", act, self.failure)

    def get_info(self) -> InfoReply:
        """Answer the state of the board."""

        def act() -> InfoReply:
            state = self._game().state()
            reply = self._dialect.encode_info(board_in_game(state, self._dialect))
            if self._fault == GameFault.WRONG_LENGTH:
                return replace(reply, rotation=tuple(reply.rotation)[:7])
            if self._fault == Fault.FLOOD:
                return replace(reply, position=[0.0] * _FLOOD_FLOATS)
            return reply

        return self._answer("get_info", act, InfoReply(self.failure, (), (), ()))

    def set_info(self, values: Sequence[float]) -> bytes:
        """Hold keys down; answer the success value."""

        def act() -> bytes:
            self._game().hold(self._dialect.decode_keys(values))
            return self._dialect.success

        return self._answer("set_info", act, self.failure)

    def get_camera(self) -> CameraReply:
        """Answer an image."""

        def act() -> CameraReply:
            pixels = self._view.draw(self._game().scene())
            if self._dialect.profile is Profile.SPEC:
                image: bytes | memoryview = pixels.data.cast("B")
            else:
                image = self._encode(pixels)
            if self._fault == Fault.FLOOD:
                image = bytes(MAXIMUM_MESSAGE_BYTES + 1)
            if self._fault == GameFault.BAD_IMAGE:
                image = image[: len(image) // 2]
            return CameraReply(self._dialect.success, image)

        return self._answer("get_camera", act, CameraReply(self.failure, b""))

    def run_game(self, seconds: float) -> RunReply:
        """Let time pass; answer the total."""

        def act() -> RunReply:
            return RunReply(self._dialect.success, self._game().run(check_run_time(seconds)))

        return self._answer("run_game", act, RunReply(self.failure, 0.0))

    def _answer(self, name: str, act: Callable[[], T], refusal: T) -> T:
        self._on_call(name)
        if self._fault == Fault.STALL:
            self._fault_over.wait()
        if self._fault == GameFault.REFUSE:
            return refusal
        try:
            answer = act()
        except (RefusedError, ProtocolError) as error:
            # A client may ask again and again: say it once.
            if self._refused != (name, str(error)):
                self._refused = (name, str(error))
                self._log.warning("%s refused: %s", name, error)
            return refusal
        self._refused = None
        return answer
