# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The web application of the blocks world's page, and its server on a thread of its own."""

from __future__ import annotations

import json
import socket
from collections.abc import Collection
from concurrent.futures import Future
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from bw4t_runner.world_runner import WorldRunner
from bw4t_web.experiment.port import Experiment
from bw4t_web.experiment.runner import ExperimentRunner
from bw4t_web.server.experiment_hub import ExperimentHub, Referee
from bw4t_web.server.hub import Hub
from bw4t_web.server.settings import Settings
from legacy_robots_web import ServerThread, page_app
from legacy_robots_web.app import ProblemReporter, log_problem
from legacy_robots_web.server import LOOPBACK

STATIC = Path(__file__).parents[1] / "static"

MAX_ANSWERS = 65536
"""Bytes of one request of a participant: the answers to a form."""


def make_app(
    runner: WorldRunner,
    settings: Settings | None = None,
    on_problem: ProblemReporter = log_problem,
    *,
    origins: Collection[str] = (),
) -> web.Application:
    """Return the application of a world, a :class:`bw4t_runner.world_runner.WorldRunner`.

    It answers only to pages that it served itself under a loopback name, or behind a reverse proxy
    under one of ``origins``; bind it to loopback. Raises ValueError for what is no origin.
    """
    settings = settings or Settings()
    return page_app(
        lambda: Hub(runner, settings),
        STATIC,
        files=language_file(settings.language),
        on_problem=on_problem,
        origins=origins,
    )


def language_file(name: str) -> dict[str, Path]:
    """Return the files that are served for a language: a shipped one such as ``de``, or a file."""
    shipped = STATIC / f"language_{name}.json"
    return {"/language.json": shipped if shipped.is_file() else Path(name)} if name else {}


def check_language(name: str) -> None:
    """Raise ValueError, or OSError, for a language without texts of the page; empty is English."""
    for file in language_file(name).values():
        data = json.loads(file.read_text(encoding="utf-8"))
        texts = data.get("texts") if isinstance(data, dict) else None
        if not isinstance(texts, dict) or not all(isinstance(t, str) for t in texts.values()):
            raise ValueError(f"{file}: an object with lang, and texts by the English ones")


def check_port(port: int) -> None:
    """Raise OSError for a port at which no page can be served now, ValueError for no port."""
    if not 0 <= port <= 65535:
        raise ValueError(f"the port must be from 0 to 65535, not {port}")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise OSError(error.errno, f"port {port}: {error.strerror}; choose another") from error


class WebServer(ServerThread):
    """Serves the page of a world to the browsers of this machine.

    ``port`` 0 takes a free port, which :attr:`url` tells after :meth:`start`. ``on_problem`` gets
    exceptions of the page, after which it goes on. Close the server before the world's runner, or
    the robots of people are not freed.
    """

    def __init__(
        self,
        runner: WorldRunner,
        *,
        port: int = 8090,
        settings: Settings | None = None,
        on_problem: ProblemReporter = log_problem,
        origins: Collection[str] = (),
    ) -> None:
        super().__init__(
            lambda: make_app(runner, settings, on_problem, origins=origins),
            port=port,
            on_problem=on_problem,
        )


class ExperimentServer(ServerThread):
    """Serves an experiment to its participants and its experimenter, as :class:`WebServer`.

    ``referee`` observes the runner. Close the runner after the server.
    """

    def __init__(
        self,
        runner: ExperimentRunner,
        experiment: Experiment,
        referee: Referee,
        *,
        port: int = 8090,
        settings: Settings | None = None,
        on_problem: ProblemReporter = log_problem,
        origins: Collection[str] = (),
    ) -> None:
        self._experiment = experiment
        self._origins = tuple(origins)
        self._hub: ExperimentHub | None = None

        def make_hub() -> ExperimentHub:
            self._hub = ExperimentHub(runner, settings or Settings(), experiment, referee)
            return self._hub

        super().__init__(
            lambda: page_app(
                make_hub,
                STATIC,
                on_problem=on_problem,
                origins=origins,
                files=language_file(experiment.language),
                max_frame=MAX_ANSWERS,
            ),
            port=port,
            on_problem=on_problem,
        )

    @property
    def experimenter_url(self) -> str:
        """The address of the experimenter's page, with the secret."""
        return f"{self.url}#experimenter={quote(self._experiment.secret, safe='')}"

    @property
    def participant_urls(self) -> list[str]:
        """The addresses that participants open, at the first reverse proxy if there is one."""
        base = f"{self._origins[0]}/" if self._origins else self.url
        return [f"{base}?p={quote(code)}" for code in self._experiment.codes or ("CODE",)]

    @property
    def phase(self) -> str:
        """How the experiment stands. May be read on any thread."""
        return self._hub.phase if self._hub is not None else ""

    def command(self, name: str) -> Future[None]:
        """Carry out a command of the experimenter.

        The future has ValueError, WorldError or OSError.
        """
        assert self._hub is not None
        return self.submit(self._hub.command(name))
