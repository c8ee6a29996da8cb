# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "bw4t_bridge"
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
    description="The blocks world BW4T in ROS 2, with agents as nodes",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "server = legacy_robots_core.executable:bw4t_bridge.bridge.node.main",
            "agent = legacy_robots_core.executable:bw4t_bridge.agents.agent_node.main",
        ],
        "bw4t_bridge.parts": [
            "simulation = bw4t_bridge.parts.simulation:Simulation",
            "page = bw4t_bridge.parts.page:Page",
            "experiment = bw4t_bridge.parts.experiment:ExperimentPart",
            "java_agents = bw4t_bridge.parts.java_agents:JavaAgents",
        ],
        "bw4t_bridge.worlds": [
            "original = bw4t_bridge.parts.original_server:make_runner",
            "experiment = bw4t_bridge.parts.experiment:make_runner",
        ],
        "legacy_robots_common.systems": ["bw4t = bw4t_bridge.system:SYSTEM"],
    },
)
