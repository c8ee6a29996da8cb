# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Adapters of simulators: a device is served by one of them alone. No ROS."""

import os

import pytest

from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.program import SimulatorError
from legacy_robots_simulation.stepped_controls import SteppedControls
from legacy_robots_simulation.tcp_simulator import TcpSimulator
from legacy_robots_wires.adapters import SerialAdapter


class Silent(TcpSimulator):
    """A simulator that says and understands nothing."""

    def _link_up(self):
        pass

    def _received(self, data):
        pass

    def _link_lost(self):
        pass

    def _next_due(self):
        return None

    def _advance(self, seconds):
        pass

    def _torn_message(self):
        return b""

    def _flood(self):
        return b""

    def _garbage(self):
        return b""

    def begin_again(self):
        pass

    def _make_controls(self):
        return SteppedControls(self)


@pytest.fixture
def device(tmp_path):
    return tmp_path / "port"


@pytest.fixture
def adapter(device):
    def make():
        simulator = Silent(Role.LISTEN, "127.0.0.1", 0, peer_name="a client")
        return SerialAdapter(simulator, str(device))

    return make


@pytest.mark.parametrize(
    "make",
    [lambda d: d.symlink_to("ttyUSB0"), lambda d: d.touch(), lambda d: d.mkdir()],
)
def test_what_a_simulator_has_not_made_is_left_where_it_is(adapter, device, make):
    make(device)
    with pytest.raises(SimulatorError, match="is there already, and no simulator has made it"):
        adapter().start()
    assert [path.name for path in device.parent.iterdir()] == ["port"]
    assert not device.is_symlink() or os.readlink(device) == "ttyUSB0"


@pytest.mark.parametrize("text", ["mine", ""])
def test_a_file_that_is_named_like_the_lock_is_left_as_it_is(adapter, device, text):
    lock = device.with_name("port.lock")
    lock.write_text(text)
    with pytest.raises(SimulatorError, match="lock is there already"):
        adapter().start()
    assert lock.read_text() == text


def test_the_link_of_a_simulator_that_was_killed_is_replaced(adapter, device):
    killed = adapter()
    killed.start()
    left = os.readlink(device), device.with_name("port.lock").read_text()
    killed.close()
    device.symlink_to(left[0])
    device.with_name("port.lock").write_text(left[1])
    after_it = adapter()
    after_it.start()
    assert device.is_symlink()
    after_it.close()
    assert list(device.parent.iterdir()) == []


def test_a_link_that_leads_elsewhere_by_now_is_left_where_it_is(adapter, device):
    served = adapter()
    served.start()
    device.unlink()
    device.symlink_to("ttyUSB0")
    served.close()
    assert os.readlink(device) == "ttyUSB0"


def test_a_device_is_served_by_one_simulator_at_a_time(adapter, device):
    first = adapter()
    first.start()
    try:
        with pytest.raises(SimulatorError, match="another simulator serves"):
            adapter().start()
        assert device.is_symlink()
    finally:
        first.close()
    after_it = adapter()
    after_it.start()
    after_it.close()
    assert list(device.parent.iterdir()) == []
