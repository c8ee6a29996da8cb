# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "bw4t_web"
# Wheels are for environments without ROS, see nao_goal_bridge.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
BESIDE = Path(__file__).resolve().parent.parent


def beside(name):
    """In a clone the package beside this one is meant; released, that of an index."""
    return f"{name} @ {(BESIDE / name).as_uri()}" if (BESIDE / name).is_dir() else name


REQUIREMENTS = [
    beside("bw4t_runner"),
    beside("bw4t_world"),
    beside("legacy_robots_core"),
    beside("legacy_robots_web"),
    "aiohttp",
]

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
    extras_require={"study": [beside("bw4t_study")], "test": ["pytest", "hypothesis"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="The page for people of the blocks world BW4T3",
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={
        "bw4t_world.commands": ["web = bw4t_web.console.serve:add"],
        "bw4t_study.pages": ["web = bw4t_web.console.experiment:serve_experiment"],
    },
)
