# SPDX-License-Identifier: Apache-2.0
"""Pictures and videos of recorded games. Needs OpenCV, which is loaded when one is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bw4t_study.replay.replayed import Replay
from bw4t_world.drawing import DrawingError, draw, write_png


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
    import cv2

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
