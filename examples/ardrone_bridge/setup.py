# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import setup

PACKAGE = "ardrone_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=[PACKAGE],
    package_data={PACKAGE: ["urdf/*.urdf"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
        (f"share/{PACKAGE}/launch", ["launch/ardrone.launch.py"]),
        (f"share/{PACKAGE}/config", ["config/ardrone.yaml"]),
        (f"share/{PACKAGE}/rviz", ["rviz/ardrone.rviz"]),
    ],
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "bridge = legacy_robots_core.executable:ardrone_bridge.node.main",
            "simulator = legacy_robots_core.executable:ardrone_bridge.simulator.main",
        ],
        "legacy_robots_common.systems": ["ardrone = ardrone_bridge.system:SYSTEM"],
    },
)
