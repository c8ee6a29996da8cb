# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_simulation_services"
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
    extras_require={"test": ["pytest"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="The services of simulation_interfaces for simulators, and one clock for all",
    license="Apache-2.0",
    python_requires=">=3.10",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "simulation = legacy_robots_core.executable:legacy_robots_simulation_services.services_node.main",  # noqa: E501
            "stepper = legacy_robots_core.executable:legacy_robots_simulation_services.stepper.main",  # noqa: E501
        ],
    },
)
