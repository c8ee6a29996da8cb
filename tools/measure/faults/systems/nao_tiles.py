# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with the last original's Nao, which reports its room after a Success alone.

Half of the walks are cancelled on their way. Whenever the bridge does not know the room, it is set
to where the simulator says that the Nao is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import yaml
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from simulation_interfaces.srv import GetEntityState

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import NaoLocation
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, End, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.registered import campaign_of
from measure.faults.system import becomes_true
from nao_goal_bridge.model.room_map import load_room_map
from nao_goal_bridge.protocol.exchange import NO_WAY
from nao_goal_bridge.system import SYSTEM as DECLARED

OWED_REPLY_S = 3.0
"""A leg may take longer: of two rooms it takes 4 s, and 2 s more with the fault long-leg."""


class _GoodDiagnostics(Stream):
    """The bridge's good diagnostics, as this Nao reports nothing by itself."""

    def __init__(self, peer: RosPeer, name: str) -> None:
        super().__init__(peer, topic="good diagnostics")
        self._name = name
        peer.subscribe_with(DiagnosticArray, "/diagnostics", self._on_diagnostics, qos.stream(100))

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name == self._name and status.level == DiagnosticStatus.OK:
                self._on_message(self.topic, message)


class _Walk(ActionErrand):
    """A walk; one whose way does not begin where the Nao is counts as false."""

    wrong_way: Callable[[], str]

    def end(self, timeout: float) -> End:
        """Wait for the end."""
        end = super().end(timeout)
        if wrong := self.wrong_way():
            return End(false=True, succeeded=end.succeeded, reason=f"{self.name}: {wrong}")
        return end


Nao: Any = campaign_of(DECLARED)


class NaoTiles(Nao):
    """Walks through the original's maze; the truth is the simulator's log."""

    name = "nao_tiles"
    faults: ClassVar[Mapping[str, str]] = {**Nao.faults, "stall": "nothing"}

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._map = load_room_map("naovigate")
        self._rooms = self._map.rooms
        self._judged = 0
        file = self._scratch / "nao_tiles.yaml"
        parameters = {"owed_reply_timeout": OWED_REPLY_S}
        file.write_text(yaml.safe_dump({"/**/bridge": {"ros__parameters": parameters}}))
        return [
            f"namespace:={self.name}", f"port:={self._ports()}", "profile:=naovigate",
            "room_map:=naovigate", "simulation_interfaces:=true", f"params_file:={file}",
        ]  # fmt: skip

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals, and where the bridge believes the Nao to be."""
        self._peer, self._observer, self._launch = peer, observer, launch
        observer.watch_action(f"{self.namespace}/go_to")
        self._location = peer.subscribe(NaoLocation, f"{self.namespace}/location")
        return [_GoodDiagnostics(peer, f"{self.name}/{self.node}")]

    def prepare(self) -> None:
        """Set the room where the bridge does not know it. Raises TimeoutError."""
        if not becomes_true(self._is_set):
            raise TimeoutError(f"{self.name}: set_location is refused")

    def _is_set(self) -> bool:
        """Return whether the bridge knows the room now; set it where it does not."""
        self._location.wait_for()
        if self._location.last.valid:
            return True
        # What is obeyed shows that the Nao stands: only then its room can be read and set.
        return self._set_location(known=False) and self._set_location(
            known=True, marker_id=self._true_room()
        )

    def _set_location(self, **request: Any) -> bool:
        name, kind = f"{self.namespace}/set_location", NaoSetLocation
        return bool(self._peer.call(kind, name, kind.Request(**request)).success)

    def under_way(self) -> list[Errand]:
        """Walk two rooms away and back; half of the time cancel the first walk on its way."""
        here = self._true_room()
        first = self._go_to(self._room_near(here, 2))
        self._under_way = (first, self._go_to(here))
        if self._chance.random() < 0.5:
            self._observer.wait_until(lambda: False, self._chance.uniform(0.0, 2.0))
            first.cancel()
        return list(self._under_way)

    def client_goal(self) -> tuple[str, str, str]:
        """Walk two rooms away."""
        marker = self._room_near(self._true_room(), 2)
        return "go_to", "legacy_robots_msgs/action/NaoGoTo", f"{{marker_id: {marker}}}"

    def proof(self) -> Errand:
        """Walk to a room beside the Nao's."""
        return self._go_to(self._room_near(self._true_room(), 1))

    def _room_near(self, here: int, legs: int) -> int:
        near = [room for room in self._rooms if len(self._map.path(here, room)) == legs + 1]
        return int(self._chance.choice(near))

    def _go_to(self, marker: int) -> ActionErrand:
        mark = self._mark()
        walk = _Walk(
            self._observer,
            self._peer.send_goal(
                NaoGoTo, f"{self.namespace}/go_to", NaoGoTo.Goal(marker_id=marker)
            ),
            f"{self.namespace}/go_to",
            lambda: becomes_true(
                lambda: self._has_been_in(marker, mark) or self._true_room() == marker
            ),
        )
        walk.wrong_way = self._wrong_way
        return walk

    def _wrong_way(self) -> str:
        """Return the first way since the last call that does not begin where the Nao is."""
        lines = self._launch.lines.items
        judged, self._judged = self._judged, len(lines)
        sent = ""
        for line in lines[judged:]:
            if "<- GoToTiles" in line:
                sent = "" if str(NO_WAY) in line else line
            elif sent and "-> State" in line:
                sent = ""
            elif sent and "-> Failure(code=1)" in line:
                return sent
        return ""

    def _true_room(self) -> int:
        request = GetEntityState.Request(entity="nao")
        answer = self._peer.call(GetEntityState, f"{self.namespace}/get_entity_state", request)
        at = answer.state.pose.position
        apart = {n: math.dist((r.x, r.y), (at.x, at.y)) for n, r in self._map.rooms.items()}
        return int(min(apart, key=apart.__getitem__))

    def _has_been_in(self, marker: int, mark: int) -> bool:
        """Return whether the Nao reported a room after the Success of a walk, after a mark."""
        succeeded = False
        for line in self._launch.lines.items[mark:]:
            if "-> Success(code=1)" in line:
                succeeded = True
            elif succeeded and (found := re.search(r"-> Location\(marker_id=(\d+)\)", line)):
                if found[1] == str(marker):
                    return True
                succeeded = False
        return False


SYSTEM = NaoTiles
