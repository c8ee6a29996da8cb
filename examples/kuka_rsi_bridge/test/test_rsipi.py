# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RSIPI, a program of others, as either side: in an environment of its own.

LEGACY_ROBOTS_RSIPI names a Python that has it: python3 -m venv peers; peers/bin/pip install rsipi.
"""

import os
import subprocess
from pathlib import Path

import pytest
from control_msgs.action import FollowJointTrajectory
from kuka_rsi_bridge.node import KukaRsiBridge
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

PYTHON = os.environ.get("LEGACY_ROBOTS_RSIPI", "")
CONFIGURATION = Path(__file__).parents[1] / "controller" / "rsi_ethernet.xml"
pytestmark = pytest.mark.skipif(not PYTHON, reason="set LEGACY_ROBOTS_RSIPI, see test_rsipi.py")
AS_SENSOR = """
import sys, time
from RSIPI.rsi_api import RSIAPI
if __name__ == "__main__":
    with RSIAPI(sys.argv[1], rsi_mode="relative", cycle_time=0.012) as api:
        api.start()
        api.client.wait_for_connection()
        joints = api.motion.get_current_joints
        while abs(joints()["A2"] + 90) > 0.01:
            time.sleep(0.02)
        api.motion.update_joints(A1=0.1)
        while joints()["A1"] < 5:
            time.sleep(0.01)
        api.motion.update_joints(A1=0.0)
        print("moved to", joints()["A1"] >= 5, flush=True)
"""
AS_CONTROLLER = """
import socket, sys, time
bind = socket.socket.bind
socket.socket.bind = lambda self, where: bind(self, ("127.0.0.1", 0))  # not to all the network
from RSIPI.rsi_echo_server import EchoServer
server = EchoServer(sys.argv[1], delay_ms=12, mode="relative", timeout_packets=10**6)
server.start()
print("started", flush=True)
while True:
    time.sleep(0.1)
"""


@pytest.fixture
def configuration(where, tmp_path):
    """The controller's configuration, for this machine."""
    text = CONFIGURATION.read_text().replace("192.168.1.10", "127.0.0.1")
    path = tmp_path / "rsi_ethernet.xml"
    path.write_text(text.replace("49152", str(where["port"])))
    return path


def test_the_simulated_arm_is_moved_by_rsipi(robot, configuration, tmp_path):
    script = tmp_path / "sensor.py"
    script.write_text(AS_SENSOR)
    command = [PYTHON, str(script), str(configuration)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, cwd=tmp_path)
    assert "moved to True" in done.stdout.splitlines(), done.stdout + done.stderr


def test_the_bridge_moves_the_controller_of_rsipi(where, configuration, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with (
        RunningNode(KukaRsiBridge, where),
        RosPeer() as peer,
        Process([PYTHON, "-c", AS_CONTROLLER, str(configuration)]),
    ):
        joints = peer.subscribe(JointState, "/kuka_rsi/joint_states", qos.stream())
        joints.wait_for()
        goal = FollowJointTrajectory.Goal()
        goal.trajectory.joint_names = ["A1", "A4"]
        goal.trajectory.points = [JointTrajectoryPoint(positions=[0.4, -0.3])]
        goal.trajectory.points[0].time_from_start.sec = 1
        end = peer.send_goal(
            FollowJointTrajectory, "/kuka_rsi/follow_joint_trajectory", goal
        ).end()
        assert end.result.error_code == 0, end.result.error_string
        joints.wait_for(lambda state: state.position[0] == pytest.approx(0.4, abs=0.02))
