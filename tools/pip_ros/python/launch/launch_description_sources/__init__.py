# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Launch files written in Python, XML or YAML."""

from launch._frontend import load_frontend_launch_file
from launch._subset import missing_attribute
from launch.launch_description import LaunchDescription
from launch.launch_description_source import (
    InvalidLaunchFileError,
    LaunchDescriptionSource,
    load_python_launch_file,
)
from launch.some_substitutions_type import SomeSubstitutionsType

__all__ = [
    "AnyLaunchDescriptionSource",
    "FrontendLaunchDescriptionSource",
    "InvalidLaunchFileError",
    "PythonLaunchDescriptionSource",
    "get_launch_description_from_any_launch_file",
    "get_launch_description_from_frontend_launch_file",
    "get_launch_description_from_python_launch_file",
]


def get_launch_description_from_python_launch_file(
    python_launch_file_path: str,
) -> LaunchDescription:
    """Return what the launch file describes."""
    return load_python_launch_file(python_launch_file_path)


def get_launch_description_from_frontend_launch_file(launch_file_path: str) -> LaunchDescription:
    """Return what the launch file in XML or YAML describes."""
    return load_frontend_launch_file(launch_file_path)


def get_launch_description_from_any_launch_file(launch_file_path: str) -> LaunchDescription:
    """Return what the launch file describes: XML or YAML by the end of its name, else Python."""
    if launch_file_path.endswith((".xml", ".yaml", ".yml")):
        return load_frontend_launch_file(launch_file_path)
    return load_python_launch_file(launch_file_path)


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file in Python."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, "interpreted python launch file")

    def _load(self, location: str) -> LaunchDescription:
        return load_python_launch_file(location)


class FrontendLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file in XML or YAML."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, "interpreted frontend launch file")

    def _load(self, location: str) -> LaunchDescription:
        return load_frontend_launch_file(location)


class AnyLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file in Python, XML or YAML."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, "interpreted launch file")

    def _load(self, location: str) -> LaunchDescription:
        return get_launch_description_from_any_launch_file(location)


__getattr__ = missing_attribute(__name__)
