# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Names of other systems as tokens of ROS names, reversibly.

A token of a ROS name has letters, digits and underscores, does not begin with a digit, and has no
two underscores in a row; one that begins with an underscore is hidden. A name that is such a token
stays what it is (``Bot_1``). In any other, what does not fit is escaped: ``_X``, the code points
in hexadecimal with ``X`` between them, and ``_``. So ``E-Partner_1`` is ``E_X2D_Partner_1``, and
``Bot 1_1`` is ``Bot_X20_1_1``. An escape at the beginning has no first underscore.
"""

from __future__ import annotations

import re

_MISFIT = re.compile(
    r"[^A-Za-z0-9_]"  # not a character of tokens
    r"|^[0-9_]"  # not at the beginning
    r"|(?<=^[0-9])_"  # would stand beside the end of that escape
    r"|_(?=_)|(?<=_)_|_(?=[^A-Za-z0-9_])|(?<=[^A-Za-z0-9_])_"  # would stand beside another one
    r"|^X(?=[0-9A-F])|_(?=X[0-9A-F])"  # would be taken for the beginning of an escape
)


def to_ros_name(name: str) -> str:
    """Return the token of a ROS name for ``name``; different names have different tokens.

    Raises ValueError for an empty name.
    """
    if not name:
        raise ValueError("an empty name has no ROS name")
    token, kept, codes = "", 0, ""
    for misfit in _MISFIT.finditer(name):
        if misfit.start() > kept and codes:
            token, codes = f"{token}X{codes}_", ""
        token += name[kept : misfit.start()]
        if not codes and token and not token.endswith("_"):
            token += "_"
        codes += f"{'X' if codes else ''}{ord(misfit.group()):X}"
        kept = misfit.end()
    if codes:
        token = f"{token}X{codes}_"
    return token + name[kept:]
