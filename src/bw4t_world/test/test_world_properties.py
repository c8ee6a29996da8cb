# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Properties of random worlds: maps, teams and actions of all kinds."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bw4t_world import PROFILES, ActionError, SpawnError, World
from bw4t_world.maps import BlockColor, Box, EntitySpec, MapSpec, Point, ZoneType
from bw4t_world.maps.generator import Layout, generate_map
from bw4t_world.model.policies import Group, make_stream
from bw4t_world.scenarios import BotSpec, Controller, EPartnerSpec, Scenario

# --- Random worlds ------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """Everything that decides what happens in a world."""

    spec: MapSpec
    profile: str
    seed: int
    collisions: bool
    members: tuple[BotSpec | EPartnerSpec, ...]
    moves: tuple[tuple[Any, ...], ...]


def scaled(spec: MapSpec, factor: float) -> MapSpec:
    """Stretch a map; doors keep their size."""

    def point(p: Point) -> Point:
        return Point(p.x * factor, p.y * factor)

    return replace(
        spec,
        area=point(spec.area),
        zones=tuple(
            replace(
                zone,
                box=Box(
                    *(v * factor for v in (zone.box.x, zone.box.y)),
                    *(v * factor for v in (zone.box.width, zone.box.height)),
                ),
                doors=tuple(replace(door, position=point(door.position)) for door in zone.doors),
            )
            for zone in spec.zones
        ),
        entities=tuple(replace(e, position=point(e.position)) for e in spec.entities),
    )


@st.composite
def maps(draw: st.DrawFn) -> MapSpec:
    layout = Layout(rows=draw(st.integers(1, 2)), columns=draw(st.integers(1, 3)), spawns=1)
    blocks = draw(st.integers(1, 8))
    spec = generate_map(
        layout,
        blocks=blocks,
        sequence=draw(st.integers(0, min(blocks, 4))),
        seed=draw(st.integers(0, 99)),
    )
    zones = list(spec.zones)
    corridors = [i for i, zone in enumerate(zones) if zone.type is ZoneType.CORRIDOR]
    for index in draw(st.lists(st.sampled_from(corridors), max_size=2)):
        zones[index] = replace(zones[index], type=ZoneType.CHARGINGZONE)
    for index in draw(st.lists(st.sampled_from(corridors), max_size=2)):
        box = zones[index].box  # reaches into its neighbours, rooms too
        extra = draw(st.sampled_from([0.5, 3.0]))
        zones[index] = replace(
            zones[index], box=replace(box, width=box.width + extra, height=box.height + extra)
        )
    open_zones = [zone for zone in zones if zone.type is not ZoneType.ROOM]
    spawns = draw(st.lists(st.sampled_from(open_zones), min_size=4, max_size=4, unique=True))
    offset = draw(st.sampled_from([0.0, 0.1]))
    spec = replace(
        spec,
        zones=tuple(zones),
        one_bot_per_corridor_zone=draw(st.booleans()),
        entities=tuple(EntitySpec(Point(zone.box.x + offset, zone.box.y)) for zone in spawns),
    )
    return scaled(spec, draw(st.sampled_from([1.0, 1.0, 1.37])))


robots = st.builds(
    BotSpec,
    name=st.just("Bot"),
    controller=st.sampled_from([Controller.AGENT, Controller.HUMAN]),
    size=st.sampled_from([2, 1, 3, 4]),
    speed=st.sampled_from([100, 80, 50, 50, 7, 0]),
    battery_enabled=st.booleans(),
    battery_capacity=st.sampled_from([1, 3, 10]),
    grippers=st.sampled_from([1, 2, 3, 0]),
    color_blind_handicap=st.booleans(),
    gripper_handicap=st.sampled_from([False, False, True]),
    move_speed_handicap=st.booleans(),
    size_overload_handicap=st.sampled_from([False, False, True]),
)
epartners = st.builds(EPartnerSpec, gps=st.booleans(), forget_me_not=st.booleans())
member_index = st.integers(0, 3)
coordinates = st.one_of(
    st.floats(-10, 120, allow_nan=False),
    st.integers(-10, 120),
    st.sampled_from([1e300, -0.25, -1e-4, 40.9]),
)
places = st.one_of(st.integers(0, 99), st.integers(0, 99), st.just("DropZone"))
work = st.one_of(
    st.tuples(st.just("goTo"), places),
    st.tuples(st.just("goTo"), st.just("a room")),
    st.tuples(st.just("goToBlock"), st.just("a block")),
    st.tuples(st.just("pickUp"), st.just("a block")),
    st.sampled_from([("putDown",), ("navigateObstacles",), ("pickUpEPartner",)]),
)
oddities = st.one_of(
    st.tuples(st.just("goTo"), coordinates, coordinates),
    st.tuples(st.just("goToBlock"), st.integers(0, 60)),
    st.sampled_from(
        [
            ("putDownEPartner",),
            ("sendMessage", "all", "hello"),
            ("checkSequenceDone",),
            ("goTo", "Nowhere"),
        ]
    ),
)
ticking = st.tuples(st.just("tick"), st.sampled_from([1, 2, 3, 7, 40, 90, 200, 350]))
acting = st.tuples(st.just("act"), member_index, work)
moves = st.one_of(
    ticking,
    ticking,
    acting,
    acting,
    st.tuples(st.just("act"), member_index, oddities),
    st.tuples(st.just("poll"), member_index),
    st.one_of(st.tuples(st.just("add"), robots), st.tuples(st.just("remove"), member_index)),
)


@st.composite
def errands(draw: st.DrawFn) -> tuple[tuple[Any, ...], ...]:
    """Fetch a block and put it somewhere, if nothing comes in between."""
    member, place = draw(member_index), draw(st.sampled_from(["DropZone", "DropZone", 7, 2]))
    steps: list[tuple[Any, ...]] = [
        ("goTo", "a room"),
        ("goToBlock", "a block"),
        ("pickUp", "a block"),
        ("goTo", place),
        ("putDown",),
    ]
    waits = (400, 90, 1, 400, 1)
    return tuple(
        move
        for step, wait in zip(steps, waits, strict=True)
        for move in (("act", member, step), ("tick", wait))
    )


parts = st.one_of(st.tuples(moves), st.tuples(moves), errands())


@st.composite
def games(draw: st.DrawFn) -> Game:
    return Game(
        spec=draw(maps()),
        profile=draw(st.sampled_from(sorted(PROFILES))),
        seed=draw(st.integers(0, 2**32)),
        collisions=draw(st.booleans()),
        members=(
            *draw(st.lists(robots, min_size=1, max_size=3)),
            *draw(st.lists(epartners, max_size=1)),
        ),
        moves=tuple(
            move for part in draw(st.lists(parts, min_size=8, max_size=30)) for move in part
        ),
    )


class Player:
    """Plays a game with one time stepping and notes all that can be seen."""

    def __init__(self, game: Game, stepping: str = "events") -> None:
        self.world = World(
            game.spec,
            profile=game.profile,
            seed=game.seed,
            collisions=game.collisions,
            time_stepping=stepping,
        )
        self.consumers: dict[str, Any] = {}
        for member in game.members:
            self.add(member)

    def add(self, member: BotSpec | EPartnerSpec) -> str:
        try:
            if isinstance(member, BotSpec):
                name = self.world.add_robot(member)
            else:
                name = self.world.add_epartner(member)
        except SpawnError as error:
            return str(error)
        self.consumers[name] = self.world.connect(name)
        return name

    def play(self, move: tuple[Any, ...]) -> Any:
        kind, *rest = move
        names = self.world.names
        if kind == "tick":
            return self.world.tick(rest[0])
        if kind == "add":
            return self.add(rest[0])
        if not names:
            return None
        name = names[rest[0] % len(names)]
        if kind == "poll":
            return self.consumers[name].poll()
        if kind == "remove":
            return self.world.remove(name)
        action, *args = self.meant(name, *rest[1])
        try:
            return self.world.act(name, action, *args)
        except ActionError as error:
            return str(error)

    def meant(self, name: str, action: str, *args: Any) -> tuple[Any, ...]:
        """Fill in places and blocks that make sense where the robot is."""
        zones = self.world.map.zones
        snapshot = self.world.snapshot()
        robot = next((r for r in snapshot.robots if r.name == name), None)
        if args == ("a room",):
            full = sorted({str(block.zone) for block in snapshot.blocks})
            return action, full[snapshot.tick % len(full)] if full else "DropZone"
        if args == ("a block",):
            if action == "pickUp" and not self.world.profile.pick_up_by_id:
                return (action,)
            near = [b.id for b in snapshot.blocks if robot is not None and b.zone == robot.zone]
            return action, near[snapshot.tick % len(near)] if near else 0
        if action == "goTo" and len(args) == 1 and isinstance(args[0], int):
            return action, zones[args[0] % len(zones)].name
        return action, *args


_settings = settings(
    max_examples=60,
    deadline=None,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@given(game=games())
@settings(_settings, max_examples=100)
def test_jumping_over_ticks_gives_what_stepping_gives_to_the_bit(game: Game) -> None:
    jumping, stepping = Player(game, "events"), Player(game, "ticks")
    for move in game.moves:
        assert jumping.play(move) == stepping.play(move)
        assert jumping.world.snapshot() == stepping.world.snapshot()
        assert jumping.world.measures() == stepping.world.measures()


@given(seed=st.integers(0, 2**32), profile=st.sampled_from(sorted(PROFILES)))
@settings(_settings, max_examples=6)
def test_a_crowd_that_collides_moves_as_it_does_step_by_step(seed: int, profile: str) -> None:
    rng = random.Random(seed)
    spec = generate_map(Layout(rows=3, columns=4, spawns=1), blocks=4, sequence=2, seed=1)
    places = [zone for zone in spec.zones if zone.type is ZoneType.CORRIDOR]
    spawns = [rng.choice(places).box.center for _ in range(24)]
    points = tuple(
        EntitySpec(Point(p.x + rng.uniform(-4, 4), p.y + rng.uniform(-4, 4))) for p in spawns
    )
    worlds = [
        World(
            replace(spec, entities=points),
            Scenario(bots=(BotSpec(amount=24),)),
            profile=profile,
            seed=seed,
            collisions=True,
            time_stepping=stepping,
        )
        for stepping in ("events", "ticks")
    ]
    for _ in range(60):
        name, place = f"Bot_{rng.randint(1, 24)}", rng.choice(spec.zones).name
        action = rng.choice([("goTo", place), ("goTo", place), ("navigateObstacles",)])
        ticks = rng.choice([1, 5, 30])
        for world in worlds:
            with suppress(ActionError):
                world.act(name, *action)
            world.tick(ticks)
        assert worlds[0].snapshot() == worlds[1].snapshot()


def contents(world: World) -> Counter[int]:
    snapshot = world.snapshot()
    lying = [block.id for block in snapshot.blocks]
    return Counter([*lying, *(b.id for robot in snapshot.robots for b in robot.held)])


@given(game=games())
@settings(_settings, max_examples=40)
def test_the_rules_of_the_world_always_hold(game: Game) -> None:
    player = Player(game)
    world = player.world
    colors = {block.id: block.color for block in world.snapshot().blocks}
    before, blocks = world.snapshot(), contents(world)
    for move in game.moves:
        ticks = move[1] if move[0] == "tick" else 1
        result = None
        for _ in range(min(ticks, 40)):  # look at single ticks, too
            result = player.play(("tick", 1) if move[0] == "tick" else move)
            after, now = world.snapshot(), contents(world)
            check_rooms(world)
            check_blocks(before, after, blocks, now, move, result)
            check_sequence(before, after, colors)
            check_batteries(world, before, after)
            before, blocks = after, now
        if move[0] == "tick" and ticks > 40:
            player.play(("tick", ticks - 40))
            before, blocks = world.snapshot(), contents(world)
            check_rooms(world)


def check_rooms(world: World) -> None:
    snapshot = world.snapshot()
    walled = {z.name for z in world.map.zones if z.type in (ZoneType.ROOM, ZoneType.BLOCKADE)}
    for zone in snapshot.zones:
        inside = [r.name for r in snapshot.robots if _contains(world.map, zone.name, r.x, r.y)]
        assert sorted(inside) == list(zone.occupants)
        if zone.name in walled:
            assert len(zone.occupants) <= 1
    for door in snapshot.doors:
        occupants = next(zone.occupants for zone in snapshot.zones if zone.name == door.room)
        assert door.is_open == (not occupants)


def _contains(spec: MapSpec, name: str, x: float, y: float) -> bool:
    return spec.zone(name).box.contains(x, y)


def check_blocks(
    before: Any, after: Any, had: Counter[int], has: Counter[int], move: Any, result: Any
) -> None:
    """Every block is in one place, and goes only where a rule takes it."""
    assert all(count == 1 for count in has.values())
    assert not has - had
    gone = had - has
    if move[0] == "remove":
        held = {b.id for robot in before.robots for b in robot.held}
        assert set(gone) <= held
    elif gone:
        assert move[0] == "act"
        assert move[2][0] == "putDown"
        assert list(gone) == [result.value]
        assert result.effect.name in ("DELIVERED", "WRONG_DROP", "VANISHED")
    held_now = {b.id for robot in after.robots for b in robot.held}
    assert held_now.isdisjoint(block.id for block in after.blocks)


def check_sequence(before: Any, after: Any, colors: dict[int, BlockColor]) -> None:
    assert after.sequence == before.sequence
    assert after.delivered in (before.delivered, before.delivered + 1)
    if after.delivered > before.delivered:
        held = [{b.id for robot in s.robots for b in robot.held} for s in (before, after)]
        (block,) = held[0] - held[1]
        assert colors[block] is before.sequence[before.delivered]
    assert (after.completed_at is not None) == (after.delivered == len(after.sequence))


def check_batteries(world: World, before: Any, after: Any) -> None:
    charging = [z for z in world.map.zones if z.type is ZoneType.CHARGINGZONE]
    old = {robot.name: robot for robot in before.robots}
    for robot in after.robots:
        assert 0.0 <= robot.battery <= 100.0
        was = old.get(robot.name)
        if was is None or was.id != robot.id:
            continue
        at_charger = any(zone.box.contains(r.x, r.y) for zone in charging for r in (was, robot))
        if robot.battery > was.battery:
            assert at_charger
        if (robot.x, robot.y) != (was.x, was.y):
            assert abs(robot.x - was.x) <= robot.step + 1e-9
            assert abs(robot.y - was.y) <= robot.step + 1e-9


@given(game=games())
@settings(_settings, max_examples=40)
def test_a_held_block_is_seen_nowhere_else(game: Game) -> None:
    player = Player(game)
    for move in game.moves:
        player.play(move)
        held = {block.id for robot in player.world.snapshot().robots for block in robot.held}
        for name in player.world.names:
            listener = player.world.connect(name, player=False)
            percepts = listener.poll().add
            listener.close()
            for percept in percepts:
                if percept.name in ("color", "position", "atBlock"):
                    assert percept.args[0] not in held


@given(game=games())
@settings(_settings, max_examples=40)
def test_the_same_seed_gives_the_same_world(game: Game) -> None:
    one, other = Player(game), Player(game)
    assert one.world.snapshot() == other.world.snapshot()
    for move in game.moves:
        assert one.play(move) == other.play(move)
    assert one.world.snapshot() == other.world.snapshot()


@given(game=games(), late=st.integers(0, 10))
@settings(_settings, max_examples=40)
def test_consumers_do_not_disturb_each_other(game: Game, late: int) -> None:
    """What a consumer gets does not depend on who else polls the same entity."""
    alone, crowded = Player(game), Player(game)
    extra: list[Any] = []
    for index, move in enumerate(game.moves):
        assert alone.play(move) == crowded.play(move)
        if index == late:
            extra = [crowded.world.connect(name, player=False) for name in crowded.world.names]
        for consumer in extra:
            if consumer.is_connected:
                consumer.poll()


class Unstamped:
    """A consumer for whom every source is read in every poll."""

    def __init__(self, world: World, name: str) -> None:
        self.consumer = world.connect(name, player=False)
        self.entity: Any = self.consumer.entity
        groups = world._simulation.perception.groups_of(self.entity)
        always_new = [Group(lambda _: object(), group.sources) for group in groups]
        self.stream = make_stream(world.profile.percept_delivery, always_new)

    def poll(self) -> Any:
        messages = [p for p in self.consumer.poll().add if p.name == "message"]
        return self.stream.poll(self.entity, messages)


@given(game=games())
@settings(_settings, max_examples=40)
def test_leaving_out_what_has_not_changed_leaves_out_nothing_else(game: Game) -> None:
    player = Player(game)
    pairs = [
        (player.world.connect(name, player=False), Unstamped(player.world, name))
        for name in player.world.names
    ]
    for move in game.moves:
        player.play(move)
        for consumer, unstamped in pairs:
            if consumer.is_connected:
                # new messages lie in two mailboxes, so each takes its own
                quick, thorough = consumer.poll(), unstamped.poll()
                assert sorted(map(str, quick.add)) == sorted(map(str, thorough.add))
                assert sorted(map(str, quick.delete)) == sorted(map(str, thorough.delete))


def test_equal_seeds_differ_from_other_seeds() -> None:
    spec = generate_map(Layout(), blocks=20, sequence=5, seed=None)
    first, again, other = (World(spec, seed=seed).snapshot() for seed in (1, 1, 2))
    assert first == again
    assert first.blocks != other.blocks
