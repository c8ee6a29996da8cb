# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How late requests are, while the clocks of page and server drift apart."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

pytest.importorskip("aiohttp")

from bw4t_web.server.lateness import MAX_AGE_S, REMEMBERED_S, Lateness
from legacy_robots_web import Client


def test_clocks_that_drift_apart_make_no_request_late():
    lateness, client = Lateness(), Client(Mock())
    drift = 2 * MAX_AGE_S / (100 * REMEMBERED_S)
    ages = [lateness.of(client, now * (1 - drift), now) for now in range(int(100 * REMEMBERED_S))]
    assert max(ages) < MAX_AGE_S / 10


def test_a_request_is_as_late_as_the_fastest_of_the_last_minute_was_faster():
    lateness, client = Lateness(), Client(Mock())
    for now in range(int(3 * REMEMBERED_S)):
        assert lateness.of(client, now, now + 0.5) == 0.0
        assert lateness.of(client, now - 3.0, now + 0.5) == 3.0
    assert lateness.of(Client(Mock()), 0.0, 100.0) == 0.0, "each page has its own clock"
