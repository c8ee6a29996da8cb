# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Write a motion as the original's gen_motion.lua does, so that the original's player reads it."""

from __future__ import annotations

from luar_tools.keyframes.motion import KeyframeMotion


def lua_text(motion: KeyframeMotion) -> str:
    """Return the text of the motion's file; numbers are read again as they were."""
    lines = ["local mot={};", f"mot.servos={{{_numbers(motion.servos)}}};", "mot.keyframes={"]
    for frame in motion.keyframes:
        lines.append("{")
        lines.append(f"angles={{{_numbers(frame.angles)}}},")
        for name, values in (
            ("stiffness", frame.stiffness),
            ("stiffnesses", frame.unused_stiffness),
        ):
            if values:
                lines.append(f"{name}={{{_numbers(values)}}},")
        lines.append(f"duration = {frame.duration!r};")
        lines.append("},")
    return "\n".join([*lines, "};", "return mot;", ""])


def _numbers(values: tuple[float, ...] | tuple[int, ...]) -> str:
    return "".join(f"{value!r}," for value in values)
