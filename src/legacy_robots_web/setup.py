# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_web"
# Wheels are for environments without ROS, where rosdep installs nothing.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))


def beside(name: str) -> str:
    """Return the requirement: in a clone the package beside this one; released, of an index."""
    path = Path(__file__).resolve().parent.parent / name
    return f"{name} @ {path.as_uri()}" if path.is_dir() else name


REQUIREMENTS = [beside("legacy_robots_core"), "aiohttp"]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "static/*"]},
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
    description="A web server for live pages, with access by token, and their scripts. No ROS",
    license="Apache-2.0",
    python_requires=">=3.10",
)
