# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
import cv2
import numpy as np
import pytest

from luar_tools.__main__ import main
from luar_tools.color_table.learn import learn
from luar_tools.color_table.packing import FROM_RGB
from luar_tools.color_table.picks import Picks, in_flood, in_rectangle, read_picks, read_saved
from luar_tools.color_table.pictures import read_picture
from luar_tools.color_table.table import LABELS, ColorTableError, index, label_a, read_table

BALL, CARPET, LINE = (230, 110, 20), (30, 120, 40), (240, 240, 240)


def scene():
    """A ball on a carpet with a line, RGB, 160 x 120."""
    rgb = np.full((120, 160, 3), CARPET, np.uint8)
    rgb[40:60, 20:40] = BALL
    rgb[100:110] = LINE
    return rgb


def pair(y, u, v):
    return np.array([[y, u, v]], np.uint8)


def test_the_first_pixel_of_a_pair_names_its_entry():
    # Bytes 7F 79 85 67: the first pair of a picture of the original's authors, entry 128921.
    yuyv = np.array([[[0x7F, 0x79], [0x85, 0x67]]], np.uint8)
    table = np.zeros(64**3, np.uint8)
    table[128921] = 8
    assert label_a(table, yuyv).tolist() == [[8]]


@pytest.mark.parametrize("packing", FROM_RGB)
def test_a_picture_is_read_from_each_of_its_forms(packing, tmp_path):
    rgb = scene()
    yuyv = FROM_RGB[packing](rgb)
    cv2.imwrite(str(tmp_path / "a.png"), rgb[..., ::-1])
    (tmp_path / "a.raw").write_text(yuyv.tobytes().hex().upper())
    quads = yuyv.reshape(-1, 4).tolist()
    (tmp_path / "a.yuyv").write_text("".join(" ".join(map(str, quad)) + "\n" for quad in quads))
    for name in ("a.png", "a.raw", "a.yuyv"):
        np.testing.assert_array_equal(read_picture(tmp_path / name, packing), yuyv)


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "no picture"),
        (b"7F798567", "2 pixels are none of"),
        (b"7F7985678", "9 hexadecimal digits"),
        (b"127 121 300 103\n", "lines 'Y0 U Y1 V' of bytes"),
        (b"\x89PNG\r\n", "no picture"),
    ],
)
def test_a_bad_picture_is_named(data, words, tmp_path):
    path = tmp_path / "bad.raw"
    path.write_bytes(data)
    with pytest.raises(ColorTableError, match=words) as raised:
        read_picture(path, "standard")
    assert "bad.raw" in str(raised.value)


@pytest.mark.parametrize("packing", FROM_RGB)
def test_a_learnt_table_labels_what_was_picked_and_what_is_like_it(packing, tmp_path):
    rgb = scene()
    yuyv = FROM_RGB[packing](rgb)
    picks = Picks()
    picks.add("orange", in_flood(yuyv, rgb, (30, 50)))
    picks.add("field", in_rectangle(yuyv, (60, 10, 150, 90)))
    picks.add("white", in_rectangle(yuyv, (10, 102, 30, 108)))
    (tmp_path / "picks.txt").write_text(picks.text())
    assert (
        main(["color_table", "learn", str(tmp_path / "picks.txt"), str(tmp_path / "t.raw")]) == 0
    )
    table, warning = read_table(tmp_path / "t.raw")
    assert (tmp_path / "t.raw").stat().st_size == 262144
    assert not warning
    noisy = np.clip(rgb.astype(int) + np.random.default_rng(1).integers(-6, 7, rgb.shape), 0, 255)
    labels = label_a(table, FROM_RGB[packing](noisy.astype(np.uint8)))
    assert (labels[22:28, 11:19] == LABELS["orange"]).all()
    assert (labels[5:40, 30:75] == LABELS["field"]).all()
    assert (labels[51:54] == LABELS["white"]).all()
    assert table[index(pair(10, 128, 128))] == 0  # black was not picked


def test_picks_are_undone_counted_and_kept_as_text(tmp_path):
    picks = Picks()
    picks.add("orange", np.repeat(pair(120, 90, 190), 3, axis=0))
    picks.add("none", pair(121, 91, 189))  # of the same entry
    picks.add("field", pair(80, 150, 80))
    picks.undo()
    assert (picks.counts()["orange"], picks.counts()["field"]) == (3, 0)
    assert picks.overlaps() == {("none", "orange"): 1}
    path = tmp_path / "picks.txt"
    path.write_text(picks.text())
    assert [p.name for p in read_picks(path).picks] == ["orange", "none"]
    assert read_picks(path).text() == picks.text()
    assert len(learn(Picks())) == 64**3
    assert not learn(Picks()).any()
    for line in ("orange 1 2", "pink 1 2 3", "orange 1 2 256 1", "orange 1 2 3 0"):
        path.write_text(f"# picks\n{line}\n")
        with pytest.raises(ColorTableError, match="line 2"):
            read_picks(path)


SAVED = b"""(dp1
S'black'
p2
c__builtin__
set
p3
((lp4
(I125
I113
I125
tp5
atp6
Rp7
sS'green'
p8
g3
((lp9
g5
a(I80
I150
I80
tp10
atp11
Rp12
s."""


def test_a_saved_table_of_the_original_is_read_and_its_classes_overwrite_in_its_order(tmp_path):
    path = tmp_path / "Saved_Colortable"
    path.write_bytes(SAVED)
    assert [p.name for p in read_saved(path).picks] == ["field", "none"]
    assert main(["color_table", "learn", "--exact", str(path), str(tmp_path / "t")]) == 0
    table, _ = read_table(tmp_path / "t")
    assert np.flatnonzero(table).tolist() == index(pair(80, 150, 80)).tolist()


@pytest.mark.parametrize(
    "data",
    [
        b"cos\nsystem\n(S'touch ran'\ntR.",
        b"(dp1\nS'green'\np2\ncos\nsystem\np3\n(S'touch ran'\ntR.",
        b"(dp1\nS'green'\nI5\ns.",
        b"(lp1\n.",
        b"(dp1\ng9\n.",
        b"garbage",
    ],
)
def test_another_pickle_is_refused_and_not_run(data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "Saved_Colortable"
    path.write_bytes(data)
    with pytest.raises(ColorTableError, match="no Saved_Colortable"):
        read_saved(path)
    assert [p.name for p in tmp_path.iterdir()] == ["Saved_Colortable"]


def test_a_table_short_of_one_byte_is_read_with_a_warning(tmp_path, capsys):
    path = tmp_path / "t.raw"
    path.write_bytes(b"\x08" * 262143)
    assert main(["color_table", "show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "262143 bytes" in out
    assert "field      262143" in out
    path.write_bytes(b"\x08" * 262145)
    with pytest.raises(ColorTableError, match="262145 bytes"):
        read_table(path)


def test_score_counts_unlabelled_pixels_as_errors(tmp_path, capsys):
    rgb = scene()
    yuyv = FROM_RGB["standard"](rgb)
    cv2.imwrite(str(tmp_path / "a.png"), rgb[..., ::-1])
    reference, table = (np.zeros(64**3, np.uint8) for _ in range(2))
    reference[index(yuyv[0, 0:2].reshape(1, 4)[:, (0, 1, 3)])] = 8
    reference[index(yuyv[50, 30:32].reshape(1, 4)[:, (0, 1, 3)])] = 1
    table[index(yuyv[50, 30:32].reshape(1, 4)[:, (0, 1, 3)])] = 1
    (tmp_path / "r").write_bytes(reference.tobytes())
    (tmp_path / "t").write_bytes(table.tobytes())
    arguments = ["t", "r", "a.png"]
    assert main(["color_table", "score", *(str(tmp_path / a) for a in arguments)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["orange", "100", "100", "100.0%", "100.0%"] in lines
    assert ["field", "4300", "0", "0.0%", "nan%"] in lines
    out = tmp_path / "labels.png"
    assert (
        main(["color_table", "label", str(tmp_path / "t"), str(tmp_path / "a.png"), str(out)]) == 0
    )
    assert cv2.imread(str(out)).shape == (60, 80, 3)
