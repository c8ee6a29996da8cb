# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "luar_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "lua/*.lua", "tables/*.yaml"]},
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
    description="The shared memory of a Luar robot as ROS 2 topics; with a simulated robot.",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "bridge = legacy_robots_core.executable:luar_bridge.bridge.node.main",
            "color_table = legacy_robots_core.executable:luar_bridge.color_table.main",
            "field_robot = legacy_robots_core.executable:luar_bridge.demonstration.field_robot.main",  # noqa: E501
            "host = legacy_robots_core.executable:luar_bridge.host.node.main",
            "keyframes = legacy_robots_core.executable:luar_bridge.keyframes.main",
            "label_table = legacy_robots_core.executable:luar_bridge.label_table.main",
            "monitor = legacy_robots_core.executable:luar_bridge.monitor.main",
            "referee = legacy_robots_core.executable:luar_bridge.simulator.referee.main",
            "simulator = legacy_robots_core.executable:luar_bridge.simulator.program.main",
        ],
        "luar_bridge.parts": [
            "joints = luar_bridge.parts.joints.joints_part:JointsPart",
            "walk = luar_bridge.parts.walk.walk_commands:WalkCommands",
            "referee = luar_bridge.parts.referee.referee_topic:RefereeTopic",
            "camera = luar_bridge.parts.camera_settings:CameraSettings",
            "behaviour = luar_bridge.parts.behaviour:BehaviourPart",
            "sensors = luar_bridge.parts.body_sensors:BodySensors",
            "typed = luar_bridge.parts.typed_variables:TypedVariables",
            "team = luar_bridge.parts.team_messages:TeamMessages",
        ],
        "legacy_robots_common.systems": ["luar = luar_bridge.system:SYSTEM"],
    },
)
