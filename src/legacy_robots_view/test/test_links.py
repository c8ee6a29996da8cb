# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the page says of a link: nothing old is said to be live."""

from __future__ import annotations

import pytest
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue

from legacy_robots_msgs.msg import LinkState
from legacy_robots_view.links import SILENCE, Link, own_page, rates


def report(**values: str) -> DiagnosticStatus:
    pairs = [KeyValue(key=key, value=value) for key, value in values.items()]
    return DiagnosticStatus(
        level=DiagnosticStatus.WARN, name="nao/bridge", message="x", values=pairs
    )


def connected(at: float) -> Link:
    link = Link(opened=at)
    link.tell(LinkState(state=LinkState.CONNECTED, peer="p", detail="d", connections=2), at)
    link.diagnose(report(), at)
    link.update(at)
    return link


def test_before_anything_was_heard_nothing_is_claimed():
    link = Link(opened=5.0)
    assert link.update(6.0) == "found"
    assert link.fields() == {"status": "found", "since": 5.0}


@pytest.mark.parametrize(
    "state,status",
    [
        (LinkState.DISCONNECTED, "disconnected"),
        (LinkState.CONNECTING, "connecting"),
        (LinkState.CONNECTED, "connected"),
        (LinkState.FAULT, "fault"),
        (77, "state 77"),
    ],
)
def test_states_are_told_with_the_time_they_began(state, status):
    link = Link(opened=5.0)
    link.tell(LinkState(state=state, peer="p", detail="why", connections=3), 2.0)
    assert link.update(6.0) == status
    fields = link.fields()
    assert fields["since"] == 2.0
    assert (fields["peer"], fields["detail"], fields["connections"]) == ("p", "why", 3)


def test_a_state_told_again_begins_again():
    link = connected(10.0)
    link.tell(LinkState(state=LinkState.CONNECTED), 12.0)
    link.update(12.5)
    assert link.fields()["since"] == 12.0


def test_a_bridge_that_stops_to_report_is_silent_since_its_last_report():
    link = connected(10.0)
    assert link.update(10.0 + SILENCE) == "connected"
    assert link.update(10.1 + SILENCE) == "silent"
    assert link.fields()["since"] == 10.0
    link.diagnose(report(), 20.0)
    assert link.update(20.0) == "connected"


def test_a_recording_that_is_replayed_slowly_is_not_silent():
    link = connected(10.0)
    for at in (15.0, 20.0):  # rate 0.2
        link.diagnose(report(), at)
    assert link.update(25.0) == "connected"
    assert link.update(20.1 + 5.0 * SILENCE) == "silent"
    link.diagnose(report(), 100.0)
    link.diagnose(report(), 101.0)  # it is live again
    assert link.update(101.1 + SILENCE) == "silent"


def test_a_bridge_that_never_reports_is_not_silent():
    link = Link(opened=0.0)
    link.tell(LinkState(state=LinkState.CONNECTED), 0.0)
    assert link.update(100.0) == "connected"


def test_without_a_publisher_it_is_gone_and_comes_back():
    link = connected(10.0)
    link.publishers = 0
    assert link.update(11.0) == "gone"
    assert link.update(15.0) == "gone"
    assert link.fields()["since"] == 11.0
    link.publishers = 1
    link.tell(LinkState(state=LinkState.CONNECTING), 16.0)
    link.diagnose(report(), 16.0)
    assert link.update(16.0) == "connecting"


def test_what_a_bridge_counts():
    status = report(**{"events": "7", "events: rate (1/s)": "3.5", "b: rate (1/s)": "many"})
    assert rates(status) == {"events": 3.5}
    link = connected(1.0)
    link.diagnose(status, 1.0)
    fields = link.fields()
    assert (fields["level"], fields["note"], fields["rates"]) == (1, "x", {"events": 3.5})


@pytest.mark.parametrize(
    "page,shown",
    [
        ("http://127.0.0.1:8090/", True),
        ("http://localhost:1/", True),
        ("http://[::1]:8090/", True),
        ("http://evil.example/", False),
        ("http://127.0.0.1.evil.example/", False),
        ("javascript:alert(1)//127.0.0.1/", False),
        ("http://127.0.0.1:8090/?x=http://evil.example/", False),
        ("", False),
    ],
)
def test_only_pages_of_this_machine_are_linked(page, shown):
    assert own_page(report(page=page)) == (page if shown else None)
