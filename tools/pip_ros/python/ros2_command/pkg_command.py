# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 pkg``."""

from __future__ import annotations

import argparse

from ros2_command.packages import executables, prefix_of
from ros2_command.verb import Result, Verb


def _nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _list(args: argparse.Namespace) -> Result:
    from ament_index_python.packages import get_packages_with_prefixes

    for name in sorted(get_packages_with_prefixes()):
        print(name)
    return 0


def _prefix_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package_name", help="The package name")
    parser.add_argument(
        "--share", action="store_true", help="Show share directory for the package"
    )


def _prefix(args: argparse.Namespace) -> Result:
    prefix = prefix_of(args.package_name, "Package not found")
    print(prefix / "share" / args.package_name if args.share else prefix)
    return 0


def _executables_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package_name", nargs="?", help="The package name")
    parser.add_argument(
        "--full-path", action="store_true", help="Show full path of each executable"
    )


def _executables(args: argparse.Namespace) -> Result:
    from ament_index_python.packages import get_packages_with_prefixes

    names = [args.package_name] if args.package_name else sorted(get_packages_with_prefixes())
    for name in names:
        for path in executables(name):
            print(path if args.full_path else f"{name} {path.name}")
    return 0


VERBS = {
    "executables": Verb(
        "Output a list of package specific executables", _executables_arguments, _executables
    ),
    "list": Verb("Output a list of available packages", _nothing, _list),
    "prefix": Verb("Output the prefix path of a package", _prefix_arguments, _prefix),
}
