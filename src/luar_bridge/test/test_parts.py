# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the bridge: each that is declared loads, and the node knows them by name only."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from legacy_robots_common.node.parts import NodePart, load_part
from luar_bridge.bridge.part_context import PARTS

pytestmark = pytest.mark.node


def test_each_declared_part_can_be_loaded() -> None:
    names = {entry.name for entry in entry_points(group=PARTS)}
    assert names == {
        "behaviour", "camera", "joints", "walk", "referee", "sensors", "team", "typed",
    }  # fmt: skip
    assert all(issubclass(load_part(PARTS, name), NodePart) for name in names)


def test_the_node_imports_no_part() -> None:
    program = (
        "import sys, luar_bridge.bridge.node as node\n"
        "print(*[m for m in sys.modules if m.startswith('luar_bridge.parts')])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []
