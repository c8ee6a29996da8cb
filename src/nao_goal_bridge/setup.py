# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "nao_goal_bridge"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"
# colcon installs into lib/nao_goal_bridge, where `ros2 run` finds commands by short names.
# Wheels are for environments without ROS: there a command is named after its robot.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
ROS_COMMANDS = [
    "bridge = legacy_robots_core.executable:nao_goal_bridge.bridge.node.main",
    "errand = legacy_robots_core.executable:nao_goal_bridge.demonstration.errand.main",
    "goal_client = legacy_robots_core.executable:mission.nao_goal_bridge.goal_client.console.main",
    "host = legacy_robots_core.executable:nao_goal_bridge.host.node.main",
    "simulator = legacy_robots_core.executable:nao_goal_bridge.simulator.program.main",
    "toy_robot = legacy_robots_core.executable:nao_goal_bridge.demonstration.toy_robot.main",
]
PIP_COMMANDS = [
    "nao-goal-client = nao_goal_bridge.goal_client.console:main",
    "nao-simulator = nao_goal_bridge.simulator.program:main",
]


def beside(name: str) -> str:
    """Return the requirement: in a clone the package beside this one; released, of an index."""
    path = Path(__file__).resolve().parent.parent / name
    return f"{name} @ {path.as_uri()}" if path.is_dir() else name


REQUIREMENTS = [
    beside("legacy_robots_core"),
    beside("legacy_robots_simulation"),
    "PyYAML",
]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "maps/*.yaml"]},
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
    description="ROS 2 in the place of GOAL towards a Nao, and a simulated Nao",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": PIP_COMMANDS if BY_PIP else ROS_COMMANDS,
        "legacy_robots_common.systems": ["nao = nao_goal_bridge.system:SYSTEM"],
    },
)
