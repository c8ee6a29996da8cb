# SPDX-License-Identifier: Apache-2.0
"""Logs are lines of printable characters, whatever the texts in them."""

import logging

import hypothesis.strategies as st
from hypothesis import given

from legacy_robots_common.printable import PrintableFormatter, indented, printable


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
