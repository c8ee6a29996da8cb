# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The watchdog: a bridge that publishes and answers nothing is ended, any other is not."""

import sys

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from legacy_robots_common.node import qos
from legacy_robots_testing.machine import ros2
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

# A bridge as it is seen from outside: diagnostics each 0.1 s, and get_state.
BRIDGE = """
import sys, threading, time, rclpy
from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.srv import GetState
from legacy_robots_common.bridge.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_core.link.base import LinkState, LinkStatus
from legacy_robots_common.node.program_node import ProgramNode
rclpy.init()
node = ProgramNode("bridge", namespace=sys.argv[1])
node.create_service(GetState, "~/get_state", lambda _, response: response)
reporter = DiagnosticsReporter(
    node, "test", lambda: LinkStatus(LinkState.CONNECTED, "", "connected", 1), Counters()
)
def report():
    while True:
        reporter.report()
        time.sleep(0.1)
threading.Thread(target=report, daemon=True).start()
if sys.argv[2] == "hears":
    rclpy.spin(node)
threading.Event().wait()
"""


@pytest.mark.node
def test_a_bridge_that_hears_nothing_is_ended():
    options = ["--ros-args", "-p", "period:=0.3"]
    with (
        RosPeer() as peer,
        Process([sys.executable, "-c", BRIDGE, "/well", "hears"]) as well,
        Process(ros2("run", "legacy_robots_common", "watchdog", *options)) as watchdog,
    ):
        reports = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(100))
        until(lambda: peer.node.count_publishers("/diagnostics") == 2, "one does not report")
        with Process([sys.executable, "-c", BRIDGE, "/deaf", "is deaf"]) as deaf:
            watchdog.wait_for_line("deaf/bridge hears nothing: 4 calls")
            assert deaf.wait(30.0) == -9  # rclpy has taken SIGTERM, and it did not end
        found = reports.wait_for(
            lambda m: any(s.level == DiagnosticStatus.ERROR for s in m.status), 30.0
        )
        assert "hears nothing" in found.status[0].message
        assert not any("well" in line for line in watchdog.lines.items)
        assert len(well.session()) == 1
