# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration: all systems at once, and something happens in each."""

import urllib.request
from contextlib import ExitStack

import pytest
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Log
from sensor_msgs.msg import Image, JointState
from soccer_vision_3d_msgs.msg import BallArray
from tf2_msgs.msg import TFMessage

from legacy_robots_common.node import qos
from legacy_robots_common.system import names, systems
from legacy_robots_msgs.msg import Bw4tTask, LinkState, NaoHeldObject
from legacy_robots_testing import hostile
from legacy_robots_testing.demonstration import own_arguments
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.demonstration

LINKS = {name: f"/{name}/link_state" for name in names()}

TELLS_NO_MOVING_TRANSFORMS = {"nao"}


@pytest.fixture(scope="module")
def ports(free_ports):
    return [*own_arguments(), f"view_port:={free_ports(1)[0]}"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Directory of the demonstration's log files."""
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def demo(ros2, machine_wide, ports, logs):
    """The demonstration, started as the README says."""
    command = ros2("launch", "legacy_robots_bringup", "demo.launch.py", *ports, "view:=web")
    with ExitStack() as stack:
        for system in systems():
            stack.enter_context(machine_wide(system.exclusive))
        process = stack.enter_context(Process(command, {"ROS_LOG_DIR": str(logs)}))
        yield process


@pytest.fixture(scope="module")
def peer(demo):
    with RosPeer() as peer:
        yield peer


def test_all_links_come_up(peer):
    states = {name: peer.subscribe(LinkState, topic) for name, topic in LINKS.items()}
    for recorder in states.values():
        recorder.wait_for(lambda state: state.state == LinkState.CONNECTED)


@pytest.mark.timeout(180)
def test_something_happens_in_each_system(demo, peer):
    stream = qos.stream()
    board = peer.subscribe(Odometry, "/roboskate/odom", stream)
    image = peer.subscribe(Image, "/roboskate/camera/image_raw", stream)
    joints = peer.subscribe(JointState, "/aibo/joint_states", stream)
    balls = peer.subscribe(BallArray, "/luar/ball_detection", stream)
    task = peer.subscribe(Bw4tTask, "/bw4t/task")
    held = peer.subscribe(NaoHeldObject, "/nao/held_object")
    here = board.wait_for().pose.pose.position
    board.wait_for(lambda m: abs(m.pose.pose.position.x - here.x) > 1.0)
    assert image.wait_for().encoding == "rgb8"
    first = joints.wait_for().position
    joints.wait_for(
        lambda m: max(abs(a - b) for a, b in zip(m.position, first, strict=True)) > 0.3, 60.0
    )
    balls.wait_for(lambda m: len(m.balls) == 1)
    task.wait_for(lambda m: m.index > 0, 90.0)
    held.wait_for(lambda m: m.valid and m.holding)
    held.wait_for(lambda m: m.valid and not m.holding)
    demo.wait_for_line("object 1 is in room")


def test_its_view_shows_what_is_there(peer, displays):
    shown = displays("demo")
    topics = [d[key]["Value"] for d in shown for key in ("Topic", "Description Topic") if key in d]
    assert {topic.split("/")[1] for topic in topics} == LINKS.keys()
    peer.wait_for_publishers(*topics)


def test_the_page_is_served(demo):
    line = demo.wait_for_line("the view is at http://")
    with urllib.request.urlopen(line.split(" at ")[1].strip(), timeout=TIMEOUT) as page:
        assert page.status == 200
        assert b"Legacy robots" in page.read()


def test_every_frame_of_a_system_has_its_prefix(peer):
    seen = peer.subscribe(TFMessage, "/tf", qos.stream(100))
    prefixes = set()

    def all_seen(message):
        prefixes.update(t.child_frame_id.split("/")[0] for t in message.transforms)
        return prefixes >= LINKS.keys() - TELLS_NO_MOVING_TRANSFORMS

    seen.wait_for(all_seen)
    assert prefixes <= LINKS.keys()


@pytest.mark.timeout(180)
def test_hostile_text_in_every_string_reaches_no_log(demo, peer):
    reported = peer.subscribe(Log, "/rosout", qos.stream(1000))
    topics, services = hostile.attack(peer)
    assert topics >= 30
    assert services >= 100
    hostile.assert_clean(line for log in reported.items for line in log.msg.split("\n"))
    assert any(r"a\x1b]0;title" in log.msg for log in reported.items)


def test_ctrl_c_ends_it_all(demo, logs):
    demo.interrupt_group()
    assert demo.wait() == 0
    files = [path for path in logs.rglob("*") if path.is_file()]
    texts = [path.read_bytes().decode(errors="surrogateescape") for path in files]
    assert any("process started" in text for text in texts)
    hostile.assert_clean([*demo.lines.items, *(line for t in texts for line in t.split("\n"))])
    assert demo.session() == []
    output = "\n".join(demo.lines.items)
    assert "Traceback" not in output
    assert [line for line in demo.lines.items if line.startswith("[ERROR]")] == []
    started = [name for name, _ in demo.started()]
    assert sorted(started) == ["fleet", *3 * ["simulator"], "simulator_1", "view"]
    assert output.count("process has finished cleanly") == len(started)


def test_some_systems_alone(ros2, ports):
    command = ros2(
        "launch", "legacy_robots_bringup", "demo.launch.py", "systems:=nao,aibo", *ports
    )
    with Process(command) as process, RosPeer() as peer:
        for name in ("nao", "aibo"):
            states = peer.subscribe(LinkState, LINKS[name])
            states.wait_for(lambda state: state.state == LinkState.CONNECTED)
        process.interrupt_group()
        assert process.wait() == 0
        assert len(process.started()) == 3


def test_a_process_for_each_node(ros2):
    # A machine has one Luar robot with joints, and that is the one of the tests above.
    arguments = [*own_arguments(), "compose:=false", "luar_profile:=webots"]
    command = ros2("launch", "legacy_robots_bringup", "demo.launch.py", *arguments)
    with Process(command) as process, RosPeer() as peer:
        links = [peer.subscribe(LinkState, topic) for topic in LINKS.values()]
        held = peer.subscribe(NaoHeldObject, "/nao/held_object")
        for link in links:
            link.wait_for(lambda state: state.state == LinkState.CONNECTED)
        held.wait_for(lambda m: m.valid and m.holding)
        assert len(process.started()) == 15
        process.interrupt_group()
        assert process.wait() == 0
        assert "Traceback" not in "\n".join(process.lines.items)
