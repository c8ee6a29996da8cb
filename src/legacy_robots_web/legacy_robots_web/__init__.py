# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A page in the browsers of this machine, fed over one WebSocket. ROS-free.

``page_app`` makes the application of a page: its files, and a WebSocket whose browsers a *hub*
serves (``app``). ``ServerThread`` runs it (``server``). Who may connect is in ``access``. A
``Client`` is one browser: it gets every message, and of the pictures the last one as often as it
can take it (``clients``). ``change`` is the difference of two states (``changes``).
"""

from legacy_robots_web.access import is_address, names_loopback
from legacy_robots_web.app import Hub, page_app
from legacy_robots_web.changes import Fields, State, change
from legacy_robots_web.clients import Client, LatestValue, packed
from legacy_robots_web.server import ServerThread

__all__ = [
    "Client",
    "Fields",
    "Hub",
    "LatestValue",
    "ServerThread",
    "State",
    "change",
    "is_address",
    "names_loopback",
    "packed",
    "page_app",
]
