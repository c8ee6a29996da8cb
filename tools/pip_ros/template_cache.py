# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Keeps what EmPy has parsed: rosidl expands the same few templates for each interface file.

Copied into .venv beside rosidl_pycommon, which calls it (see virtual_environment.py). EmPy 4 reads
a template character by character, nine tenths of the time of generating an interface package.
"""

import functools
from types import CodeType
from typing import Any


def keep_templates(em: Any) -> None:
    """Let each template that interpreters of the module ``em`` expand be parsed once.

    Holds for templates whose errors are raised (``dispatcher=False``) and that leave EmPy's own
    markup as it is, as rosidl's do.
    """
    parsed: dict[str, list[Any]] = {}

    class RecordingScanner(em.Scanner):  # type: ignore[misc]
        """Keeps the tokens of the outermost level; what they contain is part of them."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.tokens: list[Any] = []

        def one(self, firebreaks: Any = None) -> Any:
            token = super().one(firebreaks)
            if token is not None and not self.lock:
                self.tokens.append(token)
            return token

    def expand(self: Any, string: str, locals: Any = None, dispatcher: Any = None) -> None:
        tokens = parsed.get(string)
        if tokens is not None:
            self.runSeveral(tokens, locals)
            return
        scanner = RecordingScanner(self.config, self.getContext(), self.currents, string)
        while not self.safe(scanner, True, locals, dispatcher):
            pass
        parsed[string] = scanner.tokens

    @functools.cache
    def compiled(code: str, kind: str) -> CodeType:
        return compile(code, "<string>", kind)

    def evaluate(code: str, *scopes: Any) -> Any:
        return eval(compiled(code.lstrip(" \t"), "eval"), *scopes)

    def execute(code: str, *scopes: Any) -> None:
        exec(compiled(code, "exec"), *scopes)

    em.Interpreter.string = expand
    em.evalFunc = evaluate
    em.execFunc = execute
