# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the joints of a simulated robot are: in its gait, or in a keyframe motion. No ROS."""

from __future__ import annotations

from luar_bridge.protocol.ros_body import Motion
from luar_bridge.simulator.motors import joint_angles
from luar_bridge.simulator.world import Body, SoccerScene
from luar_tools.keyframes.motion_library import OWN, MotionLibrary
from luar_tools.keyframes.player import KeyframePlayer

_LIBRARY = MotionLibrary([OWN])
_MOTIONS = {Motion.KICK: "kick_right", Motion.STANDUP: "stand_up_front"}


class Posture:
    """Plays luar_tools' own motions while the robot kicks or gets up."""

    def __init__(self) -> None:
        self._player: KeyframePlayer | None = None

    def begin_again(self) -> None:
        """End a motion."""
        self._player = None

    def angles(self, scene: SoccerScene, ordered: Motion | None) -> list[float]:
        """Return the joints' angles (rad); ``ordered`` is the motion of a body of ROS orders."""
        gait = joint_angles(scene)
        name = _MOTIONS.get(ordered, "") if ordered is not None else ""
        if ordered is None and scene.body is Body.KICK:
            name = "kick_left" if scene.ball_in_robot[1] > 0.0 else "kick_right"
        if not name:
            self._player = None
        elif self._player is None:
            self._player = KeyframePlayer(_LIBRARY.motion(name), gait, scene.time)
        if self._player is None:
            return gait
        return [*gait[:2], *self._player.update(scene.time).angles[2:]]
