# SPDX-License-Identifier: Apache-2.0
"""The command queue: one command at a time, and every one ends exactly once with the truth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legacy_robots_common.link import NotConnectedError
from nao_goal_bridge.commands import CommandQueue
from nao_goal_bridge.protocol import (
    Error,
    Exit,
    Failure,
    GoTo,
    Halt,
    PickUp,
    ProtocolError,
    PutDown,
    Success,
)
from nao_goal_bridge.tickets import HaltAnswer, Outcome, Phase, Ticket, TimeLimits

GO_TO, PICK_UP, PUT_DOWN = GoTo(114, 0), PickUp(1), PutDown()


class Bench:
    """A queue, the robot's ear, a clock, and what came of the tickets."""

    def __init__(self, limit=2):
        self.now = 0.0
        self.wire = []
        self.silent = []
        self.stray = []
        self.refuse = None
        self.queue = CommandQueue(
            self.send,
            limit=limit,
            limits=TimeLimits(go_to=100, pick_up=10, put_down=5, halt=2, exit=3),
            on_silent=self.silent.append,
            on_stray=self.stray.append,
            clock=lambda: self.now,
        )
        self.queue.link_up()

    def send(self, command):
        if self.refuse:
            raise self.refuse
        self.wire.append(command)

    def submit(self, command):
        ticket = Ticket(
            lambda: command, lambda result: results.append(result), lambda p: phases.append(p)
        )
        results, phases = [], []
        ticket.results, ticket.phases = results, phases
        self.queue.submit(ticket)
        return ticket

    def pass_time(self, seconds):
        self.now += seconds
        self.queue.tick()


def outcomes(*tickets):
    return [[r.outcome for r in t.results] for t in tickets]


@pytest.fixture
def bench():
    return Bench()


def test_commands_go_out_one_at_a_time_in_order(bench):
    first, second = bench.submit(GO_TO), bench.submit(PICK_UP)
    assert bench.wire == [GO_TO]
    assert second.phases == [Phase.QUEUED]
    bench.queue.handle(Success(GoTo.opcode))
    assert bench.wire == [GO_TO, PICK_UP]
    assert outcomes(first, second) == [[Outcome.SUCCEEDED], []]
    bench.queue.handle(Failure(PickUp.opcode))
    assert outcomes(second) == [[Outcome.FAILED]]
    assert second.phases == [Phase.QUEUED, Phase.EXECUTING]
    assert not bench.queue.busy


def test_a_full_queue_refuses_without_telling_the_robot(bench):
    tickets = [bench.submit(GO_TO) for _ in range(4)]
    assert outcomes(*tickets) == [[], [], [], [Outcome.QUEUE_FULL]]
    assert bench.wire == [GO_TO]


def test_without_a_robot_a_command_ends_at_once(bench):
    bench.queue.link_lost("cable cut")
    assert outcomes(bench.submit(GO_TO)) == [[Outcome.LINK_LOST]]


def test_a_lost_link_ends_everything_with_its_reason(bench):
    first, second = bench.submit(GO_TO), bench.submit(PUT_DOWN)
    bench.queue.link_lost("cable cut")
    assert outcomes(first, second) == [[Outcome.LINK_LOST]] * 2
    assert first.results[0].message == "cable cut"
    bench.queue.link_up()
    bench.queue.handle(Success(GoTo.opcode))  # a stale reply of the same robot
    assert bench.stray
    assert outcomes(first) == [[Outcome.LINK_LOST]]


def test_a_fatal_error_ends_everything_and_refuses_more_until_the_next_link(bench):
    first = bench.submit(GO_TO)
    bench.queue.handle(Error())
    assert outcomes(first, bench.submit(GO_TO)) == [[Outcome.ROBOT_ERROR]] * 2
    bench.queue.link_lost("dropped")
    bench.queue.link_up()
    assert outcomes(bench.submit(GO_TO)) == [[]]


def test_a_reply_to_nothing_is_reported_and_changes_nothing(bench):
    ticket = bench.submit(GO_TO)
    bench.queue.handle(Success(PickUp.opcode))
    assert outcomes(ticket) == [[]]
    assert "0x02" in bench.stray[0]


def test_cancelling_what_waits_takes_it_out_of_the_queue(bench):
    bench.submit(GO_TO)
    waiting = bench.submit(PICK_UP)
    answers = []
    bench.queue.cancel(waiting, lambda answer, text: answers.append(answer))
    assert answers == [HaltAnswer.HALTED]
    assert outcomes(waiting) == [[Outcome.HALTED]]
    assert bench.wire == [GO_TO]


def test_cancelling_what_the_robot_has_halts_it_and_goes_on_with_the_next(bench):
    first, second = bench.submit(GO_TO), bench.submit(PICK_UP)
    answers = []
    bench.queue.cancel(first, lambda answer, text: answers.append((answer, outcomes(first))))
    assert bench.wire == [GO_TO, Halt()]
    assert first.phases[-1] is Phase.HALTING
    bench.queue.handle(Failure(GoTo.opcode))
    assert outcomes(first) == [[]]  # the answer to the Halt decides
    bench.queue.handle(Success(Halt.opcode))
    assert answers == [(HaltAnswer.HALTED, [[]])]  # the answer comes before the end
    assert outcomes(first) == [[Outcome.HALTED]]
    assert bench.wire == [GO_TO, Halt(), PICK_UP]
    assert outcomes(second) == [[]]


def test_a_refused_halt_is_told_and_the_command_goes_on(bench):
    ticket = bench.submit(PICK_UP)
    answers = []
    bench.queue.cancel(ticket, lambda answer, text: answers.append(answer))
    bench.queue.handle(Failure(Halt.opcode))
    assert answers == [HaltAnswer.REFUSED]
    assert ticket.phases[-1] is Phase.EXECUTING
    bench.queue.handle(Success(PickUp.opcode))
    assert outcomes(ticket) == [[Outcome.SUCCEEDED]]
    assert "refused to halt" in ticket.results[0].message


def test_a_command_that_failed_by_itself_before_a_refused_halt_is_a_failure(bench):
    ticket = bench.submit(PICK_UP)
    bench.queue.cancel(ticket, lambda answer, text: None)
    bench.queue.handle(Failure(PickUp.opcode))
    bench.queue.handle(Failure(Halt.opcode))
    assert outcomes(ticket) == [[Outcome.FAILED]]


def test_a_success_that_crosses_the_halt_stays_a_success(bench):
    ticket = bench.submit(GO_TO)
    bench.queue.cancel(ticket, lambda answer, text: None)
    bench.queue.handle(Success(GoTo.opcode))
    bench.queue.handle(Success(Halt.opcode))
    assert outcomes(ticket) == [[Outcome.SUCCEEDED]]


def test_halt_by_service_ends_what_waits_too(bench):
    first, second = bench.submit(GO_TO), bench.submit(PICK_UP)
    answers = []
    bench.queue.halt(lambda answer, text: answers.append(answer))
    bench.queue.handle(Failure(GoTo.opcode))
    bench.queue.handle(Success(Halt.opcode))
    assert answers == [HaltAnswer.HALTED]
    assert outcomes(first, second) == [[Outcome.HALTED]] * 2
    assert bench.wire == [GO_TO, Halt()]


def test_a_halt_that_joins_a_cancellation_still_empties_the_queue(bench):
    first, second = bench.submit(GO_TO), bench.submit(PICK_UP)
    bench.queue.cancel(first, lambda answer, text: None)
    bench.queue.halt(lambda answer, text: None)
    assert bench.wire == [GO_TO, Halt()]
    bench.queue.handle(Success(Halt.opcode))
    assert outcomes(first, second) == [[Outcome.HALTED]] * 2


def test_an_overdue_command_is_halted_and_timed_out(bench):
    first, second = bench.submit(PICK_UP), bench.submit(PUT_DOWN)
    bench.pass_time(9.9)
    assert bench.wire == [PICK_UP]
    bench.pass_time(0.2)
    assert bench.wire == [PICK_UP, Halt()]
    bench.queue.handle(Failure(PickUp.opcode))
    bench.queue.handle(Success(Halt.opcode))
    assert outcomes(first, second) == [[Outcome.TIMED_OUT], []]
    assert bench.wire[-1] == PUT_DOWN


def test_overdue_and_refusing_keeps_its_place_until_the_reply(bench):
    first, second = bench.submit(PICK_UP), bench.submit(PUT_DOWN)
    bench.pass_time(11)
    bench.queue.handle(Failure(Halt.opcode))
    assert outcomes(first) == [[Outcome.TIMED_OUT]]
    assert bench.wire == [PICK_UP, Halt()]
    bench.queue.handle(Success(PickUp.opcode))  # late, and nobody else's
    assert outcomes(first, second) == [[Outcome.TIMED_OUT], []]
    assert bench.wire[-1] == PUT_DOWN


def test_overdue_again_after_a_refused_halt_gives_the_robot_up(bench):
    bench.submit(PICK_UP)
    second = bench.submit(PUT_DOWN)
    bench.pass_time(11)
    bench.queue.handle(Failure(Halt.opcode))
    bench.pass_time(11)
    assert bench.silent
    assert outcomes(second) == [[Outcome.TIMED_OUT]]
    assert not bench.queue.busy


def test_a_robot_that_does_not_answer_a_halt_is_given_up(bench):
    ticket = bench.submit(GO_TO)
    answers = []
    bench.queue.halt(lambda answer, text: answers.append(answer))
    bench.pass_time(2.1)
    assert answers == [HaltAnswer.NO_ANSWER]
    assert outcomes(ticket) == [[Outcome.TIMED_OUT]]
    assert bench.silent


def test_a_probe_is_sent_to_an_idle_robot_only(bench):
    bench.submit(GO_TO)
    bench.queue.probe()
    assert bench.wire == [GO_TO]
    bench.queue.handle(Success(GoTo.opcode))
    bench.queue.probe()
    assert bench.wire == [GO_TO, Halt()]
    waiting = bench.submit(PUT_DOWN)
    assert bench.wire == [GO_TO, Halt()]  # the answer to the probe first
    bench.queue.handle(Success(Halt.opcode))
    assert bench.wire[-1] == PUT_DOWN
    assert outcomes(waiting) == [[]]


@pytest.mark.parametrize("by_reply", [True, False])
def test_exit_is_done_when_the_robot_answers_or_hangs_up(bench, by_reply):
    active, waiting = bench.submit(GO_TO), bench.submit(PICK_UP)
    answers = []
    bench.queue.exit(lambda success, text: answers.append(success))
    assert bench.wire == [GO_TO, Exit()]
    assert outcomes(waiting) == [[Outcome.HALTED]]
    if by_reply:
        bench.queue.handle(Success(Exit.opcode))
    bench.queue.link_lost("closed")
    assert answers == [True]
    assert len(active.results) == 1


def test_exit_unanswered_is_said(bench):
    answers = []
    bench.queue.exit(lambda success, text: answers.append((success, text)))
    bench.pass_time(3.1)
    assert answers == [(False, "the robot did not exit within 3 s")]


def test_what_the_dialect_cannot_say_is_invalid_and_the_next_goes_on(bench):
    bench.refuse = ProtocolError("marker 99999999999 is no int32")
    assert outcomes(bench.submit(GO_TO)) == [[Outcome.INVALID]]
    bench.refuse = NotConnectedError("gone")
    assert outcomes(bench.submit(GO_TO)) == [[Outcome.LINK_LOST]]
    bench.refuse = None
    assert outcomes(bench.submit(GO_TO)) == [[]]
    assert bench.wire == [GO_TO]


def test_a_callback_may_call_the_queue(bench):
    done = []
    bench.queue.submit(
        Ticket(
            lambda: GO_TO, lambda result: bench.queue.submit(Ticket(lambda: PICK_UP, done.append))
        )
    )
    bench.queue.handle(Success(GoTo.opcode))
    assert bench.wire == [GO_TO, PICK_UP]


STEPS = st.lists(
    st.one_of(
        st.sampled_from([GO_TO, PICK_UP, PUT_DOWN]),
        st.sampled_from(["cancel", "halt", "exit", "probe", "lost", "up"]),
        st.builds(Success, st.integers(0, 5)),
        st.builds(Failure, st.integers(0, 5)),
        st.just(Error()),
        st.floats(0.1, 60),
    ),
    max_size=60,
)


@settings(max_examples=300, deadline=None)
@given(STEPS)
def test_whatever_happens_every_command_ends_once_and_the_robot_has_one_at_a_time(steps):
    bench = Bench()
    tickets = []
    for step in steps:
        if isinstance(step, (GoTo, PickUp, PutDown)):
            tickets.append(bench.submit(step))
        elif step == "cancel" and tickets:
            bench.queue.cancel(tickets[-1], lambda answer, text: None)
        elif step == "halt":
            bench.queue.halt(lambda answer, text: None)
        elif step == "exit":
            bench.queue.exit(lambda success, text: None)
        elif step == "probe":
            bench.queue.probe()
        elif step == "lost":
            bench.queue.link_lost("lost")
        elif step == "up":
            bench.queue.link_lost("lost")
            bench.queue.link_up()
        elif isinstance(step, float):
            bench.pass_time(step)
        elif not isinstance(step, str):
            bench.queue.handle(step)
        unfinished = [t for t in tickets if not t.results]
        assert sum(t.phases[-1] is not Phase.QUEUED for t in unfinished) <= 1
    bench.queue.link_lost("the end")
    assert all(len(t.results) == 1 for t in tickets)
    assert not bench.queue.busy
