# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The values of both profiles: examples of the document and of the game, and properties."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboskate_game.protocol.dialect import (
    Dialect,
    MatrixOrder,
    Profile,
    check_run_time,
    check_total_time,
)
from roboskate_game.protocol.messages import (
    BoardState,
    CallFailedError,
    ImageSize,
    InfoReply,
    InitializeReply,
    Keys,
    ProtocolError,
    RotationMatrix,
    RotationVectors,
    RunReply,
    WrongLengthError,
)

SPEC, GAME = Dialect(Profile.SPEC), Dialect(Profile.GAME)
BOTH = pytest.mark.parametrize("dialect", [SPEC, GAME], ids=["spec", "game"])
SIZE = ImageSize(200, 100)
# The document's example of get_info (specification, 3.0.3).
EXAMPLE = InfoReply(b"\x00", (0.0,) * 9, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0,) * 6)
GAME_EXAMPLE = InfoReply(
    b"0",
    (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0),
    (10.0, 20.0, 30.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    (90.0, -45.0, 30.0, 170.0, 0.0, -10.0),
)


def changed(reply, **values):
    return InfoReply(**{**vars(reply), **values})


# --- initialize ---------------------------------------------------------------------------------


def test_initialize_is_json_in_the_document_and_csv_in_the_real_game():
    assert json.loads(SPEC.encode_initialize(1, SIZE)) == {"level": 1}
    assert GAME.encode_initialize(0, ImageSize(200, 200)) == "0,200,200"


def test_initialize_is_understood_by_the_other_side():
    assert SPEC.decode_initialize('{"level": 1}') == (1, None)
    assert SPEC.decode_initialize('{\n  "level": 1\n}') == (1, None)
    assert GAME.decode_initialize("2,1000,300") == (2, ImageSize(1000, 300))
    assert GAME.decode_initialize(" 2, 10 ,10") == (2, ImageSize(10, 10))


@pytest.mark.parametrize(
    "dialect, text",
    [
        (SPEC, ""), (SPEC, "1"), (SPEC, "{}"), (SPEC, '{"level": "1"}'), (SPEC, '{"level": 1.5}'),
        (SPEC, '{"level": true}'), (SPEC, '{"level": -1}'), (SPEC, "0,200,200"),
        (SPEC, "[" * 100_000), (SPEC, '{"level": 1, "other": []}'), (GAME, '{"level": 1, "x": 0}'),
        (GAME, ""), (GAME, "0"), (GAME, "0,200"), (GAME, "0,200,200,1"), (GAME, "a,200,200"),
        (GAME, "0,0,200"), (GAME, "0,200,-1"), (GAME, "0,99999,99999"), (GAME, '{"level": null}'),
        (GAME, "0,200," + "9" * 5000), (GAME, "٣,200,200"),
    ],
)  # fmt: skip
def test_a_bad_initialize_is_refused(dialect, text):
    with pytest.raises(ProtocolError):
        dialect.decode_initialize(text)


@BOTH
def test_the_size_is_that_of_the_answer(dialect):
    reply = InitializeReply(dialect.success, 1920, 1080)
    assert dialect.decode_image_size(reply) == ImageSize(1920, 1080)
    for width, height in ((0, 10), (10, 0), (2**32 - 1, 2**32 - 1)):
        with pytest.raises(ProtocolError, match="not possible"):
            dialect.decode_image_size(InitializeReply(dialect.success, width, height))


# --- success ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dialect, bad", [(SPEC, b"0"), (GAME, b"\x00"), (SPEC, b"\x01"), (GAME, b"1"), (SPEC, b""),
                     (SPEC, b"\x00\x00"), (GAME, b"00")],
)  # fmt: skip
def test_any_other_success_is_a_failure(dialect, bad):
    dialect.check_success("shutdown", dialect.success)
    with pytest.raises(CallFailedError, match="shutdown failed") as caught:
        dialect.check_success("shutdown", bad)
    assert caught.value.success == bad


def test_a_failed_answer_is_not_looked_into():
    with pytest.raises(CallFailedError):
        SPEC.decode_info(InfoReply(b"\x01", (), (), ()))
    with pytest.raises(CallFailedError):
        SPEC.decode_image_size(InitializeReply(b"\x02", 0, 0))


# --- get_info -----------------------------------------------------------------------------------


def test_the_documents_example():
    state = SPEC.decode_info(EXAMPLE)
    zero = (0.0, 0.0, 0.0)
    identity = RotationMatrix(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    assert state == BoardState(zero, zero, zero, identity, zero, zero)


def test_the_real_games_shape():
    state = GAME.decode_info(GAME_EXAMPLE)
    assert state == BoardState(
        position=(1.0, 2.0, 3.0),
        linear_velocity=(4.0, 5.0, 6.0),
        angular_velocity=(7.0, 8.0, 9.0),
        rotation=RotationVectors(
            (10.0, 20.0, 30.0), (0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
        ),
        joint_angles=(90.0, -45.0, 30.0),
        joint_velocities=(170.0, 0.0, -10.0),
    )


@pytest.mark.parametrize("dialect, example", [(SPEC, EXAMPLE), (GAME, GAME_EXAMPLE)])
@pytest.mark.parametrize("name", ["position", "rotation", "joints"])
@pytest.mark.parametrize("change", [-1, 1])
def test_a_list_of_the_wrong_length_is_named(dialect, example, name, change):
    values = list(getattr(example, name))
    values = values[:change] if change < 0 else [*values, 0.0]
    with pytest.raises(WrongLengthError, match=f"{len(values)} floats instead of"):
        dialect.decode_info(changed(example, **{name: values}))


def test_seven_floats_of_rotation_are_no_rotation():
    with pytest.raises(WrongLengthError, match="boardRotation has 7 floats instead of 13"):
        GAME.decode_info(changed(GAME_EXAMPLE, rotation=GAME_EXAMPLE.rotation[:7]))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["position", "rotation", "joints"])
def test_what_is_no_number_is_refused(name, bad):
    values = [bad, *getattr(EXAMPLE, name)[1:]]
    with pytest.raises(ProtocolError, match="no numbers"):
        SPEC.decode_info(changed(EXAMPLE, **{name: values}))


@pytest.mark.parametrize(
    "rotation",
    [(0.0,) * 9, (1.0, 0, 0, 0, 1.0, 0, 0, 0, -1.0), (2.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0),
     (1.0, 1.0, 0, 0, 1.0, 0, 0, 0, 1.0), (1e300,) * 9],
)  # fmt: skip
def test_a_matrix_that_is_no_rotation_is_refused(rotation):
    with pytest.raises(ProtocolError, match="boardRotation"):
        SPEC.decode_info(changed(EXAMPLE, rotation=rotation))


@pytest.mark.parametrize("vectors", [(0.0,) * 6, (1.0, 0, 0, 1.0, 0, 0), (2.0, 0, 0, 0, 1.0, 0)])
def test_directions_that_are_no_rotation_are_refused(vectors):
    with pytest.raises(ProtocolError, match="boardRotation"):
        GAME.decode_info(changed(GAME_EXAMPLE, rotation=(0.0,) * 7 + vectors))


@BOTH
def test_the_other_profiles_rotation_cannot_be_sent(dialect):
    other = GAME if dialect is SPEC else SPEC
    example = GAME_EXAMPLE if dialect is SPEC else EXAMPLE
    with pytest.raises(ProtocolError, match="not the rotation of profile"):
        dialect.encode_info(other.decode_info(example))


numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)
lists = st.one_of(
    st.lists(numbers, max_size=20),
    *(st.lists(numbers, min_size=n, max_size=n) for n in (6, 9, 13)),
)


@given(st.sampled_from([SPEC, GAME]), st.binary(max_size=2), lists, lists, lists)
def test_any_answer_is_a_state_or_a_protocol_error(dialect, success, position, rotation, joints):
    success = success or dialect.success
    try:
        dialect.decode_info(InfoReply(success, position, rotation, joints))
    except ProtocolError:
        pass


floats = st.floats(-1e6, 1e6, width=32)
vectors = st.tuples(floats, floats, floats)


@given(vectors, vectors, vectors, vectors, vectors, st.floats(-3.1, 3.1),
       st.sampled_from(list(MatrixOrder)))  # fmt: skip
def test_what_is_sent_is_what_is_read(position, linear, angular, angles, rates, turn, order):
    c, s = math.cos(turn), math.sin(turn)
    matrix = RotationMatrix(((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)))
    directions = RotationVectors(angles, (0.0, 0.0, 0.0, 1.0), (s, 0.0, c), (0.0, 1.0, 0.0))
    for dialect, rotation in ((Dialect(Profile.SPEC, order), matrix), (GAME, directions)):
        state = BoardState(position, linear, angular, rotation, angles, rates)
        assert dialect.decode_info(dialect.encode_info(state)) == state


# --- set_info and run_game ----------------------------------------------------------------------


def test_keys_are_fractions_or_forces():
    keys = Keys(-1.0, 0.9, 0.0)  # the document's example
    assert SPEC.encode_keys(keys) == (-1.0, 0.9, 0.0)
    assert GAME.encode_keys(keys) == (-40.0, 36.0, 0.0)
    assert GAME.decode_keys((-40.0, 36.0, 0.0)) == keys


@BOTH
def test_keys_are_clamped(dialect):
    sent = dialect.encode_keys(Keys(-3.0, 2.0, 0.5))
    assert dialect.decode_keys(sent) == Keys(-1.0, 1.0, 0.5)
    with pytest.raises(ProtocolError, match="numbers"):
        dialect.encode_keys(Keys(math.nan, 0.0, 0.0))


def test_a_game_refuses_what_the_document_does_not_allow():
    with pytest.raises(ProtocolError, match="from -1 to 1"):
        SPEC.decode_keys((1.5, 0.0, 0.0))
    with pytest.raises(WrongLengthError):
        SPEC.decode_keys((0.0, 0.0))


def test_the_game_takes_forces_beyond_those_of_a_key():
    assert GAME.decode_keys((400.0, 0.0, -10000.0)) == Keys(10.0, 0.0, -250.0)
    strong = Dialect(Profile.GAME, force_scale=250.0)
    assert strong.encode_keys(Keys(1.0, -0.5, 2.0)) == (250.0, -125.0, 250.0)
    assert SPEC.encode_keys(Keys(1.0, -0.5, 2.0)) == (1.0, -0.5, 1.0)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3))
def test_keys_come_through(values):
    keys = Keys(*values)
    assert SPEC.decode_keys(SPEC.encode_keys(keys)) == keys
    assert GAME.decode_keys(GAME.encode_keys(keys)).values() == pytest.approx(keys.values())


def test_times():
    assert check_run_time(0.05) == 0.05
    assert check_total_time(SPEC, RunReply(b"\x00", 31.28)) == 31.28
    for bad in (-0.1, math.nan, math.inf, 4000.0):
        with pytest.raises(ProtocolError):
            check_run_time(bad)
    for bad in (-0.1, math.nan, math.inf):
        with pytest.raises(ProtocolError):
            check_total_time(SPEC, RunReply(b"\x00", bad))


@pytest.mark.parametrize(
    "ours, success, floats",
    [(Profile.SPEC, b"0", 13), (Profile.GAME, b"\x00", 9)],
)
def test_the_answers_of_the_other_profile_are_recognised(ours, success, floats):
    theirs = "game" if ours is Profile.SPEC else "spec"
    dialect = Dialect(ours)
    with pytest.raises(CallFailedError, match=f"see profile:={theirs}"):
        dialect.check_success("initialize", success)
    with pytest.raises(CallFailedError) as refusal:
        dialect.check_success("initialize", b"\x07")
    assert "profile:=" not in str(refusal.value)
    info = InfoReply(dialect.success, [0.0] * 9, [0.0] * floats, [0.0] * 6)
    with pytest.raises(WrongLengthError, match=f"see profile:={theirs}"):
        dialect.decode_info(info)


def test_profile_game_takes_the_documents_json_too():
    assert Dialect(Profile.GAME).decode_initialize('{"level": 1}') == (1, None)
    with pytest.raises(ProtocolError, match="initialize wants"):
        Dialect(Profile.GAME).decode_initialize('{"level": "1"}')
