# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A deprecated name still works, and says at the caller's line what to write instead."""

import inspect
import types

import pytest

from legacy_robots_core.deprecation import deprecated, moved


@deprecated("new_name")
def old_name(value, *, more=1):
    """Return a sum."""
    return value + more


class Old:
    """A class that remains for one minor version."""

    @deprecated("New")
    def __init__(self, value):
        self.value = value


@deprecated("New")
class Older(Old):
    """A class that is deprecated as a whole."""

    def __init__(self):
        self.value = 7


@pytest.mark.parametrize(
    "use,result,text",
    [
        (lambda: old_name(2, more=3), 5, "old_name is deprecated: use new_name"),
        (lambda: Old(4).value, 4, r"Old.__init__ is deprecated: use New"),
        (lambda: Older().value, 7, "Older is deprecated: use New"),
    ],
)
def test_it_works_and_warns_where_it_is_called(use, result, text):
    with pytest.warns(DeprecationWarning, match=text) as caught:
        assert use() == result
    assert [warning.filename for warning in caught] == [__file__]
    assert caught[0].lineno == inspect.getsourcelines(use)[1]


def test_it_keeps_name_signature_and_docstring():
    assert old_name.__doc__ == "Return a sum."
    assert list(inspect.signature(old_name).parameters) == ["value", "more"]
    assert isinstance(Older, type)


def test_a_name_that_has_moved_is_found_by_its_old_one():
    module = types.ModuleType("old_place")
    module.__getattr__ = moved("old_place", join="os.path:join")
    with pytest.warns(DeprecationWarning, match="old_place.join is deprecated: use os.path.join"):
        assert module.join("a", "b") == "a/b"
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = module.other
