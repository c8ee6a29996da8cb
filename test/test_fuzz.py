# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The targets of tools/fuzz, without atheris: seeds, what once went wrong, and some damage."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measure.fuzz import targets

pytestmark = pytest.mark.lint

CHANGES = st.lists(
    st.tuples(st.sampled_from(["write", "insert", "remove", "repeat"]), st.integers(0, 2**20),
              st.binary(min_size=1, max_size=9)),
    max_size=8,
)  # fmt: skip


@pytest.fixture(params=targets.NAMES, scope="module")
def target(request):
    return targets.load(request.param)


def test_the_seeds_are_understood(target):
    seeds = target.seeds()
    assert len(seeds) > 3
    for seed in seeds:
        target.one_input(seed)


@pytest.mark.parametrize("path", [p for n in targets.NAMES for p in targets.examples(n)],
                         ids=lambda p: f"{p.parent.name}-{p.name}")  # fmt: skip
def test_what_once_went_wrong_is_right(path):
    targets.load(path.parent.name).one_input(path.read_bytes())


def test_the_damaged_is_an_error_of_the_decoder(target):
    seeds = target.seeds()

    @settings(max_examples=300, deadline=None)
    @given(number=st.integers(0, len(seeds) - 1), changes=CHANGES)
    def damage(number, changes):
        data = bytearray(seeds[number])
        for kind, where, piece in changes:
            at = where % (len(data) + 1)
            if kind == "write":
                data[at : at + len(piece)] = piece
            elif kind == "insert":
                data[at:at] = piece
            elif kind == "remove":
                del data[at : at + 1 + piece[0]]
            else:
                data[at:at] = data[at : at + 1 + piece[0]]
        target.one_input(bytes(data))

    damage()
