# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The world's listeners, as a record is one, get what happens to the page's people."""

from __future__ import annotations

import pytest

from bw4t_world import EventKind

pytest.importorskip("aiohttp")


async def test_coming_losing_the_connection_and_leaving_are_events(table):
    made = table(grace=30.0)
    notes = []

    def on_event(event):
        if event.kind is EventKind.NOTE:
            notes.append((event.entity, event.text))

    made.runner.call(lambda world: world.listen(on_event))
    async with made.page() as page:
        token = await page.join(code="P07")
    await made.until(lambda world: len(notes) == 2)
    async with made.page(token) as page:
        await page.until(lambda: page.of("joined"))
        await page.send(type="leave")
        await page.until(lambda: page.of("left"))
    await made.until(lambda world: len(notes) == 4)
    texts = [
        "page: joined, participant P07",
        "page: connection lost",
        "page: came back",
        "page: left",
    ]
    assert notes == [("Ann_1", text) for text in texts]
