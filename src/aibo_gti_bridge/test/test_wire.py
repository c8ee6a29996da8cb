# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire tables: numbers, layouts as a C compiler makes them, overlays and their mistakes."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from aibo_gti_bridge.protocol import wire_table as w

LE = w.load()


class Header(ctypes.LittleEndianStructure):
    _fields_ = [("type", ctypes.c_int32), ("length", ctypes.c_int32)]


class WalkParam(ctypes.LittleEndianStructure):
    _fields_ = [
        ("dx", ctypes.c_double), ("dy", ctypes.c_double), ("da", ctypes.c_double),
        ("n", ctypes.c_int32), ("flags", ctypes.c_int32),
    ]  # fmt: skip


class JointCount(ctypes.LittleEndianStructure):
    _fields_ = [("count", ctypes.c_int32), ("reserved", ctypes.c_int32)]


class JointTarget(ctypes.LittleEndianStructure):
    _fields_ = [
        ("joint", ctypes.c_int32), ("duration_ms", ctypes.c_int32), ("target", ctypes.c_double),
    ]  # fmt: skip


class Ball(ctypes.LittleEndianStructure):
    _fields_ = [
        ("x", ctypes.c_double), ("y", ctypes.c_double), ("area", ctypes.c_double),
        ("visible", ctypes.c_int32), ("colour", ctypes.c_int32),
    ]  # fmt: skip


class BallIntFirst(ctypes.LittleEndianStructure):
    _fields_ = [
        ("visible", ctypes.c_int32),
        ("x", ctypes.c_double), ("y", ctypes.c_double), ("area", ctypes.c_double),
    ]  # fmt: skip


VALUES = {
    "type": 3, "length": 17, "count": 2, "joint": 12, "duration_ms": 250, "target": -12.5,
    "dx": 180.0, "dy": -1.5, "da": math.pi, "n": -1, "x": 0.25, "y": -0.75, "area": 0.1,
    "visible": 1, "colour": 4, "reserved": 0, "flags": 0,
}  # fmt: skip
STRUCTS = [
    ([], "header", Header),
    ([], "walk", WalkParam),
    ([], "joint_count", JointCount),
    ([], "joint_target", JointTarget),
    ([], "ball", Ball),
    (["ball-int-first-32"], "ball", BallIntFirst),
]


@pytest.mark.parametrize("overlays,name,structure", STRUCTS)
def test_layouts_are_what_ctypes_lays_out(
    overlays: list[str], name: str, structure: type[ctypes.Structure]
) -> None:
    layout = w.load(overlays).layouts[name]
    values = {field[0]: VALUES[field[0]] for field in structure._fields_}
    assert layout.size == ctypes.sizeof(structure)
    assert layout.pack(**values) == bytes(structure(**values))
    assert layout.unpack(bytes(structure(**values))) == values


C_PROGRAM = """
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
struct header { int type; int len; };
struct walk { double dx, dy, da; int n; int flags; };
struct joint { int joint; int duration_ms; double target; };
struct ball { double x, y, area; int visible; int colour; };
struct ball_int_first { int visible; double x, y, area; };
_Static_assert(sizeof(int) == 4 && sizeof(double) == 8, "the wire's sizes");
int main(void) {
  struct { struct header h; struct walk w; } walk =
      {{6, sizeof(struct walk)}, {180, -1.5, 0.5, -1, 0}};
  struct { struct header h; int32_t count, reserved; struct joint j[2]; } move =
      {{4, 8 + 2 * sizeof(struct joint)}, 2, 0, {{12, 500, -10.0}, {13, 0, 1.5}}};
  struct ball ball = {0.25, -0.75, 0.1, 1, 4};
  struct ball_int_first first;
  for (size_t i = 0; i < sizeof first; i++) ((unsigned char *)&first)[i] = 0;
  first.visible = 1; first.x = 0.25; first.y = -0.75; first.area = 0.1;
  fwrite(&walk, sizeof walk, 1, stdout);
  fwrite(&move, sizeof move, 1, stdout);
  fwrite(&ball, sizeof ball, 1, stdout);
  fwrite(&first, sizeof first, 1, stdout);
  return 0;
}
"""


@pytest.mark.node
@pytest.mark.parametrize("machine", ["-m64", "-m32"])
def test_layouts_are_what_a_c_compiler_lays_out(tmp_path: Path, machine: str) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler: apt-get install gcc")
    source, program = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text(C_PROGRAM)
    built = subprocess.run(
        [compiler, machine, "-o", program, source], capture_output=True, text=True
    )
    if built.returncode != 0 and machine == "-m32":
        pytest.skip("needs 32-bit libraries for gcc: apt-get install gcc-multilib")
    assert built.returncode == 0, built.stderr
    made_by_c = subprocess.run([program], capture_output=True, check=True).stdout

    from aibo_gti_bridge.protocol import codec as p
    from aibo_gti_bridge.protocol import commands as c
    from aibo_gti_bridge.protocol.server_codec import encode_reply

    first = w.load(["ball-int-first-32"])  # on 32 bits of x86 it has no padding
    move = c.MoveJoints((c.JointTarget(12, -10.0, 500), c.JointTarget(13, 1.5)))
    written = (
        p.encode_command(c.Walk(180, -1.5, 0.5), LE)
        + p.encode_command(move, LE)
        + encode_reply(c.Ball(True, 0.25, -0.75, 0.1, 4), LE)
        + (encode_reply(c.Ball(True, 0.25, -0.75, 0.1), first) if machine == "-m64" else b"")
    )
    assert made_by_c[: len(written) if machine == "-m32" else None] == written


def test_numbers_of_the_base_table() -> None:
    assert list(LE.types.values()) == [1, 2, 3, 4, 5, 6, 7]
    assert LE.colours == {"pink": 0, "blue": 1, "green": 2, "yellow": 3, "orange": 4}
    assert list(LE.joints.values()) == list(range(18))
    assert list(LE.buttons.values()) == list(range(100, 110))
    assert list(LE.sensors.values()) == list(range(200, 211))
    assert LE.port == 10100


def test_every_overlay_that_comes_along_loads() -> None:
    assert w.overlay_names() == ["acknowledged", "ball-int-first-32"]
    for name in w.overlay_names():
        w.load([name])


def test_overlays_are_laid_over_in_order(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("types: {walk: 17}\nport: 59000\n")
    wire = w.load(["acknowledged", own])
    assert wire.types["walk"] == 17
    assert "walk" in wire.acknowledged
    assert wire.port == 59000


@pytest.mark.parametrize(
    "text,sentence",
    [
        ("types: {hello: 64}", r"unknown key 'hello'"),
        ("port: 0", "port must be an integer from 1 to 65535, not 0"),
        ("port: '1'", "port must be an integer"),
        ("types: {walk: 7}", "type walk and walk_steps have the same number 7"),
        ("types: {walk: true}", "type walk must be an integer"),
        ("types: 3", "types must be a mapping, not 3"),
        ("ids: {buttons: {HeadBut: 12}}", "ids joints NECK:tilt and buttons HeadBut"),
        ("byte_order: middle", "byte_order must be little or big, not 'middle'"),
        (
            "layouts: {ball: [x float64, y float64, area float64]}",
            "ball lacks the field 'visible'",
        ),
        ("layouts: {colour: [colour int32, shade int32]}", "does not know the field 'shade'"),
        ("layouts: {colour: [colour int32, colour int32]}", "has twice the field 'colour'"),
        ("layouts: {colour: [colour float64]}", "field colour must be an integer kind"),
        ("layouts: {sensor_value: [value int32]}", "field value must be a float kind"),
        ("layouts: {colour: [colour long]}", "'colour long' is neither"),
        ("layouts: {colour: colour int32}", "layout colour must be a list of fields"),
        ("acknowledged: [query_ball]", "acknowledged must be a list of some of move_joints"),
        ("limits: {sensors: 0}", "limit sensors must be an integer from 1"),
        ("- 1", "is not a mapping"),
        ("{", "is no YAML"),
    ],
)
def test_mistakes_in_an_overlay_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    overlay = tmp_path / "own.yaml"
    overlay.write_text(text)
    with pytest.raises(w.WireError, match=sentence):
        w.load([overlay])


def test_a_missing_overlay_is_named_with_those_there_are() -> None:
    with pytest.raises(w.WireError, match=r"'tcpcomm' cannot be read .* acknowledged"):
        w.load(["tcpcomm"])
