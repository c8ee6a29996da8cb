# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a robot perceives and remembers, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bw4t_world.agents import Beliefs

DROP_ZONE = "DropZone"

STATES = {"arrived": "standing", "collided": "stopped on the way"}


def listed(words: Iterable[object]) -> str:
    """Return words with commas; ``nothing`` for none."""
    return ", ".join(map(str, words)) or "nothing"


def described(beliefs: Beliefs, seen: Mapping[str, Mapping[int, str]], seconds: float) -> str:
    """Return what a robot knows, a fact a line.

    ``seen`` has the blocks (number, colour) of each room when the robot was last inside;
    ``seconds`` is the simulated time.
    """
    done, sequence = beliefs.sequence_index, beliefs.sequence
    due = sequence[done] if done < len(sequence) else "nothing: the sequence is complete"
    held = [f"block {block} ({beliefs.colors.get(block, '?')})" for block in beliefs.holding]
    place = f"in {beliefs.room}" if beliefs.room else f"at {beliefs.at}"
    lines = [
        f"Time: {seconds:.1f} s.",
        f"Sequence: {listed(sequence)}. Delivered: {done} of {len(sequence)}. Due now: {due}.",
        f"You are {beliefs.name}, {place}, {STATES.get(beliefs.state, 'on your way')}.",
        f"You hold {listed(held)}, of at most {beliefs.capacity} blocks.",
    ]
    if beliefs.bumped:
        lines.append(f"You were stopped by {listed(beliefs.bumped)}.")
    if beliefs.room and beliefs.room != DROP_ZONE:
        near = beliefs.at_blocks
        blocks = [
            f"block {block} ({color}{', in reach' if block in near else ''})"
            for block, color in beliefs.visible.items()
        ]
        lines.append(f"Blocks here: {listed(blocks)}.")
    for room, blocks_there in seen.items():
        if room != beliefs.room:
            there = [f"block {block} ({color})" for block, color in blocks_there.items()]
            lines.append(f"When you left {room} it contained {listed(there)}.")
    occupied = [room for room in beliefs.occupied if room != beliefs.room]
    if occupied:
        lines.append(f"Occupied, with closed doors: {listed(occupied)}.")
    lines.append(f"Other players: {listed(beliefs.players)}.")
    return "\n".join(lines)
