# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of maps and worlds. Needs OpenCV, which is loaded only when something is drawn."""

from bw4t_world.drawing.canvas import DrawingError, load_cv2
from bw4t_world.drawing.picture import BLOCK_PAINTS, draw, write_png
from bw4t_world.drawing.scene import (
    DrawnBlock,
    DrawnEPartner,
    DrawnRobot,
    Scene,
    scene_of_map,
    scene_of_snapshot,
)

__all__ = [
    "BLOCK_PAINTS",
    "DrawingError",
    "DrawnBlock",
    "DrawnEPartner",
    "DrawnRobot",
    "Scene",
    "draw",
    "load_cv2",
    "scene_of_map",
    "scene_of_snapshot",
    "write_png",
]
