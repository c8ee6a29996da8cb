# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures and videos of recorded games. Needs OpenCV, which is loaded when one is made."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from pathlib import Path

from bw4t_study.record.game_file import Line
from bw4t_study.replay.replayed import Replay
from bw4t_world.drawing import DrawingError, draw, load_cv2, write_png

PLAYER = Path(__file__).with_name("player.html")

MAX_PICTURES = 5000
"""Of a page: a longer game has them at greater intervals."""

SHOWN = frozenset({"act", "note", "collided", "pause", "resume", "add", "remove", "completed"})
"""The kinds of lines that the page lists."""


def moments(replay: Replay, every_s: float) -> Iterator[int]:
    """Yield the tick of each picture, with the replay there; the last tick has one."""
    last = replay.game.last_tick
    step = max(1, round(every_s / replay.world.profile.tick_seconds))
    for tick in [*range(0, last, step), last]:
        replay.seek(tick)
        yield tick


def write_pictures(replay: Replay, directory: Path, *, every_s: float, scale: float) -> int:
    """Write a picture ``tick_NNNNNNNN.png`` each ``every_s`` simulated seconds; return how many.

    ``scale`` in pixels for a map unit. Raises DrawingError and OSError.
    """
    directory.mkdir(parents=True, exist_ok=True)
    number = 0
    for tick in moments(replay, every_s):
        number += 1
        path = directory / f"tick_{tick:08d}.png"
        write_png(replay.world.snapshot(), path, pixels_per_unit=scale)
    return number


def write_video(replay: Replay, path: Path, *, frames_s: float, speed: float, scale: float) -> int:
    """Write a video (MP4, AVI) of ``frames_s`` frames a second; return how many frames.

    ``speed`` is how many simulated seconds pass in a second. Raises DrawingError and OSError.
    """
    cv2 = load_cv2()

    codec = cv2.VideoWriter.fourcc(*("MJPG" if path.suffix == ".avi" else "mp4v"))
    writer = None
    number = 0
    try:
        for _ in moments(replay, speed / frames_s):
            number += 1
            image = draw(replay.world.snapshot(), pixels_per_unit=scale)
            height, width = image.shape[0] // 2 * 2, image.shape[1] // 2 * 2
            if writer is None:
                writer = cv2.VideoWriter(str(path), codec, frames_s, (width, height))
                if not writer.isOpened():
                    raise DrawingError(f"{path}: OpenCV cannot write this video")
            writer.write(image[:height, :width])
    finally:
        if writer is not None:
            writer.release()
    return number


def write_page(replay: Replay, path: Path, *, every_s: float, scale: float) -> int:
    """Write an HTML file that plays the game: pictures, speed, time line, and what happened.

    It needs no server. Returns how many pictures it has. Raises DrawingError and OSError.
    """
    cv2 = load_cv2()

    tick_s = replay.world.profile.tick_seconds
    every_s = max(every_s, replay.game.last_tick * tick_s / MAX_PICTURES)
    seconds: list[float] = []
    pictures: list[str] = []
    for tick in moments(replay, every_s):
        done, png = cv2.imencode(".png", draw(replay.world.snapshot(), pixels_per_unit=scale))
        if not done:
            raise DrawingError("the picture cannot be encoded as PNG")
        seconds.append(tick * tick_s)
        pictures.append(base64.b64encode(png.tobytes()).decode())
    events = [[line["tick"] * tick_s, shown(line)] for line in replay.game.of_kind(*SHOWN)]
    data = json.dumps({"seconds": seconds, "pictures": pictures, "events": events})
    page = PLAYER.read_text(encoding="utf-8")
    page = page.replace("{title}", html.escape(f"Game {replay.game.name}"))
    page = page.replace("{data}", data.replace("<", "\\u003c"))
    path.write_text(page, encoding="utf-8")
    return len(pictures)


def shown(line: Line) -> str:
    """Return a line of a record as people read it."""
    if line["kind"] == "act" and line.get("effect") == "sent":
        return f"{line['of']} to {line['args'][0]}: {line['args'][1]}"
    text = line.get("text") or line.get("error") or ""
    return f"{line['of']} {line['kind'] if line['kind'] != 'act' else line['action']}: {text}"
