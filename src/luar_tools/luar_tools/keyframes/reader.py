# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Read the file of a keyframe motion without running it.

A file is a Lua chunk that returns a table. This reads the part of Lua that such files are made of:
assignments to a table, table constructors, numbers, ``+ - * /``, ``math.pi``, ``math.rad``,
``vector.new`` and comments. All else is an error that names the line; :func:`run_motion`
runs such files, with limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Union

from luar_tools.keyframes.motion import Keyframe, KeyframeMotion
from luar_tools.lua import sandbox
from luar_tools.lua.lexer import LuaSyntaxError, Word, words
from luar_tools.lua.sandbox import LuaFailedError

LONGEST_FILE = 4_000_000
"""Bytes."""
_DEEPEST = 60
"""Of brackets and signs within each other."""

Value = Union[float, str, bool, None, "Table"]
Table = dict[str | int, Value]


class MotionFileError(Exception):
    """The file is no keyframe motion; the message says where and why."""


def read_motion(path: Path) -> KeyframeMotion:
    """Read a file. Raises MotionFileError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MotionFileError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > LONGEST_FILE:
        raise MotionFileError(f"{path.name} has {len(data)} bytes, more than {LONGEST_FILE}")
    try:
        return parse_motion(data.decode("latin-1"))  # as Lua, which knows bytes only
    except MotionFileError as error:
        raise MotionFileError(f"{path.name}: {error}") from error


def run_motion(path: Path) -> KeyframeMotion:
    """Read a file by running it, see luar_tools.lua.sandbox. Raises MotionFileError."""
    try:
        text = path.read_text(encoding="latin-1")
        result = sandbox.run("keyframes/run.lua", path.name, {path.name: text})
        return motion_of(_floats(result))
    except OSError as error:
        raise MotionFileError(f"{path} cannot be read: {error.strerror}") from error
    except (LuaFailedError, MotionFileError) as error:
        raise MotionFileError(f"{path.name}: {error}") from error


def _floats(value: Any) -> Value:
    if isinstance(value, dict):
        return {key: _floats(entry) for key, entry in value.items()}
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if is_number else value


def parse_motion(text: str) -> KeyframeMotion:
    """Read a motion from the text of its file. Raises MotionFileError."""
    try:
        return motion_of(_Parser(text).returned())
    except LuaSyntaxError as error:
        raise MotionFileError(str(error)) from error


def motion_of(value: Value) -> KeyframeMotion:
    """Return the motion that a file's table is. Raises MotionFileError."""
    if not isinstance(value, dict):
        raise MotionFileError("the file returns no table")
    servos = _numbers(value.get("servos"), "servos")
    if not servos or any(servo != int(servo) or servo < 1 for servo in servos):
        raise MotionFileError("'servos' is no list of joint numbers")
    if len(set(servos)) != len(servos):
        raise MotionFileError("'servos' names one twice")
    frames = _list(value.get("keyframes"), "keyframes")
    if not frames:
        raise MotionFileError("the motion has no keyframes")
    return KeyframeMotion(
        tuple(map(int, servos)),
        tuple(_frame(frame, f"keyframe {n}", len(servos)) for n, frame in enumerate(frames, 1)),
    )


def _frame(value: Value, where: str, servos: int) -> Keyframe:
    if not isinstance(value, dict):
        raise MotionFileError(f"{where} is no table")
    angles = _numbers(value.get("angles"), f"{where}: angles")
    if len(angles) < servos:
        raise MotionFileError(f"{where} has {len(angles)} angles for {servos} servos")
    duration = value.get("duration")
    if not isinstance(duration, float) or not 0.0 < duration < math.inf:
        raise MotionFileError(f"{where}: duration is no number above 0")
    stiffness, unused = (
        _numbers(value[key], f"{where}: {key}") if key in value else ()
        for key in ("stiffness", "stiffnesses")
    )
    # The original uses as many as there are servos.
    return Keyframe(angles[:servos], duration, stiffness, unused)


def _list(value: Value, what: str) -> list[Value]:
    """Return the entries 1, 2 … of a table, up to the first that is missing, as Lua's # does."""
    if not isinstance(value, dict):
        raise MotionFileError(f"there is no table '{what}'")
    entries: list[Value] = []
    while len(entries) + 1 in value:
        entries.append(value[len(entries) + 1])
    return entries


def _numbers(value: Value, what: str) -> tuple[float, ...]:
    numbers = []
    for index, entry in enumerate(_list(value, what), 1):
        if not isinstance(entry, float) or not math.isfinite(entry):
            raise MotionFileError(f"{what}: entry {index} is no finite number")
        numbers.append(entry)
    return tuple(numbers)


class _VectorTable(Table):
    """What vector.new returns: it can be multiplied and divided by a number, added to another."""


class _Parser:
    """Evaluates a chunk, statement by statement."""

    def __init__(self, text: str) -> None:
        self._words = list(words(text))
        self._at = 0
        self._depth = 0
        self._known: Table = {"math": {"pi": math.pi}}

    def returned(self) -> Value:
        """Return what the chunk returns."""
        while not self._takes("return"):
            word = self._next
            if self._takes(";"):
                continue
            is_local = self._takes("local")
            if self._next.kind != "name" or self._next.text in _STATEMENTS:
                self._fail(word, "only assignments and 'return' are read here")
            place = self._name()
            if is_local:
                self._known[place] = self._expression() if self._takes("=") else None
                continue
            self._assign(place)
        value = self._expression()
        self._takes(";")
        if self._next.kind != "end":
            self._fail(self._next, "something follows 'return'")
        return value

    # --- statements ------------------------------------------------------------------------

    def _assign(self, name: str) -> None:
        word, parts = self._next, [name]
        while self._takes("."):
            parts.append(self._name())
        if self._next.text == "(" or self._next.kind == "string":
            # The modules that such files load are known here.
            bracket = self._takes("(")
            if parts != ["require"] or self._advance().kind != "string":
                self._fail(word, f"{'.'.join(parts)}(…) is not run here")
            if bracket:
                self._want(")")
            return
        self._want("=")
        table, key = self._known, parts[-1]
        for part in parts[:-1]:
            table = self._table(table.get(part), part)
        table[key] = self._expression()

    def _table(self, value: Value, name: str) -> Table:
        if not isinstance(value, dict):
            self._fail(self._next, f"'{name}' is no table")
        return value

    # --- expressions -----------------------------------------------------------------------

    def _expression(self) -> Value:
        value = self._product()
        while self._next.text in "+-" and self._next.kind == "sign":
            sign = self._advance()
            value = self._calculate(sign, value, self._product())
        return value

    def _product(self) -> Value:
        value = self._unary()
        while self._next.text in "*/" and self._next.kind == "sign":
            sign = self._advance()
            value = self._calculate(sign, value, self._unary())
        return value

    def _unary(self) -> Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(self._next, "too many brackets or signs within each other")
        try:
            sign = self._next
            if self._takes("-"):
                return self._calculate(sign._replace(text="*"), self._unary(), -1.0)
            return self._primary()
        finally:
            self._depth -= 1

    def _primary(self) -> Value:
        word = self._advance()
        if word.kind == "number":
            return float(int(word.text, 16)) if word.text[:2] in ("0x", "0X") else float(word.text)
        if word.kind == "string":
            return word.text
        if word.text == "{":
            return self._constructor()
        if word.text == "(":
            value = self._expression()
            self._want(")")
            return value
        if word.kind == "name":
            if word.text in ("true", "false", "nil"):
                return {"true": True, "false": False}.get(word.text)
            return self._named(word)
        return self._fail(word, f"{word.text or 'the end'!r} is not read here")

    def _named(self, word: Word) -> Value:
        """Return the value of a name such as math.pi, or of a call such as vector.new(…)."""
        parts = [word.text]
        value: Value = self._known.get(word.text)
        while self._takes("."):
            parts.append(self._name())
            value = value.get(parts[-1]) if isinstance(value, dict) else None
        name = ".".join(parts)
        if name in _FUNCTIONS and self._takes("("):
            argument = None if self._next.text == ")" else self._expression()
            self._want(")")
            return _FUNCTIONS[name](argument)
        if name == "vector.new" and self._takes("{"):
            return _vector(self._constructor())
        if self._next.text == "(" or value is None:
            self._fail(word, f"'{name}' is not known here")
        return value

    def _constructor(self) -> Table:
        table: Table = {}
        index = 1
        while not self._takes("}"):
            first = self._next
            following = self._words[self._at + 1]
            if first.text == "[" and first.kind == "sign":
                self._at += 1
                key = self._expression()
                self._want("]")
                self._want("=")
                value = self._expression()
                if isinstance(key, float) and key == int(key):
                    table[int(key)] = value
                elif isinstance(key, str):
                    table[key] = value
                else:
                    self._fail(first, "such a key is not read here")
            elif first.kind == "name" and following == ("sign", "=", following.line):
                self._at += 2
                table[first.text] = self._expression()
            else:
                table[index] = self._expression()
                index += 1
            if not (self._takes(",") or self._takes(";")) and self._next.text != "}":
                self._fail(self._next, f"',' or '}}' is missing before {self._next.text!r}")
        return table

    def _calculate(self, sign: Word, left: Value, right: Value) -> Value:
        vector = isinstance(left, _VectorTable), isinstance(right, _VectorTable)
        if isinstance(left, float) and isinstance(right, float):
            return self._number(sign, left, right)
        if all(vector) and sign.text in "+-":
            assert isinstance(left, dict)
            assert isinstance(right, dict)
            if len(left) != len(right):
                self._fail(sign, "vectors of different lengths are added")
            pairs = zip(left.items(), right.values(), strict=True)
            return _VectorTable({k: self._element(sign, a, b) for (k, a), b in pairs})
        if vector[0] and isinstance(right, float) and sign.text in "*/":
            assert isinstance(left, dict)
            return _VectorTable({k: self._element(sign, a, right) for k, a in left.items()})
        if vector[1] and isinstance(left, float) and sign.text == "*":
            return self._calculate(sign, right, left)
        return self._fail(sign, f"there is no number or vector on each side of '{sign.text}'")

    def _element(self, sign: Word, left: Value, right: Value) -> float:
        if not isinstance(left, float) or not isinstance(right, float):
            self._fail(sign, "a vector has an entry that is no number")
        return self._number(sign, left, right)

    def _number(self, sign: Word, left: float, right: float) -> float:
        if sign.text == "/" and right == 0.0:
            self._fail(sign, "a number is divided by 0")
        return _OPERATIONS[sign.text](left, right)

    # --- words -----------------------------------------------------------------------------

    @property
    def _next(self) -> Word:
        return self._words[self._at]

    def _advance(self) -> Word:
        word = self._words[self._at]
        if word.kind != "end":
            self._at += 1
        return word

    def _takes(self, text: str) -> bool:
        word = self._next
        if word.text != text or word.kind not in ("sign", "name"):
            return False
        self._at += 1
        return True

    def _want(self, text: str) -> None:
        if not self._takes(text):
            self._fail(self._next, f"'{text}' is missing before {self._next.text or 'the end'!r}")

    def _name(self) -> str:
        word = self._advance()
        if word.kind != "name":
            self._fail(word, "a name is missing")
        return word.text

    def _fail(self, word: Word, reason: str) -> NoReturn:
        raise LuaSyntaxError(f"line {word.line}: {reason}")


_STATEMENTS = ("while", "for", "if", "repeat", "function", "do", "break")
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def _vector(value: Value) -> Value:
    return _VectorTable(value) if isinstance(value, dict) else _VectorTable()


def _radians(value: Value) -> Value:
    return math.radians(value) if isinstance(value, float) else None


_FUNCTIONS: dict[str, Callable[[Value], Value]] = {"vector.new": _vector, "math.rad": _radians}
