# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Tidy tables of one recorded game: a row for each game, player, message, delivery and visit.

All of it is read from the record; nothing is simulated. Times are simulated seconds. Where the
record broke off (``ended`` is false), the counters are those up to its last line. A player who
came after another of the same name had gone is ``NAME (2)`` in all tables, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bw4t_study.record.game_file import Game, Line
from bw4t_study.replay import Replay
from bw4t_world.messages import Message, MessageType, Phrasing, parse_term, parse_text

Row = dict[str, Any]

TABLES = ("games", "players", "messages", "deliveries", "visits", "notes")

GOING = frozenset({"goTo", "goToBlock", "navigateObstacles"})

_TYPES = list(MessageType)


def _between(first: MessageType, last: MessageType) -> frozenset[MessageType]:
    return frozenset(_TYPES[_TYPES.index(first) : _TYPES.index(last) + 1])


ASKS_FOR_RESPONSE = _between(MessageType.GO_TO_ROOM, MessageType.PUT_DOWN) | _between(
    MessageType.WHAT_IS_IN_ROOM, MessageType.WHO_HAS_A_BLOCK
)
"""Requests and questions: how long the next message of who was asked takes is measured."""

IDLE_CAUSES = (
    "start",
    "arrived",
    "wall",
    "closed door",
    "occupied zone",
    "robot",
    "battery empty",
    "other",
)
"""Why a robot had no target: not yet sent, at its target, stopped by something."""


def tables_of(game: Game) -> dict[str, list[Row]]:
    """Return the rows of a game, by the names of :data:`TABLES`.

    The measures of a record that broke off are those of its replay; raises ReplayError there.
    """
    measures = Replay(game).measures() if game.end is None else dict(game.end["measures"])
    game = told_apart(game)
    messages = _messages(game)
    deliveries = _deliveries(game)
    visits = _visits(game)
    return {
        "games": [_game(game, measures)],
        "players": list(_players(game, measures, messages, visits)),
        "messages": messages,
        "deliveries": deliveries,
        "visits": visits,
        "notes": [
            {"game": game.name, "tick": n["tick"], "wall": n["wall"], "player": n["of"],
             "note": n["kind"] if n["kind"] != "note" else n["text"]}
            for n in game.of_kind("note", "pause", "resume", "add", "remove", "request")
        ],
    }  # fmt: skip


def told_apart(game: Game) -> Game:
    """Return a game in which players have names of their own, see above."""
    lives = Counter(list(game.header["members"]))
    names = lives + Counter(line["of"] for line in game.of_kind("add"))
    if len(names) == names.total():
        return game
    lines = []
    for line in game.lines:
        if line["kind"] == "add":
            lives[line["of"]] += 1
        changed = {**line, "of": own_name(line["of"], lives[line["of"]])}
        if line.get("effect") == "sent":
            receiver, *text = line["args"]
            changed["args"] = [own_name(receiver, lives[receiver]), *text]
        lines.append(changed)
    return replace(game, lines=lines)


def own_name(name: str, life: int) -> str:
    """Return the name of the first, second, ... player who is called so."""
    return f"{name} ({life})" if life > 1 else name


def _game(game: Game, measures: Row) -> Row:
    header = game.header
    row = {
        "game": game.name,
        "started": header["started"],
        "ended": game.end is not None,
        "reason": game.end["reason"] if game.end else "",
        "profile": header["profile"],
        "seed": header["seed"],
        "collisions": header["collisions"],
    }
    row |= {f"about_{name}": str(value) for name, value in header["about"].items()}
    return row | {name: value for name, value in measures.items() if name != "robots"}


def _players(game: Game, measures: Row, messages: list[Row], visits: list[Row]) -> Iterator[Row]:
    tick_s = game.header["tick_seconds"]
    end = measures["completion_ticks"]
    pairs = (
        text.partition("=")
        for text in str(game.header["about"].get("participants", "")).split(", ")
    )
    people = {robot: code for code, _, robot in pairs}
    causes = idle_ticks(game, game.last_tick if end is None else end)
    lives: Counter[str] = Counter()
    for robot in measures["robots"]:
        lives[robot["name"]] += 1
        name = own_name(robot["name"], lives[robot["name"]])
        own = causes.get(name, Counter())
        idle = {cause: own[cause] * tick_s for cause in IDLE_CAUSES}
        rest = robot["idle_seconds"] - sum(idle.values())
        idle["other"] += rest if abs(rest) > tick_s / 2 else 0.0
        said = Counter(row["type"] for row in messages if row["sender"] == name)
        waits = [row["response_s"] for row in messages if row["responder"] == name]
        seen = [row for row in visits if row["player"] == name]
        yield (
            {"game": game.name, "player": name, "participant": people.get(robot["name"], "")}
            | {key: value for key, value in robot.items() if key != "name"}
            | {f"idle_{cause.replace(' ', '_')}_s": value for cause, value in idle.items()}
            | {"response_s": sum(waits) / len(waits) if waits else None}
            | {"redundant_visits": sum(row["redundant"] for row in seen)}
            | {f"said_{kind.value}": said[kind.value] for kind in MessageType}
        )


def idle_ticks(game: Game, end: int) -> dict[str, Counter[str]]:
    """Return for each robot the ticks without a target up to tick ``end``, by cause."""
    since: dict[str, tuple[int, str] | None] = {}
    result: dict[str, Counter[str]] = {}

    def stands(name: str, tick: int, cause: str) -> None:
        if since.get(name) is None:
            since[name] = tick, cause

    def goes(name: str, tick: int) -> None:
        begin = since.get(name)
        if begin is not None:
            counter = result.setdefault(name, Counter())
            counter[begin[1]] += max(0, min(tick, end) - min(begin[0], end))
        since[name] = None

    for name, spec in game.header["members"].items():
        if spec["what"] == "robot":
            stands(name, 0, "start")
    for line in game.lines:
        kind, name, tick = line["kind"], line["of"], line["tick"]
        if kind == "act" and line["action"] in GOING and line.get("effect") == "started":
            goes(name, tick)
        elif kind == "arrived":
            stands(name, tick, "arrived")
        elif kind == "battery empty":
            stands(name, tick, kind)
        elif kind == "collided":
            cause = next((c for c in IDLE_CAUSES if line["text"].startswith(c)), "other")
            stands(name, tick, cause)
        elif kind == "add" and line["spec"]["what"] == "robot":
            stands(name, tick, "start")
        elif kind == "remove":
            goes(name, tick)
    for name in tuple(since):
        goes(name, end)
    return result


def _messages(game: Game) -> list[Row]:
    tick_s = game.header["tick_seconds"]
    phrasing = Phrasing.DOCUMENT if game.header["profile"].startswith("spec") else Phrasing.SERVER
    rows: list[Row] = []
    for line in game.of_kind("act"):
        if line.get("effect") != "sent":
            continue
        receiver, text = map(str, line["args"])
        message = meaning(text, line["of"], phrasing)
        row = {
            "game": game.name,
            "tick": line["tick"],
            "seconds": line["tick"] * tick_s,
            "wall": line["wall"],
            "sender": line["of"],
            "receiver": receiver,
            "type": message.type.value,
            "text": text,
            "responder": None,
            "response_s": None,
        }
        for asked in reversed(rows):
            open_to = asked["receiver"] in ("all", line["of"]) and asked["sender"] != line["of"]
            if open_to and asked["responder"] is None and asked["asks"]:
                asked["responder"] = line["of"]
                asked["response_s"] = (line["tick"] - asked["tick"]) * tick_s
                break
        rows.append({**row, "asks": message.type in ASKS_FOR_RESPONSE})
    return rows


def meaning(text: str, sender: str, phrasing: Phrasing) -> Message:
    """Return what a text or term means; type UNKNOWN for any other text."""
    message = parse_text(text, phrasing)
    if message.type is MessageType.UNKNOWN:
        message = parse_term(text, sender, phrasing)
    return message


def _deliveries(game: Game) -> list[Row]:
    colors = {block: color for block, color, _ in game.header["blocks"]}
    rows, takers = [], {}
    for line in game.of_kind("act"):
        if line["action"] == "pickUp" and line.get("effect") == "picked up":
            takers[line["value"]] = line
        elif line.get("effect") in ("delivered", "dropped without being due"):
            taken: Line = takers.get(line["value"], {})
            rows.append(
                {
                    "game": game.name,
                    "tick": line["tick"],
                    "seconds": line["tick"] * game.header["tick_seconds"],
                    "player": line["of"],
                    "block": line["value"],
                    "color": colors.get(line["value"]),
                    "due": line["effect"] == "delivered",
                    "picked_up_tick": taken.get("tick"),
                }
            )
    return rows


def _visits(game: Game) -> list[Row]:
    """Rows of rooms entered; redundant: known to the team, and nothing was picked up there."""
    rows: list[Row] = []
    open_visit: dict[str, Row] = {}
    known: set[str] = set()
    for line in game.lines:
        name = line["of"]
        if line["kind"] == "entered" and line["text"] != "DropZone":
            row: Row = {"game": game.name, "tick": line["tick"], "player": name}
            row |= {"room": line["text"], "known": line["text"] in known, "picked_up": 0}
            open_visit[name] = row
            known.add(line["text"])
            rows.append(row)
        elif line["kind"] == "entered":
            open_visit.pop(name, None)
        elif line.get("effect") == "picked up" and name in open_visit:
            open_visit[name]["picked_up"] += 1
    return [{**row, "redundant": row["known"] and not row["picked_up"]} for row in rows]
