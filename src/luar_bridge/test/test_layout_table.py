# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The layout tables: the shipped ones against the document, a user's own, and wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from luar_bridge.protocol import layout_table
from luar_bridge.protocol.layout_table import Kind, TableError


def test_every_variable_of_the_document_is_in_the_table(data: Path) -> None:
    text = (data / "specifications" / "luar.json").read_text(encoding="utf-8")
    table = layout_table.load("document")
    segments = json.loads(text)["segments"]
    assert sum(map(len, segments.values())) == 81
    for segment, variables in segments.items():
        assert set(variables) <= set(table.segments[segment]), segment


def test_every_variable_of_the_branch_of_2016_is_in_its_table(data: Path) -> None:
    names = json.loads((data / "luar" / "upenn_2016.json").read_text(encoding="utf-8"))
    table = layout_table.load("upenn_2016")
    assert sum(map(len, names["segments"].values())) == 439
    for segment, variables in names["segments"].items():
        assert set(variables) <= set(table.segments[segment]), segment


def test_force_sensors_are_in_the_order_of_the_original() -> None:
    meaning = layout_table.load("document").info("dcmSensor", "fsrLeft").meaning
    assert meaning == "front left and rear left and front right and rear right"


@pytest.mark.parametrize("name", layout_table.SHIPPED)
def test_shipped_tables_are_sound(name: str) -> None:
    table = layout_table.load(name)
    assert table.name == name
    for segment in table.images.values():
        assert "yuyv" in table.segments[segment]
    for pairs in table.heartbeats.values():
        for segment, variable in pairs:
            assert table.info(segment, variable) is not None


def test_a_later_table_replaces_what_it_says() -> None:
    later = layout_table.load("upenn_2013")
    assert later.info("wcmBall", "xy") is None
    assert later.info("wcmBall", "x") is not None
    assert later.info("gcmFsm", "body_state").kind is Kind.STRING  # type: ignore[union-attr]
    assert later.info("gcmGame", "half") is not None
    two_eyed = layout_table.load("upenn_2016")
    assert two_eyed.images == {"top": "vcmImage1", "bottom": "vcmImage2"}
    assert two_eyed.info("vcmImage2", "yuyv").kind is Kind.CARRAY  # type: ignore[union-attr]


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("segments:\n  xcmThing:\n    speed: {length: 1, unit: m/s}\n")
    table = layout_table.load_all(["document", str(file)])
    assert table.info("xcmThing", "speed").unit == "m/s"  # type: ignore[union-attr]
    assert table.info("vcmBall", "v") is not None


@pytest.mark.parametrize(
    "text,message",
    [
        ("- a list", "must be a mapping"),
        ("segments: {a: {b: {length: 0}}}", "length must be a"),
        ("segments: {a: {b: {length: yes}}}", "length must be a"),
        ("segments: {a: {b: {kind: text}}}", "kind must be one of number, vector, string, carray"),
        ("segments: {a: {b: {size: 3}}}", "size: only field, frame, kind, length"),
        ("segments: {a: [b]}", "a must be a mapping"),
        ("heartbeats: {motion: a.b}", "must be a list"),
        ("heartbeats: {motion: [ab]}", "not of the form segment.variable"),
        ("like: {a: b}", "no segment 'b'"),
        ("extends: nowhere", "neither one of document"),
        ("a: [", "while parsing"),
        ("segment: {}", "segment: only description"),
        ("segments: {a-b: {}}", "'a-b' is no name of a segment"),
        ("heartbeats: {motion: [a/b.c]}", "'a/b' is no name of a segment"),
        ("images: {a b: vcmImage}", "'a b' cannot be the beginning of a topic's name"),
    ],
)
def test_a_wrong_table_is_named_with_its_fault(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text)
    with pytest.raises(TableError, match=message):
        layout_table.load(str(file))


def test_a_missing_table(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="nor a readable file"):
        layout_table.load(str(tmp_path / "absent.yaml"))
