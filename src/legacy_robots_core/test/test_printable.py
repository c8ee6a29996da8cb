# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Logs are lines of printable characters, whatever the texts in them."""

import logging
import subprocess
import sys

import hypothesis.strategies as st
import pytest
from hypothesis import given

from legacy_robots_core.printable import PrintableFormatter, indented, printable


@given(st.text(st.characters(exclude_categories=())), st.integers(1, 50))
def test_any_text_is_one_bounded_printable_line(text, longest):
    shown = printable(text, longest)
    assert shown.isprintable()
    assert len(shown) <= 10 * longest + 40


def test_what_is_printable_stays_and_the_rest_can_be_read():
    assert printable("Bot_1: größer") == "Bot_1: größer"
    assert printable("a\n[ERROR] b\x1b[31m\x07\u202e\udc80") == (
        r"a\n[ERROR] b\x1b[31m\x07\u202e\udc80"
    )
    assert printable("abcdef", 4) == "abcd... (2 more characters)"


def test_a_record_and_its_traceback_cannot_be_forged():
    try:
        raise ValueError("x\n12:00:00 ERROR forged\x1b[2J")
    except ValueError as error:
        record = logging.LogRecord("n", 40, "", 1, "<- %s", ("a\nb\x07",), None)
        record.exc_info = (ValueError, error, error.__traceback__)
    head, *lines = PrintableFormatter("%(message)s").format(record).split("\n")
    assert head == r"<- a\nb\x07"
    assert lines
    assert all(line.startswith("  | ") and line.isprintable() for line in lines)
    assert indented("a\nb") == "  | a\n  | b"


PROGRAM = r"""
import logging, threading, warnings

TEXT = "a\n12:00:00 ERROR forged\x1b[2J\x9b\udc80" + 5000 * "x"

def fail():
    raise ValueError(TEXT)

class Unraisable:
    def __del__(self):
        fail()

def main():
    logging.getLogger("n").error("%s", TEXT)
    warnings.warn(TEXT)
    Unraisable()
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    fail()
"""


@pytest.mark.node
def test_what_python_prints_of_an_executable_cannot_be_forged(tmp_path):
    (tmp_path / "hostile_program.py").write_text(PROGRAM, encoding="utf-8")
    code = "from legacy_robots_core import executable; executable.hostile_program.main()"
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(tmp_path)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count(r"forged\x1b[2J\x9b\udc80xxx") == 5
    lines = done.stderr.splitlines()
    assert all(line.isprintable() and len(line) < 2300 for line in lines)
    assert not [line for line in lines if line.startswith("12:00:00")]
