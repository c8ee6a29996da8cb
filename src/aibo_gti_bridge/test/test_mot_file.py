# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The text of motion sequence files: reading, writing, and mistakes with line and reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aibo_gti_bridge.model import mot_file as m
from aibo_gti_bridge.model.mot_statements import (
    MAX_TIME_MS,
    Advance,
    Comment,
    Load,
    Output,
    SetTime,
    Severity,
    Statement,
    Unit,
)
from aibo_gti_bridge.model.mot_writer import write


def statements(*lines: str) -> list[Statement]:
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
        ("#MSq\nsetTime -1\n#END", 2, "'-1' is no time in whole milliseconds"),
        ("#MSq\ndelay 2147483648\n#END", 2, "'2147483648' is no time"),
        ("#MSq\nNECK:pan nan\n#END", 2, "'nan' is no number"),
        ("#MSq\nNECK:pan 1 -inf\n#END", 2, "'-inf' is no number"),
        ("#MSq\nNECK:pan 1e999\n#END", 2, "'1e999' is no number"),
        ("#MSq\n" + "#\n" * 600_000, 1, "more than 1048576 characters"),
        ("#MSq\n\ndelay 5", 3, "the file ends within a line"),
        ("#MSq\nNECK:pan 1 0.5", 2, "the file ends within a line"),
        ("#POS\ndelay\n#END", 2, "delay has no value"),
        ("#POS\n<wings>\n#END", 2, "there is no section wings"),
        ("#POS\noutputs = 1 2\n#END", 2, "outputs needs 47 values, it has 2"),
        ("#POS\ncondensed ERS-210\n#END", 2, "only a posture of the ERS-7 can be read"),
        ("#POS\nspecialize [\n#END", 2, "'[' is no pattern"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_the_robot_refuses(text: str, line: int, reason: str) -> None:
    issue = m.parse(text).issues[-1]
    assert issue.severity is Severity.ERROR
    assert issue.line == line
    assert reason in issue.reason
    assert str(issue).startswith(f"line {line}: error: ")


@pytest.mark.parametrize(
    "text,line,reason,read",
    [
        ("#MSq\ndelay 5\n", 3, "the last line should be #END", [Advance(5)]),
        ("#POS\nMOUTH -0.5", 2, "the last line should be #END", [Output("MOUTH", -0.5)]),
        ("#MSq\nNECK:pan 1 0.5 ", 2, "the last line should be #END", [Output("NECK:pan", 1, 0.5)]),
        ("#MSq\n#END\ndelay 5", 3, "nothing is read after #END", []),
        ("#MSq\n #END\ndelay 5\n#END", 2, "the robot reads on", [Advance(5)]),
        ("#MSq\n#END \ndelay 5\n#END", 2, "the robot reads on", [Advance(5)]),
        ("#POS\n#END \nMOUTH 1\n#END", 2, "the robot reads on", [Output("MOUTH", 1)]),
        ("#MSq\n \t\ndelay 5\n#END", 2, "of a line of blanks", [Advance(5)]),
        ("#MSq\n # x\ndelay 5\n#END", 2, "takes # for an output", [Advance(5)]),
        ("#MSq\ndelay 1000 # x\n#END", 2, "ignores what follows in the line: #", [Advance(1000)]),
        ("#MSq\nradians 1\n#END", 2, "ignores what follows in the line: 1", [Unit.RADIANS]),
        ("#MSq\ndelay\n#END", 2, "delay has no argument", [Advance(0)]),
        ("#MSq\ndelay 0.5\n#END", 2, "'0.5' is no time", []),
        ("#MSq\ndelay 08\n#END", 2, "'08' is no time", []),
        ("#MSq\ndelay ²\n#END", 2, "'²' is no time", []),
        ("#MSq\nload ../stand.pos\n#END", 2, "'../stand.pos' is no file name", []),
        ("#MSq\nload a\\b\n#END", 2, "no file name", []),
        ("#MSq\nNECK:pan\n#END", 2, "has no value; the robot takes 0", [Output("NECK:pan", 0)]),
        ("#MSq\nNECK:pan 0,5\n#END", 2, "'0,5' is no number", []),
        ("#MSq\nNECK:pan 1_0\n#END", 2, "'1_0' is no number", []),
        ("#MSq\nNECK:pan 1 0,5\n#END", 2, "'0,5' is no number: the weight of NECK:pan is 1",
         [Output("NECK:pan", 1)]),
        ("#MSq\nNECK:pan 1 #x\n#END", 2, "'#x' is no number: the weight", [Output("NECK:pan", 1)]),
        ("#MSq\nNECK:pan 1 -1\n#END", 2, "is below zero", [Output("NECK:pan", 1, 0)]),
        ("#MSq\nNECK:pan 1 1 1\n#END", 2, "ignores what follows", [Output("NECK:pan", 1)]),
        ("#MSq\n" + "x" * 64 + " 1\n#END", 2, "only 63 characters of xxx", [Output("x" * 63, 1)]),
        ("#MSq\nNECK:pan 0." + "0" * 33 + "\n#END", 2, "only 31 char", [Output("NECK:pan", 0)]),
        ("#POS\nNECK:pan 0,5\n#END", 2, "the robot takes 0", [Output("NECK:pan", 0)]),
        ("#POS\nNECK:pan 1 1 1\n#END", 2, "ignores what follows", [Output("NECK:pan", 1)]),
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_what_tekkotsus_loader_takes_all_the_same(
    text: str, line: int, reason: str, read: list[Statement]
) -> None:
    file = m.parse(text)
    assert file.issues[0].severity is Severity.WARNING
    assert file.issues[0].line == line
    assert reason in file.issues[0].reason
    assert [statement for _, statement in file.statements] == read


@pytest.mark.parametrize(
    "text,milliseconds", [("0500", 320), ("0x10", 16), ("500", 500), ("+5", 5), ("0", 0)]
)
def test_times_are_read_as_c_reads_them(text: str, milliseconds: int) -> None:
    assert statements(f"delay {text}") == [Advance(milliseconds)]


def test_reading_goes_on_after_a_mistake() -> None:
    file = m.parse("#MSq\ndelay x\ndelay 5\nNECK:pan\n#END")
    assert [issue.line for issue in file.issues] == [2, 4]
    assert file.statements == ((3, Advance(5)), (4, Output("NECK:pan", 0.0)))


number = st.floats(allow_nan=False, allow_infinity=False, width=32)
name = st.text("abcNECK:pan~", min_size=1, max_size=20).filter(
    lambda text: text.lower() not in ("load", "delay") and not text.startswith("#")
)
file_name = st.text("abc.mot", min_size=1, max_size=12)
time = st.integers(0, MAX_TIME_MS)
any_statement = st.one_of(
    st.builds(Advance, st.integers(-MAX_TIME_MS, MAX_TIME_MS)),
    st.builds(SetTime, time),
    st.builds(Load, file_name, st.booleans()),
    st.sampled_from(Unit),
    st.builds(Output, name, number, number.map(abs)),
    st.text("abc ", max_size=10).map(str.rstrip).map(Comment),
)


@given(st.lists(any_statement, max_size=20), st.booleans())
def test_what_is_written_is_read_back(written: list[Statement], crlf: bool) -> None:
    text = write(written)
    file = m.parse(text.replace("\n", "\r\n") if crlf else text)
    assert file.issues == ()
    assert [statement for _, statement in file.statements] == written


@pytest.mark.parametrize(
    "statement",
    [
        Output("NECK pan", 0.0), Output("delay", 0.0), Output("x", float("nan")),
        Output("#x", 1.0), Output("", 1.0), Load("a b"), Load("../a"), SetTime(-1),
        Comment("a\nb"), Comment("END"), Comment("a "), Output("x" * 64, 1.0),
        Output("x", 1.0, -1.0),
    ],
    ids=repr,
)  # fmt: skip
def test_what_the_format_cannot_hold_is_refused(statement: Statement) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        write([statement])


words = st.sampled_from(
    ["#MSq", "#END", "#POS", "delay", "load", "NECK:pan", "1", "-0.5", "\n", "\r\n", " ", "#", "~"]
)


@given(st.lists(words | st.text(max_size=5), max_size=40).map("".join), st.booleans())
def test_any_text_gives_statements_or_issues_and_nothing_else(text: str, headed: bool) -> None:
    file = m.parse(("#MSq\n" if headed else "") + text)
    lines = len(re.split("\r\n|\r|\n", text)) + 1
    assert all(1 <= line <= lines for line, _ in file.statements)
    assert all(1 <= issue.line <= lines for issue in file.issues)
    assert file.issues or "#END" in text
