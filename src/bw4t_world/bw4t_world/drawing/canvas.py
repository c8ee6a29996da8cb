# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A picture in map units: shapes and centred text, smooth at the edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bw4t_world.maps.model import Box, Point

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Image = npt.NDArray[np.uint8]
else:
    Image = Any

Paint = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

MAX_PIXELS = 64_000_000
"""A larger picture is refused."""

# Everything is drawn twice as large and shrunk, which smooths edges and small letters.
_OVERSAMPLING = 2
_FINE = 4  # OpenCV takes coordinates in 1/16 of a pixel with shift=4


class DrawingError(RuntimeError):
    """A picture cannot be made; the text says why and what to do."""


def load_cv2() -> Any:
    """Return the module ``cv2``; :class:`DrawingError` where OpenCV is not installed."""
    try:
        import cv2
    except ImportError:
        raise DrawingError(
            "drawing needs OpenCV: install opencv-python-headless (pip) or python3-opencv (apt)"
        ) from None
    return cv2


class Canvas:
    """A white picture of ``width`` x ``height`` map units; y grows downwards."""

    def __init__(self, width: float, height: float, pixels_per_unit: float) -> None:
        self._cv2 = load_cv2()
        import numpy as np

        self._scale = pixels_per_unit * _OVERSAMPLING
        columns, rows = (max(1, round(side * self._scale)) for side in (width, height))
        if columns * rows > MAX_PIXELS:
            raise DrawingError(
                f"{width:g} x {height:g} units are too large a picture at {pixels_per_unit:g} "
                "pixels per unit"
            )
        self._pixels = np.full((rows, columns, 3), 255, dtype=np.uint8)

    def rectangle(
        self, box: Box, fill: Paint | None = None, edge: Paint | None = None, line: float = 0.1
    ) -> None:
        """Draw a rectangle; ``line`` is the width of its edge in map units."""
        corners = (self._point(box.min_x, box.min_y), self._point(box.max_x, box.max_y))
        if fill is not None:
            self._cv2.rectangle(self._pixels, *corners, _bgr(fill), -1, self._cv2.LINE_AA, _FINE)
        if edge is not None:
            width = self._line(line)
            self._cv2.rectangle(
                self._pixels, *corners, _bgr(edge), width, self._cv2.LINE_AA, _FINE
            )

    def circle(
        self,
        center: Point,
        radius: float,
        fill: Paint | None = None,
        edge: Paint | None = None,
        line: float = 0.1,
    ) -> None:
        """Draw a circle."""
        at, size = self._point(center.x, center.y), round(radius * self._scale * 2**_FINE)
        if fill is not None:
            self._cv2.circle(self._pixels, at, size, _bgr(fill), -1, self._cv2.LINE_AA, _FINE)
        if edge is not None:
            width = self._line(line)
            self._cv2.circle(self._pixels, at, size, _bgr(edge), width, self._cv2.LINE_AA, _FINE)

    def polygon(self, corners: list[Point], fill: Paint) -> None:
        """Draw a filled convex polygon."""
        import numpy as np

        points = np.array([self._point(corner.x, corner.y) for corner in corners], dtype=np.int32)
        self._cv2.fillConvexPoly(self._pixels, points, _bgr(fill), self._cv2.LINE_AA, _FINE)

    def hatch(self, box: Box, paint: Paint, step: float = 1.0, line: float = 0.12) -> None:
        """Draw diagonal lines in a rectangle, ``step`` units apart."""
        offset = step
        while offset < box.width + box.height:
            start_x, start_y = min(offset, box.width), max(0.0, offset - box.width)
            end_x, end_y = max(0.0, offset - box.height), min(offset, box.height)
            self._cv2.line(
                self._pixels,
                self._point(box.min_x + start_x, box.min_y + start_y),
                self._point(box.min_x + end_x, box.min_y + end_y),
                _bgr(paint),
                self._line(line),
                self._cv2.LINE_AA,
                _FINE,
            )
            offset += step

    def text(self, text: str, center: Point, height: float, width: float, paint: Paint) -> None:
        """Write a line of text, at most ``height`` and ``width`` map units large."""
        text = text.encode("ascii", "replace").decode()  # the built-in font has no more
        font, weight = self._cv2.FONT_HERSHEY_SIMPLEX, max(1, round(height * self._scale / 9))
        (columns, rows), _ = self._cv2.getTextSize(text, font, 1.0, weight)
        if not columns or not rows:
            return
        scale = min(height * self._scale / rows, width * self._scale / columns)
        weight = max(1, round(scale * rows / 9))
        (columns, rows), _ = self._cv2.getTextSize(text, font, scale, weight)
        at = (
            round(center.x * self._scale - columns / 2),
            round(center.y * self._scale + rows / 2),
        )
        self._cv2.putText(
            self._pixels, text, at, font, scale, _bgr(paint), weight, self._cv2.LINE_AA
        )

    def image(self) -> Image:
        """Return the picture, shape (rows, columns, 3), blue-green-red as OpenCV has it."""
        rows, columns, _ = self._pixels.shape
        size = (max(1, columns // _OVERSAMPLING), max(1, rows // _OVERSAMPLING))
        shrunk: Image = self._cv2.resize(self._pixels, size, interpolation=self._cv2.INTER_AREA)
        return shrunk

    def _point(self, x: float, y: float) -> tuple[int, int]:
        factor = self._scale * 2**_FINE
        return round(x * factor), round(y * factor)

    def _line(self, width: float) -> int:
        return max(1, round(width * self._scale))


def _bgr(paint: Paint) -> Paint:
    red, green, blue = paint
    return blue, green, red
