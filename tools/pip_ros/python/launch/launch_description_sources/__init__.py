# SPDX-License-Identifier: Apache-2.0
"""Launch files written in Python, the one kind of this subset."""

from launch._subset import missing_attribute
from launch.launch_description import LaunchDescription
from launch.launch_description_source import (
    InvalidLaunchFileError,
    LaunchDescriptionSource,
    load_python_launch_file,
)
from launch.some_substitutions_type import SomeSubstitutionsType

__all__ = [
    "InvalidLaunchFileError",
    "PythonLaunchDescriptionSource",
    "get_launch_description_from_python_launch_file",
]


def get_launch_description_from_python_launch_file(
    python_launch_file_path: str,
) -> LaunchDescription:
    """Return what the launch file describes."""
    return load_python_launch_file(python_launch_file_path)


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file in Python."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, "interpreted python launch file")

    def _load(self, location: str) -> LaunchDescription:
        return load_python_launch_file(location)


__getattr__ = missing_attribute(__name__)
