# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The command ``state_machines``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from luar_tools.state_machines.drawing import dot, svg
from luar_tools.state_machines.machine import Jump, StateMachine
from luar_tools.state_machines.reader import MachineFileError, Setting, read_machines


def main(arguments: list[str]) -> int:
    """Print and draw the machines of files; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="luar_tools state_machines",
        description="Read state machines by execution in a sandbox; print and draw them.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="such as BodyFSM.lua")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="what the configuration says, such as Config.fsm.playMode=2 or gcm.get_team_role=0",
    )
    parser.add_argument("--dot", type=Path, metavar="OUT", help="write a graph for graphviz")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="write a picture")
    options = parser.parse_args(arguments)
    machines: list[StateMachine] = []
    failed = False
    for path in options.files:
        try:
            machines += read_machines(path, dict(options.set))
        except MachineFileError as error:
            sys.stderr.write(f"luar_tools: {error}\n")
            failed = True
    jumps = [jump for machine in machines for jump in machine.jumps]
    for machine in machines:
        sys.stdout.write("\n".join([*_lines(machine, jumps), ""]))
    for path, draw in ((options.dot, dot), (options.svg, svg)):
        if path is not None and machines:
            try:
                path.write_text(draw(machines), encoding="utf-8")
            except OSError as error:
                sys.stderr.write(f"luar_tools: {path} cannot be written: {error.strerror}\n")
                failed = True
    return 1 if failed else 0


def _setting(text: str) -> tuple[str, Setting]:
    name, given, value = text.partition("=")
    if not given or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    try:
        return name, float(value)
    except ValueError:
        return name, value


def _lines(machine: StateMachine, jumps: list[Jump]) -> list[str]:
    count = len(machine.transitions)
    replaced = f" ({machine.replaced} more were replaced)" if machine.replaced else ""
    lines = [
        f"{machine.name}: {len(machine.states)} states, {count} transitions{replaced}, "
        f"{len(machine.events)} events",
        f"  states: {' '.join(machine.states)}",
    ]
    for state in machine.states:
        ways = ", ".join(f"{t.event}→{t.target}" for t in machine.transitions if t.source == state)
        if ways:
            lines.append(f"  {state}: {ways}")
    for title, names in (
        ("in no transition", machine.in_no_transition),
        ("unreachable", machine.unreachable(jumps)),
        ("no states of it: the robot's own fsm stops there", machine.unknown),
        ("not told", machine.asked),
    ):
        if names:
            lines.append(f"  {title}: {' '.join(names)}")
    lines += [
        f"  set_state: {j.machine} {j.state}.{j.function} → {j.target or 'a computed name'}"
        for j in jumps
        if j.target_machine == machine.role
    ]
    return lines
