# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_geometry"
# Wheels are for environments without ROS, where rosdep installs nothing.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
REQUIREMENTS = ["numpy", "transforms3d"]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed"]},
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
    description="Rotations, and frames of a URDF for given angles. No ROS",
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={"console_scripts": ["moveit_files = legacy_robots_geometry.moveit_files:main"]},
)
