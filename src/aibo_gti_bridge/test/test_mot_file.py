# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The text of motion sequence files: reading, writing, and mistakes with line and reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aibo_gti_bridge.model import mot_file as m
from aibo_gti_bridge.model.mot_file import Advance, Comment, Load, Output, SetTime, Unit
from aibo_gti_bridge.model.mot_writer import write


def statements(*lines: str) -> list[m.Statement]:
    file = m.parse("\n".join(["#MSq", *lines, "#END", ""]))
    assert file.issues == ()
    return [statement for _, statement in file.statements]


def test_every_command_of_the_format() -> None:
    assert statements(
        "# hello",
        "advanceTime 100", "delay\t20", "setTime  3000", "SETTIME 0", "Delay 5",
        "load stand.pos", "overlay wave.mot", "loadExplicit stand.pos",
        "degrees", "Radians",
        "NECK:pan 0.5", "LFr:rotor~ -1 0.5", "Fr:knee 1e-3 0",
    ) == [
        Comment(" hello"),
        Advance(100), Advance(20), SetTime(3000), SetTime(0), Advance(5),
        Load("stand.pos"), Load("wave.mot"), Load("stand.pos", explicit=True),
        Unit.DEGREES, Unit.RADIANS,
        Output("NECK:pan", 0.5), Output("LFr:rotor~", -1.0, 0.5), Output("Fr:knee", 0.001, 0.0),
    ]  # fmt: skip


def test_carriage_returns_and_empty_lines() -> None:
    file = m.parse("#MSq\r\n\r\n delay 5 \r\n#END\r\n")
    assert file.statements == ((3, Advance(5)),)
    assert file.issues == ()


def test_a_posture() -> None:
    file = m.parse("#POS\nNECK:pan 0.5 1\nMOUTH -0.1 0\n#END\n")
    assert file.posture
    assert [s for _, s in file.statements] == [Output("NECK:pan", 0.5), Output("MOUTH", -0.1, 0.0)]


@pytest.mark.parametrize(
    "text,line,reason",
    [
        ("", 1, "the first line must be #MSq"),
        ("#msq\n#END", 1, "the first line must be #MSq"),
        ("#MSq\ndelay 5\n", 3, "the last line must be #END"),
        ("#MSq\n#END\ndelay 5", 3, "nothing is read after #END"),
        ("#MSq\ndelay\n#END", 2, "delay has 0 arguments instead of 1"),
        ("#MSq\n\ndelay 1 2\n#END", 3, "delay has 2 arguments instead of 1"),
        ("#MSq\ndelay -1\n#END", 2, "'-1' is no time in whole milliseconds"),
        ("#MSq\ndelay 0.5\n#END", 2, "'0.5' is no time"),
        ("#MSq\ndelay ²\n#END", 2, "'²' is no time"),
        ("#MSq\ndelay 2147483648\n#END", 2, "'2147483648' is no time"),
        ("#MSq\nradians 1\n#END", 2, "radians has 1 arguments instead of 0"),
        ("#MSq\nload ../stand.pos\n#END", 2, "'../stand.pos' is no file name"),
        ("#MSq\nload a\\b\n#END", 2, "no file name"),
        ("#MSq\nNECK:pan\n#END", 2, "NECK:pan is no command, and an output needs a value"),
        ("#MSq\nNECK:pan left\n#END", 2, "'left' is no number"),
        ("#MSq\nNECK:pan nan\n#END", 2, "'nan' is no number"),
        ("#MSq\nNECK:pan 1e999\n#END", 2, "'1e999' is no number"),
        ("#MSq\nNECK:pan 1_0\n#END", 2, "'1_0' is no number"),
        ("#MSq\nNECK:pan 1 -1\n#END", 2, "the weight of NECK:pan is below zero"),
        ("#MSq\nNECK:pan 1 1 1\n#END", 2, "3 arguments, not a value and a weight"),
        ("#MSq\n" + "x" * 65 + " 1\n#END", 2, "longer than 64 characters"),
        ("#MSq\nNECK:pan 0." + "0" * 33 + "\n#END", 2, "longer than 32 characters"),
        ("#POS\ndelay 5\n#END", 2, "a posture has no delay"),
        ("#MSq\n" + "#\n" * 600_000, 1, "more than 1048576 characters"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_mistakes_are_told_with_line_and_reason(text: str, line: int, reason: str) -> None:
    [issue] = m.parse(text).issues
    assert issue.line == line
    assert reason in issue.reason
    assert str(issue).startswith(f"line {line}: ")


def test_reading_goes_on_after_a_mistake() -> None:
    file = m.parse("#MSq\ndelay x\ndelay 5\nNECK:pan\n#END")
    assert [issue.line for issue in file.issues] == [2, 4]
    assert file.statements == ((3, Advance(5)),)


number = st.floats(allow_nan=False, allow_infinity=False, width=32)
name = st.text("abcNECK:pan~", min_size=1, max_size=20).filter(
    lambda text: text.lower() not in ("load", "delay") and not text.startswith("#")
)
file_name = st.text("abc.mot", min_size=1, max_size=12)
time = st.integers(0, m.MAX_TIME_MS)
any_statement = st.one_of(
    st.builds(Advance, time),
    st.builds(SetTime, time),
    st.builds(Load, file_name, st.booleans()),
    st.sampled_from(Unit),
    st.builds(Output, name, number, number.map(abs)),
    st.text("abc ", max_size=10).map(str.rstrip).map(Comment),
)


@given(st.lists(any_statement, max_size=20), st.booleans())
def test_what_is_written_is_read_back(written: list[m.Statement], crlf: bool) -> None:
    text = write(written)
    file = m.parse(text.replace("\n", "\r\n") if crlf else text)
    assert file.issues == ()
    assert [statement for _, statement in file.statements] == written


@pytest.mark.parametrize(
    "statement",
    [
        Output("NECK pan", 0.0), Output("delay", 0.0), Output("x", float("nan")),
        Output("#x", 1.0), Output("", 1.0), Load("a b"), Load("../a"), Advance(-1),
        Comment("a\nb"), Comment("END"), Comment("a "), Output("x" * 65, 1.0),
    ],
    ids=repr,
)  # fmt: skip
def test_what_the_format_cannot_hold_is_refused(statement: m.Statement) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        write([statement])


words = st.sampled_from(
    ["#MSq", "#END", "#POS", "delay", "load", "NECK:pan", "1", "-0.5", "\n", "\r\n", " ", "#", "~"]
)


@given(st.lists(words | st.text(max_size=5), max_size=40).map("".join), st.booleans())
def test_any_text_gives_statements_or_issues_and_nothing_else(text: str, headed: bool) -> None:
    file = m.parse(("#MSq\n" if headed else "") + text)
    lines = text.count("\n") + 2
    assert all(1 <= line <= lines for line, _ in file.statements)
    assert all(1 <= issue.line <= lines for issue in file.issues)
    assert file.issues or "#END" in text
