# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A web page for people: watch a world, or steer a human bot in it. ROS-free.

    runner = WorldRunner(World(load_map("nine_rooms")))
    runner.start()
    server = WebServer(runner, port=8090)
    server.start()
    print(server.url)
    ...
    server.close()
    runner.close()

Modules: ``scene`` (what is drawn), ``player_view`` (what a person's robot perceives), ``others``
(what a person sees of others), ``controls`` (the session of a person with a robot, on the world's
thread), ``phrases`` (the fixed set of messages), ``chat_monitor`` (all messages, for those who
watch), ``client_requests`` (of browsers, parsed and checked), ``people`` (who has which robot, and
what browsers are shown), ``hub`` (connects all of them), ``experiment_hub`` (the same with
participants and an experimenter; ``experiment_port`` is what it needs of the experiment) and
``server``; ``static`` has the page itself. Who may connect, and how browsers are served, is in
:mod:`legacy_robots_web`.
"""

from bw4t_web.server.settings import Settings
from bw4t_web.server.web_server import ExperimentServer, WebServer, make_app

__all__ = ["ExperimentServer", "Settings", "WebServer", "make_app"]
