# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""No control character, escape sequence or line feed from outside reaches a log."""

import contextlib
import re
import socket
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from workspace import guests

from legacy_robots_common.node.printable_logger import PrintableLogger
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.system import load, systems
from legacy_robots_testing import hostile
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT

ROOT = Path(__file__).parents[1]
HOSTILE = hostile.CONTROLS
NODES = [(s.name, n, reference) for s in systems() for n, reference in s.nodes.items()]


ON_THE_SIDE = re.compile(
    r"\blogging\.(basicConfig|StreamHandler)|rclpy\.logging|lastResort|= Node\("
)
ALLOWED = {"executable.py", "fleet.py", "printable.py"}
"""What escapes, and a node that only reads a parameter."""


LOOPBACK = "127.0.0.1"
BODY = b'{"error": "' + HOSTILE.encode() + b'\x9b"}'
ROBOT_SAYS = (
    HOSTILE.encode() + bytes(range(256)) + 10_000 * b"\x1b",
    b"HTTP/1.1 500 \x1b[31m\x07\x9b\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY),
)
BRIDGE_ENDS = (
    ("nao", "role:=dial"),
    ("aibo",),
    ("roboskate", "transport:=grpc"),
    ("roboskate", "transport:=http"),
)
"""Bridges whose robot is at a TCP port, with parameters."""


def program(system, name):
    return f"{get_package_prefix(system.package)}/lib/{system.package}/{name}"


def assert_clean(process):
    hostile.assert_clean(process.lines.items)


@pytest.mark.parametrize("kind,name,reference", NODES)
def test_every_node_of_every_system_has_the_logger_that_escapes(kind, name, reference):
    node = load(reference)
    assert issubclass(node, ProgramNode)
    assert node.get_logger is ProgramNode.get_logger


@pytest.mark.lint
def test_no_program_logs_on_the_side():
    found = {
        str(path.relative_to(ROOT))
        for package in guests.packages()
        for path in package.glob("*/**/*.py")
        if path.name not in ALLOWED
        and path.relative_to(ROOT).parts[2] != "test"
        and ON_THE_SIDE.search(path.read_text(encoding="utf-8"))
    }
    assert found == set()


@pytest.mark.parametrize("ends", BRIDGE_ENDS, ids=lambda ends: " ".join(ends))
def test_a_bridge_outlives_a_hostile_robot_and_logs_none_of_it(ends):
    name, *given = ends
    (system,) = [s for s in systems() if s.name == name]
    with socket.create_server(("127.0.0.1", 0)) as server, server:
        server.settimeout(TIMEOUT)
        given = [f"host:={LOOPBACK}", f"port:={server.getsockname()[1]}", *given]
        command = [program(system, system.bridge), "--ros-args"]
        with Process([*command, *(word for g in given for word in ("-p", g))]) as bridge:
            for data in ROBOT_SAYS:
                peer, _ = server.accept()
                with peer, contextlib.suppress(OSError):
                    peer.sendall(data)
                    peer.shutdown(socket.SHUT_WR)
                    while peer.recv(65536):
                        pass
            server.accept()[0].close()  # it has come back
            bridge.interrupt_group()
            assert bridge.wait() == 0
            assert_clean(bridge)
            assert any("link" in line for line in bridge.lines.items)


def test_the_logger_of_a_node_escapes_bounds_and_names_its_caller(capfd):
    logger = PrintableLogger("hostile")
    logger.error(HOSTILE)
    logger.warning(3000 * "x")
    shown = capfd.readouterr().err
    assert ascii(HOSTILE)[1:-1] in shown
    assert "(1000 more characters)" in shown
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", re.sub("\x1b\\[[0-9]*m", "", shown))
