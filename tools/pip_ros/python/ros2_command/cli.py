# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Find the command and its verb, read its arguments and run it.

Modules of commands are imported only when they are used, and they import rclpy only when they run.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import traceback
from typing import NoReturn

from ros2_command.leaving import leave
from ros2_command.verb import CommandError, Result, Verb

_COMMANDS = {
    "action": "Various action related sub-commands",
    "interface": "Show information about ROS interfaces",
    "launch": "Run a launch file",
    "node": "Various node related sub-commands",
    "param": "Various param related sub-commands",
    "pkg": "Various package related sub-commands",
    "run": "Run a package specific executable",
    "service": "Various service related sub-commands",
    "topic": "Various topic related sub-commands",
}
_REST = "the complete ros2cli comes with a ROS 2 installation (see tools/pip_ros/README.md)"


class _Parser(argparse.ArgumentParser):
    """Keep the message of an error beside the usage of the one verb that was meant."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")


def main(argv: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] == "--use-python-default-buffering":
        words.pop(0)
    try:
        result = _dispatch(words)
        sys.stdout.flush()
    except CommandError as error:
        result = str(error)
    except KeyboardInterrupt:
        result = int(signal.SIGINT)
    except BrokenPipeError:
        # The reader of our output has gone; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        result = 128 + signal.SIGPIPE
    except Exception:
        traceback.print_exc()
        result = 1
    if isinstance(result, str):
        print(result, file=sys.stderr)
        result = 1
    return leave(result or 0)


def _dispatch(words: list[str]) -> Result:
    if not words or words[0] in ("-h", "--help"):
        print(
            _overview(
                "ros2",
                "ros2 is a command-line tool for ROS 2; this one is the subset of tools/pip_ros.",
                _COMMANDS,
            )
        )
        return 0
    command = words[0]
    if command not in _COMMANDS:
        return _unknown("ros2", command, _COMMANDS)
    module = importlib.import_module(f"ros2_command.{command}_command")
    verb: Verb | None = getattr(module, "COMMAND", None)
    if verb is not None:
        return _run(f"ros2 {command}", verb, words[1:])
    verbs: dict[str, Verb] = module.VERBS
    shown = {name: entry.help for name, entry in verbs.items()}
    if len(words) == 1 or words[1] in ("-h", "--help"):
        print(_overview(f"ros2 {command}", _COMMANDS[command], shown))
        return 0
    if words[1] not in verbs:
        return _unknown(f"ros2 {command}", words[1], shown)
    return _run(f"ros2 {command} {words[1]}", verbs[words[1]], words[2:])


def _run(prog: str, verb: Verb, words: list[str]) -> Result:
    parser = _Parser(
        prog=prog,
        description=verb.help,
        # A prefix of an option could mean another one in the original.
        allow_abbrev=False,
    )
    verb.add_arguments(parser)
    return verb.main(parser.parse_args(words))


def _overview(prog: str, text: str, commands: dict[str, str]) -> str:
    width = max(map(len, commands))
    lines = [f"usage: {prog} [-h] Call `{prog} <command> -h` for more detailed usage. ...", ""]
    lines += [text, "", "options:", "  -h, --help  show this help message and exit", ""]
    lines += ["Commands:", *(f"  {name:{width}}  {help_}" for name, help_ in commands.items())]
    return "\n".join([*lines, "", f"  Call `{prog} <command> -h` for more detailed usage."])


def _unknown(prog: str, word: str, known: dict[str, str]) -> int:
    choices = ", ".join(repr(name) for name in known)
    print(
        f"{prog}: error: invalid choice: {word!r} (choose from {choices}); the rest is not part "
        f"of the subset that tools/pip_ros provides: {_REST}",
        file=sys.stderr,
    )
    return 2
