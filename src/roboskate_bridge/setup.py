# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "roboskate_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    install_requires=["setuptools"],
    extras_require={"test": ["pytest", "hypothesis"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="RoboSkate, a skating robot game, as ROS 2: camera, clock, board and crane.",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "autopilot = legacy_robots_core.executable:roboskate_bridge.drivers.autopilot.main",
            "bridge = legacy_robots_core.executable:roboskate_bridge.bridge.node.main",
            "policy = legacy_robots_core.executable:roboskate_bridge.drivers.policy_node.main",
            "record_rides = legacy_robots_core.executable:roboskate_bridge.drivers.rides.main",
            "teleop = legacy_robots_core.executable:roboskate_bridge.drivers.teleop.main",
            "simulator = legacy_robots_core.executable:roboskate_game.simulator.program.main",
        ],
        "legacy_robots_common.systems": ["roboskate = roboskate_bridge.system:SYSTEM"],
    },
)
