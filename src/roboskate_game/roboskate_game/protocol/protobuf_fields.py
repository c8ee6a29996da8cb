# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Take a GetCameraReply apart without copying its image.

The protobuf library copies a raw 1920 x 1080 image twice, which costs as much as carrying it over
the loopback. Only this one message is read here, and only its two fields; all others go through
the generated code.
"""

from __future__ import annotations

from roboskate_game.protocol.messages import CameraReply, ProtocolError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SUCCESS_FIELD, _IMAGE_FIELD = 1, 2
_MAXIMUM_VARINT_BYTES = 10


def read_camera_reply(message: bytes) -> CameraReply:
    """Return the reply; its ``image`` is a view into ``message``.

    As protobuf demands, fields may come in any order, the last of a kind counts, unknown ones are
    passed over and missing ones are empty. Raises ProtocolError for anything else.
    """
    view = memoryview(message)
    success, image = b"", view[0:0]
    position = 0
    while position < len(view):
        tag, position = _varint(view, position)
        field, kind = tag >> 3, tag & 7
        if field == 0 or field >= 1 << 29:
            raise ProtocolError("get_camera: the answer has an impossible field number")
        if kind == _BYTES:
            length, position = _varint(view, position)
        elif kind == _VARINT:
            _, position = _varint(view, position)
            length = 0
        elif kind in (_FIXED64, _FIXED32):
            length = 8 if kind == _FIXED64 else 4
        else:
            raise ProtocolError(f"get_camera: the answer has a field of unknown kind {kind}")
        if length > len(view) - position:
            raise ProtocolError("get_camera: the answer is cut short")
        if kind == _BYTES and field == _SUCCESS_FIELD:
            success = bytes(view[position : position + length])
        elif kind == _BYTES and field == _IMAGE_FIELD:
            image = view[position : position + length]
        position += length
    return CameraReply(success, image)


def _varint(view: memoryview, position: int) -> tuple[int, int]:
    """Return the number that begins at ``position`` and where it ends."""
    value = 0
    for index in range(_MAXIMUM_VARINT_BYTES):
        if position + index >= len(view):
            raise ProtocolError("get_camera: the answer is cut short")
        byte = view[position + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position + index + 1
    raise ProtocolError("get_camera: the answer has a number that does not end")
