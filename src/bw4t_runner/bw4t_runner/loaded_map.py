# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The map that is loaded now, by its name. ROS-free."""

from __future__ import annotations

from concurrent.futures import Future

from bw4t_runner.world_port import WorldPort
from bw4t_runner.world_runner import WorldRunner
from bw4t_world.maps import MapSpec, load_map
from bw4t_world.maps.reader import UnknownNeighbours
from bw4t_world.scenarios import Scenario


class LoadedMap:
    """The map of a runner's world: what loads another one does it here.

    ``name`` is that of a map of bw4t_world or of a file; empty for a map without one.
    ``neighbours`` says what becomes of those that are no zones, see ``load_map``.
    """

    def __init__(
        self, runner: WorldRunner, name: str, neighbours: UnknownNeighbours = "refuse"
    ) -> None:
        self.name = name
        self._neighbours = neighbours
        self._runner = runner

    def load(
        self, name: str, scenario: Scenario | None = None, seed: int | None = None
    ) -> Future[None]:
        """Begin again with the map of a name, empty: the present one; see ``WorldRunner.load``.

        Raises MapError for a map that cannot be read.
        """
        if not name:
            return self.load_spec(self._runner.snapshot.map, self.name, scenario, seed)
        spec = load_map(name, unknown_neighbours=self._neighbours)
        return self.load_spec(spec, name, scenario, seed)

    def load_spec(
        self, spec: MapSpec, name: str, scenario: Scenario | None = None, seed: int | None = None
    ) -> Future[None]:
        """Begin again with a map that is called ``name`` then; see ``WorldRunner.load``."""

        def load(_: WorldPort) -> None:
            before, self.name = self.name, name
            try:
                self._runner.load(spec, scenario, seed=seed).result()
            except BaseException:
                self.name = before
                raise

        return self._runner.submit(load)
