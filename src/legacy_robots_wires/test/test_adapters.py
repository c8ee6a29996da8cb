# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Adapters of simulators: a device is served by one of them alone. No ROS."""

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


def test_a_device_is_served_by_one_simulator_at_a_time(tmp_path):
    device = tmp_path / "port"

    def adapter():
        simulator = Silent(Role.LISTEN, "127.0.0.1", 0, peer_name="a client")
        return SerialAdapter(simulator, str(device))

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
    assert list(tmp_path.iterdir()) == []
