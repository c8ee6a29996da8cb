# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How the simulated game looks: colours, light and camera, with random variation on request."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from roboskate_game.drawing.projection import CameraMount

Colour = tuple[int, int, int]
"""Red, green, blue."""

SURFACES = MappingProxyType(
    {
        "lawn": (70, 106, 44), "sand": (172, 152, 124), "clay": (150, 94, 60),
        "brick": (98, 64, 50), "marble": (202, 198, 186), "stone": (206, 182, 142),
        "basalt": (66, 66, 70),
    }
)  # fmt: skip
"""Base colours by the name of a surface in course.yaml."""
TILES = MappingProxyType({"brick": 1.0, "marble": 1.7, "stone": 0.9, "portal": 3.0})
"""Sides, in metres, of the tiles of a surface, where it has any."""


@dataclass(frozen=True)
class Look:
    """What is seen beside the geometry.

    ``sun`` is the direction of light: azimuth and elevation in rad, in odom. ``gains`` and
    ``contrast`` apply to the whole image; ``grain`` is the strength of the ground's texture.
    """

    sun: tuple[float, float] = (math.radians(215.0), math.radians(38.0))
    sky_top: Colour = (64, 120, 190)
    sky_low: Colour = (196, 214, 232)
    haze: Colour = (186, 194, 206)
    sea_near: Colour = (132, 144, 164)
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    grain: float = 1.0
    seed: int = 1
    mount: CameraMount = field(default_factory=CameraMount)


GROUNDS = 4
"""Grounds and suns among which episode_look chooses, as each costs 20 MB and half a second."""


def episode_look(seed: int, strength: float = 1.0) -> Look:
    """Return a random look whose ground and sun are one of GROUNDS: cheap for each episode."""
    rng = np.random.default_rng(seed)
    ground = random_look(np.random.default_rng(int(rng.integers(GROUNDS))), strength)
    look = random_look(rng, strength)
    return replace(look, sun=ground.sun, grain=ground.grain, seed=ground.seed)


def random_look(rng: np.random.Generator, strength: float = 1.0) -> Look:
    """Return a look drawn at random around the usual one, for domain randomisation."""
    usual = Look()

    def near(value: float, spread: float) -> float:
        return value + strength * spread * float(rng.uniform(-1.0, 1.0))

    def tinted(colour: Colour) -> Colour:
        red, green, blue = (min(255, max(0, round(near(c, 24.0)))) for c in colour)
        return (red, green, blue)

    mount = usual.mount
    return replace(
        usual,
        sun=(near(usual.sun[0], 2.0), near(usual.sun[1], 0.25)),
        sky_top=tinted(usual.sky_top),
        sky_low=tinted(usual.sky_low),
        haze=tinted(usual.haze),
        sea_near=tinted(usual.sea_near),
        gains=(near(1.0, 0.12), near(1.0, 0.12), near(1.0, 0.12)),
        contrast=near(1.0, 0.2),
        grain=near(1.0, 0.6),
        seed=int(rng.integers(1, 2**31)),
        mount=CameraMount(
            near(mount.behind, 0.3), near(mount.above, 0.2), near(mount.down, 0.05),
            near(mount.vertical_fov, 0.06),
        ),
    )  # fmt: skip
