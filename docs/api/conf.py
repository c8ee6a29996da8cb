# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Sphinx: the API of the Python packages, from their docstrings; see CONTRIBUTING.md.

Neither ROS nor a built workspace is needed.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Generated, and programs.
EXCLUDED = ("communication_pb2", "__main__")
PACKAGES = sorted(path.parent for path in ROOT.glob("src/*/setup.py"))
sys.path[:0] = map(str, PACKAGES)

project = "Legacy robots in ROS 2"
author = "Legacy Robots contributors"
copyright = author
release = "0.1.0"

extensions = ["sphinx.ext.apidoc", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_copy_source = False

apidoc_modules = [
    {
        "path": str(package / package.name),
        "destination": f"_api/{package.name}",
        "exclude_patterns": [f"{package}/*/{name}.py" for name in EXCLUDED],
        "separate_modules": True,
        "module_first": True,
    }
    for package in PACKAGES
]
autodoc_default_options = {
    "members": True,
    "show-inheritance": True,
    "ignore-module-all": True,  # what a package hands on is documented in its module
}
suppress_warnings = ["ref.python"]  # of annotations: "World" alone is ambiguous
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# What is not on PyPI is replaced by placeholders: ROS, and the code that protoc generates.
autodoc_mock_imports = [
    "action_msgs", "ament_index_python", "builtin_interfaces", "control_msgs", "cv_bridge",
    "diagnostic_msgs", "game_controller_spl_interfaces",
    "domain_coordinator", "geometry_msgs", "launch", "launch_ros", "legacy_robots_msgs",
    "lifecycle_msgs", "mcap",
    "nav2_msgs", "nav_msgs", "numba", "py_trees", "pygame", "ray", "rcl_interfaces", "rclpy",
    "roboskate_game.protocol.communication_pb2", "rosgraph_msgs", "selenium", "sensor_msgs",
    "soccer_geometry_msgs", "soccer_model_msgs", "soccer_vision_2d_msgs", "soccer_vision_3d_msgs",
    "soccer_vision_attribute_msgs", "sb3_contrib", "stable_baselines3", "std_msgs", "std_srvs",
    "tf2_msgs", "torch", "trajectory_msgs", "type_description_interfaces",
    "unique_identifier_msgs", "vision_msgs", "visualization_msgs",
]  # fmt: skip
