# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is known of a system's link: what its bridge says, and whether the bridge still says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus

from legacy_robots_msgs.msg import LinkState
from legacy_robots_web import Fields, names_loopback

SILENCE = 3.5
"""Seconds without a report on /diagnostics, which come each second: the bridge is silent."""
SLOWEST_REPORTS = 6.0
"""The longest time (s) that may lie between two reports, as in a slow replay: silence is as many
times longer."""

STATES = {
    LinkState.DISCONNECTED: "disconnected",
    LinkState.CONNECTING: "connecting",
    LinkState.CONNECTED: "connected",
    LinkState.FAULT: "fault",
}
_RATE = ": rate (1/s)"
_PAGE = re.compile(r"http://(?P<host>[\w.:\[\]-]+)/")


def rates(status: DiagnosticStatus) -> dict[str, float]:
    """Return the rates (1/s) that a bridge reports, by what it counts."""
    result = {}
    for pair in status.values:
        if pair.key.endswith(_RATE):
            try:
                result[pair.key.removesuffix(_RATE)] = round(float(pair.value), 1)
            except ValueError:
                continue
    return result


def own_page(status: DiagnosticStatus) -> str | None:
    """Return the page that a bridge says it serves, if that is one on this machine."""
    page = next((pair.value for pair in status.values if pair.key == "page"), "")
    match = _PAGE.fullmatch(page)
    return page if match and names_loopback(match["host"]) else None


@dataclass
class Link:
    """The state of one system's link. All times are those of one steady clock, in s.

    A *status* is what LinkState says, in words; or ``gone`` when it has lost its publisher,
    ``silent`` when its bridge has stopped to report, and ``found`` before anything was heard.
    """

    opened: float
    """Time of the subscription."""
    publishers: int = 1
    status: str = "found"
    since: float = 0.0
    stated: str = "found"
    stated_at: float = 0.0
    """The status of the last LinkState, and its time."""
    report: Fields = field(default_factory=dict)
    reported_at: float | None = None
    interval: float = 1.0
    """Time between the last two reports, from 1 s to SLOWEST_REPORTS."""

    def __post_init__(self) -> None:
        """Begin the first status."""
        self.since = self.stated_at = self.opened

    def tell(self, message: LinkState, at: float) -> None:
        """Record a message that was published at ``at``."""
        self.stated = STATES.get(message.state, f"state {message.state}")
        self.stated_at = at
        self.report = {
            **self.report,
            "detail": message.detail,
            "peer": message.peer,
            "connections": message.connections,
        }

    def diagnose(self, status: DiagnosticStatus, now: float) -> None:
        """Record a report on /diagnostics."""
        if self.reported_at is not None:
            self.interval = min(max(1.0, now - self.reported_at), SLOWEST_REPORTS)
        self.reported_at = now
        self.report = {
            **self.report,
            "level": int.from_bytes(status.level, "little")
            if isinstance(status.level, bytes)
            else int(status.level),
            "note": status.message,
            "rates": rates(status),
            "page": own_page(status),
        }

    def update(self, now: float) -> str:
        """Return the present status."""
        heard = self.opened if self.reported_at is None else self.reported_at
        silent = now - heard > SILENCE * self.interval
        if not self.publishers:
            status, since = "gone", now
        elif silent and self.reported_at is not None:
            status, since = "silent", heard
        else:
            status, since = self.stated, self.stated_at
        if status != self.status or (status == self.stated and since != self.since):
            self.status, self.since = status, since
        return self.status

    def fields(self) -> dict[str, Any]:
        """Return what the page shows of it."""
        report: Mapping[str, Any] = self.report
        return {"status": self.status, "since": round(self.since, 1), **report}
