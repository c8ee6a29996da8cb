# SPDX-License-Identifier: Apache-2.0
"""A view of rviz for other frames than those in its file.

rviz gets its namespace from launch, but has no option for the frames, which are in three places
of the file: the fixed frame, the frame that a viewpoint follows, and the prefix of robot models.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

_FRAMES = ("Fixed Frame", "Target Frame", "Reference Frame")


def adapted_view(
    path: str | Path,
    *,
    frame_prefix: str = "",
    frames: Mapping[str, str] = MappingProxyType({}),
    without: Collection[str] = (),
) -> str:
    """Return the text of a view, a ``.rviz`` file, with other frames.

    ``frame_prefix``, which ends with a slash or is empty, is put before every frame but those that
    ``frames`` has complete names for. Displays, groups and saved viewpoints that are called as in
    ``without`` are left out.
    """

    def frame(name: str) -> str:
        return name if name.startswith("<") else frames.get(name, frame_prefix + name)

    def adapted(value: Any) -> Any:
        if isinstance(value, list):
            return [
                adapted(entry)
                for entry in value
                if not (isinstance(entry, dict) and entry.get("Name") in without)
            ]
        if not isinstance(value, dict):
            return value
        changed = {key: adapted(entry) for key, entry in value.items()}
        changed.update({key: frame(changed[key]) for key in _FRAMES if key in changed})
        if "TF Prefix" in changed:
            # rviz puts the slash between prefix and frame itself.
            changed["TF Prefix"] = frame_prefix.rstrip("/") or changed["TF Prefix"]
        return changed

    view = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    return yaml.safe_dump(adapted(view), sort_keys=False)
