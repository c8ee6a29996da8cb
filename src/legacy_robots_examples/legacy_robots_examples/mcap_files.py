# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""MCAP files as far as they can be read: of any writer, without an index, or cut off. No ROS."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    from mcap.exceptions import McapError
    from mcap.reader import make_reader
    from mcap.records import Channel, McapRecord, Message, Metadata, Schema
    from mcap.stream_reader import StreamReader
except ImportError:
    sys.exit("replay needs mcap: pip install mcap; or use: ros2 bag play FILE")

__all__ = ["Channel", "McapFile", "Message", "Schema"]


class McapFile:
    """One file, found readable from its beginning.

    Raises OSError, and ValueError for what is no MCAP file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.metadata: dict[str, dict[str, str]] = {}
        """By name, what stands before the first message."""
        self.channels: dict[int, Channel] = {}
        self.schemas: dict[int, Schema] = {}
        self.damage = ""
        """What ended the last reading before the end of the file; empty: nothing."""
        self._has_index = False
        for record in self._records():
            if isinstance(record, Metadata):
                self.metadata[record.name] = record.metadata
            elif isinstance(record, Schema | Channel | Message):
                break
        if self.damage and not self._began:
            raise ValueError(self.damage)

    def find_channels(self) -> None:
        """Read all ``channels`` and ``schemas``, from the index if there is a whole one."""
        with self.path.open("rb") as stream:
            try:
                summary = make_reader(stream).get_summary()
            except Exception:  # it was cut off, or damaged there: what the library raises differs
                summary = None
            if summary is not None and summary.channels and summary.chunk_indexes:
                used = {i for each in summary.chunk_indexes for i in each.message_index_offsets}
                needed = {c.schema_id for c in summary.channels.values()} - {0}
                self._has_index = (
                    used <= summary.channels.keys() and needed <= summary.schemas.keys()
                )
        if summary is not None and self._has_index:
            self.channels, self.schemas = dict(summary.channels), dict(summary.schemas)
        else:
            for _ in self._records():
                pass

    def messages(self) -> Iterator[Message]:
        """Yield the messages: by their time where there is an index, else as they were written."""
        if not self._has_index:
            yield from (r for r in self._records() if isinstance(r, Message))
            return
        self.damage = ""
        with self.path.open("rb") as stream:
            try:
                for _, _, message in make_reader(stream, validate_crcs=True).iter_messages():
                    yield message
            except Exception as error:
                self.damage = _sentence(error)

    def _records(self) -> Iterator[McapRecord]:
        """Yield the records in their order, as far as they can be read."""
        self.damage, self._began = "", False
        with self.path.open("rb") as stream:
            try:
                size = self.path.stat().st_size
                reader = StreamReader(stream, validate_crcs=True, record_size_limit=size)
                for record in reader.records:
                    self._began = True
                    if isinstance(record, Channel):
                        self.channels[record.id] = record
                    elif isinstance(record, Schema):
                        self.schemas[record.id] = record
                    yield record
            except OSError:
                raise
            except Exception as error:
                self.damage = _sentence(error)


def _sentence(error: Exception) -> str:
    if isinstance(error, struct.error) or not str(error):
        return "it ends in the middle of a record"
    return str(error) if isinstance(error, McapError) else f"{type(error).__name__}: {error}"
