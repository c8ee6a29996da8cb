# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "aibo_gti_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"
DESCRIPTION = (
    "ROS 2 in the place of Golog: drives a Sony AIBO over the Golog-Tekkotsu Interface; "
    "with a simulated ERS-7."
)
# colcon installs into lib/aibo_gti_bridge, where `ros2 run` finds commands by short names.
# Wheels are for environments without ROS: there a command is named after its robot.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
ROS_COMMANDS = [
    "ball_game = legacy_robots_core.executable:aibo_gti_bridge.demonstration.ball_game.main",
    "bridge = legacy_robots_core.executable:aibo_gti_bridge.bridge.node.main",
    "gti_host = legacy_robots_core.executable:aibo_gti_bridge.host.node.main",
    "rover = legacy_robots_core.executable:aibo_gti_bridge.demonstration.rover.main",
    "simulator = legacy_robots_core.executable:aibo_gti_bridge.simulator.program.main",
    "motion = legacy_robots_core.executable:mission.aibo_gti_bridge.motion_command.main",
]
PIP_COMMANDS = [
    "aibo-motion = aibo_gti_bridge.motion_command:main",
    "aibo-simulator = aibo_gti_bridge.simulator.program:main",
]


def beside(name: str) -> str:
    """Return the requirement: in a clone the package beside this one; released, of an index."""
    path = Path(__file__).resolve().parent.parent / name
    return f"{name} @ {path.as_uri()}" if path.is_dir() else name


REQUIREMENTS = [
    beside("legacy_robots_core"),
    beside("legacy_robots_description"),
    beside("legacy_robots_geometry"),
    beside("legacy_robots_simulation"),
    "numpy",
    "PyYAML",
    "transforms3d",
]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={
        PACKAGE: [
            "py.typed",
            "wire_tables/*.yaml",
            "host_maps/*.yaml",
            "motions/*.mot",
            "prolog/*.pl",
        ]
    },
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    install_requires=REQUIREMENTS if BY_PIP else [],
    extras_require={"test": ["pytest", "hypothesis"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description=DESCRIPTION,
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": PIP_COMMANDS if BY_PIP else ROS_COMMANDS,
        "legacy_robots_common.systems": ["aibo = aibo_gti_bridge.system:SYSTEM"],
    },
)
