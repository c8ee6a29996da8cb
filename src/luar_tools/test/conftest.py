# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest


@pytest.fixture
def peer() -> Path:
    """Return the place of the original, with ``bin/lua5.1`` and ``Player/``; skip without it."""
    place = os.environ.get("LEGACY_ROBOTS_LUAR_PEER", "")
    if not place:
        pytest.skip(
            "needs the original: build it as in docs/originals/luar.md, 7, and "
            "export LEGACY_ROBOTS_LUAR_PEER=DIRECTORY"
        )
    return Path(place)
