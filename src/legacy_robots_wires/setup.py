# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_wires"
# Wheels are for environments without ROS, where rosdep installs nothing.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))


def beside(name: str) -> str:
    """Return the requirement: in a clone the package beside this one; released, of an index."""
    path = Path(__file__).resolve().parent.parent / name
    return f"{name} @ {path.as_uri()}" if path.is_dir() else name


REQUIREMENTS = [
    beside("legacy_robots_core"),
    beside("legacy_robots_simulation"),
    "aiohttp",
    "pyserial",
]

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
    extras_require={"test": ["pytest"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="UDP, serial ports, WebSocket and device files for robots of one's own. No ROS",
    license="Apache-2.0",
    python_requires=">=3.10",
)
