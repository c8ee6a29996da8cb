# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: RUF009 - the rows of the table are dataclass fields made by _option
"""Every difference between the specification and the two servers, as one table of options.

A :class:`Profile` is one choice for every option. Three come with the package:

* :data:`SPEC` - the document; where it is silent, server 3.8.1, which it was written for;
* :data:`SERVER_3_8_1` and :data:`SERVER_3_10` - what those servers do (docs/originals/bw4t.md).

``dataclasses.replace(SPEC, name="mine", reach_through_walls=True)`` makes a profile of one's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from bw4t_world.messages.model import Phrasing
from bw4t_world.model.choices import (
    BatteryUse,
    CollisionSwitch,
    Delivery,
    EPartnerPercepts,
    Policy,
    PutDownPlace,
)

PROFILE_NAMES = ("spec", "server_3_8_1", "server_3_10")
"""The columns of the table, and the names of the profiles that come with the package."""


def _option(doc: str, *, spec: Any, server_3_8_1: Any, server_3_10: Any) -> Any:
    values = {"spec": spec, "server_3_8_1": server_3_8_1, "server_3_10": server_3_10}
    return field(metadata={"doc": " ".join(doc.split()), "values": values})


@dataclass(frozen=True)
class Profile:
    """One choice for every difference; the fields are the rows of the table.

    :func:`describe_options` lists the rows with their documentation and the three columns.
    """

    name: str

    # --- Percepts: delivery and policies -------------------------------------------------
    percept_delivery: Delivery = _option(
        """The filter between the environment and an agent. 3.10 sends lists to add and to
        delete; values that are sent on change live for one poll there.""",
        spec=Delivery.EIS_0_5,
        server_3_8_1=Delivery.EIS_0_5,
        server_3_10=Delivery.EIS_0_7,
    )
    local_facts_policy: Policy = _option(
        """Policy of in, atBlock, occupied, holding, player and bumped, and of an e-partner's
        heldBy and isTaken.""",
        spec=Policy.ON_CHANGE_NEG,
        server_3_8_1=Policy.ON_CHANGE_NEG,
        server_3_10=Policy.ALWAYS,
    )
    epartner_room_policy: Policy = _option(
        "Policy of the percept with the room that an e-partner is in.",
        spec=Policy.ONCE,
        server_3_8_1=Policy.ON_CHANGE_NEG,
        server_3_10=Policy.ALWAYS,
    )
    message_policy: Policy = _option(
        """Policy of message. Messages are taken out of the mailbox when they are sent, so
        each is sent exactly once either way: its arrival is the change.""",
        spec=Policy.ON_CHANGE,
        server_3_8_1=Policy.ALWAYS,
        server_3_10=Policy.ALWAYS,
    )

    # --- Percepts: content ---------------------------------------------------------------
    message_as_list: bool = _option(
        "message has one argument, the list [sender, text], instead of two arguments.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    traveling_word: str = _option(
        """The word of state for a moving robot. The document writes "traveling" where it
        describes the percept, and "travelling" in its list of values.""",
        spec="traveling",
        server_3_8_1="traveling",
        server_3_10="traveling",
    )
    player_includes_epartners: bool = _option(
        "player also names e-partners; the document speaks of those who steer robots.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    color_outside_rooms: bool = _option(
        """color and position report the blocks of the robot's zone also when that zone is no
        room (in 3.8.1 a block that is put down can come to lie outside of a small room).""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    at_block_all: bool = _option(
        "atBlock names every block in reach instead of the nearest.",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    at_block_when_full: bool = _option(
        "atBlock is also sent when the gripper is full or handicapped.",
        spec=True,
        server_3_8_1=False,
        server_3_10=False,
    )
    reach_through_walls: bool = _option(
        """atBlock, and pickUp without an id, reach blocks in other zones: only the distance
        between the centres counts.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    position_humans_only: bool = _option(
        "Only human bots get position percepts.",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    position_of_robots: bool = _option(
        "position also reports the other robots in the robot's zone; the document hides them.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    position_self_twice: bool = _option(
        "The robot's own position is in the position percepts twice.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    epartner_percept_name: str = _option(
        """Name of the percept with the e-partners in a robot's zone; its arguments are id,
        name, id of the holder or -1, and the list of functionalities.""",
        spec="getEPartners",
        server_3_8_1="epartner",
        server_3_10="epartner",
    )
    epartner_percept_humans_only: bool = _option(
        "Only human bots perceive e-partners.",
        spec=True,
        server_3_8_1=False,
        server_3_10=False,
    )
    bumped_by_places: bool = _option(
        """bumped also names the room or corridor zone that stopped the robot, and not only
        other robots.""",
        spec=True,
        server_3_8_1=False,
        server_3_10=False,
    )
    bumped_repeats: bool = _option(
        "bumped names a robot as often as it was bumped into since the last goTo.",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    extended_gui_percepts: bool = _option(
        """A human's user can also ask for navigateObstacles, pickUpEPartner and
        putDownEPartner; the document leaves these three out.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )

    # --- E-partners ----------------------------------------------------------------------
    epartner_percepts: EPartnerPercepts = _option(
        "Names of the percepts of e-partners.",
        spec=EPartnerPercepts.DOCUMENT,
        server_3_8_1=EPartnerPercepts.SERVER,
        server_3_10=EPartnerPercepts.SERVER,
    )
    epartner_location_frozen: bool = _option(
        "An e-partner always perceives the point where it was spawned as its location.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    epartner_at_without_gps: bool = _option(
        "An e-partner without GPS perceives an empty place name instead of nothing.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    left_behind_before_held: bool = _option(
        "leftBehind(1) is also sent before an e-partner has ever been held.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )

    # --- Movement and battery ------------------------------------------------------------
    goto_point_shortcuts: bool = _option(
        """goTo(x, y) walks straight within a zone and can skip the first and the last zone
        centre (planner B), instead of passing all centres (planner A).""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    navigate_needs_collision: bool = _option(
        "navigateObstacles of a robot that has not collided is an error.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    detour_repeats_plan: bool = _option(
        """After a detour the robot also walks all waypoints of the abandoned plan, and not
        only to its target.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    collision_switch: CollisionSwitch = _option(
        "What decides whether robots collide with each other.",
        spec=CollisionSwitch.SCENARIO,
        server_3_8_1=CollisionSwitch.SCENARIO,
        server_3_10=CollisionSwitch.OWNER_ONLY,
    )
    battery_use: BatteryUse = _option(
        "What a moving tick takes from the battery.",
        spec=BatteryUse.FRACTION_OF_FULL,
        server_3_8_1=BatteryUse.CAPACITY_UNITS,
        server_3_10=BatteryUse.CAPACITY_UNITS,
    )
    battery_ignores_handicap: bool = _option(
        """The battery drains by the configured speed and size even where the handicaps that
        make them count are off.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    charge_after_move: bool = _option(
        """A battery is full at once when the robot is in a charging zone, so that a moving
        robot perceives 100 %; the servers fill it before the move of the next tick.""",
        spec=True,
        server_3_8_1=False,
        server_3_10=False,
    )

    # --- Actions -------------------------------------------------------------------------
    document_action_names: bool = _option(
        """The document's spellings sendmessage, pickUpEpartner and dropEPartner are accepted
        beside the server's sendMessage, pickUpEPartner and putDownEPartner.""",
        spec=True,
        server_3_8_1=False,
        server_3_10=False,
    )
    pick_up_by_id: bool = _option(
        "pickUp takes the id of a block in the robot's zone instead of taking the nearest.",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    put_down_place: PutDownPlace = _option(
        "Where a block lies that is put down in a room.",
        spec=PutDownPlace.NEAR_ROBOT,
        server_3_8_1=PutDownPlace.ANYWHERE_WITHIN_5,
        server_3_10=PutDownPlace.FREE_PLACE,
    )
    drop_zone_by_box: bool = _option(
        """A block is delivered when the robot's outline touches the drop zone, also from
        outside, instead of when its centre is inside.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    broadcast_to_sender: bool = _option(
        "A message to all is delivered to its sender, too.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    receive_message_callable: bool = _option(
        """An agent may call the internal action receiveMessage(sender, text), and so put a
        message of any player into its own mailbox.""",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    block_error_names_room: bool = _option(
        'The error of goToBlock with a block that is not visible ends in "in the room".',
        spec=True,
        server_3_8_1=True,
        server_3_10=False,
    )

    message_phrasing: Phrasing = _option(
        """Whose words and terms a program should use for messages. The world carries any text;
        this is for those who write messages on its behalf.""",
        spec=Phrasing.DOCUMENT,
        server_3_8_1=Phrasing.SERVER,
        server_3_10=Phrasing.SERVER,
    )

    # --- Setting up ----------------------------------------------------------------------
    tick_seconds: float = _option(
        "Nominal length of a tick in seconds.",
        spec=0.02,
        server_3_8_1=0.02,
        server_3_10=0.01,
    )
    map_seed_counts: bool = _option(
        "The seed in the map file is used when the owner of the world gives none.",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    crowded_rooms_allowed: bool = _option(
        """Blocks may lie closer than 2 units when a room offers no better place, instead of
        an error that the room is too small.""",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )
    server_colors_only: bool = _option(
        "Cyan and Magenta, which only the document lists, are refused.",
        spec=False,
        server_3_8_1=True,
        server_3_10=True,
    )
    spawn_failure_is_silent: bool = _option(
        """A robot of the scenario that cannot be placed, and all after it, are left out
        without an error (they are listed in ``World.not_announced``).""",
        spec=False,
        server_3_8_1=False,
        server_3_10=True,
    )


def option_names() -> tuple[str, ...]:
    """Return the names of all options, in the order of the table."""
    return tuple(item.name for item in fields(Profile) if "values" in item.metadata)


def describe_options() -> list[tuple[str, str, dict[str, Any]]]:
    """Return the table: name, documentation and value per profile name of every option."""
    return [
        (item.name, item.metadata["doc"], dict(item.metadata["values"]))
        for item in fields(Profile)
        if "values" in item.metadata
    ]


def _column(name: str) -> Profile:
    return Profile(name=name, **{option: row[name] for option, _, row in describe_options()})


SPEC = _column("spec")
SERVER_3_8_1 = _column("server_3_8_1")
SERVER_3_10 = _column("server_3_10")

PROFILES = {profile.name: profile for profile in (SPEC, SERVER_3_8_1, SERVER_3_10)}
"""The profiles that come with the package, by name."""


def profile_named(name: str) -> Profile:
    """Return a profile of the package; ``ValueError`` with the known names for any other."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise ValueError(f"unknown profile {name!r}; the profiles are {known}") from None
