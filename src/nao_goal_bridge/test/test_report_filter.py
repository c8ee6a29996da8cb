# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Floods of reports: sightings are dropped, of all else the newest remains, replies pass."""

import socket

import pytest

from legacy_robots_core.link.base import LinkObserver
from legacy_robots_core.link.tcp import Role
from legacy_robots_testing.recorder import Recorder
from nao_goal_bridge.bridge.link import NaoLink
from nao_goal_bridge.bridge.report_filter import LATEST_DELAY_S, LATEST_RATE, ReportFilter
from nao_goal_bridge.protocol import Dialect, encode
from nao_goal_bridge.protocol.events import (
    Agent,
    Dropped,
    Error,
    Failure,
    Holding,
    KeepAlive,
    Location,
    See,
    State,
    Success,
)


class Flood:
    """A filter with a rate of ten sightings a second, a clock, and what it complains of."""

    def __init__(self):
        self.now = 100.0
        self.problems = []
        self.filter = ReportFilter(
            10.0, lambda counter, text: self.problems.append(counter), lambda: self.now
        )

    def count(self, reports):
        return sum(self.filter.admits(report) for report in reports)


@pytest.fixture
def flood():
    return Flood()


def test_sightings_above_the_rate_are_dropped_and_counted(flood):
    assert flood.count([See(80, 1)] * 1000) == 10
    assert flood.problems == ["dropped sightings"] * 990
    flood.now += 0.5
    assert flood.count([See(80, 1)] * 1000) == 5
    assert flood.filter.take() == []


@pytest.mark.parametrize("report", [State(1), Location(80), Agent(3), Holding(1), Dropped(1)])
def test_of_a_flood_the_newest_report_comes_late(flood, report):
    newest = type(report)(7)
    assert flood.count([report] * 5000) == LATEST_RATE
    assert not flood.filter.admits(newest)
    assert set(flood.problems) == {"coalesced reports"}
    assert flood.filter.take() == []
    assert flood.filter.due == pytest.approx(flood.now + LATEST_DELAY_S)
    flood.now = flood.filter.due
    assert flood.filter.take() == [newest]
    assert flood.filter.take() == []
    assert flood.filter.due == float("inf")


def test_each_kind_of_report_is_kept_by_itself(flood):
    flood.count([State(0)] * 5000)
    reports = [State(1), Location(80), Holding(1), Dropped(1)]
    assert flood.count(reports) == 0
    flood.now += 1.0
    assert flood.filter.take() == [State(1), Location(80), Dropped(1)]


def test_what_was_kept_is_forgotten_when_a_newer_report_passes(flood):
    flood.count([State(0)] * 5000)
    flood.now += LATEST_DELAY_S
    assert flood.filter.admits(State(1))
    assert flood.filter.take() == []


def test_a_clock_that_begins_anew_ends_a_flood_as_any_other(flood):
    flood.count([See(80, 1)] * 1000)
    flood.now = 0.0
    assert flood.count([See(80, 1)] * 1000) == 0
    flood.now = 1.0
    assert flood.count([See(80, 1)] * 1000) == 10


def test_what_a_link_keeps_is_due_by_the_clock_that_it_follows():
    now, events, owner = 0.0, Recorder("events"), LinkObserver()
    owner.on_event = events.add
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = NaoLink(Role.DIAL, *server.getsockname(), owner, Dialect())
        link.follow(lambda: now)
        link.start()
        try:
            with server.accept()[0] as robot:
                reports = [*[State(1)] * 1000, State(0), See(80, 1)]
                robot.sendall(b"".join(encode(report, Dialect()) for report in reports))
                events.wait_for(lambda event: event == See(80, 1))
                assert State(0) not in events.items
                now = 1.0
                link.time_passed()
                events.wait_for(lambda event: event == State(0))
        finally:
            link.close()


@pytest.mark.parametrize("report", [Success(1), Failure(1), Error(), KeepAlive()])
def test_replies_errors_and_signs_of_life_pass(flood, report):
    assert flood.count([report] * 5000) == 5000
    assert flood.problems == []
