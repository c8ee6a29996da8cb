# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A simulated robot over UDP: datagrams as they are, several ports, the faults. No ROS."""

import socket

import pytest

from legacy_robots_core.link.base import ProtocolError
from legacy_robots_core.link.tcp import Role
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_wires.robot_simulator import RobotSimulator


class Drone(RobotSimulator):
    """Answers each command, streams a count, and configures itself on a second port."""

    period = 0.02

    def __init__(self, **options):
        super().__init__(datagrams=True, further={"configuration": 0}, **options)
        self.restart()

    def restart(self):
        self.count = 0

    def message(self, message):
        if message == b"bad":
            raise ProtocolError("this is no command")
        self.say(b"answer " + message)

    def advance(self, seconds):
        self.count += 1
        self.say(b"state\n%d" % self.count)

    def datagram(self, name, data):
        self.say(b"configured " + data, to=name)


@pytest.fixture
def drone():
    made = Drone(fault_seconds=0.3)
    made.start()
    yield made
    made.close()


@pytest.fixture
def client(drone):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.settimeout(TIMEOUT)
        made.connect(("127.0.0.1", drone.port))
        yield made


def received(client, wanted):
    """Return the first datagram that begins so."""
    while not (data := client.recv(65536)).startswith(wanted):
        pass
    return data


def exchange_for_ever(client):
    while True:
        client.send(b"anything")
        client.recv(65536)


def test_a_datagram_is_whole_whatever_bytes_it_has(client):
    for command in (b"\n", b"a\nb\n\n", bytes(range(256)), 1400 * b"\n"):
        client.send(command)
        assert received(client, b"answer") == b"answer " + command
    assert received(client, b"state\n").removeprefix(b"state\n").isdigit()


def test_a_second_port_has_its_own_client(drone, client):
    client.send(b"hello")
    received(client, b"answer")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.settimeout(TIMEOUT)
        other.sendto(b"1\n2", ("127.0.0.1", drone.port_of("configuration")))
        assert other.recv(100) == b"configured 1\n2"
    client.send(b"again")
    assert received(client, b"answer") == b"answer again"


def test_the_latest_client_is_talked_to(drone, client):
    client.send(b"first")
    received(client, b"answer")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.settimeout(0.2)
        other.connect(("127.0.0.1", drone.port))
        answer = b""
        while not answer.startswith(b"answer"):  # the first of them ends the other's connection
            try:
                other.send(b"second")
                answer = other.recv(100)
            except TimeoutError:
                pass
    assert answer == b"answer second"


def test_the_faults_are_those_of_every_simulator(drone, client):
    client.send(b"hello")
    received(client, b"answer")
    drone.inject("garbage")
    received(client, b"\xff\x00")
    drone.inject("flood")
    received(client, b"state")
    drone.inject("restart")
    drone.wait_for(lambda: not drone.listening)
    with pytest.raises(ConnectionRefusedError):
        exchange_for_ever(client)
    drone.wait_for(lambda: drone.listening)
    client.send(b"back")
    assert received(client, b"answer back")


class CallingDrone(Drone):
    """Sends to its client first."""

    role = Role.DIAL


def test_a_robot_that_sends_first_sends_unheard_and_again_after_a_fault():
    drone = CallingDrone(port=free_port(), fault_seconds=0.3)
    drone.start()
    try:
        drone.wait_for(lambda: drone.count > 1)  # there is no client yet
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(TIMEOUT)
            client.bind(("127.0.0.1", drone.port))
            _, before = client.recvfrom(100)
            client.sendto(b"hello", before)
            assert received(client, b"answer") == b"answer hello"
            drone.inject("restart")
            while (now := client.recvfrom(100)[1]) == before:
                pass
            client.sendto(b"again", now)
            assert received(client, b"answer") == b"answer again"
    finally:
        drone.close()
