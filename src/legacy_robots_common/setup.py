# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_common"
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "node/fast_dds/*.xml", "web/static/*"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    extras_require={
        "serial": ["pyserial"],
        "websocket": ["aiohttp"],
        "test": ["pytest", "hypothesis"],
    },
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="What the bridges of the classic robots share",
    license="Apache-2.0",
    # Wheels are for environments without ROS, where there is no fleet; see nao_goal_bridge.
    entry_points={}
    if BY_PIP
    else {
        "console_scripts": [
            "fleet = legacy_robots_common.executable:legacy_robots_common.node.fleet.main",
            "after_topic = legacy_robots_common.executable:legacy_robots_common.node.after_topic.main",  # noqa: E501
            "places = legacy_robots_common.executable:legacy_robots_common.frames.places.main",
            "simulation = legacy_robots_common.executable:legacy_robots_common.simulation.services_node.main",  # noqa: E501
            "watchdog = legacy_robots_common.executable:legacy_robots_common.bridge.watchdog.main",
            "stepper = legacy_robots_common.executable:legacy_robots_common.simulation.stepper.main",  # noqa: E501
        ],
        "legacy_robots_common.navigation": [
            "nav2 = legacy_robots_common.goals.navigation:Navigation"
        ],
    },
    python_requires=">=3.10",
)
