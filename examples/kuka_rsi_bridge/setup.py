# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import setup

PACKAGE = "kuka_rsi_bridge"
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
        (f"share/{PACKAGE}/launch", ["launch/kuka_rsi.launch.py"]),
        (f"share/{PACKAGE}/controller", ["controller/rsi_ethernet.xml"]),
        (f"share/{PACKAGE}/config", ["config/kuka_rsi.yaml"]),
        (f"share/{PACKAGE}/rviz", ["rviz/kuka_rsi.rviz"]),
    ],
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "bridge = legacy_robots_core.executable:kuka_rsi_bridge.node.main",
            "simulator = legacy_robots_core.executable:kuka_rsi_bridge.simulator.main",
        ],
        "legacy_robots_common.systems": ["kuka_rsi = kuka_rsi_bridge.system:SYSTEM"],
    },
)
