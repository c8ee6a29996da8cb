# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The picking page: pictures in a browser, labelled anew at each pick."""

from __future__ import annotations

import base64
import json
import signal
import sys
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from luar_tools.color_table.learn import learn
from luar_tools.color_table.packing import TO_RGB
from luar_tools.color_table.picks import Picks, in_flood, in_rectangle, read_picks
from luar_tools.color_table.table import LABELS, PAINT, ColorTableError, label_a, painted

STATIC = Path(__file__).parent / "static"
FILES = {"/": ("page.html", "text/html"), "/page.js": ("page.js", "text/javascript")}
MOST_PICTURES, MOST_REQUEST_BYTES = 100, 4096
Picture = NDArray[np.uint8]
Source = Callable[[], Picture]
"""Returns the newest picture of a camera as YUYV; raises ColorTableError where there is none."""


class PickingPage:
    """What the page shows and changes. Thread-safe.

    Picks are read from ``picks_file`` where it exists; each change writes it and the table.
    """

    def __init__(
        self, picks_file: Path, table_file: Path, packing: str, *, least: float = 1.0
    ) -> None:
        self._files = picks_file, table_file
        self._packing, self._least = packing, least
        self._picks = read_picks(picks_file) if picks_file.exists() else Picks()
        self._table = learn(self._picks, least=least)
        self._pictures: dict[str, Picture] = {}
        self._sources: dict[str, Source] = {}
        self.on_written: Callable[[], None] = lambda: None
        """Called when the table has been written."""
        self._lock = threading.Lock()

    def add(self, name: str, picture: Picture) -> None:
        """Have one more picture to pick from."""
        self._pictures[name] = picture

    def add_source(self, name: str, source: Source) -> None:
        """Have a camera that pictures are taken of."""
        self._sources[name] = source

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what a browser asks for, and return what it shows. Raises ColorTableError."""
        with self._lock:
            what, name = request.get("do", "show"), str(request.get("picture", ""))
            if what == "take":
                if name not in self._sources:
                    raise ColorTableError(f"there is no camera {name!r}")
                if len(self._pictures) >= MOST_PICTURES:
                    raise ColorTableError(f"there are {MOST_PICTURES} pictures already")
                taken = f"{name} {len(self._pictures) + 1}"
                self._pictures[taken] = self._sources[name]()
                name = taken
            elif what == "undo":
                self._picks.undo()
            elif what in ("rectangle", "flood"):
                self._pick(what, name, request)
            elif what != "show":
                raise ColorTableError(f"there is no {what!r}")
            if what in ("undo", "rectangle", "flood"):
                self._table = learn(self._picks, least=self._least)
                self._files[0].write_text(self._picks.text(), encoding="utf-8")
                self._files[1].write_bytes(self._table.tobytes())
                self.on_written()
            return self._shown(name)

    def _pick(self, what: str, name: str, request: dict[str, Any]) -> None:
        picture = self._picture(name)
        numbers = [request.get(key) for key in ("x0", "y0", "x1", "y1")]
        if what == "flood":
            numbers = numbers[:2]
        if not all(isinstance(number, int) for number in numbers):
            raise ColorTableError("a pick has no place")
        if what == "rectangle":
            colors = in_rectangle(picture, tuple(numbers))  # type: ignore[arg-type]
        else:
            rgb = TO_RGB[self._packing](picture)
            colors = in_flood(picture, rgb, tuple(numbers))  # type: ignore[arg-type]
        self._picks.add(str(request.get("class", "")), colors)

    def _picture(self, name: str) -> Picture:
        if name not in self._pictures:
            raise ColorTableError(f"there is no picture {name!r}")
        return self._pictures[name]

    def _shown(self, name: str) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "pictures": list(self._pictures),
            "cameras": list(self._sources),
            "picks": len(self._picks.picks),
            "counts": self._picks.counts(),
            "overlaps": [[*pair, n] for pair, n in self._picks.overlaps().items()],
            "paint": PAINT,
            "picture": "",
        }
        if name:
            picture = self._picture(name)
            labels = label_a(self._table, picture)
            used = np.bincount(labels.reshape(-1), minlength=256)
            shown |= {
                "picture": name,
                "image": _png(TO_RGB[self._packing](picture)),
                "labels": _png(painted(labels)),
                "labelled": {n: int(used[label]) for n, label in LABELS.items()},
            }
        return shown


def _png(rgb: Picture) -> str:
    _, data = cv2.imencode(".png", rgb[..., ::-1])
    return "data:image/png;base64," + base64.b64encode(data.tobytes()).decode()


class _Handler(BaseHTTPRequestHandler):
    page: PickingPage

    def _is_own(self) -> bool:
        """Whether the request is of this page: no other one names this host, or sends JSON."""
        host = urlsplit(f"//{self.headers.get('Host', '')}").hostname
        origin = self.headers.get("Origin")
        own = host in ("127.0.0.1", "localhost")
        return own and (origin is None or urlsplit(origin).netloc == self.headers["Host"])

    def do_GET(self) -> None:
        """Serve the page's files."""
        if not self._is_own() or self.path not in FILES:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        name, kind = FILES[self.path]
        self._answer(HTTPStatus.OK, kind, (STATIC / name).read_bytes())

    def do_POST(self) -> None:
        """Answer a request of the page."""
        length = self.headers.get("Content-Length", "")
        is_json = self.headers.get("Content-Type") == "application/json"
        if not (self._is_own() and is_json and length.isdecimal()):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        status = HTTPStatus.OK
        try:
            if int(length) > MOST_REQUEST_BYTES:
                raise ValueError("it is too long")
            request = json.loads(self.rfile.read(int(length)))
            if not isinstance(request, dict):
                raise ValueError("it is no object")
            answer = self.page.ask(request)
        except (ColorTableError, ValueError, OSError) as error:
            answer, status = {"error": str(error)}, HTTPStatus.BAD_REQUEST
        self._answer(status, "application/json", json.dumps(answer).encode())

    def _answer(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


def serve(page: PickingPage, port: int) -> None:
    """Serve the page on 127.0.0.1 until SIGINT or SIGTERM; port 0: a free one. Raises OSError."""
    handler = type("Handler", (_Handler,), {"page": page})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:

        def end(*_: object) -> None:
            threading.Thread(target=server.shutdown, daemon=True).start()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        sys.stdout.write(f"pick colours at http://127.0.0.1:{server.server_port}/\n")
        sys.stdout.flush()
        server.serve_forever()
