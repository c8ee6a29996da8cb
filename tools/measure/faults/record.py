# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a campaign has done so far, kept in a file from which it can be continued."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from measure.faults.errands import End
from measure.faults.trial import Trial


class RecordError(Exception):
    """Raised for a file that is no record of a campaign."""


class Record:
    """The trials of a campaign, each a line of JSON; the first line has its seed and rounds.

    ``path`` is made where it does not exist, and None keeps nothing; ``seed`` and ``rounds`` are
    those of the file where there is one. Raises RecordError.
    """

    def __init__(self, path: Path | None, seed: int, rounds: int) -> None:
        self.seed, self.rounds = seed, rounds
        self._lock = threading.Lock()
        self._path = path
        self._done: dict[str, dict[tuple[int, str], Trial]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        if not lines:
            self._write({"seed": seed, "rounds": rounds})
            return
        try:
            first, *rest = map(json.loads, lines)
            self.seed, self.rounds = first["seed"], first["rounds"]
            for line in rest:
                ends = [End(**end) for end in line["trial"].pop("ends")]
                trial = Trial(**line["trial"], ends=ends)
                self._done.setdefault(line["system"], {})[line["round"], trial.fault] = trial
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(f"{path} is no record of tools/faults: {error!r}") from error

    def done(self, system: str) -> Mapping[tuple[int, str], Trial]:
        """Return the trials of a system, by round and fault."""
        return self._done.get(system, {})

    def add(self, system: str, number: int, trial: Trial) -> None:
        """Keep a trial of round ``number``. Thread-safe."""
        self._write({"system": system, "round": number, "trial": dataclasses.asdict(trial)})

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._path is not None:
            with self._lock, self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
