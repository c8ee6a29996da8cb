# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A state machine as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Transition:
    """Where an event leads from a state."""

    source: str
    event: str
    target: str
    has_action: bool = False


@dataclass(frozen=True)
class Jump:
    """A ``set_state`` in the code of a state: it is in no table of transitions."""

    machine: str
    """Of the state that has it, such as GameFSM."""
    state: str
    function: str
    """``entry``, ``update``, ``exit`` or another function of it; empty: outside of any."""
    target_machine: str
    """Such as BodyFSM, whose ``sm`` is ordered."""
    target: str
    """The state; empty: the code computes its name."""


@dataclass(frozen=True)
class StateMachine:
    """What one file makes."""

    name: str
    """Of the file: BodyFSM, HeadFSM, GameFSM, Motion, or one that such a file requires."""
    states: tuple[str, ...]
    """The initial one is the first."""
    transitions: tuple[Transition, ...]
    """Without those that later ones have replaced."""
    replaced: int = 0
    unknown: tuple[str, ...] = ()
    """Names in transitions that are no states of it: there the robot's own fsm stops."""
    asked: tuple[str, ...] = ()
    """What the file asked of the configuration and was not told."""
    jumps: tuple[Jump, ...] = field(default=(), compare=False)
    """Those that its own states have."""

    @property
    def initial(self) -> str:
        """The state in which it begins."""
        return self.states[0]

    @property
    def events(self) -> tuple[str, ...]:
        """Its distinct events, sorted."""
        return tuple(sorted({transition.event for transition in self.transitions}))

    @property
    def in_no_transition(self) -> tuple[str, ...]:
        """States that no transition leaves or reaches: only ``set_state`` enters them."""
        named = {name for t in self.transitions for name in (t.source, t.target)}
        return tuple(state for state in self.states if state not in named)

    def unreachable(self, jumps: Iterable[Jump] = ()) -> tuple[str, ...]:
        """Return states that neither transitions nor ``jumps`` lead to from the initial one."""
        mine = [jump for jump in jumps if jump.target_machine == self.role]
        reached = {self.initial}
        ways = [(t.source, t.target) for t in self.transitions]
        # Jumps from states of other machines come at any time.
        reached |= {jump.target for jump in mine if jump.state not in self.states}
        ways += [(jump.state, jump.target) for jump in mine if jump.state in self.states]
        while new := {b for a, b in ways if a in reached} - reached:
            reached |= new
        return tuple(state for state in self.states if state not in reached)

    @property
    def role(self) -> str:
        """The machine that others know it as: BodyFSM of a file BodyFSM2."""
        roles = ("BodyFSM", "HeadFSM", "GameFSM", "Motion")
        return next((role for role in roles if self.name.startswith(role)), self.name)
