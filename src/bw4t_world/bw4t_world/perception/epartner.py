# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What e-partners perceive (specification, "E-Partner Percepts"; docs/originals/bw4t.md, 4)."""

from __future__ import annotations

from bw4t_world.model.choices import EPartnerPercepts, Policy
from bw4t_world.model.entities import EPartner
from bw4t_world.model.percepts import Percept
from bw4t_world.model.policies import Group, Percepts, Source
from bw4t_world.movement.simulation_context import SimulationContext
from bw4t_world.perception.sight import Sight

NOBODY = -1
"""The holder of an e-partner that is not carried."""

_ONCE, _CHANGE = Policy.ONCE, Policy.ON_CHANGE
_SERVER_NAMES = {name: name for name in ("location", "in", "functionality", "at", "place")}
_DOCUMENT_NAMES = {
    "location": "getLocation",
    "in": "getRoom",
    "functionality": "getFunctionalities",
    "at": "getAt",
    "place": "getRooms",
}


class EPartnerPerception:
    """Reads the percepts of e-partners off one world."""

    def __init__(self, context: SimulationContext, sight: Sight) -> None:
        self._profile = context.profile
        self._ground = context.ground
        self._sight = sight

    def groups_of(self, epartner: EPartner) -> tuple[Group, ...]:
        """Return the sources of an e-partner."""
        profile, spec = self._profile, epartner.spec
        facts = profile.local_facts_policy
        document = profile.epartner_percepts is EPartnerPercepts.DOCUMENT
        name_of = _DOCUMENT_NAMES if document else _SERVER_NAMES
        sources = [
            Source(name_of["location"], _CHANGE, self.location),
            Source(name_of["in"], profile.epartner_room_policy, self.room),
            Source(name_of["functionality"], _ONCE, self.functionality),
        ]
        if spec.gps or profile.epartner_at_without_gps:
            sources.append(Source(name_of["at"], _CHANGE, self.at))
        if spec.gps:
            sources.append(Source(name_of["place"], _ONCE, self.places))
        if spec.forget_me_not:
            sources += [
                Source("leftBehind", _CHANGE, self.left_behind),
                Source("isTaken", facts, self.is_taken),
                Source("heldBy", facts, self.held_by),
            ]
        return (Group(lambda _: object(), tuple(sources)),)

    def _named(self, name: str) -> str:
        if self._profile.epartner_percepts is EPartnerPercepts.DOCUMENT:
            return _DOCUMENT_NAMES[name]
        return name

    def location(self, epartner: EPartner) -> Percepts:
        """``getLocation`` or ``location(X, Y)``."""
        point = self._sight.epartner_position(epartner)
        if self._profile.epartner_location_frozen:
            point = epartner.spawn
        return (Percept(self._named("location"), point),)

    def at(self, epartner: EPartner) -> Percepts:
        """``getAt`` or ``at(Place)``, with GPS; some servers send an empty name without."""
        zone = None
        if epartner.spec.gps:
            zone = self._ground.zone_near(*self._sight.epartner_position(epartner))
        return (Percept(self._named("at"), ("" if zone is None else zone.name,)),)

    def room(self, epartner: EPartner) -> Percepts:
        """``getRoom`` or ``in(Room)`` while in a room."""
        zone = self._ground.zone_at(*self._sight.epartner_position(epartner))
        if zone is None or not zone.is_walled:
            return ()
        return (Percept(self._named("in"), (zone.name,)),)

    def places(self, _: EPartner) -> Percepts:
        """``getRooms(Room)`` of all rooms, or ``place(Place)`` of all places; with GPS."""
        document = self._profile.epartner_percepts is EPartnerPercepts.DOCUMENT
        return tuple(
            Percept(self._named("place"), (zone.name,))
            for zone in self._ground.zones
            if zone.is_room or not document
        )

    def functionality(self, epartner: EPartner) -> Percepts:
        """``getFunctionalities`` or ``functionality(Name)`` of each functionality."""
        name = self._named("functionality")
        return tuple(Percept(name, (item,)) for item in epartner.functionalities)

    def left_behind(self, epartner: EPartner) -> Percepts:
        """``leftBehind(1 or 0)``; with Forget-me-not."""
        if epartner.holder is not None:
            return (Percept("leftBehind", (0,)),)
        if epartner.was_held or self._profile.left_behind_before_held:
            return (Percept("leftBehind", (1,)),)
        return ()

    def is_taken(self, epartner: EPartner) -> Percepts:
        """``isTaken(own id, or -1)``; with Forget-me-not."""
        return (Percept("isTaken", (epartner.id if epartner.holder else NOBODY,)),)

    def held_by(self, epartner: EPartner) -> Percepts:
        """``heldBy(Robot, or -1)``; with Forget-me-not."""
        return (Percept("heldBy", (holder_id(epartner),)),)


def holder_id(epartner: EPartner) -> int:
    """Return the id of who carries an e-partner, or -1."""
    return NOBODY if epartner.holder is None else epartner.holder.id
