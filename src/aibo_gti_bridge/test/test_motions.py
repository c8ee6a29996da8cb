# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What motion files do to the joints."""

from __future__ import annotations

from math import radians
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aibo_gti_bridge.model import motions as m
from aibo_gti_bridge.model.joints import BY_NAME, NAMES, limit_error
from aibo_gti_bridge.model.mot_statements import MAX_BYTES
from aibo_gti_bridge.model.mot_writer import write_motion
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.model.poses import STANDING

FILES = {
    "turn.mot": "#MSq\ndelay 1000\nNECK:pan 0.5\n#END\n",
    "up.pos": "#POS\nNECK:tilt -0.5\nNECK:nod 0.25 0\n#END\n",
    "self.mot": "#MSq\nload self.mot\n#END\n",
    "bad.mot": "no sequence",
    "odd.mot": "#MSq\n\ndelay x\n#END\n",
    "other.pos": "#POS\n<wings>\n#END\n",
    "condensed.pos": "#POS\ncondensed ERS-7\nmeta-info = 5 6\noutputs ="
    + "".join(f" {i / 100}" for i in range(47))
    + "\nweights = 0 1 1\nbuttons = 0 0\n#END\n",
    "sections.pos": "#POS\n<meta-info>\ntimestamp 5\n</meta-info>\n<outputs>\nNECK:pan = 0.25\n"
    "</outputs>\n<sensors>\nNearIRDist 50\n</sensors>\nspecialize ERS-2.*\nNECK:pan 0.75\n"
    "specialize ERS-[67]\nNECK:tilt -0.5 0.5 # half\nspecialize\nBk:knee 0.5\n#END\n",
}


def load(name: str) -> str:
    try:
        return FILES[name]
    except KeyError:
        raise FileNotFoundError(name) from None


def read(*lines: str) -> m.Motion:
    return m.read("\n".join(["#MSq", *lines, "#END"]), loader=load)


def issues(*lines: str) -> list[str]:
    _, found = m.build("\n".join(["#MSq", *lines, "#END"]), loader=load)
    return [str(issue) for issue in found]


def test_joints_move_linearly_each_by_itself_and_hold_their_last_position() -> None:
    motion = read(
        "delay 1000", "NECK:pan 1.0", "delay 500", "NECK:tilt -0.5", "delay 500", "NECK:pan 0.0"
    )
    assert motion.duration == 2.0
    assert motion.joints == ("neck_tilt", "neck_pan")
    start = {"neck_pan": 0.2, "neck_tilt": 0.0}
    assert motion.pose(0.0, start) == pytest.approx({"neck_pan": 0.2, "neck_tilt": 0.0})
    assert motion.pose(0.5, start) == pytest.approx({"neck_pan": 0.6, "neck_tilt": -0.5 / 3})
    assert motion.pose(1.5, start) == pytest.approx({"neck_pan": 0.5, "neck_tilt": -0.5})
    assert motion.pose(9.0, start) == pytest.approx({"neck_pan": 0.0, "neck_tilt": -0.5})


def test_degrees_radians_and_absolute_time() -> None:
    motion = read("degrees", "setTime 2000", "NECK:pan 45", "radians", "setTime 500", "NECK:pan 0")
    frames = motion.keyframes["neck_pan"]
    assert [(frame.time, frame.position) for frame in frames] == [(0.5, 0.0), (2.0, radians(45))]


def test_a_time_goes_back() -> None:
    motion = read("delay 900", "NECK:pan 0.5", "delay -400", "NECK:nod 0.1")
    assert motion.keyframes["neck_nod"] == (m.Keyframe(0.5, 0.1),)


def test_a_weight_below_one_mixes_with_the_pose_at_the_beginning() -> None:
    motion = read("delay 1000", "NECK:pan 1.0 0.5", "delay 1000", "NECK:pan 1.0 0")
    assert motion.pose(1.0, {"neck_pan": 0.2}) == pytest.approx({"neck_pan": 0.6})
    assert motion.pose(2.0, {"neck_pan": 0.2}) == pytest.approx({"neck_pan": 0.2})


@pytest.mark.parametrize(
    "name,joints",
    [
        ("LFr:rotor", ["lf_rotor"]),
        ("LFr:rotor~~", ["lf_rotor"]),
        ("LFr:ro", ["lf_rotor"]),
        ("Fr:knee", ["lf_knee", "rf_knee"]),
        ("Bk:elvtr~", ["lb_elevator", "rb_elevator"]),
        ("MOUTH", ["mouth"]),
        ("MOUTH~~~", ["mouth"]),
        ("LED:bottomL", []),
        ("EAR:left", []),
    ],
)
def test_names_of_outputs(name: str, joints: list[str]) -> None:
    assert [joint.name for joint in m.outputs(name)] == joints


@pytest.mark.parametrize(
    "name,sentence",
    [
        ("NECK:roll", "no output of an ERS-7"),
        ("NECK:", "may mean any of NECK:tilt, NECK:pan, NECK:nod"),
        ("~", "no output"),
        ("L", "may mean any of"),
    ],
)
def test_names_that_are_none(name: str, sentence: str) -> None:
    with pytest.raises(KeyError, match=sentence):
        m.outputs(name)


def test_files_are_laid_over_and_leave_the_time_at_their_end() -> None:
    motion = read("load turn.mot", "delay 500", "load up.pos")
    assert motion.keyframes["neck_pan"] == (m.Keyframe(1.0, 0.5),)
    assert motion.keyframes["neck_tilt"] == (m.Keyframe(1.5, -0.5),)
    assert "neck_nod" not in motion.keyframes
    explicit = read("delay 500", "loadExplicit up.pos")
    assert explicit.keyframes["neck_nod"] == (m.Keyframe(0.5, 0.25, 0.0),)


def test_a_condensed_and_a_sectioned_posture_play_where_they_are_loaded() -> None:
    condensed = read("delay 500", "load condensed.pos")
    assert len(condensed.joints) == 17
    assert "lf_rotor" not in condensed.keyframes  # its weight is 0
    assert condensed.keyframes["lf_elevator"] == (m.Keyframe(0.5, 0.01),)
    assert condensed.keyframes["tail_tilt"] == (m.Keyframe(0.5, 0.15),)
    sections = read("delay 500", "load sections.pos")
    assert sections.keyframes == {
        "neck_tilt": (m.Keyframe(0.5, -0.5, 0.5),),
        "neck_pan": (m.Keyframe(0.5, 0.25),),
        "lb_knee": (m.Keyframe(0.5, 0.5),),
        "rb_knee": (m.Keyframe(0.5, 0.5),),
    }


def test_a_missing_file_leaves_the_rest() -> None:
    motion = read("delay 500", "NECK:pan 0.5", "load nothing.mot", "delay 0500", "NECK:pan 0")
    assert motion.keyframes["neck_pan"] == (m.Keyframe(0.5, 0.5), m.Keyframe(0.82, 0.0))


@pytest.mark.parametrize(
    "lines,expected",
    [
        (["load nothing.mot"], "line 2: warning: nothing.mot cannot be read: there is no such"),
        (["load self.mot"], "line 2: error: self.mot is loaded within itself"),
        (["load bad.mot"], "line 2: warning: bad.mot cannot be read: line 1: the first line must"),
        (["load other.pos"], "line 2: warning: other.pos cannot be read: line 2: there is no sec"),
        (["load odd.mot"], "line 2: warning: odd.mot, line 3: 'x' is no time"),
        (["loadExplicit turn.mot"], "line 2: warning: turn.mot cannot be read: it is a sequence"),
        (["NECK:pan 1"], "line 2: warning: NECK:pan at time 0 has no effect"),
        (["delay 900", "NECK:roll 1"], "line 3: warning: NECK:roll is no output"),
        (["delay 900", "NECK: 1"], "line 3: warning: NECK: may mean any of"),
        (["delay 900", "NECK:pan 1.6"], "line 3: warning: NECK:pan at 1.6000 rad is outside"),
        (
            ["delay 900", "NECK:pan 1.5", "delay 100", "NECK:pan -1.5"],
            "line 5: warning: NECK:pan would have to turn at 30.00 rad/s, it turns at 5.78",
        ),
        (
            ["delay 900", "LFr:rotor 1", "LFr:elvtr -0.1"],
            "line 4: warning: lf_elevator at -0.1000 rad is below -0.0524 rad",
        ),
        ([], "line 1: warning: the motion moves no joint"),
    ],
    ids=str,
)
def test_the_validator_says_line_and_reason(lines: list[str], expected: str) -> None:
    assert issues(*lines)[0].startswith(expected)


def test_a_motion_with_an_error_is_not_played_and_one_with_a_warning_is() -> None:
    with pytest.raises(m.MotionError, match=r"motion, line 2: error: the time would be before"):
        read("delay -5", "NECK:pan 1")
    motion = read("delay 900", "NECK:pan 9", "NECK:roll 1")
    assert motion.keyframes["neck_pan"] == (m.Keyframe(0.9, BY_NAME["neck_pan"].upper),)


def test_too_many_keyframes_for_the_robot() -> None:
    lines = [line for i in range(1300) for line in ("delay 1000", f"NECK:pan {i % 2 / 10}")]
    assert "no room for more than 1222 keyframes" in issues(*lines)[0]


# --- the motions that come along -----------------------------------------------------------


def test_the_examples() -> None:
    library = MotionLibrary()
    assert library.names() == ["look.mot", "sit.mot", "stand.mot", "stretch.mot", "wave.mot"]


@pytest.mark.parametrize("name", MotionLibrary().names())
def test_an_example_is_faultless_and_stays_within_the_limits(name: str) -> None:
    library = MotionLibrary()
    motion, found = library.check(name)
    assert found == []
    assert library.description(name)
    steps = int(motion.duration / 0.01)
    before = dict(STANDING)
    for i in range(steps + 1):
        pose = {**STANDING, **motion.pose(i * 0.01, STANDING)}
        assert limit_error(pose) is None
        for joint, position in pose.items():
            assert abs(position - before[joint]) <= BY_NAME[joint].max_speed * 0.011, joint
        before = pose


def test_standing_ends_in_the_standing_pose() -> None:
    motion = MotionLibrary().motion("stand")
    end = motion.pose(motion.duration, dict.fromkeys(NAMES, 0.0))
    assert end == pytest.approx({name: STANDING[name] for name in end}, abs=1e-3)


def test_a_library_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "turn.mot").write_text(FILES["turn.mot"])
    (tmp_path / "noise.mot").write_bytes(b"\xff\n#END\n")
    (tmp_path / "latin.mot").write_bytes(b"#MSq\n# na\xefve\ndelay 500\nNECK:pan 0.5\n#END\n")
    library = MotionLibrary(tmp_path)
    assert library.names() == ["latin.mot", "noise.mot", "turn.mot"]
    assert library.motion("turn").duration == 1.0
    for name, sentence in (
        ("wave", "there is no motion 'wave.mot'"),
        ("../turn.mot", "there is no motion"),
        ("noise", "the first line must be #MSq"),
    ):
        with pytest.raises(m.MotionError, match=sentence):
            library.motion(name)
    assert library.motion("latin").duration == 0.5
    assert library.description("latin") == "na\ufffdve"


# --- writing -------------------------------------------------------------------------------


@st.composite
def any_motion(draw: st.DrawFn) -> m.Motion:
    keyframes = {}
    for name in NAMES:
        joint = BY_NAME[name]
        times = draw(st.lists(st.integers(1, 5000), max_size=3, unique=True).map(sorted))
        positions = [draw(st.floats(joint.lower, joint.upper)) for _ in times]
        weights = [draw(st.sampled_from([1.0, 0.5, 0.0])) for _ in times]
        if times:
            keyframes[name] = tuple(
                m.Keyframe(t / 1000.0, p, w)
                for t, p, w in zip(times, positions, weights, strict=True)
            )
    return m.Motion("motion", keyframes)


@settings(max_examples=50)
@given(any_motion())
def test_a_written_motion_is_read_back(motion: m.Motion) -> None:
    assert m.read(write_motion(motion, ["made by a test"])) == motion


def test_two_keyframes_in_one_millisecond_cannot_be_written() -> None:
    frames = (m.Keyframe(0.1001, 0.0), m.Keyframe(0.1002, 0.1))
    with pytest.raises(ValueError, match="a second keyframe of neck_pan at 100 ms"):
        write_motion(m.Motion("motion", {"neck_pan": frames}))


def test_files_that_load_one_another_are_read_up_to_a_limit_all_together() -> None:
    """Comments count too: a thousand loads of a thousand loads of a long comment take hours."""
    comment = f"#MSq\n#{'x' * 1000}\n#END\n"
    read: list[str] = []

    def load(name: str) -> str:
        read.append(name)
        return comment if name == "long.mot" else "#MSq\n" + "load long.mot\n" * 1000 + "#END\n"

    motion, issues = m.build("#MSq\n" + "load b.mot\n" * 1000 + "#END\n", "a", load)
    assert len(comment) * read.count("long.mot") < 2 * MAX_BYTES
    assert not motion.keyframes
    assert any("the files that are loaded are too long together" in str(i) for i in issues)
