# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The host node: a robot in ROS is what the original's Lua walks, moves and sees with."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from std_msgs.msg import Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import LinkState
from luar_bridge.host.lua_camera import LuaCamera
from luar_bridge.host.lua_joints import PERIOD_S, LuaJoints
from luar_bridge.host.lua_segment import LuaGoneError
from luar_bridge.host.lua_walk import LuaWalk
from luar_bridge.host.parameters import Parameters
from luar_bridge.protocol import host_image, host_walk
from luar_bridge.protocol.naming import RobotIdentity

WALKING_PERIOD_S = 0.02
"""Of a robot without joints for Lua."""
SETTLING_S = 0.1
"""Time for the last stop to leave."""


class LuarHost(ProgramNode):
    """Moves the robot while Lua counts and the robot reports; else it stands.

    Of the executor. Raises ParameterError.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("host", **{"namespace": "luar_host", **node_arguments})
        p = declare_parameters(self, Parameters)
        try:
            identity = RobotIdentity(p.team, p.player, p.user)
        except ValueError as error:
            raise ParameterError(f"parameter 'user': {error}") from error
        directory = Path(p.memory_directory)
        self._peer = str(identity)
        self._parts: list[LuaWalk | LuaJoints | LuaCamera] = []
        joints = LuaJoints(self, directory, p) if any(p.joints) else None
        if p.cmd_vel:
            path = directory / identity.file_name(host_walk.SEGMENT)
            self._parts.append(LuaWalk(self, path, p))
        if joints is not None:
            self._parts.append(joints)
        if p.image:
            path = directory / identity.file_name(host_image.SEGMENT)
            head_at = joints.head_at if joints else lambda _: (0.0, 0.0)
            self._parts.append(LuaCamera(self, path, p, head_at))
        if not self._parts:
            raise ParameterError("none of the parameters 'cmd_vel', 'joints' and 'image' is given")
        self._link_state = qos.publisher(self, LinkState, "link_state", qos.LATCHED)
        self._told = (-1, "")
        self._connections = 0
        self._stopped_at: float | None = None
        self._timer = self.timer(PERIOD_S if joints else WALKING_PERIOD_S, self._follow)

    def stop(self) -> None:
        """Have the robot stand, and follow Lua no more."""
        self._timer.cancel()
        for part in self._parts:
            part.halt()
        super().stop()
        self._stopped_at = time.monotonic()

    @property
    def settled(self) -> bool:
        """Whether the last stop has left."""
        return self._stopped_at is None or time.monotonic() - self._stopped_at > SETTLING_S

    def _follow(self) -> None:
        now = self.now()
        gone, lacking = "", ""
        for part in self._parts:
            try:
                lacking = part.look(now) or lacking
            except LuaGoneError as error:
                gone = gone or str(error)
        if gone or lacking:
            is_there = not gone.startswith("there is no")
            self._stand(LinkState.FAULT if is_there else LinkState.CONNECTING, gone or lacking)
            return
        self._tell(LinkState.CONNECTED, "Lua drives the robot")
        for part in self._parts:
            part.move()

    def _stand(self, state: int, detail: str) -> None:
        self._tell(state, detail)
        moved = [part.halt() for part in self._parts]
        if any(moved):
            self.get_logger().warning(f"the robot is stopped: {detail}")

    def _tell(self, state: int, detail: str) -> None:
        """Publish the state of the link to Lua where it has changed."""
        if (state, detail) == self._told:
            return
        if state == LinkState.CONNECTED != self._told[0]:
            self._connections += 1
        self._told = state, detail
        self._link_state.publish(
            LinkState(
                header=Header(stamp=self.stamp()),
                state=state,
                peer=self._peer,
                detail=detail,
                connections=self._connections,
            )
        )


def main() -> None:
    """Run the host as a program."""
    sys.exit(run(LuarHost, Parameters))


if __name__ == "__main__":
    main()
