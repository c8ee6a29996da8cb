# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The page behind a reverse proxy with https: nginx as docs/bw4t_page.md sets it up."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")

import aiohttp

from bw4t_runner.world_runner import WorldRunner
from bw4t_web import WebServer
from bw4t_world import World
from bw4t_world.maps import load_map

NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
DOCUMENT = Path(__file__).parents[4] / "docs" / "bw4t_page.md"
HOST = "study.example.org"

pytestmark = pytest.mark.skipif(
    not (NGINX and shutil.which("openssl") and DOCUMENT.is_file()),
    reason="needs nginx and openssl: apt-get install nginx-light openssl",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def proxy(tmp_path):
    """Return a function that starts the documented nginx before a port; gives its port."""
    started: list[subprocess.Popen[bytes]] = []
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(key), "-out", str(certificate), "-subj", f"/CN={HOST}"]
    subprocess.run(command, check=True, capture_output=True)

    def start(port: int) -> int:
        documented = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
        assert documented
        near = free_port()
        server = documented[1]
        for text, actual in (
            ("listen 443 ssl", f"listen 127.0.0.1:{near} ssl"),
            ("/etc/ssl/private/study.pem", str(key)),
            ("/etc/ssl/certs/study.pem", str(certificate)),
            ("127.0.0.1:8090", f"127.0.0.1:{port}"),
        ):
            assert text in server
            server = server.replace(text, actual)
        file = tmp_path / "nginx.conf"
        temporary = "".join(
            f"{name}_temp_path {tmp_path}/{name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        file.write_text(
            f"daemon off; pid {tmp_path}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary}\n{server}\n}}\n"
        )
        started.append(
            subprocess.Popen(
                [str(NGINX), "-c", str(file), "-p", str(tmp_path)], stderr=subprocess.PIPE
            )
        )
        return near

    yield start
    for process in started:
        process.terminate()
        process.wait(20)


async def answered(session, url, headers, context):
    for _ in range(400):
        try:
            return await session.get(url, headers=headers, ssl=context)
        except aiohttp.ClientConnectorError:
            await asyncio.sleep(0.05)  # nginx says nothing when it listens
    raise AssertionError("nginx does not answer")


async def test_a_page_plays_through_https_and_foreign_origins_do_not(proxy, page_class):
    runner = WorldRunner(World(load_map("nine_rooms"), seed=1), speed=20.0)
    server = WebServer(runner, port=0, origins=[f"https://{HOST}"])
    runner.start()
    server.start()
    near = proxy(server.port)
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    try:
        async with aiohttp.ClientSession() as session:
            url = f"https://127.0.0.1:{near}/"
            headers = {"Host": HOST, "Origin": f"https://{HOST}"}
            async with await answered(session, url, headers, trusting) as response:
                assert "wss" not in await response.text()
                assert response.status == 200
            async with session.ws_connect(f"{url}ws", headers=headers, ssl=trusting) as connection:
                page = page_class(connection)
                await page.send(type="hello", token=None)
                await page.join()
                assert (await page.go("goTo", "RoomC2"))["kind"] == "done"
            for origin in ("https://evil.example.org", f"http://{HOST}", "null"):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(
                        f"{url}ws", headers={**headers, "Origin": origin}, ssl=trusting
                    )
                assert refused.value.status == 403
    finally:
        server.close()
        runner.close()


@pytest.mark.parametrize("origin", ["study.example.org", "https://a/b", "ftp://a", ""])
def test_what_is_no_origin_is_refused(origin):
    from legacy_robots_web.access import check_origin

    with pytest.raises(ValueError, match="no origin"):
        check_origin(origin)
