# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the registry says of the Nao is true."""

import dataclasses

import pytest

from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.system import load, system
from nao_goal_bridge.simulator.program import NAO_FAULTS, PORT

pytestmark = pytest.mark.node

NAO = system("nao")


def test_the_faults_are_those_of_the_simulator():
    assert set(NAO.faults) == set(NAO_FAULTS)
    assert [port.default for port in NAO.ports] == [PORT]


@pytest.mark.parametrize("executable", NAO.nodes)
def test_what_it_refers_to_is_there(executable):
    assert issubclass(load(NAO.nodes[executable]), ProgramNode)
    assert dataclasses.is_dataclass(load(NAO.parameters[executable]))
