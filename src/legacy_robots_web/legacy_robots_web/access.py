# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who may talk to a page's server: pages that it served itself, to browsers of this machine.

The server listens on loopback, but every page that a browser shows can try to reach loopback. Two
checks keep foreign pages out. The host that a request names must be this machine: a name of the
outside world that resolves to 127.0.0.1 (DNS rebinding) is refused. And a WebSocket, which
browsers open across sites, must come from a page of the same origin.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from aiohttp import web

if TYPE_CHECKING:
    from aiohttp.typedefs import Middleware

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

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


def _name_of(host: str) -> str | None:
    """Return the name in the host of a request (``localhost:8090``), or None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return None if "@" in host or parts.path else parts.hostname


def names_loopback(host: str) -> bool:
    """Whether the host of a request (``localhost:8090``) is a name of this machine.

    The port does not matter: it differs from the server's own where one is forwarded.
    """
    return _name_of(host) in LOOPBACK_NAMES


def is_address(host: str) -> bool:
    """Whether the host of a request is a name of this machine, or any address in figures.

    For a server that others are to reach: what has no name cannot be the name of another host that
    was made to resolve to this machine.
    """
    name = _name_of(host)
    try:
        ipaddress.ip_address(name or "")
    except ValueError:
        return name in LOOPBACK_NAMES
    return True


def is_same_origin(origin: str | None, host: str) -> bool:
    """Whether the ``Origin`` of a request is a page that was served under the same host."""
    return origin is not None and origin.lower() == f"http://{host.lower()}"


def check_origin(origin: str) -> str:
    """Return an origin such as ``https://study.example.org`` in lower case. Raises ValueError."""
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}":
        raise ValueError(f"{origin!r} is no origin such as https://study.example.org")
    return origin.lower()


def hosts_of(origins: Collection[str]) -> frozenset[str]:
    """Return the hosts that requests name behind reverse proxies with these origins."""
    return frozenset(urlsplit(origin).netloc for origin in origins)


def guard(is_allowed: Callable[[str], bool]) -> Middleware:
    """Return what refuses requests under a host that is not allowed, as aiohttp's middleware.

    It also protects what the page may load.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_allowed(request.headers.get("Host", "")):
            raise web.HTTPForbidden(
                text="This server only answers under a name of this machine.\n"
            )
        if "\0" in request.path:
            raise web.HTTPNotFound  # no file has such a name
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    return check


def require_same_origin(request: web.Request, origins: Collection[str] = ()) -> None:
    """Raise ``HTTPForbidden`` unless a request comes from a page of this server, or of origins."""
    origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
    is_proxied = host.lower() in hosts_of(origins)
    is_known = origin is not None and origin.lower() in origins
    if not (is_known if is_proxied else is_same_origin(origin, host)):
        raise web.HTTPForbidden(text="Only pages of this server may connect.\n")
