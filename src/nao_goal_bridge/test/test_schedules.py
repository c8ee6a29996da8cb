# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""No order of replies, cuts, redials, Halts and goals gives a goal an end that is not the robot's.

``tools/schedules`` tries more of them.
"""

import pytest

from nao_goal_bridge.protocol.events import Halt, PickUp
from nao_goal_bridge.protocol.exchange import NO_WAY, CommandExchange
from nao_goal_bridge.schedules.search import Found, main, search

SCHEDULES = range(2000)


def test_no_schedule_gives_a_goal_a_false_end():
    search(SCHEDULES)


def test_no_schedule_of_an_early_robot_does():
    search(SCHEDULES, is_early=True)


class CountsBeforeTheGreeting(CommandExchange):
    """Without rule 1."""

    def open(self):
        super().open()
        self.greeted()


class HaltsNoNewcomer(CommandExchange):
    """Without rule 2: what runs in a robot that connects is not halted."""

    def greeted(self):
        super().greeted()
        self._halt = self._owed = None


class SendsNoWayBeforeTheAnswer(CommandExchange):
    """Without the order of rule 2."""

    def _tell(self, command):
        super()._tell(command)
        if isinstance(command, Halt):
            super()._tell(NO_WAY)

    def _send_no_way(self, loose=0):
        if not loose:
            super()._send_no_way()


class CountsBeforeTheAnswer(CommandExchange):
    """Without rule 2: a Failure of what the Halt clears ends the wait."""

    def _reply(self, code, succeeded):
        if code == 1 and not succeeded and self._owed is not None and self._request is None:
            self._owed = None
        else:
            super()._reply(code, succeeded)


class LeavesHaltedWalks(CommandExchange):
    """Without the first half of rule 3."""

    def _send_no_way(self, loose=0):
        if loose:
            self._owed = None
        else:
            super()._send_no_way()


class LeavesPickUps(CommandExchange):
    """Without the second half of rule 3."""

    def _send_no_way(self, loose=0):
        if loose:
            super()._send_no_way(loose)


class TakesEachFailure(CommandExchange):
    """Without rules 4 and 5."""

    def _is_unsure(self, request):
        return False


class AsksNothing(CommandExchange):
    """Without rule 5: a Failure that may be of NO_WAY is passed over."""

    def _tell_no_way(self):
        if self._request is None or isinstance(self._request.command, PickUp):
            super()._tell_no_way()


class TakesTheFirstAnswer(CommandExchange):
    """Without rule 6."""

    def greeted(self):
        self._halts = 0
        super().greeted()


def test_an_early_robot_needs_its_rule():
    with pytest.raises(Found):
        search(SCHEDULES, exchange_type=TakesTheFirstAnswer, is_early=True)


@pytest.mark.parametrize(
    "broken",
    [
        CountsBeforeTheGreeting,
        HaltsNoNewcomer,
        SendsNoWayBeforeTheAnswer,
        CountsBeforeTheAnswer,
        LeavesHaltedWalks,
        LeavesPickUps,
        TakesEachFailure,
        AsksNothing,
    ],
)
def test_each_rule_is_needed(broken):
    with pytest.raises(Found):
        search(SCHEDULES, exchange_type=broken)


def test_the_tool_says_what_it_has_tried(capsys):
    assert main(["--schedules", "10", "--first", "5"]) == 0
    assert capsys.readouterr().out.startswith("10 schedules of ")
