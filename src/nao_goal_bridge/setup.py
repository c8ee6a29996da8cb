# SPDX-License-Identifier: Apache-2.0
from setuptools import find_packages, setup

PACKAGE = "nao_goal_bridge"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "maps/*.yaml"]},
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
    description="ROS 2 in the place of GOAL towards a Nao, and a simulated Nao",
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={
        "console_scripts": [
            "bridge = nao_goal_bridge.node:main",
            "errand = nao_goal_bridge.errand:main",
            "simulator = nao_goal_bridge.simulator:main",
        ],
        "legacy_robots_common.systems": ["nao = nao_goal_bridge.system:SYSTEM"],
    },
)
