# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Counting variables in segments made by Boost: seen soon, images with a look shortly before."""

from __future__ import annotations

import pytest

from luar_bridge.bridge.counts import Counts
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner

TABLE = layout_table.load("document")


@pytest.mark.parametrize(
    "periods",
    [{"vcmImage": 0.0034}, {"vcmImage": 1 / 30}, {"dcmSensor": 0.01, "vcmImage": 1 / 30}],
)
def test_processes_are_followed(owner: SegmentOwner, user: str, periods: dict[str, float]) -> None:
    now = 100.0
    counts = Counts(TABLE, 0.01, 0.1)
    counts.now = lambda: now
    segments = {}
    for name in periods:
        file = f"{name}12{user}"
        owner.create(file)
        owner.set(file, "count", 1.0)
        owner.sync()
        segments[name] = Segment(DIRECTORY / file)
        counts.add_new(name, segments[name], segments[name].snapshot)
    counts.follow(set(periods))
    due, written = dict.fromkeys(periods, now), dict.fromkeys(periods, 1)
    delays: dict[str, list[float]] = {name: [] for name in periods}
    since = []
    while written["vcmImage"] < 60:
        now = max(now, counts.next_at) + 0.00005
        for name, at in due.items():
            if at <= now:
                written[name] += 1
                owner.set(f"{name}12{user}", "count", float(written[name]))
        owner.sync()
        for count in counts.look(now):
            name = count.segment_name
            assert count.heartbeat.forward
            assert count.heartbeat.value == written[name]
            delays[name].append(now - due[name])
            if name == "vcmImage":
                since.append(now - count.heartbeat.last_look_before(count.heartbeat.value))
            due[name] += periods[name]
    for segment in segments.values():
        segment.close()
    images = delays.pop("vcmImage")[20:]
    assert max(images) < (0.0105 if delays else 0.002)  # beside another they have no looks alone
    assert all(max(seen[20:]) < 0.002 for seen in delays.values()), delays
    assert max(since[2:]) < periods["vcmImage"] / 2
    assert counts.is_any_faster_than(0.011) == (
        "dcmSensor" in periods or periods["vcmImage"] < 0.011
    )
    assert not counts.is_any_faster_than(0.9 * min(periods.values()))


def test_what_is_gone_is_forgotten(owner: SegmentOwner, user: str) -> None:
    file = f"vcmImage12{user}"
    counts = Counts(TABLE, 0.01, 0.1)
    owner.create(file)
    owner.set(file, "count", [1.0, 2.0])
    owner.sync()
    with Segment(DIRECTORY / file) as segment:
        counts.add_new("vcmImage", segment, segment.snapshot)
        assert not len(counts), "it is no number yet"
        assert counts.next_at == float("inf")
        owner.set(file, "count", 1.0)
        owner.sync()
        counts.add_new("vcmImage", segment, segment.read())
        assert [count.variable for count in counts] == ["count"]
        counts.forget("vcmImage")
        assert counts.heartbeat("vcmImage", "count") is None
