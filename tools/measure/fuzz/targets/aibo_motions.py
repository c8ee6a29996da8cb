# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The reader of the AIBO's motion files: text, keyframes, and files that load one another."""

from aibo_gti_bridge.model import mot_file, mot_writer, motions
from aibo_gti_bridge.model.joints import BY_NAME, JOINTS
from aibo_gti_bridge.model.motion_library import EXAMPLES

NAMES = ("a.mot", "b.mot", "c.pos")
"""Between NUL characters an input has the file that is read, and those that it may load."""
START = {joint.name: 0.0 for joint in JOINTS}


def seeds() -> list[bytes]:
    texts = [path.read_bytes() for path in sorted(EXAMPLES.glob("*.mot"))]
    posture = (
        b"#POS\ncondensed ERS-7\nmeta-info = 1 2\noutputs =" + b" 0.1" * 47 + b"\nweights = 0 1\n"
        b"<sensors>\nNearIRDist 50\n</sensors>\nspecialize ERS-2.*\nNECK:roll 1\nspecialize\n"
        b"NECK:tilt 0.1 1\nLFr:elvtr~ = 0,2 # x\nMOUTH~~~~~ 0 0\n#END\n"
    )
    loading = (
        b"#MSq\ndegrees\nadvanceTime 500\nload b.mot\nloadExplicit c.pos\nsetTime 2000\n"
        b"radians\ndelay 10\noverlay a.mot\nLED:middle 1 0.5\nNECK:pan~ 0.5\n#END\n"
    )
    return [*texts, posture, loading + b"\0" + texts[0] + b"\0" + posture]


def one_input(data: bytes) -> None:
    whole, *others = data.split(b"\0")
    first = whole.decode("utf-8", "replace")
    files = dict(zip(NAMES, others, strict=False))

    def load(name: str) -> str:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name].decode("utf-8", "replace")

    file = mot_file.parse(first)
    try:
        text = mot_writer.write((s for _, s in file.statements), posture=file.posture)
    except ValueError:
        pass  # a comment with characters that end lines elsewhere
    else:
        again = mot_file.parse(text)
        assert [s for _, s in again.statements] == [s for _, s in file.statements]
        assert again.issues == ()
    motion, issues = motions.build(first, "motion", load)
    assert issues == sorted(set(issues))
    for time in [0.0, *motion.times(), motion.duration + 1.0]:
        for name, position in motion.pose(time, START).items():
            low, high = motions.joint_limits(BY_NAME[name], full_rotor_range=False)
            assert min(low, 0.0) - 1e-6 <= position <= max(high, 0.0) + 1e-6
    try:
        written = mot_writer.write_motion(motion)
    except ValueError:
        return  # two keyframes within a millisecond
    back, _ = motions.build(written, "motion")
    assert back.keyframes.keys() == motion.keyframes.keys()
