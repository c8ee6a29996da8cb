# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

package_name = "luar_tools"
# Wheels are for environments without ROS, see nao_goal_bridge.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
COMMAND = "luar-tools" if BY_PIP else package_name

setup(
    name=package_name,
    version="0.1.0",
    packages=find_packages(include=[package_name, f"{package_name}.*"]),
    package_data={package_name: ["py.typed", "*/*.lua", "*/static/*"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{package_name}"]),
        (f"share/{package_name}", ["package.xml"]),
    ],
    install_requires=[],
    extras_require={
        "lua": ["lupa>=2.0"],
        "color": ["numpy", "opencv-python-headless"],
        "test": ["pytest"],
    },
    zip_safe=False,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="Tools for the files of Luar soccer robots: colours, motions, state machines.",
    license="Apache-2.0",
    python_requires=">=3.10",
    entry_points={"console_scripts": [f"{COMMAND} = {package_name}.__main__:main"]},
)
