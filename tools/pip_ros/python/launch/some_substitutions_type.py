# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What may stand where a text is expected: a string, a substitution, or several of them."""

import collections.abc
from collections.abc import Iterable

from launch.substitution import Substitution

SomeSubstitutionsType = str | Substitution | Iterable[str | Substitution]
SomeSubstitutionsType_types_tuple = (str, Substitution, collections.abc.Iterable)
