# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import setup

PACKAGE = "myrobot_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=[PACKAGE],
    # --- if base arm drone
    package_data={PACKAGE: ["urdf/*.urdf"]},
    # --- end
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
        (f"share/{PACKAGE}/launch", ["launch/myrobot.launch.py"]),
        (f"share/{PACKAGE}/config", ["config/myrobot.yaml"]),
        (f"share/{PACKAGE}/rviz", ["rviz/myrobot.rviz"]),
    ],
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "bridge = legacy_robots_core.executable:myrobot_bridge.node.main",
            "simulator = legacy_robots_core.executable:myrobot_bridge.simulator.main",
        ],
        "legacy_robots_common.systems": ["myrobot = myrobot_bridge.system:SYSTEM"],
    },
)
