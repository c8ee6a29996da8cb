# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import sys

from setuptools import find_packages, setup

PACKAGE = "legacy_robots_common"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={PACKAGE: ["py.typed", "node/fast_dds/*.xml"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    extras_require={"test": ["pytest", "hypothesis"]},
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description="What the bridges of the classic robots share",
    license="Apache-2.0",
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": [
            "fleet = legacy_robots_core.executable:legacy_robots_common.node.fleet.main",
            "after_topic = legacy_robots_core.executable:legacy_robots_common.node.after_topic.main",  # noqa: E501
            "places = legacy_robots_core.executable:legacy_robots_common.frames.places.main",
            "watchdog = legacy_robots_core.executable:legacy_robots_common.bridge.watchdog.main",
        ],
    },
    python_requires=">=3.10",
)
