# SPDX-License-Identifier: Apache-2.0
"""A web page for people: watch a world, or steer a human bot in it. ROS-free.

    host = WorldHost(World(load_map("nine_rooms")))
    host.start()
    server = WebServer(host, port=8090)
    server.start()
    print(server.url)
    ...
    server.close()
    host.close()

Modules: ``scene`` (what is drawn), ``player_view`` (what a person's robot perceives), ``controls``
(the session of a person with a robot, on the world's thread), ``phrases`` (the fixed set of
messages), ``chat_monitor`` (all messages, for those who watch), ``client_requests`` (of browsers,
parsed and checked), ``pictures`` (what a browser is shown), ``people`` (who has which robot),
``hub`` (connects all of them), ``app`` and ``server``; ``static`` has the page itself. Who may
connect, and how browsers are served, is in :mod:`legacy_robots_common.web`.
"""

from bw4t_bridge.web.app import make_app
from bw4t_bridge.web.hub import Settings
from bw4t_bridge.web.server import WebServer
from bw4t_bridge.web.world_port import WorldPort

__all__ = ["Settings", "WebServer", "WorldPort", "make_app"]
