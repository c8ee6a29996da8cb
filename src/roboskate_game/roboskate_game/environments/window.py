# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A window for render mode "human"; needs pygame, which is optional."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Window:
    """Shows images, ``rate`` a second at most.

    Raises ImportError, with what to install, where pygame is missing.
    """

    def __init__(self, title: str, rate: float) -> None:
        try:
            import pygame
        except ImportError as missing:
            raise ImportError(
                'render_mode "human" needs pygame, which is optional: pip install pygame'
            ) from missing
        self._pygame = pygame
        pygame.display.init()
        pygame.display.set_caption(title)
        self._clock = pygame.time.Clock()
        self._rate = rate
        self._screen: pygame.Surface | None = None

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show an image (height, width, 3), RGB, and wait as the rate wants."""
        pygame = self._pygame
        scale = max(1, 640 // image.shape[1])
        size = (image.shape[1] * scale, image.shape[0] * scale)
        if self._screen is None:
            self._screen = pygame.display.set_mode(size)
        surface = pygame.surfarray.make_surface(image.swapaxes(0, 1))
        self._screen.blit(pygame.transform.scale(surface, size), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
