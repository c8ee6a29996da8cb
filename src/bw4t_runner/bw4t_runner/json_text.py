# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""JSON of agents and pages, whose texts ROS can have."""

from __future__ import annotations

import json
from typing import Any


def load_json(text: str | bytes) -> Any:
    """Return a value of JSON; a lone surrogate, which no text of ROS can have, becomes ``?``.

    Raises ValueError or RecursionError.
    """
    text = text if isinstance(text, str) else text.decode()
    value = json.loads(text)
    if "\\ud" in text.lower():
        value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    return value
