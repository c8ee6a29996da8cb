# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page's server over real sockets, and pages without a screen that talk to it."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bw4t_runner.percept_streams import PerceptCycle
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Controller, Scenario
from legacy_robots_testing.recorder import Recorder

try:
    import aiohttp

    from bw4t_web import Settings, WebServer
except ImportError:
    pass  # all tests here are skipped

sys.path.insert(0, str(Path(__file__).parent))

TIMEOUT_S = 20.0


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run the tests that are coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 120))
    return True


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
                await asyncio.wait_for(self._changed.wait_for(holds), TIMEOUT_S)
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


@asynccontextmanager
async def connected_page(server: Any, **hello: Any) -> AsyncIterator[Page]:
    async with aiohttp.ClientSession() as session:
        origin = {"Origin": server.url.rstrip("/")}
        async with session.ws_connect(f"{server.url}ws", headers=origin) as connection:
            page = Page(connection)
            await page.send(type="hello", **hello)
            yield page


class Table:
    """A world, its runner and the server of the page."""

    def __init__(
        self,
        scenario: Scenario | None = None,
        *,
        speed: float = 20.0,
        map_name: str = "nine_rooms",
        profile: str = "spec",
        collisions: bool = False,
        paused: bool = False,
        **settings: Any,
    ) -> None:
        settings.setdefault("frame_rate", 50.0)
        world = World(load_map(map_name), scenario, seed=1, profile=profile, collisions=collisions)
        self.runner = WorldRunner(world, speed=speed, paused=paused)
        self.server = WebServer(self.runner, port=0, settings=Settings(**settings))
        self.runner.start()
        self.server.start()

    def close(self) -> None:
        self.server.close()
        self.runner.close()

    def names(self) -> tuple[str, ...]:
        return self.runner.call(lambda world: world.names)

    def page(self, token: str | None = None) -> Any:
        return connected_page(self.server, token=token)

    async def until(self, holds: Callable[[World], Any]) -> None:
        for _ in range(int(TIMEOUT_S / 0.02)):
            if self.runner.call(holds):
                return
            await asyncio.sleep(0.02)  # a world has no event for any condition
        raise AssertionError("it did not happen")


@pytest.fixture(scope="session")
def page_class() -> type[Page]:
    """What a browser does, made of its WebSocket."""
    return Page


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    """Return a function that serves a world; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda *args, **settings: stack.enter_context(closing(Table(*args, **settings)))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that serves an experiment; all are closed at the end."""
    from experiment_room import Room

    with ExitStack() as stack:
        yield lambda design, **options: stack.enter_context(
            closing(Room(tmp_path, connected_page, design, **options))
        )


@pytest.fixture(scope="session")
def human() -> BotSpec:
    """A bot that a person steers."""
    return BotSpec(name="Human", controller=Controller.HUMAN)


@pytest.fixture(scope="session")
def percepts_of() -> Callable[..., list[str]]:
    """Return a function that waits for percepts of a recorded stream."""

    def percepts_of(cycles: Recorder[PerceptCycle], names: set[str], *, count: int) -> list[str]:
        """Wait for a number of percepts of some names; return all of them as text."""

        def found() -> list[str]:
            percepts = [percept for cycle in cycles.items for percept in cycle.update.add]
            return [str(percept) for percept in percepts if percept.name in names]

        cycles.wait_for(lambda _: len(found()) >= count, TIMEOUT_S)
        return found()

    return percepts_of
