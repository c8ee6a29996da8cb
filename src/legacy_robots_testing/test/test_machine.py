# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests take ROS domains that are empty."""

import socket
import sys

import pytest

from legacy_robots_testing.machine import free_domain

pytest.importorskip("domain_coordinator")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc/net/udp")
@pytest.mark.parametrize("port", [0, 11])  # of discovery by multicast; of the first participant
def test_a_domain_in_which_somebody_is_is_not_taken(port):
    with free_domain() as first:
        pass
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as participant:
        participant.bind(("127.0.0.1", 7400 + 250 * first + port))
        with free_domain() as second:
            assert second != first
