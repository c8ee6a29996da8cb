# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The joints of a robot behind gti_host: names, signs and sums, both ways. No ROS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aibo_gti_bridge.host.robot_map import Controller, HostMap, JointName
from aibo_gti_bridge.model.joints import BY_NAME
from aibo_gti_bridge.model.motions import Motion

SHORTEST_S = 0.05
"""Shortest time given to a move."""
UNKNOWN_WAY_RAD = 1.0
"""Way that is assumed of a joint whose position is not known, for its time."""


@dataclass(frozen=True)
class Move:
    """The command to one controller: positions (rad) of joints at times (s)."""

    controller: Controller
    joints: tuple[str, ...]
    points: tuple[tuple[float, tuple[float, ...]], ...]


class Joints:
    """Our joints in terms of the robot's. Angles in rad.

    Several of ours that name one joint of the robot add up: the last of them is the one that
    moves first, within the limits that it has on an ERS-7, and the others take the rest.
    """

    def __init__(self, host_map: HostMap) -> None:
        self._names = host_map.joints
        self._controllers = host_map.controllers
        self._sharing: dict[str, list[str]] = {}
        for ours, joint in host_map.joints.items():
            if joint.robot:
                self._sharing.setdefault(joint.robot, []).append(ours)
        moved = {robot for controller in host_map.controllers for robot in controller.joints}
        self.movable = frozenset(
            ours
            for ours, joint in host_map.joints.items()
            if not joint.robot or joint.robot in moved
        )
        """Ours that can be moved, or stand still by the map."""
        self._commanded: dict[str, tuple[float, float]] = {}
        """Targets (rad) of the robot's joints, and when they are reached."""

    @property
    def robot_names(self) -> frozenset[str]:
        """The robot's joints that stand for some of ours."""
        return frozenset(self._sharing)

    def positions(self, robot: Mapping[str, float]) -> dict[str, float]:
        """Return our joints' positions, given those of the ``robot``'s by its names."""
        found = {n: joint.offset for n, joint in self._names.items() if not joint.robot}
        for name, position in robot.items():
            found.update(self._divided(name, position))
        return found

    def moves(
        self, now: float, targets: Mapping[str, tuple[float, float]], robot: Mapping[str, float]
    ) -> list[Move]:
        """Return what brings our joints to ``targets``: (rad, s; 0: as fast as possible).

        ``now`` (s) is on any clock; ``robot`` has the positions of the robot's joints.
        """
        wanted: dict[str, tuple[float, float]] = {}
        parts = self.positions({**robot, **{n: t for n, (t, _) in self._commanded.items()}})
        for name, (target, _) in targets.items():
            # As the dog does it: no further than it can turn, and no faster than it may.
            parts[name] = min(max(target, BY_NAME[name].lower), BY_NAME[name].upper)
        for name, (_, seconds) in targets.items():
            joint = self._names[name]
            if not joint.robot:
                continue
            target = self._sum(joint.robot, parts)
            present = robot.get(joint.robot)
            way = UNKNOWN_WAY_RAD if present is None else abs(target - present)
            wanted[joint.robot] = (target, max(seconds, way / joint.speed, SHORTEST_S))
        found = [self._move(now, controller, wanted, robot) for controller in self._controllers]
        self._commanded.update({n: (target, now + time) for n, (target, time) in wanted.items()})
        return [move for move in found if move is not None]

    def trajectory(self, now: float, motion: Motion, robot: Mapping[str, float]) -> list[Move]:
        """Return what plays a motion with the joints that there are."""
        start = dict.fromkeys(motion.joints, 0.0) | self.positions(robot)
        touched = {self._names[n].robot for n in motion.joints if n in self._names} - {""}
        found = []
        for controller in self._controllers:
            names = tuple(n for n in controller.joints if n in touched or not controller.partial)
            if not touched & set(names):
                continue
            points = []
            for time in motion.times():
                if time > 0.0:
                    pose = {**start, **motion.pose(time, start)}
                    points.append((time, tuple(self._sum(name, pose) for name in names)))
            if points:
                end = now + points[-1][0]
                pairs = zip(names, points[-1][1], strict=True)
                self._commanded.update({name: (target, end) for name, target in pairs})
                found.append(Move(controller, names, tuple(points)))
        return found

    def _divided(self, robot: str, position: float) -> dict[str, float]:
        """Return what our joints that share one of the robot's have of its position."""
        found: dict[str, float] = {}
        sharing = self._sharing.get(robot, ())
        rest = 0.0
        for number, name in enumerate(reversed(sharing)):
            joint = self._names[name]
            if number == 0:
                rest = joint.sign * (position - joint.offset)
            low, high = BY_NAME[name].lower, BY_NAME[name].upper
            last = number == len(sharing) - 1
            found[name] = rest if last else min(max(rest, low), high)
            rest -= found[name]
        return found

    def _sum(self, robot: str, parts: Mapping[str, float]) -> float:
        """Return the robot's angle for the angles of ours that share it."""
        sharing = self._sharing[robot]
        joint: JointName = self._names[sharing[-1]]
        return joint.sign * sum(parts.get(name, 0.0) for name in sharing) + joint.offset

    def _move(
        self,
        now: float,
        controller: Controller,
        wanted: Mapping[str, tuple[float, float]],
        robot: Mapping[str, float],
    ) -> Move | None:
        ends = {name: wanted[name] for name in controller.joints if name in wanted}
        if not ends:
            return None
        times = {seconds for _, seconds in ends.values()}
        names = tuple(ends) if controller.partial else controller.joints
        start = {n: robot.get(n, self._commanded.get(n, (0.0, 0.0))[0]) for n in names}
        for name in names:
            if name not in ends:  # it goes on with what it does
                target, due = self._commanded.get(name, (start[name], now))
                ends[name] = (target, max(due - now, SHORTEST_S))
                times |= {due - now} if due - now > SHORTEST_S else set()
        points = tuple(
            (time, tuple(_at(time, start[name], *ends[name]) for name in names))
            for time in sorted(times)
        )
        return Move(controller, names, points)

    def hold(self, robot: Mapping[str, float]) -> list[Move]:
        """Forget all targets; return what stops the joints that are still on their way."""
        names, self._commanded = set(self._commanded), {}
        here = {name: (robot[name], SHORTEST_S) for name in names if name in robot}
        found = [self._move(0.0, controller, here, robot) for controller in self._controllers]
        return [move for move in found if move is not None]


def _at(time: float, start: float, end: float, seconds: float) -> float:
    """Return a joint's position at ``time`` on its straight way to ``end`` within ``seconds``."""
    return end if time >= seconds else start + (end - start) * time / seconds
