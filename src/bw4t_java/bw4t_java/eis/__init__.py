# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Agents of the agent-environment interface (EIS) in a world: a server of JSON lines. ROS-free.

The Java programs of :mod:`bw4t_java.jvm` are its clients. A message is one line of JSON, in
ASCII. The client sends requests ``{"id": 1, "op": "percepts", "entity": "Bot_1"}``, in any number
before the first answer; the server answers each with ``{"id": 1, "value": ...}``, or with
``{"id": 1, "error": "ActException", "text": ...}`` where ``error`` is the name of an exception of
EIS. Unasked come ``{"event": "state", "state": "PAUSED"}``,
``{"event": "deleted", "entity": ..., "agents": [...]}`` and, to the connection that has freed it,
``{"event": "freed", "entity": ..., "agents": [...]}``.

=========================================  =====================================================
``op`` with its fields                     value
=========================================  =====================================================
``hello`` eis ("0.5" or "0.7")             null; how percepts are delivered to this connection
``register`` agents, humans[,              the names of the new entities, which belong to this
ticks_per_second]; or config               connection; with ``as_original`` true and EIS 0.7
                                           those alone for which there is a spawn point
``map``                                    the map, see :func:`bw4t_java.eis.values.map_value`
``state``                                  "RUNNING" or "PAUSED"
``start``, ``pause``                       null
``init`` map; or xml                       null; loads another map
``register_agent`` agent                   null; the agent belongs to this connection
``unregister_agent`` agent                 null
``agents``, ``own_agents``                 names of all agents; of those of this connection
``entities``                               names of all players
``own_entities``, ``free_entities``        of those of this connection, and those that were freed;
                                           of all clients', without an agent
``associate`` agent, entity                null
``free_entity`` entity                     null; the entity leaves the world
``free_agent`` agent                       null; its entities leave the world
``free_pair`` agent, entity                null; the entity stays, for the next agent
``associated_entities`` agent              names
``associated_agents`` entity               names
``type`` entity                            "bot", "human" or "epartner"
``percepts`` entity                        {"add": [...], "delete": [...]}: what is new since the
                                           last request
``act`` entity, action, args               what the action answers, else null
=========================================  =====================================================

A percept is a list of its name and arguments. Identifiers are strings, numerals numbers, truth
values booleans, lists lists, and a percept in ``not(...)`` is ``{"f": name, "args": [...]}``. When
a connection ends, the entities that belong to it leave the world.

Modules: ``values`` (the wire), ``roster`` (agents, entities and what they may do, on the world's
thread), ``server`` (the connections).
"""

from bw4t_java.eis.server import EisServer

__all__ = ["EisServer"]
