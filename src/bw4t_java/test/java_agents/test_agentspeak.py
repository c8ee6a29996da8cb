# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent of another platform plays a whole game: its decisions are in AgentSpeak alone."""

from pathlib import Path

import pytest

from bw4t_java.eis.values import percept_of

agentspeak = pytest.importorskip("agentspeak", reason="needs: pip install agentspeak")
runtime = pytest.importorskip("agentspeak.runtime")
stdlib = pytest.importorskip("agentspeak.stdlib")

pytestmark = [pytest.mark.node, pytest.mark.timeout(120)]

FACTS = ("in", "holding")
"""Percepts that are negated when they end."""


class Body:
    """A robot behind the wire, whose percepts are an agent's beliefs."""

    def __init__(self, client, name):
        self.client, self.name = client, name
        client.call("register", agents=1, humans=0)
        client.drive("collector", name)
        self.values, self.beliefs, self.given = {}, set(), set()
        actions = agentspeak.Actions(stdlib.actions)
        text, number = (str,), (int,)
        actions.add_procedure(".go", text, lambda place: self.go("goTo", place))
        actions.add_procedure(".go_to_block", number, lambda block: self.go("goToBlock", block))
        actions.add_procedure(".pick_up", (), lambda: self.act("pickUp"))
        actions.add_procedure(".put_down", (), lambda: self.act("putDown"))
        self.environment = runtime.Environment()
        with Path(__file__).with_name("collector.asl").open() as program:
            self.agent = self.environment.build_agent(program, actions)

    def perceive(self):
        """Poll, and tell the agent which beliefs are new and which are over."""
        percepts = [percept_of(item) for item in self.client.percepts(self.name)]
        for name, args in percepts:
            if name == "not":
                (gone,) = args
                self.beliefs.discard((gone.name, *gone.args))
            elif name in FACTS:
                self.beliefs.add((name, *args))
            elif name == "place" and args[0].startswith("Room"):
                self.beliefs.add(("room", *args))
            else:
                self.values[name] = args
        colors = {("color", *percept.args) for percept in percepts if percept.name == "color"}
        sequence, index = self.values["sequence"][0], self.values["sequenceIndex"][0]
        due = {("due", color) for color in sequence[index : index + 1]}
        now = self.beliefs | colors | due
        for belief in self.given - now:
            self.tell(agentspeak.Trigger.removal, belief)
        for belief in sorted(now - self.given, key=lambda belief: belief[0] != "in"):
            self.tell(agentspeak.Trigger.addition, belief)
        self.given = now

    def tell(self, trigger, belief):
        term = agentspeak.Literal(belief[0], belief[1:])
        intention = runtime.Intention()
        self.agent.call(trigger, agentspeak.GoalType.belief, term, intention)

    def act(self, action, *args):
        self.client.call("act", entity=self.name, action=action, args=list(args))
        self.perceive()

    def go(self, action, target):
        self.act(action, target)
        while self.values["state"][0] == "traveling":
            self.perceive()


def test_an_agentspeak_agent_plays_a_whole_game(serve, capsys):
    served = serve()
    served.runner.set_speed(20.0).result(10)
    body = Body(served.client(), "Bot_1")
    body.perceive()
    body.tell(agentspeak.Trigger.addition, ("present",))
    body.environment.run()
    measures = served.runner.call(lambda world: world.measures())
    assert measures.completion_seconds is not None
    assert (measures.good_drops, measures.wrong_drops) == (6, 0)
    assert "all delivered" in capsys.readouterr().out
