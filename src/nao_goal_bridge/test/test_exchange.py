# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The exchange with the robot: one command at a time, and every one ends exactly once, truly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacy_robots_core.link.base import LinkObserver, NotConnectedError
from nao_goal_bridge.protocol import (
    Exit,
    Failure,
    GoTo,
    Halt,
    PickUp,
    ProtocolError,
    PutDown,
    Success,
)
from nao_goal_bridge.protocol.exchange import CommandExchange, Ready
from nao_goal_bridge.protocol.robot_requests import Outcome, Phase, TimeLimits

GO_TO, PICK_UP, PUT_DOWN = GoTo(114, 0), PickUp(1), PutDown()


class Bench(LinkObserver):
    """An exchange, what the robot is sent, a clock, and what came of the commands."""

    def __init__(self):
        self.now = 0.0
        self.wire = []
        self.ready = 0
        self.strays = []
        self.refuse = None
        self.exchange = CommandExchange(
            self.send,
            self,
            TimeLimits(go_to=100, pick_up=10, put_down=5, halt=2, exit=3, owed_reply=20),
            lambda: self.now,
        )
        self.exchange.open()

    def send(self, command):
        if self.refuse:
            raise self.refuse
        self.wire.append(command)

    def on_event(self, event):
        assert event == Ready()
        assert self.exchange.is_free
        self.ready += 1

    def on_problem(self, counter, text):
        assert counter == "stray replies"
        self.strays.append(text)

    def begin(self, command):
        return Begun(self.exchange, command)

    def reply(self, *replies):
        for reply in replies:
            self.exchange.handle(reply)

    def halt(self):
        answers = []
        self.exchange.halt("halted on request", lambda halted, text: answers.append(halted))
        return answers

    def exit(self):
        answers = []
        self.exchange.exit(lambda exits, text: answers.append((exits, text)))
        return answers

    def pass_time(self, seconds):
        """Return why the robot is given up, if it is."""
        self.now += seconds
        return self.exchange.tick()


class Begun:
    """A command that the robot was given."""

    def __init__(self, exchange, command):
        self.endings, self.phases = [], []
        exchange.send_command(
            command, lambda outcome, text: self.endings.append((outcome, text)), self.phases.append
        )

    @property
    def outcomes(self):
        return [outcome for outcome, _ in self.endings]


@pytest.fixture
def bench():
    return Bench()


@pytest.mark.parametrize(
    "reply,outcome",
    [(Success(GoTo.opcode), Outcome.SUCCEEDED), (Failure(GoTo.opcode), Outcome.FAILED)],
)
def test_the_reply_ends_the_command_and_the_robot_is_ready(bench, reply, outcome):
    begun = bench.begin(GO_TO)
    assert bench.wire == [GO_TO]
    assert begun.phases == [Phase.EXECUTING]
    assert not bench.exchange.is_free
    bench.reply(reply)
    assert begun.outcomes == [outcome]
    assert bench.exchange.is_free
    assert bench.ready == 1


@pytest.mark.parametrize("late", [Success(GoTo.opcode), Failure(GoTo.opcode)])
def test_a_reply_after_the_halt_is_not_taken_for_the_next_commands(bench, late):
    begun, answers = bench.begin(GO_TO), bench.halt()
    bench.reply(Success(Halt.opcode))
    assert (begun.outcomes, answers) == ([Outcome.HALTED], [True])
    assert not bench.exchange.is_free
    bench.pass_time(19.9)  # a turn and its leg are walked to their end
    assert not bench.exchange.is_free
    bench.reply(late)
    assert bench.strays == []
    assert bench.ready == 1
    again = bench.begin(GO_TO)
    assert again.outcomes == []


def test_a_halt_while_a_reply_is_owed_changes_nothing_of_that(bench):
    bench.begin(GO_TO), bench.halt()
    bench.reply(Success(Halt.opcode))
    again = bench.halt()
    bench.reply(Success(Halt.opcode))
    assert again == [True]
    assert not bench.exchange.is_free
    bench.reply(Failure(GoTo.opcode))
    assert bench.exchange.is_free


def test_a_reply_that_is_owed_for_too_long_ends_the_link(bench):
    bench.begin(GO_TO), bench.halt()
    bench.reply(Success(Halt.opcode))
    assert bench.exchange.due == 20
    assert bench.pass_time(19.9) is None
    assert "did not report how" in bench.pass_time(0.2)
    bench.exchange.close(Outcome.LINK_LOST, "owed")
    bench.exchange.open()
    assert bench.exchange.is_free


def test_without_a_robot_nothing_is_sent(bench):
    bench.exchange.close(Outcome.LINK_LOST, "cable cut")
    assert not bench.exchange.is_free
    with pytest.raises(NotConnectedError, match="no robot is connected"):
        bench.begin(GO_TO)
    assert bench.halt() == [False]
    assert bench.exit() == [(False, "no robot is connected")]
    assert bench.wire == []


def test_a_lost_link_ends_everything_with_its_reason(bench):
    begun, halted = bench.begin(GO_TO), bench.halt()
    bench.exchange.close(Outcome.LINK_LOST, "cable cut")
    assert begun.endings == [(Outcome.LINK_LOST, "cable cut")]
    assert halted == [False]
    bench.reply(Success(GoTo.opcode))  # too late
    bench.exchange.open()
    assert bench.exchange.is_free
    bench.reply(Success(GoTo.opcode))  # a stale reply of the same robot
    assert len(bench.strays) == 1
    assert begun.outcomes == [Outcome.LINK_LOST]


def test_the_end_of_the_program_halts_a_robot_that_has_a_command(bench):
    begun, exited = bench.begin(GO_TO), bench.exit()
    bench.exchange.close(Outcome.SHUTDOWN, "the end")
    assert bench.wire[-1] == Halt()
    assert begun.endings == [(Outcome.SHUTDOWN, "the end")]
    assert exited == [(False, "the end")]


def test_the_end_of_the_program_leaves_an_idle_robot_alone(bench):
    bench.exchange.close(Outcome.SHUTDOWN, "the end")
    assert bench.wire == []


def test_a_reply_to_nothing_is_reported_and_changes_nothing(bench):
    begun = bench.begin(GO_TO)
    bench.reply(Success(PickUp.opcode))
    assert begun.outcomes == []
    assert "0x02" in bench.strays[0]
    assert bench.ready == 0


def test_halting_ends_the_command(bench):
    begun, answers = bench.begin(GO_TO), bench.halt()
    assert bench.wire == [GO_TO, Halt()]
    assert begun.phases[-1] is Phase.HALTING
    bench.reply(Failure(GoTo.opcode))
    assert begun.outcomes == []  # the answer to the Halt decides
    bench.reply(Success(Halt.opcode))
    assert answers == [True]
    assert begun.endings == [(Outcome.HALTED, "halted on request; the robot has halted")]
    assert bench.exchange.is_free  # at once, as the command's own reply came first


def test_the_robot_is_not_free_before_the_halt_is_answered(bench):
    bench.begin(GO_TO)
    free = []
    bench.exchange.halt("halted", lambda *answer: free.append(bench.exchange.is_free))
    bench.reply(Failure(GoTo.opcode), Success(Halt.opcode))
    assert free == [False]
    assert bench.exchange.is_free


def test_a_refused_halt_is_told_and_the_command_goes_on(bench):
    begun, answers = bench.begin(PICK_UP), bench.halt()
    bench.reply(Failure(Halt.opcode))
    assert answers == [False]
    assert begun.phases[-1] is Phase.EXECUTING
    bench.reply(Success(PickUp.opcode))
    assert begun.outcomes == [Outcome.SUCCEEDED]
    assert "refused to halt" in begun.endings[0][1]


def test_a_command_that_failed_by_itself_before_a_refused_halt_is_a_failure(bench):
    begun = bench.begin(PICK_UP)
    bench.halt()
    bench.reply(Failure(PickUp.opcode), Failure(Halt.opcode))
    assert begun.outcomes == [Outcome.FAILED]


def test_a_success_that_crosses_the_halt_stays_a_success(bench):
    begun, answers = bench.begin(GO_TO), bench.halt()
    bench.reply(Success(GoTo.opcode))
    assert not bench.exchange.is_free
    bench.reply(Success(Halt.opcode))
    assert begun.outcomes == [Outcome.SUCCEEDED]
    assert answers == [True]


def test_two_who_halt_share_one_halt(bench):
    bench.begin(GO_TO)
    first, second = bench.halt(), bench.halt()
    assert bench.wire == [GO_TO, Halt()]
    bench.reply(Success(Halt.opcode))
    assert (first, second) == ([True], [True])


def test_an_idle_robot_can_be_halted(bench):
    answers = bench.halt()
    assert not bench.exchange.is_free
    bench.reply(Success(Halt.opcode))
    assert answers == [True]
    assert bench.ready == 1


def test_an_overdue_command_is_halted_and_timed_out(bench):
    begun = bench.begin(PICK_UP)
    bench.pass_time(9.9)
    assert bench.wire == [PICK_UP]
    bench.pass_time(0.2)
    assert bench.wire == [PICK_UP, Halt()]
    bench.reply(Failure(PickUp.opcode), Success(Halt.opcode))
    assert begun.outcomes == [Outcome.TIMED_OUT]
    assert bench.exchange.is_free


def test_overdue_and_refusing_keeps_its_place_until_the_reply(bench):
    begun = bench.begin(PICK_UP)
    bench.pass_time(11)
    bench.reply(Failure(Halt.opcode))
    assert begun.outcomes == [Outcome.TIMED_OUT]
    assert not bench.exchange.is_free
    bench.reply(Success(PickUp.opcode))  # late, and of no other command
    assert begun.outcomes == [Outcome.TIMED_OUT]
    assert bench.exchange.is_free
    assert bench.ready == 1


def test_overdue_again_after_a_refused_halt_gives_the_robot_up(bench):
    begun = bench.begin(PICK_UP)
    bench.pass_time(11)
    bench.reply(Failure(Halt.opcode))
    assert bench.pass_time(9) is None
    assert "did not finish" in bench.pass_time(2)
    assert begun.outcomes == [Outcome.TIMED_OUT]


def test_a_robot_that_does_not_answer_a_halt_is_given_up(bench):
    begun = bench.begin(GO_TO)
    bench.halt()
    assert bench.pass_time(1.9) is None
    assert bench.pass_time(0.2) == "the robot did not answer a Halt within 2 s"
    assert begun.outcomes == [Outcome.TIMED_OUT]


def test_it_tells_when_it_is_due(bench):
    assert bench.exchange.due == float("inf")
    bench.begin(GO_TO)
    assert bench.exchange.due == 100
    bench.exit()
    assert bench.exchange.due == 3
    bench.halt()
    assert bench.exchange.due == 2


@pytest.mark.parametrize("by_reply", [True, False])
def test_exit_is_done_when_the_robot_answers_or_hangs_up(bench, by_reply):
    begun, answers = bench.begin(GO_TO), bench.exit()
    assert bench.wire == [GO_TO, Exit()]
    if by_reply:
        bench.reply(Success(Exit.opcode))
    bench.exchange.close(Outcome.LINK_LOST, "closed")
    assert [exits for exits, _ in answers] == [True]
    assert begun.outcomes == [Outcome.LINK_LOST if by_reply else Outcome.HALTED]


def test_a_walk_that_fails_because_of_an_exit_is_halted(bench):
    begun = bench.begin(GO_TO)
    bench.exit()
    bench.reply(Failure(GoTo.opcode), Success(Exit.opcode))
    assert begun.endings == [(Outcome.HALTED, "the robot was told to exit")]


def test_exit_is_told_once(bench):
    assert bench.exit() == []
    assert bench.exit() == [(False, "the robot has been told to exit already")]
    assert bench.wire == [Exit()]


def test_exit_unanswered_is_said_and_the_robot_is_ready(bench):
    answers = bench.exit()
    assert bench.pass_time(3.1) is None
    assert answers == [(False, "the robot did not exit within 3 s")]
    assert bench.ready == 1


def test_what_the_dialect_cannot_say_raises_and_the_robot_stays_free(bench):
    for refuse in (ProtocolError("marker 99999999999 is no int32"), NotConnectedError("gone")):
        bench.refuse = refuse
        with pytest.raises(type(refuse)):
            bench.begin(GO_TO)
        assert bench.exchange.is_free


STEPS = st.lists(
    st.one_of(
        st.sampled_from([GO_TO, PICK_UP, PUT_DOWN]),
        st.sampled_from(["halt", "exit", "lost", "stop", "open"]),
        st.builds(Success, st.integers(0, 5)),
        st.builds(Failure, st.integers(0, 5)),
        st.floats(0.1, 60),
    ),
    max_size=60,
)


@given(STEPS)
def test_whatever_happens_every_command_and_question_ends_once(steps):
    bench = Bench()
    begun, answers = [], []
    for step in steps:
        if isinstance(step, (GoTo, PickUp, PutDown)):
            if bench.exchange.is_free:
                begun.append(bench.begin(step))
        elif step == "halt":
            answers.append(bench.halt())
        elif step == "exit":
            answers.append(bench.exit())
        elif step == "lost":
            bench.exchange.close(Outcome.LINK_LOST, "lost")
        elif step == "stop":
            bench.exchange.close(Outcome.SHUTDOWN, "the end")
        elif step == "open":
            bench.exchange.close(Outcome.LINK_LOST, "lost")
            bench.exchange.open()
        elif isinstance(step, float):
            if bench.pass_time(step):
                bench.exchange.close(Outcome.LINK_LOST, "silent")
        else:
            bench.reply(step)
        assert sum(not b.endings for b in begun) <= 1
    bench.exchange.close(Outcome.LINK_LOST, "the end")
    assert all(len(b.endings) == 1 for b in begun)
    assert all(len(a) == 1 for a in answers)
    assert bench.exchange.due == float("inf")
