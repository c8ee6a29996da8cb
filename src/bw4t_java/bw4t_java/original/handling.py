# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an action with blocks or e-partners did, by the percepts before and after it."""

from __future__ import annotations

from bw4t_java.original.perceived_team import PerceivedRobot
from bw4t_world import Outcome
from bw4t_world.actions import Effect
from bw4t_world.model.percept_base import RobotPercepts

HANDLING = frozenset({"pickUp", "putDown", "pickUpEPartner", "putDownEPartner"})
"""Actions whose effect is read from the percepts, as the server does not report it."""


def borne(percepts: RobotPercepts) -> int | None:
    """Return the number of the e-partner that a robot carries."""
    return next((e.id for e in percepts.epartners if e.holder == percepts.id), None)


def picked_up(robot: PerceivedRobot, held: tuple[int, ...]) -> Outcome:
    """Return what a pickUp did, given what was held before."""
    name, percepts = robot.name, robot.percepts
    new = [number for number in percepts.holding if number not in held]
    if new:
        robot.measures.blocks_picked_up += 1
        return Outcome(Effect.PICKED_UP, f"{name} picked up block {new[0]}", new[0])
    if not percepts.capacity:
        return Outcome(Effect.NO_GRIPPER, f"{name} has no gripper")
    if len(held) >= percepts.capacity:
        return Outcome(Effect.GRIPPER_FULL, f"the gripper of {name} is full")
    return Outcome(Effect.NOTHING_IN_REACH, f"there is no block in reach of {name}")


def put_down(robot: PerceivedRobot, held: tuple[int, ...], delivered: int) -> Outcome:
    """Return what a putDown did, given what was held and delivered before."""
    name, percepts = robot.name, robot.percepts
    gone = next((number for number in held if number not in percepts.holding), None)
    if gone is None:
        return Outcome(Effect.NOTHING_IN_REACH, f"{name} put nothing down")
    if percepts.sequence_index > delivered:
        robot.measures.good_drops += 1
        return Outcome(Effect.DELIVERED, f"{name} delivered block {gone}", gone)
    if percepts.room == "DropZone":
        robot.measures.wrong_drops += 1
        return Outcome(Effect.WRONG_DROP, f"{name} dropped block {gone}, which was not due", gone)
    if percepts.room:
        return Outcome(Effect.PUT_IN_ROOM, f"{name} put block {gone} into {percepts.room}", gone)
    return Outcome(Effect.VANISHED, f"{name} put block {gone} down outside of a room", gone)


def epartner_handled(robot: PerceivedRobot, action: str, before: int | None) -> Outcome:
    """Return what an action with e-partners did, given the one that was carried before."""
    name, now = robot.name, borne(robot.percepts)
    if robot.kind != "human":
        return Outcome(Effect.NOT_A_HUMAN, f"{name} is not a human")
    if action == "pickUpEPartner":
        if before is not None:
            return Outcome(Effect.HANDS_FULL, f"{name} holds an e-partner already")
        if now is None:
            return Outcome(Effect.NOTHING_IN_REACH, f"there is no e-partner in reach of {name}")
        return Outcome(Effect.PICKED_UP, f"{name} picked up e-partner {now}", now)
    if before is None:
        return Outcome(Effect.HANDS_EMPTY, f"{name} holds no e-partner")
    return Outcome(Effect.PUT_IN_ROOM, f"{name} put e-partner {before} down", before)
