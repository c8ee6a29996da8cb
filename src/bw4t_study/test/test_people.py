# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The part of an experiment file about people, its forms, and the course of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bw4t_study.experiment import DesignError, read_design, run_experiment
from bw4t_study.experiment.session import Session, open_session
from bw4t_study.people.forms import read_form, shipped_form
from bw4t_study.record import RecordError
from bw4t_world.console import main

STUDY: dict[str, Any] = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "order": "latin square",
    "conditions": {name: {"robots": 1} for name in "abcd"},
    "people": {"consent": "Agree?", "codes": ["P07"]},
}


def write(path: Path, people: dict[str, Any] | None = None, **changes: Any) -> Path:
    data = {**STUDY, **changes, "people": {**STUDY["people"], **(people or {})}}
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return path


ITEM = {"ask": "Why?", "text": True}
RIGHT = {"ask": "Is it?", "options": ["yes", "no"], "right": "yes"}


@pytest.mark.parametrize(
    "people, words",
    [
        ({"seat": 2}, "people: unknown: seat"),
        ({"seats": 0}, "seats: a whole number from 1"),
        ({"codes": ["a b"]}, "codes"),
        ({"practice": "z"}, "practice: there is no condition 'z'"),
        ({"between": ["tlx"]}, "there is no 'tlx'; there is nasa-tlx"),
        ({"check": [ITEM]}, "check: each question has options"),
        ({"start": "now"}, "start: by itself or experimenter"),
        ({"watch": "yes"}, "watch: true or false"),
        ({"consent": "missing.md"}, "missing.md"),
        ({"freeze": {"at": [5], "ask": "x"}}, "freeze: ask"),
        ({"questionnaires": {"q": {"items": [{"ask": "Why?"}]}}}, "q: items: 1: one of scale"),
        ({"questionnaires": {"q": {"items": [ITEM | {"scale": 7}]}}}, "one of scale"),
        ({"questionnaires": {"q": {"items": [{"ask": "?", "scale": 1}]}}}, "from 2 to"),
        ({"questionnaires": {"q": {"items": [ITEM | {"id": "x"}] * 2}}}, "two have one id"),
        ({"questionnaires": {"check": {"items": [ITEM]}}}, "check is the name of another form"),
        ({"before": ["nasa-tlx", "nasa-tlx"]}, "before: a list of different"),
        ({"questionnaires": {"q": {"items": [RIGHT]}}}, "q: right is for the questions of check"),
    ],
)
def test_what_a_file_says_wrongly_of_people_is_a_sentence(
    tmp_path: Path, people: dict[str, Any], words: str
) -> None:
    with pytest.raises(DesignError, match=words):
        read_design(write(tmp_path / "e.yaml", people))


def test_games_that_cannot_be_are_refused_at_the_start(tmp_path: Path) -> None:
    many = write(tmp_path / "e.yaml", conditions={"many": {"robots": 3}})
    with pytest.raises(DesignError, match="spawn points"):
        open_session(str(many), str(tmp_path))
    other = {"a": {"robots": 0}, "b": {"profile": "server_3_10"}}
    with pytest.raises(DesignError, match="same profile"):
        read_design(write(tmp_path / "e.yaml", conditions=other))
    with pytest.raises(DesignError, match="sees: one of percepts"):
        read_design(write(tmp_path / "e.yaml", conditions={"a": {"sees": "all"}}))


def test_a_batch_of_games_for_people_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "e.yaml")
    with pytest.raises(DesignError, match="for people"):
        run_experiment(read_design(file), tmp_path / "games")


def test_without_the_page_a_study_with_people_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bw4t_study.commands.PAGES", "bw4t_study.no_pages")
    assert main(["experiment", str(write(tmp_path / "e.yaml"))]) == 2
    assert "bw4t_web" in capsys.readouterr().err


def test_each_group_has_its_order_and_four_groups_each_condition_at_each_place(
    tmp_path: Path,
) -> None:
    file = write(tmp_path / "e.yaml")
    orders = []
    for _ in range(4):
        session = open_session(str(file), str(tmp_path))
        orders.append([trial["condition"] for trial in session.overview()["trials"]])
        session.close()
    assert all(sorted(places) == list("abcd") for places in zip(*orders, strict=True))


def test_a_session_goes_on_from_its_file_and_only_with_the_same_experiment(
    tmp_path: Path,
) -> None:
    file = write(tmp_path / "e.yaml", {"practice": "b"})
    first = open_session(str(file), str(tmp_path))
    first.arrive("P07")
    first.answer("P07", "consent", {})
    with (tmp_path / "group_001.session").open("ab") as torn:
        torn.write(b'{"kind":"arr')
    first.close()
    second = Session(read_design(file), tmp_path, group=1)
    assert second.is_answered
    game = second.next_game()
    assert game is not None
    assert (game.about["practice"], game.about["condition"]) == ("true", "b")
    second.withdraw("P07")
    assert second.screen("P07")["kind"] == "end"
    assert second.next_game() is None
    second.close()
    with pytest.raises(RecordError, match="another one"):
        Session(read_design(write(file, {"seats": 2})), tmp_path, group=1)


def test_answers_are_checked() -> None:
    form = shipped_form("nasa-tlx")
    answers = {item.id: 11 for item in form.items}
    assert form.read(answers) == answers
    for wrong in (
        {},
        answers | {"mental": 22},
        answers | {"mental": True},
        answers | {"x": 1},
        [],
    ):
        with pytest.raises(ValueError, match=r"answer|ask|object"):
            form.read(wrong)


@pytest.mark.parametrize("number", [31, -2.5, 10**300])
def test_a_number_is_an_answer(number: float) -> None:
    item = read_form("q", {"items": [{"ask": "How old?", "number": True}]}).items[0]
    assert item.read(number) == number


@pytest.mark.parametrize(
    "value", [10**400, -(10**400), 1e400, float("nan"), True, "31", [31]], ids=range(7)
)
def test_what_is_no_number_is_no_answer(value: object) -> None:
    item = read_form("q", {"items": [{"ask": "How old?", "number": True}]}).items[0]
    with pytest.raises(ValueError, match="no answer to: How old"):
        item.read(value)


def test_a_new_study_can_be_opened_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "mine"
    assert main(["study", "new", str(directory)]) == 0
    assert f"bw4t experiment {directory}/study.yaml" in capsys.readouterr().out
    session = open_session(str(directory / "study.yaml"), str(tmp_path / "games"))
    session.arrive("P01")
    shown = session.screen("P01")
    assert shown["form"]["text"].startswith("We record what you do")
    session.answer("P01", "consent", {})
    assert "Bring blocks" in session.screen("P01")["form"]["text"]
    assert main(["study", "new", str(directory)]) == 2
    assert "has files" in capsys.readouterr().err


def test_a_number_has_bounds_and_screens_have_texts_of_the_file(tmp_path: Path) -> None:
    items = [{"id": "age", "ask": "Age?", "number": True, "min": 18, "max": 99}]
    people = {
        "seats": 1,
        "before": ["you"],
        "questionnaires": {"you": {"items": items}},
        "texts": {"invalid": "Ask Ann for a link."},
        "codes": ["P1"],
    }
    conditions = {"alone": {"robots": 0}}
    design = {"maps": ["nine_rooms"], "teams": ["searchers"], "conditions": conditions}
    file = tmp_path / "e.yaml"
    file.write_text(yaml.safe_dump({**design, "people": people}))
    session = open_session(str(file), str(tmp_path / "games"))
    with pytest.raises(ValueError, match=r"Ask Ann for a link\."):
        session.arrive("P2")
    session.arrive("P1")
    with pytest.raises(ValueError, match="from 18 to 99"):
        session.answer("P1", "you", {"age": -5})
    session.answer("P1", "you", {"age": 31})
    for odd in ({"min": "x"}, {"min": 5, "max": 1}):
        bad = {**people, "questionnaires": {"you": {"items": [{**items[0], **odd}]}}}
        file.write_text(yaml.safe_dump({**design, "people": bad}))
        with pytest.raises(DesignError, match="min"):
            read_design(file)
