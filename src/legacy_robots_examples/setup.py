# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_examples"
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
    # Of record and replay: rosdep has no key for it.
    extras_require={"mcap": ["mcap"], "mcp": ["mcp"], "test": ["pytest"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="Small programs that join the classic robots with other ROS 2 software",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "agent_tools = legacy_robots_core.executable:legacy_robots_examples.agent_tools.main",
            "ball_in_map = legacy_robots_core.executable:legacy_robots_examples.ball_in_map.main",
            "courier = legacy_robots_core.executable:mission.legacy_robots_examples.courier.main",
            "fetch_object = legacy_robots_core.executable:mission.legacy_robots_examples.fetch_object.main",  # noqa: E501
            "find_ball = legacy_robots_core.executable:mission.legacy_robots_examples.find_ball.main",  # noqa: E501
            "record = legacy_robots_core.executable:mission.legacy_robots_examples.record.main",
            "replay = legacy_robots_core.executable:mission.legacy_robots_examples.replay.main",
            "security_policy = legacy_robots_core.executable:mission.legacy_robots_examples.security_policy.main",  # noqa: E501
            "two_robots = legacy_robots_core.executable:mission.legacy_robots_examples.two_robots.main",  # noqa: E501
        ]
    },
)
