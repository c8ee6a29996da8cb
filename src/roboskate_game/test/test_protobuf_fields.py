# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The hand-written reader of one message reads as the protobuf library does."""

from __future__ import annotations

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from roboskate_game.protocol import communication_pb2 as pb
from roboskate_game.protocol.messages import ProtocolError
from roboskate_game.protocol.protobuf_fields import read_camera_reply


@given(st.binary(max_size=4), st.binary(max_size=300))
def test_what_protobuf_writes_is_read(success, image):
    message = pb.GetCameraReply(success=success, imageData=image).SerializeToString()
    reply = read_camera_reply(message)
    assert (reply.success, bytes(reply.image)) == (success, image)


@pytest.mark.parametrize(
    "message, success, image",
    [
        (b"", b"", b""),
        (b"\x12\x01I\x0a\x010", b"0", b"I"),  # in the other order
        (b"\x0a\x01a\x0a\x01b\x12\x01x\x12\x02yz", b"b", b"yz"),  # the last counts
        (
            b"\x18\x96\x01\x0a\x010\x25abcd\x29abcdefgh\x32\x01?\x12\x01I",
            b"0",
            b"I",
        ),  # unknown ones
    ],
)
def test_the_rules_of_protobuf(message, success, image):
    reply = read_camera_reply(message)
    assert (reply.success, bytes(reply.image)) == (success, image)
    theirs = pb.GetCameraReply.FromString(message)
    assert (theirs.success, theirs.imageData) == (success, image)


@pytest.mark.parametrize(
    "message",
    [b"\xff", b"\x0a", b"\x0a\x05abc", b"\x12\xff\xff\xff\xff\x0f", b"\x0b", b"\x00\x01",
     b"\xff" * 64, b"\x25abc", b"\x0a\x01"],
)  # fmt: skip
def test_what_is_no_message_is_refused(message):
    with pytest.raises(ProtocolError):
        read_camera_reply(message)
    with pytest.raises(DecodeError):
        pb.GetCameraReply.FromString(message)


@given(st.binary(max_size=40))
def test_only_protocol_errors_leave(message):
    try:
        reply = read_camera_reply(message)
    except ProtocolError:
        return
    try:
        theirs = pb.GetCameraReply.FromString(message)
    except DecodeError:
        return  # groups and the like, which it looks into and we do not need to
    assert (reply.success, bytes(reply.image)) == (theirs.success, theirs.imageData)


def test_a_users_own_stubs_of_the_package_communication_can_be_there_too():
    theirs = descriptor_pb2.FileDescriptorProto(
        name="communication.proto", package="communication", syntax="proto3"
    )
    kind = descriptor_pb2.FieldDescriptorProto
    theirs.message_type.add(name="NoParams").field.add(
        name="other", number=7, type=kind.TYPE_INT32, label=kind.LABEL_OPTIONAL
    )
    descriptor_pool.Default().AddSerializedFile(theirs.SerializeToString())
    found = descriptor_pool.Default().FindMessageTypeByName("communication.NoParams")
    assert [field.name for field in found.fields] == ["other"]
    assert not pb.NoParams.DESCRIPTOR.fields
