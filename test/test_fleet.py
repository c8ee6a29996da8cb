# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Many bridges in one process: each has its own namespace, link and faults."""

import pytest
from action_msgs.msg import GoalStatus

from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import LinkState, NaoOutcome
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from nao_goal_bridge.simulator.program import Simulator, SimulatorConfig

pytestmark = pytest.mark.demonstration

ROBOTS = 3


def fleet(ros2, file):
    """Start a fleet from a parameters file, as a user does."""
    command = ros2("run", "legacy_robots_common", "fleet", "--ros-args", "--params-file", file)
    return Process(command)


def parameters(path, nodes, sections=""):
    """Write a parameters file with these entries of ``nodes``."""
    listed = ", ".join(f'"{node}"' for node in nodes)
    path.write_text(f"/fleet:\n  ros__parameters:\n    nodes: [{listed}]\n{sections}")
    return path


@pytest.fixture
def naos(free_ports):
    """Simulated Naos that dial, with their ports."""
    ports = free_ports(ROBOTS)
    robots = [Simulator(SimulatorConfig(port=port)) for port in ports]
    yield dict(zip(ports, robots, strict=True))
    for robot in robots:
        robot.close()


@pytest.fixture
def running(ros2, tmp_path, naos):
    """A fleet of bridges to them."""
    sections = "".join(
        f"/nao_{n}/bridge:\n  ros__parameters:\n    port: {port}\n" for n, port in enumerate(naos)
    )
    file = parameters(tmp_path / "fleet.yaml", [f"nao /nao_{n}" for n in range(ROBOTS)], sections)
    with fleet(ros2, file) as process:
        for robot in naos.values():
            robot.start()
        yield process


@pytest.fixture
def peer(running):
    """A client that has seen all links come up."""
    with RosPeer() as peer:
        peer.links = [peer.subscribe(LinkState, f"/nao_{n}/link_state") for n in range(ROBOTS)]
        for link in peer.links:
            link.wait_for(lambda state: state.state == LinkState.CONNECTED)
        yield peer


def go(peer, number, marker_id=114):
    """Send a Nao to a room."""
    return peer.send_goal(NaoGoTo, f"/nao_{number}/go_to", NaoGoTo.Goal(marker_id=marker_id))


def test_each_robot_has_its_own_goals(peer):
    goals = [go(peer, n, marker) for n, marker in enumerate((80, 114, 80))]
    for goal in goals:
        assert goal.end().status == GoalStatus.STATUS_SUCCEEDED


def test_a_fault_of_one_robot_does_not_touch_its_neighbours(peer, naos):
    goals = [go(peer, n) for n in range(ROBOTS)]
    robots = list(naos.values())
    assert robots[1].wait_for(lambda: robots[1].world.state == 1)
    robots[1].inject("garbage")
    assert goals[1].end().result.outcome.code == NaoOutcome.LINK_LOST
    peer.links[1].wait_for(lambda s: s.state == LinkState.CONNECTED and s.connections == 2)
    for number in (0, 2):
        assert goals[number].end().status == GoalStatus.STATUS_SUCCEEDED
        assert {state.connections for state in peer.links[number].items} <= {0, 1}


def test_ctrl_c_ends_all_goals_and_the_process(running, peer):
    goals = [go(peer, n) for n in range(ROBOTS)]
    running.interrupt_group()
    for goal in goals:
        end = goal.end()
        assert end.result.outcome.code == NaoOutcome.SHUTDOWN
    assert running.wait() == 0


@pytest.mark.parametrize(
    "entry,text",
    [
        ("khepera /k", "there is no system 'khepera'; the systems are: .*nao"),
        ("nao nao_1", "an entry is SYSTEM"),
        ("nao/engine /nao_1", "nao has no node 'engine'; it has bridge, errand"),
    ],
)
def test_an_entry_that_cannot_be_is_named(ros2, tmp_path, entry, text):
    with fleet(ros2, parameters(tmp_path / "fleet.yaml", [entry])) as process:
        process.wait_for_line(text)
        assert process.wait() == 2


def test_a_robot_that_cannot_start_leaves_the_others_running(ros2, tmp_path, naos):
    port, robot = next(iter(naos.items()))
    sections = (
        "/bad/bridge:\n  ros__parameters:\n    role: sideways\n"
        f"/good/bridge:\n  ros__parameters:\n    port: {port}\n    prot: 1\n"
    )
    file = parameters(tmp_path / "fleet.yaml", ["nao /bad", "nao /good"], sections)
    with fleet(ros2, file) as process:
        robot.start()
        process.wait_for_line("nao /bad: parameter 'role' must be one of 'listen', 'dial'")
        process.wait_for_line("parameter 'prot' is not known.*did you mean 'port'")
        process.wait_for_line("link connected")
        process.interrupt_group()
        assert process.wait() == 2


def test_the_launch_file_starts_many_of_a_kind_in_one_process(ros2, free_ports, tmp_path):
    file = tmp_path / "aibo.yaml"
    file.write_text(
        "/**/bridge:\n  ros__parameters: {sensor_rate: 5.0}\n"
        "/aibo_2/bridge:\n  ros__parameters: {sensor_rate: 7.0}\n"
    )
    first, *_ = free_ports(1)
    arguments = ("kind:=aibo", "robots:=3", f"first_port:={first}", f"params_file:={file}")
    command = ros2("launch", "legacy_robots_bringup", "fleet.launch.py", *arguments)
    with Process(command) as launch, RosPeer() as peer:
        for number in (1, 2, 3):
            link = peer.subscribe(LinkState, f"/aibo_{number}/link_state")
            link.wait_for(lambda state: state.state == LinkState.CONNECTED)
        rates = [peer.parameters(f"/aibo_{n}/bridge", "sensor_rate") for n in (1, 2, 3)]
        assert rates == [[5.0], [7.0], [5.0]]
        assert sorted(name for name, _ in launch.started()) == ["fleet", *3 * ["simulator"]]
        launch.interrupt_group()
        assert launch.wait() == 0
