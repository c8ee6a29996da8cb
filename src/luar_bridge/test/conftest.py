# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Segments for the tests: the captures, and ones that the compiled helper owns."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from luar_bridge.protocol import naming
from luar_bridge.protocol.boost_layout import Abi
from luar_bridge.simulator.segment_owner import SegmentOwner, StandInError, helper_path

# Of the repository; a package that was copied alone has none.
DATA = Path(__file__).resolve().parents[1].parent.parent / "test" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the directory with the captures and the names of the document."""
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is missing: run this test in a clone of the whole repository")
    return DATA


@pytest.fixture(scope="session")
def captures(data: Path) -> Path:
    """Return the directory with the captured segments."""
    return data / "luar"


@pytest.fixture
def user() -> Iterator[str]:
    """Return a user name whose segments are this test's alone, and remove them afterwards."""
    name = f"test{uuid.uuid4().hex[:12]}"
    yield name
    for path in naming.DIRECTORY.glob(f"*{name}"):
        path.unlink()


def _built(abi: Abi) -> bool:
    try:
        helper_path(abi)
    except StandInError:
        return False
    return True


@pytest.fixture(params=[Abi.BOOST_TO_1_86, Abi.BOOST_FROM_1_87], ids=["abi1", "abi2"])
def owner(request: pytest.FixtureRequest) -> Iterator[SegmentOwner]:
    """Return a process that owns segments by Boost, in each memory layout."""
    if not _built(request.param):
        pytest.skip(
            f"needs the helper for {request.param!r}: colcon build with Boost 1.87 or later"
        )
    with SegmentOwner(request.param) as process:
        yield process


@pytest.fixture
def lua_peer() -> Path:
    """Return the place of Lua 5.1 with the original's modules; skip where it is not present.

    LEGACY_ROBOTS_LUAR_PEER names a directory with ``bin/lua5.1`` and ``Player/`` of the original,
    with its compiled modules in ``Player/Lib``.
    """
    place = os.environ.get("LEGACY_ROBOTS_LUAR_PEER", "")
    if not place:
        pytest.skip(
            "needs the original: build it as in docs/originals/luar.md, 7, and "
            "export LEGACY_ROBOTS_LUAR_PEER=DIRECTORY"
        )
    return Path(place)
