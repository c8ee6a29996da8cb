# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The example of a QoS override in each configuration works as it stands there."""

from pathlib import Path

import yaml
from rclpy.qos import ReliabilityPolicy

from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]


def test_the_example_of_the_configuration(system, ros2, machine_wide, tmp_path):
    text = (ROOT / "config" / f"{system.name}.yaml").read_text(encoding="utf-8")
    before, example = text.split("    # qos_overrides:\n")
    lines = ["    qos_overrides:", *(line.replace("# ", "", 1) for line in example.splitlines())]
    file = tmp_path / "parameters.yaml"
    file.write_text(before + "\n".join(lines) + "\n", encoding="utf-8")
    (settings,) = yaml.safe_load(file.read_text(encoding="utf-8")).values()
    ((topic, ends),) = settings["ros__parameters"]["qos_overrides"].items()
    assert ends["publisher"]["reliability"] == "best_effort"
    assert topic.startswith(f"/{system.name}/")
    arguments = [f"params_file:={file}", *system.arguments]
    arguments += system.free_ports()
    command = ros2("launch", "legacy_robots_bringup", system.launch_file.name, *arguments)
    with machine_wide(system.lock), Process(command) as launch, RosPeer() as peer:
        launch.wait_for_line("link connected")
        peer.wait_for_publishers(topic)
        (info,) = peer.node.get_publishers_info_by_topic(topic)
        assert info.qos_profile.reliability is ReliabilityPolicy.BEST_EFFORT
