# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the values on RoboSkate's wire mean: messages <-> frozen dataclasses, in two profiles.

``spec`` is the document, ``game`` is the real game as far as it is known
(docs/originals/roboskate.md, "Where the real game differs from the document").

Nothing here knows sockets or clocks. Only :class:`ProtocolError` and its subclasses leave this
module.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from roboskate_game.protocol.messages import (
    BoardState,
    CallFailedError,
    ImageSize,
    InfoReply,
    InitializeReply,
    Keys,
    ProtocolError,
    Rotation,
    RotationMatrix,
    RotationVectors,
    RunReply,
    Vector,
    WrongLengthError,
    check_image_size,
)

MAXIMUM_LEVEL = 2**31 - 1
ROTATION_TOLERANCE = 0.1
"""How far a rotation may be from unit length and right angles (the game computes in float32)."""


class Profile(str, enum.Enum):
    """SPEC: the document's shapes. GAME: those of the real game."""

    SPEC = "spec"
    GAME = "game"


class MatrixOrder(str, enum.Enum):
    """How the nine floats of the document's rotation matrix are to be read."""

    ROW_MAJOR = "row_major"
    COLUMN_MAJOR = "column_major"


SUCCESS = {Profile.SPEC: b"\x00", Profile.GAME: b"0"}
"""The success value of each profile."""
FAILURE = {profile: bytes([value[0] + 1]) for profile, value in SUCCESS.items()}
"""What our simulator answers for a call that has failed; the document names success only."""
FORCE_RANGE = 40.0
"""Profile game: the sustained joint force that a key held down stands for.

Source: docs/originals/roboskate.md.
"""
JOINT_COUNT = 3
_ROTATION_FLOATS = {Profile.SPEC: 9, Profile.GAME: 13}


@dataclass(frozen=True)
class Dialect:
    """A profile with what the document leaves open.

    ``matrix_order`` matters in profile ``spec`` only, ``force_scale`` in ``game``: the joint force
    that a key fraction of 1 is sent as. The game takes forces above FORCE_RANGE.
    """

    profile: Profile = Profile.SPEC
    matrix_order: MatrixOrder = MatrixOrder.ROW_MAJOR
    force_scale: float = FORCE_RANGE

    # --- calls -------------------------------------------------------------------------------

    @property
    def success(self) -> bytes:
        """The success value of a call that went well."""
        return SUCCESS[self.profile]

    def check_success(self, call: str, success: bytes) -> None:
        """Raise CallFailedError unless ``success`` is the profile's one byte for success."""
        if bytes(success) != self.success:
            other = SUCCESS[self._other], FAILURE[self._other]
            hint = self._hint if bytes(success) in other else ""
            raise CallFailedError(call, success, hint)

    @property
    def _other(self) -> Profile:
        return Profile.GAME if self.profile is Profile.SPEC else Profile.SPEC

    @property
    def _hint(self) -> str:
        other = self._other.value
        return f": a game of profile {other} answers so, see profile:={other}"

    def encode_initialize(self, level: int, size: ImageSize) -> str:
        """Return the argument of initialize: JSON in ``spec``, "level,width,height" in ``game``.

        The document has no place for ``size``: there the game alone decides.
        Raises ProtocolError for a level or a size out of range.
        """
        _check_level(level)
        check_image_size(size)
        if self.profile is Profile.SPEC:
            return json.dumps({"level": level})
        return f"{level},{size.width},{size.height}"

    def decode_initialize(self, text: str) -> tuple[int, ImageSize | None]:
        """Return the level and, where the text names one, the wanted size. Raises ProtocolError.

        Profile ``game`` takes the document's JSON too.
        """
        if self.profile is Profile.SPEC:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError) as error:
                hint = ": a client of profile game sends so" if text.count(",") == 2 else ""
                raise ProtocolError(f"initialize wants JSON, not {text[:80]!r}{hint}") from error
            if not isinstance(value, dict) or type(value.get("level")) is not int:
                raise ProtocolError(f'initialize wants {{"level": NUMBER}}, not {text[:80]!r}')
            if len(value) > 1:
                raise ProtocolError(f"initialize wants level and nothing else, not {text[:80]!r}")
            return _check_level(value["level"]), None
        if text.lstrip().startswith("{"):
            return Dialect().decode_initialize(text)
        parts = text.split(",")
        if len(parts) != 3 or not all(p.strip().isascii() and p.strip().isdigit() for p in parts):
            raise ProtocolError(f'initialize wants "level,width,height", not {text[:80]!r}')
        if any(len(part) > 20 for part in parts):
            raise ProtocolError("initialize has a number that is far too long")
        level, width, height = map(int, parts)
        return _check_level(level), check_image_size(ImageSize(width, height))

    def decode_image_size(self, reply: InitializeReply) -> ImageSize:
        """Return the size announced by the answer to initialize. Raises ProtocolError."""
        self.check_success("initialize", reply.success)
        return check_image_size(ImageSize(reply.image_width, reply.image_height))

    def decode_info(self, reply: InfoReply) -> BoardState:
        """Return the state of board and crane. Raises ProtocolError, WrongLengthError."""
        self.check_success("get_info", reply.success)
        position = _floats("boardPosition", reply.position, 9)
        try:
            rotation = _floats("boardRotation", reply.rotation, _ROTATION_FLOATS[self.profile])
        except WrongLengthError as error:
            if len(reply.rotation) != _ROTATION_FLOATS[self._other]:
                raise
            raise WrongLengthError(f"{error}{self._hint}") from error
        joints = _floats("boardCraneJointAngles", reply.joints, 2 * JOINT_COUNT)
        return BoardState(
            position=_vector(position[0:3]),
            linear_velocity=_vector(position[3:6]),
            angular_velocity=_vector(position[6:9]),
            rotation=self._decode_rotation(rotation),
            joint_angles=_vector(joints[0:3]),
            joint_velocities=_vector(joints[3:6]),
        )

    def encode_info(self, state: BoardState) -> InfoReply:
        """Return the answer to get_info. Raises ProtocolError for the other profile's rotation."""
        return InfoReply(
            success=self.success,
            position=(*state.position, *state.linear_velocity, *state.angular_velocity),
            rotation=self._encode_rotation(state.rotation),
            joints=(*state.joint_angles, *state.joint_velocities),
        )

    def encode_keys(self, keys: Keys) -> Vector:
        """Return the argument of set_info: clamped fractions, or forces in profile ``game``."""
        values = keys.clamped().values()
        if self.profile is Profile.SPEC:
            return values
        return _vector([self.force_scale * value for value in values])

    def decode_keys(self, values: Sequence[float]) -> Keys:
        """Return the fractions of an argument of set_info. Raises ProtocolError.

        The document allows -1 to 1. A force is given in parts of FORCE_RANGE, and may be larger.
        """
        floats = _floats("set_info", values, JOINT_COUNT)
        if self.profile is Profile.GAME:
            return Keys(*(value / FORCE_RANGE for value in floats))
        if any(abs(value) > 1.0 for value in floats):
            raise ProtocolError(
                f"key fractions are from -1 to 1, not {tuple(floats)}: forces are of profile game"
            )
        return Keys(*floats)

    # --- rotations ---------------------------------------------------------------------------

    def _decode_rotation(self, floats: Sequence[float]) -> Rotation:
        if self.profile is Profile.SPEC:
            rows = (_vector(floats[0:3]), _vector(floats[3:6]), _vector(floats[6:9]))
            if self.matrix_order is MatrixOrder.COLUMN_MAJOR:
                rows = _transposed(rows)
            _check_rotation(rows)
            return RotationMatrix(rows)
        forward, up = _vector(floats[7:10]), _vector(floats[10:13])
        _check_directions(forward, up)
        x, y, z, w = floats[3:7]
        return RotationVectors(_vector(floats[0:3]), (x, y, z, w), forward, up)

    def _encode_rotation(self, rotation: Rotation) -> tuple[float, ...]:
        if self.profile is Profile.SPEC and isinstance(rotation, RotationMatrix):
            rows = rotation.rows
            if self.matrix_order is MatrixOrder.COLUMN_MAJOR:
                rows = _transposed(rows)
            return (*rows[0], *rows[1], *rows[2])
        if self.profile is Profile.GAME and isinstance(rotation, RotationVectors):
            return (*rotation.euler, *rotation.quaternion, *rotation.forward, *rotation.up)
        raise ProtocolError(
            f"a {type(rotation).__name__} is not the rotation of profile {self.profile.value}"
        )


def check_run_time(seconds: float) -> float:
    """Return ``seconds`` if run_game may be asked for it. Raises ProtocolError."""
    if not (math.isfinite(seconds) and 0.0 <= seconds <= 3600.0):
        raise ProtocolError(f"run_game wants 0 to 3600 seconds, not {seconds}")
    return seconds


def check_total_time(dialect: Dialect, reply: RunReply) -> float:
    """Return the total simulated time, in seconds, of an answer to run_game.

    Raises CallFailedError, or ProtocolError for a time that cannot be.
    """
    dialect.check_success("run_game", reply.success)
    if not (math.isfinite(reply.total_simulated_time) and reply.total_simulated_time >= 0.0):
        raise ProtocolError(f"total simulated time is {reply.total_simulated_time}")
    return reply.total_simulated_time


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return (x, y, z)


def _transposed(rows: tuple[Vector, Vector, Vector]) -> tuple[Vector, Vector, Vector]:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return ((a, d, g), (b, e, h), (c, f, i))


def _floats(name: str, values: Sequence[float], count: int) -> list[float]:
    if len(values) != count:
        raise WrongLengthError(f"{name} has {len(values)} floats instead of {count}")
    floats = list(values)
    if not all(map(math.isfinite, floats)):
        raise ProtocolError(f"{name} has values that are no numbers: {floats}")
    return floats


def _check_level(level: int) -> int:
    if not 0 <= level <= MAXIMUM_LEVEL:
        raise ProtocolError(f"there is no level {level}")
    return level


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _check_rotation(rows: tuple[Vector, Vector, Vector]) -> None:
    """Raise ProtocolError unless the rows are, nearly, an orthonormal matrix of determinant 1."""
    for i, row in enumerate(rows):
        for j in range(i, 3):
            wanted = 1.0 if i == j else 0.0
            if abs(_dot(row, rows[j]) - wanted) > ROTATION_TOLERANCE:
                raise ProtocolError(f"boardRotation is no rotation matrix: {rows}")
    (a, b, c), (d, e, f), (g, h, i_) = rows
    if a * (e * i_ - f * h) - b * (d * i_ - f * g) + c * (d * h - e * g) < 0.0:
        raise ProtocolError(f"boardRotation mirrors: its determinant is negative: {rows}")


def _check_directions(forward: Vector, up: Vector) -> None:
    """Raise ProtocolError unless these are, nearly, two unit vectors at a right angle."""
    for name, vector in (("forward", forward), ("up", up)):
        if abs(_dot(vector, vector) - 1.0) > ROTATION_TOLERANCE:
            raise ProtocolError(f"boardRotation: the {name} vector {vector} is no unit vector")
    if abs(_dot(forward, up)) > ROTATION_TOLERANCE:
        raise ProtocolError("boardRotation: the forward and up vectors are not at a right angle")
