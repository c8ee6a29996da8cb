# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Motion sequences: what a ``.mot`` file does to the joints, over time.

Source: docs/originals/aibo.md, 6.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import radians

from aibo_gti_bridge.model import mot_file
from aibo_gti_bridge.model.joints import JOINTS, OUTPUTS, TOLERANCE, Joint, limit_error
from aibo_gti_bridge.model.joints import limits as joint_limits
from aibo_gti_bridge.model.kinematics import LEGS
from aibo_gti_bridge.model.mot_statements import (
    MAX_BYTES,
    MAX_TIME_MS,
    Advance,
    Comment,
    Issue,
    Load,
    MotFile,
    Output,
    SetTime,
    Severity,
    Unit,
)

MAX_NESTING = 8
"""Files that may load one another in a row."""
SIZE_CLASSES = {"tiny": 2, "small": 3, "medium": 6, "large": 11, "xlarge": 26}
"""Keyframes that Tekkotsu's classes of sequences have room for, as a multiple of OUTPUTS."""
_NOT_JOINTS = ("LED:", "EAR:")

Loader = Callable[[str], str]
"""Returns the text of a file by its name; raises OSError when there is none."""


class MotionError(Exception):
    """A motion that cannot be played; the message has file, line and reason of every error."""


@dataclass(frozen=True)
class Keyframe:
    """A joint's ``position`` (rad) at ``time`` (s); ``weight`` 0: the motion lets go of it."""

    time: float
    position: float
    weight: float = 1.0


@dataclass(frozen=True)
class Motion:
    """A sequence ready to be played: for each joint (our name) its keyframes in order of time.

    Between keyframes a joint moves linearly, each joint by itself; the way begins at time 0 in the
    pose in which the robot is then, and the last position is held.
    """

    name: str
    keyframes: Mapping[str, tuple[Keyframe, ...]]

    @cached_property
    def duration(self) -> float:
        """Seconds from the beginning to the last keyframe."""
        return max((frames[-1].time for frames in self.keyframes.values()), default=0.0)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints it moves."""
        return tuple(self.keyframes)

    def pose(self, time: float, start: Mapping[str, float]) -> dict[str, float]:
        """Return its joints' positions (rad) ``time`` seconds after a beginning in ``start``.

        A weight below 1 mixes the sequence with the ``start`` position.
        """
        return {
            name: _position(frames, time, start[name]) for name, frames in self.keyframes.items()
        }

    def times(self) -> list[float]:
        """Return the times (s) of all keyframes, in order, each once."""
        return sorted({frame.time for frames in self.keyframes.values() for frame in frames})


def _position(frames: tuple[Keyframe, ...], time: float, start: float) -> float:
    after = bisect_right(frames, time, key=lambda frame: frame.time)
    before = frames[after - 1] if after else Keyframe(0.0, start, frames[0].weight)
    position, weight = before.position, before.weight
    if after < len(frames):
        following = frames[after]
        part = (time - before.time) / (following.time - before.time)
        position += part * (following.position - position)
        weight += part * (following.weight - weight)
    weight = min(weight, 1.0)
    return weight * position + (1.0 - weight) * start


# --- names of outputs ----------------------------------------------------------------------

_TEKKOTSU = {joint.tekkotsu: joint for joint in JOINTS}


def outputs(name: str) -> tuple[Joint, ...]:
    """Return the joints that a name in a file means; LEDs and ears are none.

    A name may be shortened, padded with ``~``, and left without its L or R for both sides. Raises
    KeyError, with a sentence, for a name that fits no output or several different ones.
    """
    short = name.rstrip("~")
    if any(name.upper().startswith(prefix) for prefix in _NOT_JOINTS):
        return ()
    for candidates in ([short], [f"L{short}", f"R{short}"]):
        found: list[Joint] = []
        for candidate in candidates:
            if candidate in _TEKKOTSU:
                found.append(_TEKKOTSU[candidate])
                continue
            fitting = [joint for full, joint in _TEKKOTSU.items() if full.startswith(candidate)]
            if len(fitting) > 1 and short:
                names = ", ".join(joint.tekkotsu for joint in fitting)
                raise KeyError(f"{name} may mean any of {names}")
            found += fitting if short else []
        if found:
            return tuple(found)
    raise KeyError(f"{name} is no output of an ERS-7; the robot ignores it")


# --- from statements to keyframes ----------------------------------------------------------


def no_files(name: str) -> str:
    """Refuse to load: a loader where there are no other files."""
    raise FileNotFoundError(name)


class _Builder:
    """Walks through statements and collects keyframes and issues."""

    def __init__(self, loader: Loader, full_rotor_range: bool) -> None:
        self._loader = loader
        self._full_rotor_range = full_rotor_range
        self._frames: dict[str, dict[int, tuple[float, float, int]]] = {}
        self._now = 0
        self._loaded = 0
        """Characters of all files that were loaded."""
        self.issues: list[Issue] = []

    def add(
        self, file: MotFile, nesting: tuple[str, ...], line: int = 0, explicit: bool = False
    ) -> None:
        """Lay ``file`` over what is there, at the present time; ``line`` is that of its load."""
        unit = Unit.RADIANS
        self.issues += [_inside(issue, nesting, line) for issue in file.issues]
        for own_line, statement in file.statements:
            where = line or own_line
            if isinstance(statement, Comment):
                continue
            if isinstance(statement, Unit):
                unit = statement
            elif isinstance(statement, Advance):
                if self._now + statement.milliseconds < 0:
                    self._complain(where, "the time would be before the motion's beginning")
                else:
                    self._now = min(self._now + statement.milliseconds, MAX_TIME_MS)
            elif isinstance(statement, SetTime):
                self._now = statement.milliseconds
            elif isinstance(statement, Load):
                self._load(statement, nesting, where)
            else:
                self._output(statement, unit, where, posture=file.posture, explicit=explicit)

    def _complain(self, line: int, reason: str, severity: Severity = Severity.ERROR) -> None:
        self.issues.append(Issue(line, severity, reason))

    def _load(self, statement: Load, nesting: tuple[str, ...], line: int) -> None:
        name = statement.file
        if name in nesting or len(nesting) >= MAX_NESTING:
            self._complain(line, f"{name} is loaded within itself or too deeply ({MAX_NESTING})")
            return
        if self._loaded > MAX_BYTES:
            self._complain(line, f"{name}: the files that are loaded are too long together")
            return
        try:
            text = self._loader(name)
        except OSError:
            reason = "there is no such file"
        else:
            self._loaded += len(text)
            file = mot_file.parse(text)
            refused = [i for i in file.issues if i.severity is Severity.ERROR]
            if not refused and (file.posture or not statement.explicit):
                self.add(file, (*nesting, name), line, statement.explicit)
                return
            reason = "it is a sequence, and loadExplicit is for postures"
            if refused:
                reason = f"line {refused[0].line}: {refused[0].reason}"
        # The robot goes on without it.
        self._complain(line, f"{name} cannot be read: {reason}", Severity.WARNING)

    def _output(
        self, output: Output, unit: Unit, line: int, *, posture: bool, explicit: bool
    ) -> None:
        try:
            joints = outputs(output.name)
        except KeyError as error:
            self._complain(line, str(error.args[0]), Severity.WARNING)
            return
        if posture and output.weight == 0.0 and not explicit:
            return
        if self._now == 0 and joints:
            self._complain(
                line,
                f"{output.name} at time 0 has no effect: there the robot takes the pose it is in; "
                "advance the time first",
                Severity.WARNING,
            )
            return
        value = radians(output.value) if unit is Unit.DEGREES else output.value
        for joint in joints:
            low, high = joint_limits(joint, full_rotor_range=self._full_rotor_range)
            if output.weight > 0.0 and not low - TOLERANCE <= value <= high + TOLERANCE:
                self._complain(
                    line,
                    f"{joint.tekkotsu} at {value:.4f} rad is outside its limits of {low:.4f} to "
                    f"{high:.4f} rad; the robot stops there",
                    Severity.WARNING,
                )
            clipped = min(max(value, low), high)
            self._frames.setdefault(joint.name, {})[self._now] = (clipped, output.weight, line)

    def finish(self) -> Mapping[str, tuple[Keyframe, ...]]:
        """Return the keyframes by joint, and complain about what only the whole shows."""
        result = {}
        most = OUTPUTS * SIZE_CLASSES["xlarge"]
        if sum(map(len, self._frames.values())) > most:
            self._complain(1, f"the robot has no room for more than {most} keyframes")
        for joint in JOINTS:
            frames = sorted(self._frames.get(joint.name, {}).items())
            if not frames:
                continue
            for (t0, (p0, w0, _)), (t1, (p1, w1, line)) in pairwise(frames):
                needed = abs(p1 - p0) / ((t1 - t0) / 1000.0)
                if w0 > 0 and w1 > 0 and needed > joint.max_speed * (1 + TOLERANCE):
                    self._complain(
                        line,
                        f"{joint.tekkotsu} would have to turn at {needed:.2f} rad/s, "
                        f"it turns at {joint.max_speed:.2f} rad/s at most",
                        Severity.WARNING,
                    )
            result[joint.name] = tuple(
                Keyframe(time / 1000.0, position, weight) for time, (position, weight, _) in frames
            )
        self._check_legs(result)
        return result

    def _check_legs(self, keyframes: Mapping[str, tuple[Keyframe, ...]]) -> None:
        """Complain about elevators that press their leg to the body while it is swung away."""
        for leg in LEGS:
            rotors, elevators = (keyframes.get(f"{leg}_{j}", ()) for j in ("rotor", "elevator"))
            if not rotors or not elevators:
                continue
            for time in sorted({frame.time for frame in (*rotors, *elevators)}):
                if time < max(rotors[0].time, elevators[0].time):
                    continue  # one of them is still on its way from an unknown pose
                pose = {
                    f"{leg}_rotor": _position(rotors, time, 0.0),
                    f"{leg}_elevator": _position(elevators, time, 0.0),
                }
                error = limit_error(pose, full_rotor_range=self._full_rotor_range)
                if error:
                    frames = self._frames[f"{leg}_elevator"]
                    line = frames[max(t for t in frames if t / 1000.0 <= time)][2]
                    self._complain(line, f"{error} ({time:.3f} s)", Severity.WARNING)


def _inside(issue: Issue, nesting: tuple[str, ...], line: int) -> Issue:
    """Return an issue of a loaded file as one of the line that loads it."""
    if not line:
        return issue
    return Issue(line, issue.severity, f"{nesting[-1]}, line {issue.line}: {issue.reason}")


def build(
    text: str,
    name: str = "motion",
    loader: Loader = no_files,
    *,
    full_rotor_range: bool = False,
) -> tuple[Motion, list[Issue]]:
    """Return the motion that ``text`` describes, as far as it can be played, and its issues."""
    builder = _Builder(loader, full_rotor_range)
    builder.add(mot_file.parse(text), (name,))
    motion = Motion(name, builder.finish())
    if not motion.keyframes and not builder.issues:
        builder.issues.append(Issue(1, Severity.WARNING, "the motion moves no joint"))
    return motion, sorted(set(builder.issues))


def read(text: str, name: str = "motion", loader: Loader = no_files) -> Motion:
    """Return the motion that ``text`` describes. Raises MotionError when it has an error."""
    motion, issues = build(text, name, loader)
    errors = [f"{name}, {issue}" for issue in issues if issue.severity is Severity.ERROR]
    if errors:
        raise MotionError("; ".join(errors))
    return motion
