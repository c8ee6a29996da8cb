# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
from setuptools import setup

PACKAGE = "roomba_bridge"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=[PACKAGE],
    package_data={PACKAGE: ["urdf/*.urdf"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
        (f"share/{PACKAGE}/launch", ["launch/roomba.launch.py"]),
        (f"share/{PACKAGE}/config", ["config/roomba.yaml"]),
        (f"share/{PACKAGE}/rviz", ["rviz/roomba.rviz"]),
    ],
    entry_points={
        "console_scripts": [
            "bridge = legacy_robots_core.executable:roomba_bridge.node.main",
            "simulator = legacy_robots_core.executable:roomba_bridge.simulator.main",
        ],
        "legacy_robots_common.systems": ["roomba = roomba_bridge.system:SYSTEM"],
    },
)
