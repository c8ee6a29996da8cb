# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The environments pass the tests of their libraries and are repeatable."""

from __future__ import annotations

import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs: pip install gymnasium")
pytest.importorskip("pettingzoo", reason="needs: pip install pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import (  # noqa: E402
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

from bw4t_study.learning import (  # noqa: E402
    BlocksWorldVectorEnv,
    Episode,
    aec_env,
    baseline,
    parallel_env,
)
from bw4t_study.learning.episodes import (  # noqa: E402
    FIRST_PLACE,
    GO_TO_DUE,
    OWN_FEATURES,
    PICK_UP,
    PUT_DOWN,
    ROOM_FEATURES,
)
from bw4t_study.learning.team import WORLD_SEEDS  # noqa: E402
from bw4t_world.console import main  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def expert(env: Any, name: str) -> int:
    """Search the rooms in their order, and fetch what is due."""
    episode = env.episode
    beliefs, mask = episode.robots[name].beliefs, episode.mask(name)
    places, drop = episode.places, len(episode.places) - 1
    if beliefs.is_moving:
        return 0
    if beliefs.holding:
        return PUT_DOWN if beliefs.room == "DropZone" else FIRST_PLACE + drop
    needed = beliefs.needed
    seen = episode.robots[name].knowledge.contents
    if beliefs.at_blocks and episode.robots[name].due_block() in beliefs.at_blocks:
        return PICK_UP
    if mask[GO_TO_DUE] and beliefs.visible[episode.robots[name].due_block()] == needed[0]:
        return GO_TO_DUE
    for number, place in enumerate(places[:-1]):
        if place not in seen or (needed and seen[place].get(needed[0])):
            return FIRST_PLACE + number
    return 0


def test_pettingzoo_parallel() -> None:
    parallel_api_test(parallel_env(robots=3, max_s=20.0), num_cycles=200)
    parallel_seed_test(lambda: parallel_env(robots=2, max_s=20.0), num_cycles=50)


def test_pettingzoo_aec() -> None:
    api_test(aec_env(robots=3, max_s=20.0), num_cycles=200)
    seed_test(lambda: aec_env(robots=2, max_s=20.0), num_cycles=50)


def test_gymnasium() -> None:
    check_env(gymnasium.make("BlocksWorld-v0", max_s=20.0).unwrapped, skip_render_check=True)


def test_a_game_can_be_won() -> None:
    env = gymnasium.make("BlocksWorld-v0", max_s=1000.0).unwrapped
    _, info = env.reset(seed=1)
    total, ended = 0.0, False
    while not ended:
        action = expert(env, "Bot_1")
        assert info["action_mask"][action]
        observation, reward, complete, over, info = env.step(action)
        assert env.observation_space.contains(observation)
        total, ended = total + reward, complete or over
    assert info["is_success"]
    measures = env.episode.world.measures()
    assert measures.good_drops == 6
    expected = 6.0 - 0.5 * measures.wrong_drops - 0.01 * env.episode.world.seconds
    assert total == pytest.approx(expected)


def test_where_blocks_are_picked_up_by_their_ids() -> None:
    env = parallel_env(robots=1, profile="server_3_10", max_s=1000.0, until_stop=True)
    env.reset(seed=1)
    name, world = "Bot_1", env.episode.world
    for number in range(len(env.episode.places) - 1):
        env.step({name: FIRST_PLACE + number})
        if env.episode.mask(name)[GO_TO_DUE]:
            break
    env.step({name: GO_TO_DUE})
    assert env.episode.mask(name)[PICK_UP]
    env.step({name: PICK_UP})
    assert world.measures().robots[0].blocks_picked_up == 1
    assert env.episode.mask(name)[-1], "the drop zone is the place to go now"


def test_a_wrong_drop_costs() -> None:
    env = parallel_env(robots=1)
    env.reset(seed=1)
    name = "Bot_1"
    for place in env.episode.places[:-1]:
        env.step({name: FIRST_PLACE + env.episode.places.index(place)})
        for _ in range(40):
            env.step({name: 0})
        robot = env.episode.robots[name]
        wrong = [
            b for b, color in robot.beliefs.visible.items() if color != robot.beliefs.needed[0]
        ]
        if wrong:
            break
    robot.consumer.act("goToBlock", wrong[0])
    for _ in range(20):
        env.step({name: 0})
    env.step({name: PICK_UP})
    env.step({name: FIRST_PLACE + len(env.episode.places) - 1})
    for _ in range(60):
        env.step({name: 0})
    _, rewards, *_ = env.step({name: PUT_DOWN})
    assert rewards == {name: pytest.approx(-0.5 - 0.005)}


def test_a_vector_is_as_many_single_worlds() -> None:
    vector = gymnasium.make_vec("BlocksWorld-v0", num_envs=3, max_s=20.0)
    assert isinstance(vector.unwrapped, BlocksWorldVectorEnv)
    singles = [gymnasium.make("BlocksWorld-v0", max_s=20.0) for _ in range(3)]
    observations, infos = vector.reset(seed=5)
    for number, single in enumerate(singles):
        observation, info = single.reset(seed=5 + number)
        assert np.array_equal(observations[number], observation)
        assert np.array_equal(infos["action_mask"][number], info["action_mask"])
    vector.action_space.seed(1)
    for _ in range(40):
        actions = vector.action_space.sample()
        observations, rewards, terminated, truncated, _ = vector.step(actions)
        for number, single in enumerate(singles):
            observation, reward, *ends, _ = single.step(actions[number])
            assert np.array_equal(observations[number], observation)
            assert (rewards[number], [terminated[number], truncated[number]]) == (reward, ends)
    assert truncated.all()
    before = observations.copy()
    observations, rewards, _, truncated, _ = vector.step(actions)
    assert not truncated.any()
    assert not rewards.any()
    assert not np.array_equal(before, observations)


def test_a_step_can_last_until_the_robot_stands() -> None:
    env = gymnasium.make(
        "BlocksWorld-v0", max_s=300.0, until_stop=True, holding=0.25, second=0.0
    ).unwrapped
    _, info = env.reset(seed=1)
    episode, steps, ended, total = env.episode, 0, False, 0.0
    while not ended:
        action = expert(env, "Bot_1")
        assert info["action_mask"][action]
        assert not info["action_mask"][0], "to wait alone makes no sense"
        _, reward, complete, over, info = env.step(action)
        steps, total, ended = steps + 1, total + reward, complete or over
        assert over or not episode.robots["Bot_1"].beliefs.is_moving
    assert info["is_success"]
    assert steps < 6 * 5 + 10
    assert total == pytest.approx(6.0 - 0.5 * episode.world.measures().wrong_drops)


def in_turn(robots: int, **rules: Any) -> Any:
    rules = {"robots": robots, "until_stop": True, "step_s": 0.1, "talks": True} | rules
    return gymnasium.make("BlocksWorld-v0", map="nine_rooms_random", **rules).unwrapped


@pytest.mark.parametrize("talks", [True, False])
def test_robots_decide_in_turn_and_know_what_they_hear(talks: bool) -> None:
    env = in_turn(2, talks=talks)
    env.reset(seed=1)
    places = env.episode.places
    near, far = places.index("RoomC1"), places.index("RoomA3")
    assert env.turn == "Bot_1"
    seen, *_ = env.step(FIRST_PLACE + near)
    assert env.turn == "Bot_2"
    rooms = seen[OWN_FEATURES:].reshape(len(places), ROOM_FEATURES)
    goes, known = rooms[:, 2], rooms[:, 3]
    assert goes[near] == talks
    assert not goes[far]
    assert not known.any()
    env.step(FIRST_PLACE + far)
    assert env.turn == "Bot_1", "it arrives first"
    assert not env.episode.mask("Bot_2")[1:].any(), "a robot on its way goes on"
    seen = env.episode.observe("Bot_2")
    assert seen[OWN_FEATURES:].reshape(len(places), ROOM_FEATURES)[near, 3] == talks


def test_a_robot_that_waits_is_asked_again() -> None:
    env = in_turn(2, max_s=30.0)
    env.reset(seed=1)
    asked = []
    for _ in range(6):
        asked.append((env.turn, round(env.episode.world.seconds, 1)))
        env.step(0)
    assert [name for name, _ in asked] == ["Bot_1", "Bot_2"] * 3
    assert [at for _, at in asked[2:4]] == pytest.approx([2.0, 2.1], abs=0.15)
    with pytest.raises(ValueError, match="until_stop"):
        in_turn(2, until_stop=False)


def test_what_is_not_masked_makes_sense() -> None:
    """Who chooses by chance among it, but never carries a block past the drop zone, completes."""
    env, choose = in_turn(3), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        possible = np.flatnonzero(info["action_mask"])
        first = [a for a in (PUT_DOWN, PICK_UP, GO_TO_DUE) if a in possible]
        _, _, complete, over, info = env.step(int(first[0] if first else choose.choice(possible)))
        ended = complete or over
    assert complete


def test_the_references_of_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "TEST_SEEDS", baseline.TEST_SEEDS[:3])
    team = baseline.play_team("nine_rooms_random", "searchers", 1)
    reported = baseline.play_omniscient("nine_rooms_random")
    rules = baseline.rules("nine_rooms_random", 1)
    lazy = baseline.play_policy(rules, lambda seen, mask: int(mask.argmax()))
    for ours, best, worst in zip(team, reported, lazy, strict=True):
        assert 40.0 < best <= ours < worst == baseline.MAX_S
    together = baseline.play_team("nine_rooms_random", "searchers", 3)
    assert sum(together) < 0.7 * sum(team)


def test_a_training_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert main(["learn", str(tmp_path)]) == 2
    assert 'pip install "bw4t_study[learn,baseline]"' in capsys.readouterr().err


def test_a_team_learns_in_other_worlds_than_it_is_judged_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("sb3_contrib", "matplotlib", "scipy"):
        pytest.importorskip(module, reason='needs: pip install "bw4t_study[baseline]"')
    seeds: list[int] = []
    begin = Episode.reset

    def reset(episode: Episode, seed: int) -> None:
        seeds.append(seed)
        begin(episode, seed)

    monkeypatch.setattr(Episode, "reset", reset)
    judged = baseline.TEST_SEEDS[:2]
    monkeypatch.setattr(baseline, "TEST_SEEDS", judged)
    monkeypatch.setattr(baseline, "EVALUATIONS", 1)
    monkeypatch.setattr(baseline, "MAX_S", 20.0)
    found = baseline.learn("nine_rooms_random", tmp_path, robots=2, steps=8, seed=1, worlds=2)
    assert {path.name for path in tmp_path.iterdir()} == {
        "policy.zip", "curve.csv", "references.json", "curve.png"
    }  # fmt: skip
    assert set(found) == {"MaskablePPO", "searchers", "lone_searcher"}
    assert all(len(one["games"]) == 2 for one in found.values())
    assert found == json.loads((tmp_path / "references.json").read_text())
    trained = [seed for seed in seeds if seed not in judged]
    assert len(trained) >= 2
    assert max(trained) < WORLD_SEEDS <= min(judged)


@pytest.mark.parametrize(
    "rules",
    [
        {"robots": 0},
        {"robots": 1.5},
        {"step_s": 0.0},
        {"step_s": "x"},
        {"max_s": 0.1},
        {"step_s": 0.005},
        {"delivery": float("nan")},
    ],
    ids=str,
)
def test_rules_that_make_no_episode_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"from|above|a number"):
        parallel_env(**rules)


def test_pictures() -> None:
    env = parallel_env(render_mode="rgb_array", robots=1)
    env.reset(seed=1)
    assert env.render().shape[2] == 3


@pytest.mark.parametrize(
    "actions, named",
    [
        ({}, "Bot_1, Bot_2"),
        ({"Bot_1": 0}, "no action for Bot_2"),
        ({"Bot_1": 0, "Bot_2": 0, "Bot_9": 0}, "Bot_9"),
        ({"Bot_1": -1, "Bot_2": 0}, "Bot_1: an action is 0 to 14, not -1"),
        ({"Bot_1": 99, "Bot_2": 0}, "99"),
        ({"Bot_1": 1.5, "Bot_2": 0}, "1.5"),
        ({"Bot_1": True, "Bot_2": 0}, "True"),
        ([0, 0], "for each robot's name"),
        (None, "for each robot's name"),
    ],
)
def test_wrong_actions_are_refused_in_a_sentence(actions: dict[str, Any], named: str) -> None:
    env = parallel_env(robots=2)
    with pytest.raises(ValueError, match="reset"):
        env.step({"Bot_1": 0, "Bot_2": 0})
    env.reset(seed=1)
    with pytest.raises(ValueError, match=re.escape(named)):
        env.step(actions)
    assert env.episode.world.now == 0


def test_one_robot_and_many_worlds_refuse_the_same() -> None:
    one = gymnasium.make("BlocksWorld-v0")
    one.reset(seed=1)
    with pytest.raises(ValueError, match="99"):
        one.step(99)
    many = BlocksWorldVectorEnv(2)
    many.reset(seed=[1, 2])
    for actions in ([0], [0, 99], [0, 1.5], None, {0: 0, 1: 0}):
        with pytest.raises(ValueError, match=r"for 2 worlds|world 1: an action is|each world"):
            many.step(actions)
    assert [episode.world.now for episode in many.episodes] == [0, 0]
    for seeds in ([1], [1, 2, 3], -1, 1.5, "ab", [1.5, 2]):
        with pytest.raises(ValueError, match=r"seeds for 2 worlds|a seed is"):
            many.reset(seed=seeds)
    with pytest.raises(ValueError, match="a seed is"):
        parallel_env().reset(seed=-1)
    with pytest.raises(ValueError, match="num_envs"):
        BlocksWorldVectorEnv(0)
    for make in (parallel_env, BlocksWorldVectorEnv):
        with pytest.raises(ValueError, match="human"):
            make(render_mode="human")


def test_a_game_is_pickled_in_its_course() -> None:
    env = parallel_env(robots=2, collisions=True)
    env.reset(seed=3)
    actions = {name: FIRST_PLACE + number for number, name in enumerate(env.agents)}
    for _ in range(10):
        env.step(actions)
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(20):
        (one, *first), (other, *second) = env.step(actions), copy.step(actions)
        assert all((one[name] == other[name]).all() for name in one)
        assert first[:3] == second[:3]
    assert copy.episode.world.measures() == env.episode.world.measures()


def test_pictures_can_be_written_on_and_vectors_render() -> None:
    cv2 = pytest.importorskip("cv2")
    env = gymnasium.make("BlocksWorld-v0", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    cv2.putText(picture, "t = 0", (10, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0))
    envs = gymnasium.make_vec("BlocksWorld-v0", num_envs=2, render_mode="rgb_array")
    envs.reset(seed=1)
    pictures = envs.render()
    assert [one.shape for one in pictures] == [picture.shape] * 2
