# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate's physics: what finer steps change, for one gait without feedback and for coasting."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from measure.bench.table import Table
from roboskate_game.physics.batch import Fleet
from roboskate_game.physics.mechanics import STEP

STROKES_S, COAST_S, COAST_SPEED = 15.0, 10.0, 3.0
HELD = 10
"""Steps of STEP for which a force is held."""
FORCE, DEGREES = 250.0, 180.0 / math.pi
FINE = (1, 2, 4, 8, 16, 32)

Forces = Sequence[NDArray[np.float64]]


def strokes() -> Forces:
    """Return the forces, each for HELD steps, of a crane that pushes at steps of STEP."""
    fleet = Fleet(1)
    forces: list[NDArray[np.float64]] = []
    for step in range(round(STROKES_S / STEP / HELD)):
        s = fleet.columns()
        shoulder = 60.0 - 30.0 * math.cos(0.3 * step) - float(s.j2[0]) * DEGREES
        elbow = 55.0 + 70.0 * math.sin(0.3 * step) - float(s.j3[0]) * DEGREES
        wanted = np.array([[0.0, shoulder / 90.0, 3.0 * elbow / 125.0]])
        forces.append(FORCE * np.clip(wanted, -1.0, 1.0))
        fleet.run(forces[-1], HELD)
    return forces


def distance(forces: Forces, sub_steps: int, speed: float = 0.0) -> float:
    """Return how far (m) a board gets from the start of level 0 with these forces."""
    fleet = Fleet(1, sub_steps=sub_steps)
    state = fleet.columns()
    fleet.rows[0, state._fields.index("vx")] = speed
    begin = fleet.report()[0, [0, 2]]
    for each in forces:
        fleet.run(each, HELD)
    return math.dist(begin, fleet.report()[0, [0, 2]])


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate_convergence", description=__doc__)
    parser.parse_args(argv)
    table = Table("RoboSkate, finer steps (bench roboskate_convergence)")
    forces = strokes()
    rest = [np.zeros((1, 3))] * round(COAST_S / STEP / HELD)
    distance(rest, 1)  # compiled or read from the cache
    for sub_steps in FINE:
        begin = time.process_time()
        pushed = distance(forces, sub_steps)
        cost = (time.process_time() - begin) / STROKES_S
        coasted = distance(rest, sub_steps, COAST_SPEED)
        table.add(
            f"sub_steps {sub_steps} ({1e3 * STEP / sub_steps:g} ms)",
            f"{pushed:.2f} m in {STROKES_S:g} s; {coasted:.3f} m coasted in {COAST_S:g} s "
            f"from {COAST_SPEED:g} m/s; {1e3 * cost:.2f} ms of CPU a simulated second",
        )
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
