# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "bw4t_study"
# Wheels are for environments without ROS, see nao_goal_bridge.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
# In a clone the package beside this one is meant; released, that of an index.
WORLD = Path(__file__).resolve().parent.parent / "bw4t_world"
REQUIREMENTS = [f"bw4t_world @ {WORLD.as_uri()}" if WORLD.is_dir() else "bw4t_world", "PyYAML"]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={
        PACKAGE: [
            "py.typed",
            "replay/*.html",
            "people/*.yaml",
            "people/study_template/*",
            "studies/*.yaml",
            "studies/*.xml",
        ]
    },
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    install_requires=REQUIREMENTS if BY_PIP else [],
    extras_require={
        "parquet": ["pyarrow"],
        "report": ["matplotlib", "scipy", "opencv-python-headless"],
        "learn": ["pettingzoo", "gymnasium", "numpy", "opencv-python-headless"],
        "baseline": ["sb3-contrib", "stable-baselines3", "torch", "matplotlib", "scipy"],
        "mcp": ["mcp"],
        "ray": ["ray"],
        "mcap": ["mcap-ros2-support"],
        "test": ["pytest"],
    },
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="Studies and learning with the blocks world BW4T3: records, replay, analysis",
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={
        "bw4t_world.commands": ["study = bw4t_study.commands:add"],
        "bw4t_web.experiments": ["people = bw4t_study.experiment.session:open_session"],
        "bw4t_world.recorders": ["study = bw4t_study.record.recorded_world:recorder"],
    },
)
