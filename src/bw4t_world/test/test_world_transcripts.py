# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of the original servers, replayed: the same events in the same order.

The recordings have times in milliseconds, which vary; so at every poll the world runs on until
the robot is where it was recorded, within 8 % of the recorded time. Everything else that is
perceived then must be the same. What depends on where the server's random generator put blocks
is left out: ``atBlock``, and locations at blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bw4t_world import ActionError, Percept, World
from bw4t_world.maps import BlockColor, MapSpec, ZoneType
from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

TRANSCRIPTS = Path(__file__).resolve().parents[1].parent.parent / "test" / "data" / "bw4t"
pytestmark = pytest.mark.skipif(
    not TRANSCRIPTS.is_dir(),  # this package was copied alone
    reason=f"{TRANSCRIPTS} is missing: run this test in a clone of the whole repository",
)

LEFT_OUT = {"atBlock", "zone", "place", "position"}

TWO_BOTS = Scenario(bots=(BotSpec(amount=2),))
ONE_BOT = Scenario(bots=(BotSpec(),))
FAST = BotSpec(amount=2, move_speed_handicap=True, speed=100, grippers=3)
GRIPPERS = Scenario(bots=(FAST, BotSpec(name="NoGrip", gripper_handicap=True)))


def mixed_team(capacity: int) -> Scenario:
    human = BotSpec(name="Hum", controller=Controller.HUMAN, grippers=3)
    agent = BotSpec(
        name="Agt",
        size=3,
        size_overload_handicap=True,
        speed=80,
        move_speed_handicap=True,
        color_blind_handicap=True,
        battery_enabled=True,
        battery_capacity=capacity,
    )
    helper = EPartnerSpec(name="EP", gps=True, forget_me_not=True)
    return Scenario(bots=(human, agent), epartners=(helper,))


def charging_map() -> MapSpec:
    """Return the map of the recordings with a charging zone and a blockade."""
    spec = nine_rooms()
    changed = {
        "LeftHallA": ("LeftHallA", ZoneType.CHARGINGZONE),
        "RightHallA": ("BlockadeA", ZoneType.BLOCKADE),
    }
    zones = []
    for zone in spec.zones:
        name, kind = changed.get(zone.name, (zone.name, zone.type))
        neighbours = tuple(changed.get(other, (other,))[0] for other in zone.neighbours)
        zones.append(replace(zone, name=name, type=kind, neighbours=neighbours))
    return replace(spec, zones=tuple(zones))


def two_colors() -> MapSpec:
    return replace(nine_rooms(), sequence=(BlockColor.YELLOW, BlockColor.RED))


class Case(NamedTuple):
    spec: MapSpec
    scenario: Scenario
    profile: str = "server_3_8_1"
    milliseconds: float = 20.35  # of a tick, on the recording machine


CASES = {
    "v3.8.1_doors": Case(nine_rooms(), TWO_BOTS),
    "v3.8.1_errors": Case(nine_rooms(), ONE_BOT),
    "v3.8.1_grip": Case(nine_rooms(), GRIPPERS),
    "v3.8.1_sequence": Case(two_colors(), GRIPPERS),
    "v3.8.1_charge": Case(charging_map(), mixed_team(10)),
    "v3.8.1_mix": Case(charging_map(), mixed_team(3)),
    "v3.10.0_errors": Case(nine_rooms(), ONE_BOT, "server_3_10", 11.2),
}


class Term(NamedTuple):
    """A percept of a recording; arguments are numbers, texts and lists."""

    name: str
    args: tuple[Any, ...]


def parse_terms(text: str) -> list[Term]:
    """Parse ``name(arg,...); name(arg,...);``."""
    position = 0

    def value() -> Any:
        nonlocal position
        if text[position] == "[":
            position += 1
            return values("]")
        match = re.compile(r"[^,()\[\];]+").match(text, position)
        assert match is not None, text[position:]
        position = match.end()
        if text[position : position + 1] == "(":
            position += 1
            return Term(match[0], values(")"))
        try:
            return float(match[0])
        except ValueError:
            return {"true": True, "false": False}.get(match[0], match[0])

    def values(end: str) -> tuple[Any, ...]:
        nonlocal position
        found = []
        while text[position] != end:
            found.append(value())
            if text[position] == ",":
                position += 1
        position += 1
        return tuple(found)

    terms = []
    while (match := re.compile(r"[;\s]*(?=[a-zA-Z])").match(text, position)) is not None:
        position = match.end()
        terms.append(value())
    return terms


class Line(NamedTuple):
    kind: str
    milliseconds: int = 0
    entity: str = ""
    terms: tuple[Term, ...] = ()
    action: tuple[str, ...] = ()
    error: str = ""


def read_lines(path: Path) -> Iterator[Line]:
    for text in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"(\d+) > act (\S+) (.+)", text):
            yield Line("act", int(match[1]), match[2], action=tuple(match[3].split()))
        elif match := re.match(r"(\d+) (\S+) (?:P|ADD) ?(.*)", text):
            terms = parse_terms(match[3].split("DEL*")[0])
            yield Line("poll", int(match[1]), match[2], tuple(terms))
        elif text.startswith("EXC"):
            yield Line("error", error=text.rsplit("<- ", 1)[1])


def plain(percept: Percept) -> Term:
    """Return one of our percepts in the form of the recordings."""

    def value(arg: Any) -> Any:
        if isinstance(arg, Percept):
            return plain(arg)
        if isinstance(arg, tuple):
            return tuple(value(item) for item in arg)
        return float(arg) if isinstance(arg, int) and not isinstance(arg, bool) else arg

    return Term(percept.name, tuple(value(arg) for arg in percept.args))


def close(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(close, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, float):
        return abs(ours - theirs) < 1e-8
    return bool(ours == theirs)


@dataclass
class Known:
    """What a robot perceived last, as recorded."""

    location: tuple[float, float] | None = None
    state: str = ""
    at_block: bool = False


class Replay:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.world = World(case.spec, case.scenario, profile=case.profile, seed=3)
        self.consumers = {name: self.world.connect(name) for name in self.world.names}
        self.known = {name: Known() for name in self.world.names}
        self.start: int | None = None
        self.error = ""
        self.polls = 0

    def play(self, line: Line) -> None:
        if line.kind == "error":
            self.check_error(line.error)
            return
        assert not self.error, f"an error that was not recorded: {self.error}"
        if self.start is None:
            self.start = line.milliseconds
        due = (line.milliseconds - self.start) / self.case.milliseconds
        if line.kind == "act":
            self.run_to(round(due))
            self.act(line.entity, *line.action)
        else:
            self.poll(line, due)

    def run_to(self, tick: int) -> None:
        self.world.step(max(0, tick - self.world.now))

    def robot(self, name: str) -> Any:
        return next((r for r in self.world.snapshot().robots if r.name == name), None)

    def act(self, name: str, action: str, *args: str) -> None:
        if name in self.known:
            if self.known[name].at_block:  # random places take their time
                while self.robot(name).state == "traveling":
                    self.world.step()
            if action.startswith("goTo"):
                self.known[name].at_block = action == "goToBlock"
        values = [_number(arg) for arg in args]
        try:
            self.world.act(name, action, *values)
        except ActionError as error:
            self.error = str(error)

    def check_error(self, recorded: str) -> None:
        ours, self.error = self.error, ""
        assert ours, f"the original says: {recorded}"
        if recorded.endswith("Exception: null"):
            return  # the original stumbled; any error will do
        text = recorded.split(": ", 1)[1]
        text = re.sub(r'<\w+ (?:name|value)="([^"]*)"/?>', r"\1", text)
        assert text in ours

    def poll(self, line: Line, due: float) -> None:
        known = self.known[line.entity]
        recorded = {term.name: term.args for term in line.terms}
        known.location = recorded.get("location", known.location)
        known.state = recorded.get("state", (known.state,))[0]
        self.run_to(int(due * 0.92) - 2)
        last = max(due * 1.08 + 3, self.world.now)
        while not self.is_there(line.entity) and self.world.now <= last:
            self.world.step()
        ours = [plain(percept) for percept in self.consumers[line.entity].poll().add]
        found = self.without_random(line.entity, ours)
        expected = self.without_random(line.entity, list(line.terms))
        assert len(found) == len(expected), (line.milliseconds, found, expected)
        for one, other in zip(found, expected, strict=True):
            assert close(one, other), line.milliseconds
        self.polls += 1

    def is_there(self, name: str) -> bool:
        robot, known = self.robot(name), self.known[name]
        if robot is None or known.location is None:
            return True
        if robot.state != known.state:
            return False
        return known.at_block or close((robot.x, robot.y), known.location)

    def without_random(self, name: str, terms: list[Term]) -> list[Term]:
        left_out = LEFT_OUT | ({"location"} if self.known[name].at_block else set())
        kept = [term for term in terms if term.name not in left_out]
        return sorted(
            (t for t in kept if not (t.name == "not" and t.args[0].name in left_out)), key=repr
        )


def _number(text: str) -> int | float | str:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text.replace("~", " ")


@pytest.mark.parametrize("name", CASES)
def test_a_recorded_run_is_replayed(name: str) -> None:
    replay = Replay(CASES[name])
    lines = list(read_lines(TRANSCRIPTS / f"{name}.txt"))
    for line in lines:
        replay.play(line)
    assert not replay.error
    assert replay.polls == sum(line.kind == "poll" for line in lines) > 0


def as_recorded(zones: list[Term]) -> MapSpec:
    """Return the charging map with the zones in the recorded order and neighbourhood."""
    spec = charging_map()
    return replace(
        spec,
        zones=tuple(
            replace(spec.zone(name), neighbours=neighbours)
            for _, name, _, _, neighbours in (zone.args for zone in zones)
        ),
    )


def test_the_first_poll_has_exactly_the_recorded_percepts() -> None:
    lines = list(read_lines(TRANSCRIPTS / "v3.8.1_first_pull_raw.txt"))
    zones = [term for term in lines[0].terms if term.name == "zone"]
    world = World(as_recorded(zones), mixed_team(10), profile="server_3_8_1", seed=1)
    consumers = {name: world.connect(name) for name in world.names}
    for line in lines:
        ours = [plain(percept) for percept in consumers[line.entity].poll().add]
        assert sorted(ours, key=repr) == sorted(line.terms, key=repr)
    assert len(lines) == 6
