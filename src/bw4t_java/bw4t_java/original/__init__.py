# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A live original server as the world of a runner. ROS-free.

A Java program of ours (``OriginalClient`` of :mod:`bw4t_java.jvm`) loads the user's client jar,
registers at the server and steers the robots that it gets. The bridge speaks with it by lines of
JSON, in ASCII. The program's first line is one of

* ``{"event": "connected", "eis": "0.5", "server": "id", "state": "RUNNING", "map": ...,
  "entities": [["Bot_1", "bot"], ...]}``, with the map as :func:`bw4t_java.eis.values.map_value`
  has it, and another ``server`` for each start of the server;
* ``{"event": "refused", "text": ...}``: why there is no connection; the program ends.

Each request ``{"id": 1, "op": "poll"}`` is answered by one line, ``{"id": 1, "value": ...}`` or
``{"id": 1, "error": kind, "text": ...}``. The kind ``lost`` ends the connection; others are the
server's exceptions.

==============================  ================================================================
``op`` with its fields          value
==============================  ================================================================
``poll``                        ``{"percepts": {entity: {"add": [...], "delete": [...]}},
                                "events": [["state", "PAUSED"], ["deleted", entity]]}``, with the
                                percepts as in :mod:`bw4t_java.eis`
``act`` entity, action, args    the percept that the action answers, else null
``start``, ``pause``            null
``leave``                       null; the robots wait for the next client
==============================  ================================================================

The program ends with its standard input. Modules: ``program`` (the process and the lines),
``player`` (percepts that hold, for their consumers), ``kept`` (the same in a file, for the next
client), ``perceived_team`` (percepts to a snapshot),
``handling`` (what actions did), ``world`` (what the runner asks of a world).
"""

from bw4t_java.original.world import OriginalWorld

__all__ = ["OriginalWorld"]
