# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Places of ROS packages."""

from __future__ import annotations

import os
from pathlib import Path

from launch._subset import missing_attribute
from launch.launch_context import LaunchContext
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution, SubstitutionFailure
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)

__all__ = ["ExecutableInPackage", "FindPackagePrefix", "FindPackageShare", "package_prefix"]


def package_prefix(package: str) -> str:
    """Return the installation prefix of `package`.

    Raises:
        SubstitutionFailure: There is no such package below AMENT_PREFIX_PATH.

    """
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        return str(get_package_prefix(package))
    except PackageNotFoundError as error:
        raise SubstitutionFailure(str(error)) from None


class FindPackagePrefix(Substitution):
    """The installation prefix of a package."""

    def __init__(self, package: SomeSubstitutionsType) -> None:
        self.package = normalize_to_list_of_substitutions(package)

    def describe(self) -> str:
        """Return the name of the package."""
        return f"{type(self).__name__}(pkg={describe_substitutions(self.package)})"

    def perform(self, context: LaunchContext) -> str:
        """Return the prefix."""
        return package_prefix(perform_substitutions(context, self.package))


class FindPackageShare(FindPackagePrefix):
    """The share folder of a package."""

    def perform(self, context: LaunchContext) -> str:
        """Return the folder."""
        package = perform_substitutions(context, self.package)
        return os.path.join(package_prefix(package), "share", package)


class ExecutableInPackage(FindPackagePrefix):
    """The path of an executable below ``lib/<package>``."""

    def __init__(self, executable: SomeSubstitutionsType, package: SomeSubstitutionsType) -> None:
        super().__init__(package)
        self.executable = normalize_to_list_of_substitutions(executable)

    def describe(self) -> str:
        """Return package and executable."""
        package, executable = map(describe_substitutions, (self.package, self.executable))
        return f"ExecInPkg(pkg={package}, exec={executable})"

    def perform(self, context: LaunchContext) -> str:
        """Return the path.

        Raises:
            SubstitutionFailure: The package has no such executable, or several.

        """
        package = perform_substitutions(context, self.package)
        executable = perform_substitutions(context, self.executable)
        folder = Path(package_prefix(package), "lib", package)
        found = [
            path
            for path in sorted(folder.rglob("*"))
            if path.name == executable and path.is_file() and os.access(path, os.X_OK)
        ]
        if not found:
            raise SubstitutionFailure(
                f"executable '{executable}' not found on the libexec directory '{folder}' "
            )
        if len(found) > 1:
            raise SubstitutionFailure(
                f"executable '{executable}' is more than once in '{folder}': "
                + ", ".join(map(str, found))
            )
        return str(found[0])


__getattr__ = missing_attribute(__name__)
