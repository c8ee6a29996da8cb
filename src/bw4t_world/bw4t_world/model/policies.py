# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The send policies: what of all that is perceived goes to one consumer in one poll.

A :class:`Source` says what an entity perceives now. A stream remembers for one consumer what it
has got, and applies the policy of every source (specification, "Percepts"; docs/originals/bw4t.md,
4). Sources are grouped by what they depend on: a group has a *stamp* that changes whenever one of
its sources may have, so that a stream can leave out whole groups at the price of a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol

from bw4t_world.model.choices import Delivery, Policy
from bw4t_world.model.percepts import Percept, PerceptUpdate, negated

Percepts = tuple[Percept, ...]


class Source(NamedTuple):
    """All percepts of a name: when they are sent, and how to get those that hold now."""

    name: str
    policy: Policy
    read: Callable[[Any], Percepts]


class Group(NamedTuple):
    """Sources that depend on the same. Equal stamps mean that no source has changed."""

    stamp: Callable[[Any], Hashable]
    sources: tuple[Source, ...]


class Stream(Protocol):
    """The percepts of one entity for one consumer."""

    def poll(self, entity: Any, events: list[Percept]) -> PerceptUpdate:
        """Return what is to be sent now; ``events`` happened since the last poll."""


def make_stream(delivery: Delivery, groups: Sequence[Group]) -> Stream:
    """Return a stream that has not sent anything yet."""
    if delivery is Delivery.EIS_0_5:
        return _Eis05Stream(groups)
    return _Eis07Stream(groups)


class _Eis05Stream:
    """One list a poll.

    *Once*: in the first poll. *On change*: all percepts of the source if they differ from those
    of the last poll. *On change with negation*: the new ones, and ``not(...)`` of those that do
    not hold any more. *Always*: in every poll. Events are sent once each.
    """

    __slots__ = ("_always", "_changing", "_last", "_once", "_stamps")

    def __init__(self, groups: Sequence[Group]) -> None:
        sources = [source for group in groups for source in group.sources]
        self._once: list[Source] = [s for s in sources if s.policy is Policy.ONCE]
        self._always = [s.read for s in sources if s.policy is Policy.ALWAYS]
        self._changing = [
            (
                group.stamp,
                [
                    (source.name, source.read, source.policy is Policy.ON_CHANGE_NEG)
                    for source in group.sources
                    if source.policy in (Policy.ON_CHANGE, Policy.ON_CHANGE_NEG)
                ],
            )
            for group in groups
        ]
        self._changing = [group for group in self._changing if group[1]]
        self._stamps: list[Hashable] = [self] * len(self._changing)
        self._last: dict[str, Percepts] = {}

    def poll(self, entity: Any, events: list[Percept]) -> PerceptUpdate:
        add: list[Percept] = []
        stamps, last = self._stamps, self._last
        for index, (stamp, sources) in enumerate(self._changing):
            now = stamp(entity)
            if now == stamps[index]:
                continue
            stamps[index] = now
            for name, read, negates in sources:
                percepts = read(entity)
                before = last.get(name, ())
                if percepts is before or percepts == before:
                    continue
                last[name] = percepts
                if negates:
                    add += _without(percepts, before)
                    add += [negated(percept) for percept in _without(before, percepts)]
                else:
                    add += percepts
        if self._once:
            for source in self._once:
                add += source.read(entity)
            self._once = []
        for read in self._always:
            add += read(entity)
        add += events
        return PerceptUpdate(add, [])


class _Eis07Stream:
    """Two lists a poll: what to add and what to delete.

    *Always*: what has come and what has gone. *Once*: added in the first poll, deleted in the
    second. *On change*: what is new is added, and all of the last poll is deleted whether it
    changed or not, so that a value lives for one poll. Events live for one poll, too.
    """

    __slots__ = ("_events", "_groups", "_last", "_once", "_stamps")

    def __init__(self, groups: Sequence[Group]) -> None:
        sources = [source for group in groups for source in group.sources]
        self._once: list[Source] = [s for s in sources if s.policy is Policy.ONCE]
        self._groups = [
            (
                group.stamp,
                [
                    (source.name, source.read, source.policy is Policy.ON_CHANGE)
                    for source in group.sources
                    if source.policy is not Policy.ONCE
                ],
            )
            for group in groups
        ]
        self._stamps: list[Hashable] = [self] * len(self._groups)
        self._last: dict[str, Percepts] = {}
        self._events: list[Percept] = []

    def poll(self, entity: Any, events: list[Percept]) -> PerceptUpdate:
        add: list[Percept] = []
        delete = self._events
        self._events = list(events)
        stamps, last = self._stamps, self._last
        for index, (stamp, sources) in enumerate(self._groups):
            now = stamp(entity)
            unchanged = now == stamps[index]
            stamps[index] = now
            for name, read, lives_briefly in sources:
                before = last.get(name, ())
                percepts = before if unchanged else read(entity)
                if percepts is not before:
                    last[name] = percepts
                    add += _without(percepts, before)
                if lives_briefly:
                    delete += before
                elif percepts is not before:
                    delete += _without(before, percepts)
        for source in self._once:
            self._events += source.read(entity)
            add += source.read(entity)
        self._once = []
        add += events
        return PerceptUpdate(add, delete)


def _without(percepts: Percepts, others: Percepts) -> list[Percept]:
    """Return the percepts that are not among others, in their order."""
    if not others:
        return list(percepts)
    left_out = set(others)
    return [percept for percept in percepts if percept not in left_out]
