# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The stamps of what is read from segments."""

from __future__ import annotations

import time

import pytest

from luar_bridge.bridge.stamps import Stamps


def is_of_now(stamp: float, begun: float) -> bool:
    return begun <= stamp <= time.time()


@pytest.mark.parametrize("reported", [None, -1.0, 17.25, float("nan"), float("inf"), 1e300])
def test_what_is_no_time_of_ours_is_of_now(reported: float | None) -> None:
    begun = time.time()
    assert is_of_now(Stamps().of("vcmImage", reported), begun)


def test_a_time_that_was_not_written_yet_tells_nothing() -> None:
    assert Stamps().of("vcmImage", 0.0) == 0.0


def test_a_clock_that_is_ours_is_believed_when_we_are_late() -> None:
    stamps = Stamps()
    begun = time.time()
    assert is_of_now(stamps.of("vcmImage", begun - 5.0), begun), (
        "another clock, as far as is known"
    )
    just_now = time.time() - 0.02
    assert stamps.of("vcmImage", just_now) == just_now
    assert stamps.of("vcmImage", begun - 5.0) == begun - 5.0
    assert is_of_now(stamps.of("dcmSensor", begun - 5.0), begun), "each for itself"
    assert is_of_now(stamps.of("vcmImage", begun - 1000.0), begun), "it has been set"
    assert is_of_now(stamps.of("vcmImage", begun + 1000.0), begun)
    stamps.forget("vcmImage")
    assert is_of_now(stamps.of("vcmImage", begun - 5.0), begun)


def test_what_was_written_a_while_ago_is_known_by_our_clock_alone() -> None:
    stamps = Stamps()
    reported = time.time() - 0.02
    assert not stamps.is_past("vcmImage", reported, 0.01), "another clock, as far as is known"
    assert stamps.of("vcmImage", reported) == reported
    assert stamps.is_past("vcmImage", reported, 0.01)
    assert not stamps.is_past("vcmImage", reported, 5.0)
    assert not stamps.is_past("vcmImage", None, 0.01)
    assert not stamps.is_past("vcmImage", float("nan"), 0.01)
    assert not stamps.is_past("vcmImage", reported - 1000.0, 0.01), "it has been set"
