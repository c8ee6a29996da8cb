# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Let libFuzzer have one target: NAME [OPTIONS OF LIBFUZZER]; tools/fuzz runs this."""

from __future__ import annotations

import sys

import atheris  # type: ignore[import-untyped]

from measure.fuzz.targets import PACKAGES, load


def main() -> None:
    """Instrument what is under test, and fuzz."""
    with atheris.instrument_imports(include=PACKAGES):
        target = load(sys.argv[1])
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target.one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
