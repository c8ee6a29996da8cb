# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot that carries on over a lost link: whose reply is whose. No time decides that.

test_schedules.py searches all orders; here are the ones that went wrong.
"""

import pytest

from legacy_robots_core.link.base import LinkObserver
from nao_goal_bridge.protocol import Failure, GoToTiles, Halt, PickUp, PutDown, Success
from nao_goal_bridge.protocol.exchange import NO_WAY, CommandExchange, Ready
from nao_goal_bridge.protocol.robot_requests import Outcome, TimeLimits

WALK, PICK_UP = GoToTiles(((0, 0), (1, 0))), PickUp()
HALTED, WALKED, NOT_WALKED = Success(Halt.opcode), Success(1), Failure(1)


class Bench(LinkObserver):
    """An exchange, what the robot is sent and a clock."""

    def __init__(self):
        self.now, self.wire, self.ready, self.strays = 0.0, [], 0, []
        self.exchange = CommandExchange(
            self.wire.append,
            self,
            TimeLimits(halt=2, owed_reply=20),
            lambda: self.now,
            walks_on=True,
            greets=True,
        )
        self.exchange.open()

    def on_event(self, event):
        assert event == Ready()
        self.ready += 1

    def on_problem(self, counter, text):
        self.strays.append(text)

    def reply(self, *replies):
        for reply in replies:
            self.exchange.handle(reply)

    def begin(self, command):
        assert self.exchange.is_free
        outcomes = []
        self.exchange.send_command(command, lambda outcome, text: outcomes.append(outcome))
        return outcomes

    def halt(self):
        answers = []
        self.exchange.halt("halted", lambda halted, text: answers.append(halted))
        return answers

    def sent(self):
        """Return what was sent since this was asked last."""
        sent = self.wire[:]
        self.wire.clear()
        return sent


@pytest.fixture
def newcomer():
    """A robot that has connected, and not greeted."""
    return Bench()


@pytest.fixture
def bench(newcomer):
    """A robot in which nothing runs and of which one Failure may still come."""
    newcomer.exchange.greeted()
    newcomer.reply(HALTED, NOT_WALKED)
    newcomer.sent()
    return newcomer


def test_what_comes_before_the_greeting_is_of_the_connection_before(newcomer):
    newcomer.reply(HALTED, NOT_WALKED, NOT_WALKED)
    assert (newcomer.sent(), newcomer.exchange.is_free) == ([], False)
    newcomer.exchange.greeted()
    assert newcomer.sent() == [Halt()]
    assert newcomer.strays == []


def test_a_halt_that_is_asked_for_before_the_greeting_is_answered_after_it(newcomer):
    answers = newcomer.halt()
    newcomer.exchange.greeted()
    assert newcomer.sent() == [Halt()]
    newcomer.reply(HALTED)
    assert answers == [True]


def test_what_waited_in_the_robot_fails_at_the_halt_and_is_not_counted(newcomer):
    newcomer.exchange.greeted()
    newcomer.reply(NOT_WALKED)  # the NO_WAY of the connection before
    newcomer.reply(HALTED)
    assert newcomer.sent() == [Halt(), NO_WAY]
    newcomer.now = 19.0  # a turn and its leg are walked to their end
    newcomer.exchange.tick()
    assert not newcomer.exchange.is_free
    newcomer.reply(NOT_WALKED)
    assert newcomer.exchange.is_free
    newcomer.reply(NOT_WALKED)
    assert newcomer.strays == []


@pytest.mark.parametrize("ran", [(WALKED,), (Failure(2), Success(2)), (Success(3),)])
def test_what_ran_may_end_in_any_way(newcomer, ran):
    newcomer.exchange.greeted()
    newcomer.reply(HALTED, *ran)
    assert not newcomer.exchange.is_free
    newcomer.reply(NOT_WALKED)
    assert newcomer.exchange.is_free
    assert newcomer.strays == []


def test_a_robot_that_does_not_end_what_ran_is_begun_anew(newcomer):
    newcomer.now = 20.1
    assert newcomer.exchange.tick() == "the robot did not greet within 20 s"
    newcomer = Bench()
    newcomer.exchange.greeted()
    newcomer.now = 20.1
    text = "the robot did not report that it has ended all commands within 20 s"
    assert newcomer.exchange.tick() == text


@pytest.mark.parametrize(
    "replies,outcome",
    [((WALKED,), Outcome.SUCCEEDED), ((NOT_WALKED,), Outcome.FAILED)],
)
def test_a_failure_that_may_be_of_no_way_is_asked_about(bench, replies, outcome):
    walk = bench.begin(WALK)
    bench.reply(NOT_WALKED)
    assert bench.sent() == [WALK, NO_WAY]
    assert walk == []
    bench.reply(*replies)
    assert walk == [outcome]
    bench.reply(NOT_WALKED)
    assert bench.strays == []


def test_a_success_needs_no_question(bench):
    walk = bench.begin(WALK)
    bench.reply(WALKED)
    assert (walk, bench.sent()) == ([Outcome.SUCCEEDED], [WALK])
    assert bench.exchange.is_free


@pytest.mark.parametrize("second", [(), (Success(2),)])
@pytest.mark.parametrize(
    "first,outcome", [(Success(2), Outcome.SUCCEEDED), (Failure(2), Outcome.FAILED)]
)
def test_a_second_reply_to_a_pick_up_may_be_late(bench, first, outcome, second):
    picked = bench.begin(PICK_UP)
    bench.reply(first)
    assert (picked, bench.sent()) == ([outcome], [PICK_UP, NO_WAY])
    bench.now = 10.0
    bench.exchange.tick()
    assert not bench.exchange.is_free
    bench.reply(*second, NOT_WALKED)
    assert bench.exchange.is_free
    assert bench.strays == []


def test_after_a_halted_pick_up_a_second_reply_may_follow_the_one_that_is_owed(bench):
    bench.begin(PICK_UP), bench.halt()
    bench.reply(Failure(2), HALTED, Success(2))
    assert bench.sent() == [PICK_UP, Halt(), NO_WAY]
    assert not bench.exchange.is_free
    bench.reply(NOT_WALKED)
    assert bench.exchange.is_free
    assert bench.strays == []


def test_a_pick_up_that_ends_before_its_halt_is_answered_is_followed_by_one_no_way(bench):
    picked = bench.begin(PICK_UP)
    bench.halt()
    bench.reply(Success(2))
    assert picked == [Outcome.SUCCEEDED]
    bench.reply(HALTED, Success(2))
    assert bench.sent() == [PICK_UP, Halt(), NO_WAY]
    bench.reply(NOT_WALKED)
    assert bench.exchange.is_free


def test_a_halted_walk_is_waited_for(bench):
    walk = bench.begin(WALK)
    assert bench.halt() == []
    bench.reply(HALTED)
    assert (walk, bench.sent()) == ([Outcome.HALTED], [WALK, Halt(), NO_WAY])
    assert not bench.exchange.is_free
    again = bench.halt()  # which has the NO_WAY fail that waits behind the walk
    bench.reply(NOT_WALKED, HALTED)
    assert again == [True]
    assert bench.sent() == [Halt(), NO_WAY]
    assert not bench.exchange.is_free
    bench.reply(NOT_WALKED)
    assert bench.exchange.is_free


def test_a_refused_halt_with_a_failure_before_it_is_asked_about(bench):
    walk = bench.begin(WALK)
    bench.halt()
    bench.reply(NOT_WALKED, Failure(Halt.opcode))
    assert walk == []
    bench.reply(NOT_WALKED)
    assert walk == [Outcome.FAILED]


def test_a_robot_that_refuses_the_first_halt_is_waited_for(newcomer):
    newcomer.exchange.greeted()
    newcomer.reply(Failure(Halt.opcode), Success(PutDown.opcode))
    assert newcomer.sent() == [Halt(), NO_WAY]
    newcomer.reply(NOT_WALKED)
    assert newcomer.exchange.is_free


def test_a_lost_link_forgets_all_that_may_come(bench):
    walk = bench.begin(WALK)
    bench.exchange.close(Outcome.LINK_LOST, "cut")
    assert walk == [Outcome.LINK_LOST]
    bench.exchange.open()
    bench.reply(WALKED, HALTED)
    assert not bench.exchange.is_free
    assert bench.strays == []
