# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program ``luar_tools COMMAND``."""

import importlib
import sys

# Command -> the module whose `main(arguments)` runs it, and returns the exit code.
COMMANDS = {
    "color_table": "luar_tools.color_table.command",
    "keyframes": "luar_tools.keyframes.command",
    "state_machines": "luar_tools.state_machines.command",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command that the first argument names; return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    usage = f"usage: luar_tools {{{','.join(sorted(COMMANDS))}}} ..."
    if not given or given[0] in ("-h", "--help"):
        print(usage, "(each command has --help)")
        return 0 if given else 2
    if given[0] not in COMMANDS:
        print(f"luar_tools: no command '{given[0]}'\n{usage}", file=sys.stderr)
        return 2
    try:
        return int(importlib.import_module(COMMANDS[given[0]]).main(given[1:]))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
