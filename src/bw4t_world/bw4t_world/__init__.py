# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A faithful Blocks World for Teams 3 (BW4T3) environment in pure Python.

::

    from bw4t_world import World
    from bw4t_world.maps import load_map

    world = World(load_map("nine_rooms"), seed=1)
    name = world.add_robot()                    # "Bot_1"
    robot = world.connect(name)                 # a consumer of its percepts
    world.act(name, "goTo", "RoomC1")           # an Outcome; ActionError where BW4T says error
    world.tick(200)                             # 200 ticks of 20 ms, as fast as it goes
    for percept in robot.poll().add:            # what is new since the last poll
        print(percept)                          # color(43,Yellow) ...

The world does nothing by itself: its owner lets time pass with :meth:`World.tick`, in real time
(:mod:`bw4t_world.pacing`), faster or step by step. :meth:`World.snapshot` gives observers an
immutable copy of its state, and :meth:`World.measures` the figures of the team.

Threads: a world and its consumers belong to one thread at a time, and take no locks. Let one
thread own them and hand the others snapshots, percept updates, outcomes and measures, which are
immutable or not used again by the world.

Modules, from the ground up: ``motion`` (exact straight lines), ``ground`` (zones and doors),
``blocks``, ``entities`` (robots and e-partners), ``movement`` (the rules of one tick),
``time_stepping`` (tick by tick, or from event to event), ``routes`` and ``obstacle_avoidance``
(planning), ``percepts``, ``perception`` and ``policies`` (what is perceived, and when it is sent),
``actions``, ``measures``, ``journal``, ``snapshots``, ``simulation`` (one run), ``world``; and
``profiles``, the table of all differences between the specification and the servers.
"""

from bw4t_world.actions import Effect, Outcome
from bw4t_world.model.errors import ActionError, PlacementError, SpawnError, WorldError
from bw4t_world.model.journal import Event, EventKind
from bw4t_world.model.measures import RobotSummary, TeamSummary
from bw4t_world.model.percepts import Percept, PerceptUpdate
from bw4t_world.model.profiles import PROFILES, SERVER_3_8_1, SERVER_3_10, SPEC, Profile
from bw4t_world.simulation.consumers import Consumer
from bw4t_world.simulation.snapshots import Snapshot
from bw4t_world.simulation.world import World

__all__ = [
    "PROFILES",
    "SERVER_3_8_1",
    "SERVER_3_10",
    "SPEC",
    "ActionError",
    "Consumer",
    "Effect",
    "Event",
    "EventKind",
    "Outcome",
    "Percept",
    "PerceptUpdate",
    "PlacementError",
    "Profile",
    "RobotSummary",
    "Snapshot",
    "SpawnError",
    "TeamSummary",
    "World",
    "WorldError",
]
