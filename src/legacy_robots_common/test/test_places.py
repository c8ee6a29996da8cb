# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What views need besides the robots: places in the world, drawings, and windows that wait."""

from __future__ import annotations

import sys

import pytest
from std_msgs.msg import Empty
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.drawing.markers import FixedDrawing
from legacy_robots_common.frames.places import Places
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.system import systems
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode

pytestmark = pytest.mark.node


@pytest.mark.parametrize("chosen", [[""], ["aibo", "luar"]])
def test_the_systems_stand_at_their_places(chosen: list[str]) -> None:
    with RosPeer() as peer, RunningNode(Places, {"systems": chosen}):
        reported = peer.subscribe(TFMessage, "/tf_static").wait_for().transforms
        expected = {
            s.place.frame: (s.place.x, s.place.y)
            for s in systems()
            if s.name in chosen or chosen == [""]
        }
        assert {
            t.child_frame_id: (t.transform.translation.x, t.transform.translation.y)
            for t in reported
        } == expected
        assert {t.header.frame_id for t in reported} == {"world"}


def test_a_system_that_is_not_known_is_one_sentence() -> None:
    with pytest.raises(ParameterError, match="no system 'robby'; there are: "):
        RunningNode(Places, {"systems": ["robby"]})


class Drawer(ProgramNode):
    """A node with a drawing."""

    def __init__(self, **node_arguments: object) -> None:
        super().__init__("drawer", **node_arguments)
        self.drawing = FixedDrawing(self, "drawn", MarkerArray(markers=[Marker(id=7)]))


def test_a_drawing_comes_at_once_and_again() -> None:
    with RunningNode(Drawer, {}), RosPeer() as peer:
        drawn = peer.subscribe(MarkerArray, "/drawn", qos.LATCHED)
        drawn.wait_for(lambda _: len(drawn.items) >= 2)
        assert [m.markers[0].id for m in drawn.items[:2]] == [7, 7]


def test_a_command_waits_for_its_topic() -> None:
    module = "legacy_robots_common.node.after_topic"
    command = [sys.executable, "-m", module, "link_state", "/bin/echo", "opened", "it"]
    command += ["--ros-args", "-r", "__ns:=/robot"]
    with RosPeer() as peer, Process(command) as process:
        peer.wait_for_node("/robot")
        assert process.lines.items == []
        peer.node.create_publisher(Empty, "/robot/link_state", 1)
        process.wait_for_line("^opened it$")
        assert process.wait() == 0


def test_what_cannot_be_waited_for_is_one_sentence() -> None:
    module = "legacy_robots_common.node.after_topic"
    with Process([sys.executable, "-m", module, "relative"]) as process:
        process.wait_for_line("usage: after_topic TOPIC COMMAND")
        assert process.wait() == 2
