# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tekkotsu's ports: the simulated robot in bytes, and the codec of both ends."""

from __future__ import annotations

import contextlib
import itertools
import math
import socket
import struct
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aibo_gti_bridge.model.joints import BY_NAME, HEAD
from aibo_gti_bridge.protocol import sensors, tekkotsu
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.tekkotsu import (
    ControlDecoder,
    Door,
    WorldState,
    WorldStateDecoder,
    head_angle,
)
from aibo_gti_bridge.simulator.tekkotsu import TekkotsuSimulator

STATE = WorldState(
    1234, 77, tuple(range(47)), tuple(range(11)), tuple(range(10)), tuple(range(18))
)


# --- the bytes -----------------------------------------------------------------------------


def test_a_world_state_in_bytes_is_as_the_source_serialises_it() -> None:
    data = STATE.encode()
    assert data[:6] == b"ERS-7\0"
    assert struct.unpack_from("<IIIf", data, 6) == (1234, 77, 47, 0.0)
    assert struct.unpack_from("<I2f", data, 6 + 12 + 47 * 4) == (11, 0.0, 1.0)
    assert len(data) == 6 + 6 * 4 + (47 + 11 + 10 + 18) * 4


def test_a_further_sensor_has_no_value_there(monkeypatch: pytest.MonkeyPatch) -> None:
    compass = sensors.Sensor("Compass", "rad", -3.2, 3.2)
    monkeypatch.setattr(tekkotsu, "SENSORS", (*sensors.SENSORS, compass))
    [state] = WorldStateDecoder().feed(STATE.encode())
    assert state.values[28] == 10.0
    assert math.isnan(state.values[29])
    assert state.values[30:] == STATE.buttons


@given(cuts=st.lists(st.integers(1, 1000), max_size=20), count=st.integers(1, 4))
def test_world_states_are_found_however_they_are_cut(cuts: list[int], count: int) -> None:
    data, decoder, found = STATE.encode() * count, WorldStateDecoder(), []
    for cut in [*cuts, len(data)]:
        found += decoder.feed(data[:cut])
        data = data[cut:]
    decoder.end()
    assert found == [STATE] * count


@given(st.binary(max_size=1000))
def test_any_bytes_are_world_states_or_a_protocol_error(data: bytes) -> None:
    decoder = WorldStateDecoder()
    with contextlib.suppress(ProtocolError):
        decoder.feed(data)
        decoder.end()


def test_another_robot_and_another_number_of_values_are_named() -> None:
    with pytest.raises(ProtocolError, match="ERS-210"):
        WorldStateDecoder().feed(b"ERS-210\0" + bytes(400))
    with pytest.raises(ProtocolError, match="46 values for 47"):
        WorldStateDecoder().feed(STATE.encode().replace(b"\x2f\0\0\0", b"\x2e\0\0\0", 1))
    decoder = WorldStateDecoder()
    decoder.feed(STATE.encode()[:100])
    with pytest.raises(ProtocolError, match="within a world state"):
        decoder.end()


def test_walks_and_heads_are_fractions_of_their_ranges() -> None:
    def values(data: bytes) -> dict[str, float]:
        return {c.letter: pytest.approx(c.value) for c in ControlDecoder().feed(data)}

    assert values(tekkotsu.walk(0.09, -0.07, 3.0)) == {"f": 0.5, "s": -0.5, "r": 1.0}
    tilt, pan, nod = (BY_NAME[name] for name in HEAD)
    pose = {"neck_tilt": tilt.lower / 2, "neck_pan": pan.upper / 4, "neck_nod": nod.lower}
    assert values(tekkotsu.head(pose)) == {"t": -0.5, "p": 0.25, "r": -1.0}
    with pytest.raises(ProtocolError, match="finite"):
        tekkotsu.walk(float("nan"), 0.0, 0.0)


@given(st.sampled_from(HEAD), st.floats(-1.5, 1.5))
def test_a_head_comes_where_it_is_sent(name: str, angle: float) -> None:
    joint = BY_NAME[name]
    wanted = min(max(angle, joint.lower), joint.upper)
    fractions = ControlDecoder().feed(tekkotsu.head(dict.fromkeys(HEAD, wanted)))
    fraction = fractions[HEAD.index(name)].value
    assert head_angle(name, fraction) == pytest.approx(wanted, abs=1e-6)


# --- the simulated robot -------------------------------------------------------------------


class Client:
    """Connections with the ports of one robot."""

    def __init__(self, simulator: TekkotsuSimulator) -> None:
        self.simulator = simulator
        self._open = contextlib.ExitStack()

    def dial(self, door: Door) -> socket.socket:
        port = door.beside(self.simulator.port)
        return self._open.enter_context(socket.create_connection(("127.0.0.1", port), 10.0))

    def refused(self, door: Door) -> bool:
        try:
            connection = self.dial(door)
        except ConnectionRefusedError:
            return True
        return connection.getsockname() == connection.getpeername()  # of this machine with itself

    def start_all(self, stop: str = "start\n") -> dict[Door, socket.socket]:
        """Start the behaviours, as the bridge does; return all connections."""
        found = {Door.CONTROLLER: self.dial(Door.CONTROLLER)}
        found[Door.CONTROLLER].sendall(tekkotsu.SELECTION)
        running = self.simulator.session
        assert self.simulator.wait_for(lambda: running.running == set(Door))
        found |= {door: self.dial(door) for door in list(Door)[1:]}
        ports = self.simulator._ports.values()
        assert self.simulator.wait_for(lambda: all(port.stream for port in ports))
        found[Door.STOP].sendall(stop.encode())
        return found

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def client(make_simulator: Callable[..., TekkotsuSimulator]) -> Iterator[Client]:
    """Return a client of a robot that was just switched on."""
    client = Client(make_simulator(profile="tekkotsu", time_scale=4.0))
    yield client
    client.close()


def lines(connection: socket.socket, count: int) -> list[bytes]:
    reader = connection.makefile("rb")
    return [reader.readline() for _ in range(count)]


def test_a_robot_that_was_switched_on_is_stopped_and_has_two_ports(client: Client) -> None:
    assert all(client.refused(door) for door in (Door.STATE, Door.WALK, Door.HEAD))
    client.dial(Door.CONTROLLER)
    stop = client.dial(Door.STOP)
    stop.sendall(b"refresh\nnonsense\nstop\nstart\nstart\nrefresh\n")
    assert lines(stop, 3) == [b"on\n", b"off\n", b"off\n"]


def test_the_menu_starts_a_behaviour_once_and_ends_it_by_its_other_name(client: Client) -> None:
    menu = client.dial(Door.CONTROLLER)
    session = client.simulator.session
    menu.sendall(b'!hello\n!select "Walk Remote Control"\n!select "Walk Remote Control"\r\n')
    assert lines(menu, 4) == [b"hello\n", b"1\n", b"push\n", b"load\n"]
    assert client.simulator.wait_for(lambda: Door.WALK in session.running)
    walk = client.dial(Door.WALK)
    menu.sendall(b'!select "#Walk Remote Control"\n')
    assert walk.recv(10) == b""
    assert client.refused(Door.WALK)


def test_a_port_has_one_client_and_listens_again(client: Client) -> None:
    ports = client.start_all()
    assert client.refused(Door.WALK)
    ports[Door.WALK].close()
    other = client.simulator._ports[Door.WALK]
    assert client.simulator.wait_for(lambda: other.stream is None)
    client.dial(Door.WALK)


def test_it_sends_world_states_and_walks_only_when_it_is_not_stopped(client: Client) -> None:
    ports = client.start_all(stop="refresh\n")
    decoder, world = WorldStateDecoder(), client.simulator.world
    found = []
    while len(found) < 3:
        found += decoder.feed(ports[Door.STATE].recv(4096))
    assert [b.time_ms - a.time_ms for a, b in itertools.pairwise(found)][:2] == [32, 32]
    ports[Door.WALK].sendall(tekkotsu.walk(0.1, 0.0, 0.0))
    ports[Door.STOP].sendall(b"refresh\n")
    assert lines(ports[Door.STOP], 2) == [b"on\n", b"on\n"]
    assert not world.walker.walking
    ports[Door.STOP].sendall(b"start\n")
    assert client.simulator.wait_for(lambda: world.walker.walking)
    ports[Door.STOP].sendall(b"stop\n")
    assert client.simulator.wait_for(lambda: not world.walker.walking)


def test_after_three_seconds_of_silence_it_stands_and_the_old_values_stay(client: Client) -> None:
    ports, world = client.start_all(), client.simulator.world
    ports[Door.WALK].sendall(tekkotsu.walk(0.1, 0.0, 0.0))
    assert client.simulator.wait_for(lambda: world.walker.walking)
    assert client.simulator.wait_for(lambda: not world.walker.walking)
    ports[Door.WALK].sendall(struct.pack("<cf", b"r", 0.5))
    assert client.simulator.wait_for(lambda: world.walker.target[0] > 0.05)
    assert world.walker.target == pytest.approx((0.1, 0.0, 0.9))


def test_five_bytes_that_were_cut_off_are_completed_by_the_next_client(client: Client) -> None:
    ports, world = client.start_all(), client.simulator.world
    ports[Door.WALK].sendall(tekkotsu.walk(0.09, 0.0, 0.0)[:3])
    ports[Door.WALK].close()
    port = client.simulator._ports[Door.WALK]
    assert client.simulator.wait_for(lambda: port.stream is None)
    client.dial(Door.WALK).sendall(tekkotsu.walk(0.09, 0.0, 0.0)[3:5])
    assert client.simulator.wait_for(lambda: world.walker.target[0] == pytest.approx(0.09))


def test_the_head_goes_where_it_is_sent(client: Client) -> None:
    ports, world = client.start_all(), client.simulator.world
    pose = {"neck_tilt": -0.5, "neck_pan": 0.7, "neck_nod": 0.3}
    ports[Door.HEAD].sendall(tekkotsu.head(pose))
    assert client.simulator.wait_for(
        lambda: all(abs(world.body.positions[name] - pose[name]) < 1e-6 for name in pose)
    )


def test_two_taps_on_the_back_are_told(client: Client) -> None:
    stop = client.start_all()[Door.STOP]
    assert lines(stop, 1) == [b"off\n"]
    client.simulator.tap_back()
    assert lines(stop, 1) == [b"on\n"]
