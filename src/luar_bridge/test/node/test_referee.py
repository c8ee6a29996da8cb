# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Several referees and matches on one network, and the referee's budget of messages."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, LuarReferee
from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.polling import until
from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.protocol.game_control import GameData, GameState, PlayerInfo, TeamInfo, encode
from luar_bridge.simulator.shared_ball import BROADCAST

pytestmark = pytest.mark.node
STREAM = qos.stream(20)


def match_of(version: int, **own: int) -> GameData:
    teams = TeamInfo(0, 0, 1, (PlayerInfo(),) * 5, **own), TeamInfo(9, 1, 0, ())
    return GameData(version, 1, 5, GameState.PLAYING, True, 0, 600, teams)


def test_other_matches_are_left_out_and_contradicting_senders_are_named(make_world: Any) -> None:
    (port,) = free_ports(1)
    own = match_of(20)
    other = dataclasses.replace(own, teams=(TeamInfo(3, 0, 7, ()), TeamInfo(9, 1, 0, ())))
    wrong = dataclasses.replace(own, state=GameState.FINISHED)
    with (
        udp_socket() as first,
        udp_socket() as second,
        make_world(game_controller=f"{BROADCAST}:{port}") as w,
    ):
        referee = w.peer.subscribe(LuarReferee, "/luar/referee")
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)

        def told() -> bool:
            for sender, game in ((first, other), (first, own), (second, wrong), (second, other)):
                sender.sendto(encode(game), (BROADCAST, port))
            found = [{v.key for v in m.status[0].values} for m in diagnostics.items]
            wanted = {"broadcasts of other matches", "contradicting broadcasts"}
            return any(wanted <= keys for keys in found)

        until(told, "neither is reported")
        said = {(m.state, m.teams[0].score) for m in referee.items if m.valid}
        assert said == {(GameState.PLAYING, 1)}

        def follows_the_other() -> bool:  # the first is silent from here on
            second.sendto(encode(wrong), (BROADCAST, port))
            return bool(referee.items) and referee.last.state == GameState.FINISHED

        until(follows_the_other, "the sender that is left is not followed")


def test_a_spent_budget_ends_the_messages(make_world: Any) -> None:
    port, own_port, mates_port = free_ports(3)
    spent = match_of(18, message_budget=0)
    with (
        udp_socket() as sender,
        udp_socket(BROADCAST, mates_port) as mates,
        make_world(
            game_controller=f"{BROADCAST}:{port}",
            team_messages=f"{BROADCAST}:{own_port}",
            team_messages_to=f"{BROADCAST}:{mates_port}",
            team_messages_form="r2r",
        ) as w,
    ):
        w.wait_for_link(LinkState.CONNECTED)
        until(lambda: list(datagrams(mates, 2000)), "nothing is sent without a referee")
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
        withheld = "team messages withheld by the budget"

        def is_withheld() -> bool:
            sender.sendto(encode(spent), (BROADCAST, port))
            return any(withheld in {v.key for v in m.status[0].values} for m in diagnostics.items)

        until(is_withheld, "nothing is withheld")
        heard = list(datagrams(mates, 2000))
        assert all(len(data) == 29 for data, _ in heard)
        count = len(diagnostics.items)

        def later() -> bool:
            sender.sendto(encode(spent), (BROADCAST, port))
            return len(diagnostics.items) > count + 1

        until(later)
        assert not list(datagrams(mates, 2000))
