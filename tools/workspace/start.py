# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""How the measuring commands start. To import it is to go on in a supported Python."""

from workspace.interpreter import use_supported_python

use_supported_python()  # type: ignore[no-untyped-call]  # any Python 3

from workspace.session import main, prepare, replace_process  # noqa: E402


def start_measuring(package: str, fuzz: bool = False) -> None:
    """Become ``python -m package`` with the command line, in the environment of tests."""

    def run(arguments: "list[str]") -> None:
        session = prepare(test=True, fuzz=fuzz)
        replace_process([*session.python, "-m", package, *arguments], session.env)

    main(run)
