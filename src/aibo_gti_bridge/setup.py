# SPDX-License-Identifier: Apache-2.0
from setuptools import find_packages, setup

PACKAGE = "aibo_gti_bridge"
DESCRIPTION = (
    "ROS 2 in the place of Golog: drives a Sony AIBO over the Golog-Tekkotsu Interface; "
    "with a simulated ERS-7."
)

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={
        PACKAGE: ["py.typed", "wire_tables/*.yaml", "motions/*.mot", "prolog/*.pl", "urdf/*.urdf"]
    },
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
    description=DESCRIPTION,
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={
        "console_scripts": [
            "ball_game = aibo_gti_bridge.ball_game:main",
            "bridge = aibo_gti_bridge.node:main",
            "simulator = aibo_gti_bridge.simulator:main",
            "motion = aibo_gti_bridge.motion_command:main",
        ],
        "legacy_robots_common.systems": ["aibo = aibo_gti_bridge.system:SYSTEM"],
    },
)
