# SPDX-License-Identifier: Apache-2.0
"""Who may talk to the server: pages that it served itself, to browsers of this machine.

The server listens on loopback, but every page that a browser shows can try to reach loopback. Two
checks keep foreign pages out. The host that a request names must be this machine: a name of the
outside world that resolves to 127.0.0.1 (DNS rebinding) is refused. And a WebSocket, which
browsers open across sites, must come from a page of the same origin.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def names_loopback(host: str) -> bool:
    """Whether the host of a request (``localhost:8090``) is a name of this machine.

    The port does not matter: it differs from the server's own where one is forwarded.
    """
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return False
    return parts.hostname in LOOPBACK_NAMES and "@" not in host and parts.path == ""


def is_same_origin(origin: str | None, host: str) -> bool:
    """Whether the ``Origin`` of a request is a page that was served under the same host."""
    return origin is not None and origin.lower() == f"http://{host.lower()}"


@web.middleware
async def guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse requests under a foreign host name, and protect what the page may load."""
    if not names_loopback(request.headers.get("Host", "")):
        raise web.HTTPForbidden(text="This server only answers under a name of this machine.\n")
    response = await handler(request)
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


def require_same_origin(request: web.Request) -> None:
    """Raise ``HTTPForbidden`` unless a request comes from a page of this server."""
    if not is_same_origin(request.headers.get("Origin"), request.headers.get("Host", "")):
        raise web.HTTPForbidden(text="Only pages of this server may connect.\n")
