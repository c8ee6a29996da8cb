# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 launch``."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from ros2_command.packages import prefix_of
from ros2_command.verb import CommandError, Result, Verb

if TYPE_CHECKING:
    from launch import LaunchDescriptionEntity


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "package_name",
        help="Name of the ROS package which contains the launch "
        "file, or the path of a launch file",
    )
    parser.add_argument("launch_file_name", nargs="?", help="Name of the launch file")
    parser.add_argument(
        "launch_arguments",
        nargs="*",
        help="Arguments to the launch file; '<name>:=<value>' (for duplicates, last one wins)",
    )
    parser.add_argument(
        "-n",
        "--noninteractive",
        action="store_true",
        help="Run the launch system non-interactively, with no terminal associated",
    )
    parser.add_argument(
        "-d",
        "--debug",
        action="store_true",
        help="Put the launch system in debug mode, provides more verbose output.",
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "-p",
        "--print",
        "--print-description",
        action="store_true",
        help="Print the launch description to the console without launching it.",
    )
    either.add_argument(
        "-s",
        "--show-args",
        "--show-arguments",
        action="store_true",
        help="Show arguments that may be given to the launch file.",
    )
    parser.add_argument(
        "-a",
        "--show-all-subprocesses-output",
        action="store_true",
        help="Show all launched subprocesses' output by overriding their output configuration "
        "using the OVERRIDE_LAUNCH_PROCESS_OUTPUT envvar.",
    )
    parser.add_argument(
        "--launch-prefix", help="Prefix command, which should go before all executables."
    )
    parser.add_argument(
        "--launch-prefix-filter",
        help="Regex pattern for filtering which executables the --launch-prefix is applied to by "
        "matching the executable name.",
    )


def _main(args: argparse.Namespace) -> Result:
    words = list(args.launch_arguments)
    if os.path.isfile(args.package_name):
        path = args.package_name
        if args.launch_file_name is not None:
            words.insert(0, args.launch_file_name)
    else:
        if args.launch_file_name is None or ":=" in args.launch_file_name:
            raise CommandError(
                f"'{args.package_name}' is no launch file; for one of a package, give package "
                "and file name"
            )
        path = _file_of_package(args.package_name, args.launch_file_name)
    if args.show_args or args.print:  # nothing is launched, which would handle it
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    if args.show_args:
        return _show_arguments(path)
    if args.print:
        return _print_description(path)
    if args.show_all_subprocesses_output:
        os.environ["OVERRIDE_LAUNCH_PROCESS_OUTPUT"] = "both"
    configurations = _parse_arguments(words)
    if args.launch_prefix is not None:
        configurations["launch-prefix"] = args.launch_prefix
        if args.launch_prefix_filter is not None:
            configurations["launch-prefix-filter"] = args.launch_prefix_filter
    return _launch(path, configurations, args)


def _file_of_package(package: str, name: str) -> str:
    share = prefix_of(package, "Package '{0}' not found: {1}") / "share" / package
    found = sorted(path for path in share.rglob(name) if path.is_file())
    if not found:
        raise CommandError(
            f"file '{name}' was not found in the share directory of package '{package}' which is "
            f"at '{share}'"
        )
    if len(found) > 1:
        raise CommandError(
            f"file '{name}' was found more than once in the share directory of package "
            f"'{package}': [{', '.join(repr(str(path)) for path in found)}]"
        )
    return str(found[0])


def _parse_arguments(words: list[str]) -> OrderedDict[str, str]:
    parsed: OrderedDict[str, str] = OrderedDict()
    for word in words:
        name, separator, value = word.partition(":=")
        if not separator or not name:
            raise CommandError(
                f"malformed launch argument '{word}', expected format '<name>:=<value>'"
            )
        parsed[name] = value
    return parsed


def _show_arguments(path: str) -> Result:
    from launch.launch_description_sources import (
        InvalidLaunchFileError,
        get_launch_description_from_any_launch_file,
    )
    from launch.utilities import describe_substitutions

    try:
        description = get_launch_description_from_any_launch_file(path)
        arguments = description.get_launch_arguments()
    except InvalidLaunchFileError as error:
        raise CommandError(str(error)) from None
    print("Arguments (pass arguments as '<name>:=<value>'):")
    if not arguments:
        print("\n  No arguments.")
    for argument in arguments:
        print(f"\n    '{argument.name}':")
        print(re.sub("^", " " * 8, argument.description, count=1))
        if argument.default_value is not None:
            print(f"        (default: {describe_substitutions(argument.default_value)})")
    return 0


def _print_description(path: str) -> Result:
    from launch.launch_description_sources import (
        InvalidLaunchFileError,
        get_launch_description_from_any_launch_file,
    )

    def show(entity: LaunchDescriptionEntity, indent: str) -> None:
        subs = entity.describe_sub_entities()
        for index, sub in enumerate(subs):
            last = index == len(subs) - 1
            print(f"{indent}{'└── ' if last else '├── '}{sub.describe()}")
            show(sub, indent + ("    " if last else "│   "))

    try:
        description = get_launch_description_from_any_launch_file(path)
    except InvalidLaunchFileError as error:
        raise CommandError(str(error)) from None
    print("LaunchDescription")
    show(description, "")
    return 0


def _launch(path: str, configurations: dict[str, str], args: argparse.Namespace) -> Result:
    from launch.actions import IncludeLaunchDescription
    from launch.launch_description_sources import AnyLaunchDescriptionSource

    from launch import LaunchDescription, LaunchService, logging

    folder = logging.configure(debug=args.debug)
    logger = logging.get_logger("launch")
    if folder is not None:
        logger.info("All log files can be found below %s", folder)
    level = "DEBUG" if args.debug else "INFO"
    logger.info("Default logging verbosity is set to %s", level)
    service = LaunchService(noninteractive=args.noninteractive, debug=args.debug)
    include = IncludeLaunchDescription(
        AnyLaunchDescriptionSource(str(Path(path).resolve())),
        launch_arguments=configurations.items(),
    )
    service.include_launch_description(LaunchDescription([include]))
    code = service.run()
    if service.ended_by is not None:
        # Everything has ended in order; now end in the way that we were asked to.
        sys.stdout.flush()
        signal.signal(service.ended_by, signal.SIG_DFL)
        os.kill(os.getpid(), service.ended_by)
    return code


COMMAND = Verb("Run a launch file", _add_arguments, _main)
