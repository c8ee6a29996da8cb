# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``ros2 interface``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from ros2_command.verb import CommandError, Result, Verb

_TITLES = {"msg": "Messages:", "srv": "Services:", "action": "Actions:"}
_PRIMITIVE = re.compile(r"(bool|byte|char|u?int(8|16|32|64)|float(32|64)|w?string)(<=\d+)?$")


def _all_interfaces() -> dict[str, list[str]]:
    """Return for each package its interfaces as ``kind/Type``."""
    from ament_index_python.resources import get_resource, get_resources

    found = {}
    for package in sorted(get_resources("rosidl_interfaces")):
        content, _ = get_resource("rosidl_interfaces", package)
        names = {
            line.rsplit(".", 1)[0]
            for line in content.splitlines()
            if line.endswith((".msg", ".srv", ".action", ".idl")) and line.count("/") == 1
        }
        # A service or action in the index brings messages of its own, which are never sent alone.
        found[package] = sorted(names)
    return found


# show -----------------------------------------------------------------------------------------
def _show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "type",
        help="Show an interface definition (e.g. 'example_interfaces/msg/String'). Passing '-' "
        "reads the argument from stdin (e.g. 'ros2 topic type /chatter | ros2 interface show "
        "-').",
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--all-comments",
        action="store_true",
        help="Show all comments, including for nested interface definitions",
    )
    either.add_argument(
        "--no-comments", action="store_true", help="Show no comments or whitespace"
    )


def _show(args: argparse.Namespace) -> Result:
    name = args.type
    if name == "-":
        name = sys.stdin.readline().strip()
        if not name:
            raise CommandError("the passed value is empty")
    if name.count("/") != 2:
        raise CommandError(f"Invalid name '{name}'. Expected three parts separated by '/'")
    package, kind, type_ = name.split("/")
    _print_definition(package, kind, type_, 0, args)
    return 0


def _definition(package: str, kind: str, type_: str) -> list[str]:
    """Return the lines of an interface file."""
    from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

    try:
        share = Path(get_package_share_directory(package))
    except (PackageNotFoundError, ValueError):
        raise CommandError(f"Unknown package '{package}'") from None
    path = share / kind / f"{type_}.{kind}"
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise CommandError(f"Could not find the interface '{path}'") from None


def _print_definition(
    package: str, kind: str, type_: str, depth: int, args: argparse.Namespace
) -> None:
    shown = args.all_comments or (depth == 0 and not args.no_comments)
    for line in _definition(package, kind, type_):
        code = line if "#" not in line else line[: _comment_start(line)].rstrip()
        if shown or code.strip():
            print(("\t" * depth + (line if shown else code)).rstrip())
        nested = _nested_type(package, code)
        if nested is not None:
            _print_definition(nested[0], "msg", nested[1], depth + 1, args)


def _comment_start(line: str) -> int:
    """Return where the comment starts; a ``#`` inside quotes is text."""
    quote = ""
    for index, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#":
            return index
    return len(line)


def _nested_type(package: str, code: str) -> tuple[str, str] | None:
    """Return package and type of a field that is a message itself."""
    words = code.split()
    if len(words) < 2:
        return None
    type_ = words[0].split("[")[0]
    if _PRIMITIVE.match(type_):
        return None
    parts = type_.split("/")
    if len(parts) == 1:
        return package, type_
    return parts[0], parts[-1]


# list, package, packages ----------------------------------------------------------------------
def _kind_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", "--only-msgs", action="store_true", help="Only the message types")
    parser.add_argument("-s", "--only-srvs", action="store_true", help="Only the service types")
    parser.add_argument("-a", "--only-actions", action="store_true", help="Only the action types")


def _kinds(args: argparse.Namespace) -> list[str]:
    chosen = {"msg": args.only_msgs, "srv": args.only_srvs, "action": args.only_actions}
    return [kind for kind, only in chosen.items() if only] or list(chosen)


def _of_kind(names: Iterable[str], kind: str) -> list[str]:
    return [name for name in names if name.startswith(f"{kind}/")]


def _list(args: argparse.Namespace) -> Result:
    interfaces = _all_interfaces()
    for kind in _kinds(args):
        print(_TITLES[kind])
        for package, names in interfaces.items():
            for name in _of_kind(names, kind):
                print(f"    {package}/{name}")
    return 0


def _package_arguments(parser: argparse.ArgumentParser) -> None:
    _kind_arguments(parser)
    parser.add_argument("package_name", help="Name of the ROS package (e.g. 'example_interfaces')")


def _package(args: argparse.Namespace) -> Result:
    names = _all_interfaces().get(args.package_name)
    if names is None:
        raise CommandError(f"Unknown package '{args.package_name}'")
    for kind in _kinds(args):
        for name in _of_kind(names, kind):
            print(f"{args.package_name}/{name}")
    return 0


def _packages(args: argparse.Namespace) -> Result:
    for package, names in _all_interfaces().items():
        if any(_of_kind(names, kind) for kind in _kinds(args)):
            print(package)
    return 0


VERBS = {
    "list": Verb("List all interface types available", _kind_arguments, _list),
    "package": Verb(
        "Output a list of available interface types within one package",
        _package_arguments,
        _package,
    ),
    "packages": Verb(
        "Output a list of packages that provide interfaces", _kind_arguments, _packages
    ),
    "show": Verb("Output the interface definition", _show_arguments, _show),
}
