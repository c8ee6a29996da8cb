# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""docs/add_a_robot.md, followed in a scratch workspace: what it builds is launched and works."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from workspace.build import SEARCH_PATHS, outside_environment
from workspace.guests import VARIABLE

from legacy_robots_testing.machine import ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT

ROOT = Path(__file__).parents[1]
BRIDGE = ("protocol", "link", "conversions", "parameters", "node", "actions", "system")
MOST_LINES = 300
"""Without the launch file, which is plain launch_ros."""


KEPT = (
    "CMAKE_GENERATOR", "HOME", "LEGACY_ROBOTS_ROS2", "ROS_AUTOMATIC_DISCOVERY_RANGE",
    "ROS_DISTRO", "ROS_DOMAIN_ID", "ROS_VERSION", "_ROS_WHEELS_BOOTSTRAP_COMPLETE",
)  # fmt: skip
"""What ROS has in the environment besides its search paths, and a domain."""
MESSAGES_MANIFEST = """<package format="3">
  <name>gripper_msgs</name><version>0.1.0</version><description>The gripper's</description>
  <maintainer email="me@robots.invalid">Me</maintainer><license>Apache-2.0</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <buildtool_depend>rosidl_default_generators</buildtool_depend>
  <exec_depend>rosidl_default_runtime</exec_depend>
  <member_of_group>rosidl_interface_packages</member_of_group>
  <export><build_type>ament_cmake</build_type></export>
</package>
"""
NEEDS_NO_BLANK = pytest.mark.skipif(
    " " in sys.executable,
    reason="colcon's set-up files and first lines of programs need a path without a blank",
)


@pytest.fixture(scope="module", autouse=True)
def guests_too():
    """Have the registry know guests, which the project's other tests pass over."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        yield


def write_messages(package):
    """Write the interface package of the page."""
    page = (ROOT / "docs" / "add_a_robot.md").read_text(encoding="utf-8")
    build = re.search(r"```cmake\n(cmake_minimum_required.+?)```", page, re.DOTALL)[1]
    (package / "msg").mkdir(parents=True)
    (package / "msg" / "Force.msg").write_text("float64 force  # N\n")
    (package / "CMakeLists.txt").write_text(build)
    (package / "package.xml").write_text(MESSAGES_MANIFEST)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A workspace with the package of the page, built over this one: the environment in it."""
    base = tmp_path_factory.mktemp("gripper_ws")
    (base / "src").mkdir()
    command = [ROOT / "tools" / "new_robot", "gripper", "--wire", "tcp", "--action"]
    done = subprocess.run(
        [*command, "--in", base / "src"], capture_output=True, text=True, check=True
    )
    assert "gripper_bridge is written" in done.stdout
    write_messages(base / "src" / "gripper_msgs")
    underlay = Path(get_package_prefix("legacy_robots_common"))
    ros = outside_environment(underlay)  # that of ROS without a workspace
    clean = {name: ros[name] for name in (*SEARCH_PATHS, *KEPT) if name in ros}

    def sourced(prefix, command):
        """Run a command in a shell that has sourced the set-up of a workspace, and no more."""
        line = ["bash", "-c", f'. "$0/setup.bash" && {command}', prefix]
        done = subprocess.run(line, cwd=base, env=clean, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    sourced(underlay, "colcon build --merge-install")
    shell = sourced(base / "install", "env -0").split("\0")
    env = dict(line.split("=", 1) for line in shell if line)
    return {**env, "GRIPPER": str(base / "src" / "gripper_bridge")}


def send(workspace, position, namespace="/gripper"):
    """Send a goal as the page does; return what is printed."""
    goal = f"{{command: {{position: {position}, max_effort: 0.0}}}}"
    action = (f"{namespace}/move", "control_msgs/action/GripperCommand")
    command = ros2("action", "send_goal", *action, goal)
    done = subprocess.run(command, env=workspace, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


@NEEDS_NO_BLANK
def test_its_own_messages_are_built(workspace):
    command = ros2("topic", "pub", "--once", "/force", "gripper_msgs/msg/Force", "{force: 2.5}")
    done = subprocess.run(
        [*command, "-w", "0"], env=workspace, capture_output=True, text=True, timeout=60
    )
    assert "gripper_msgs.msg.Force(force=2.5)" in done.stdout, done.stdout + done.stderr


def test_a_bridge_is_small(workspace):
    package = Path(workspace["GRIPPER"], "gripper_bridge")
    files = [package / f"{name}.py" for name in BRIDGE]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    assert lines <= MOST_LINES


@NEEDS_NO_BLANK
def test_what_the_page_builds_is_launched_and_works(workspace, port):
    launch = ros2(
        "launch", "gripper_bridge", "gripper.launch.py", f"port:={port}", "fault:=cut,stall"
    )
    with Process(launch, env=workspace) as process:
        process.wait_for_line("link connected")
        printed = send(workspace, 0.02)
        assert "reached_goal: true" in printed
        assert "SUCCEEDED" in printed
        printed = send(workspace, 0.0)
        assert "stalled: true" in printed
        assert "ABORTED" in printed
        assert "ABORTED" in send(workspace, 7.0)
        process.wait_for_line("cannot go to 7.0 m")
        os.kill(process.pid_of("simulator"), signal.SIGUSR1)
        process.wait_for_line("link connected .*: connected again")
        assert "SUCCEEDED" in send(workspace, 0.03)
        process.interrupt_group()
        assert process.wait() == 0


@NEEDS_NO_BLANK
def test_its_simulator_outlives_commands_that_are_none(workspace, port):
    program = Path(workspace["AMENT_PREFIX_PATH"].split(os.pathsep)[0], "lib", "gripper_bridge")
    with Process([program / "simulator", "--port", str(port)], env=workspace) as process:
        process.wait_for_line("listening")
        for line in (b"MOVE abc 1\n", b"MOVE nan 1\n", b"\x1b[31m\n", 200 * b"x"):
            with socket.create_connection(("127.0.0.1", port), TIMEOUT) as peer:
                peer.sendall(line)
                while peer.recv(4096):  # until it hangs up
                    pass
        process.interrupt_group()
        assert process.wait() == 0
        assert "\x1b" not in "\n".join(process.lines.items)


@NEEDS_NO_BLANK
def test_the_fault_campaign_takes_it_from_the_registry(workspace):
    # Not tools/faults, which would build this workspace over that of the page.
    command = [sys.executable, "-m", "measure.faults", "--system", "gripper", "--fault", "cut"]
    with Process(command, env=workspace) as process:
        assert process.wait(4 * TIMEOUT) == 0, "\n".join(process.lines.items)
        assert "1 faults" in "\n".join(process.lines.items)


@NEEDS_NO_BLANK
def test_the_benchmark_takes_it_from_the_registry(workspace):
    command = [sys.executable, "-m", "measure.bench", "streams", "--system", "gripper"]
    with Process([*command, "--seconds", "1"], env=workspace) as process:
        assert process.wait(4 * TIMEOUT) in (0, 1)  # 1: a target is missed, as on a busy machine
        process.wait_for_line(r"gripper/joint_states: stamp to subscriber +\| median")


@NEEDS_NO_BLANK
def test_the_fault_campaign_finds_goals_that_have_not_been_reached(workspace, tmp_path):
    shutil.copytree(Path(workspace["GRIPPER"], "gripper_bridge"), tmp_path / "gripper_bridge")
    actions = tmp_path / "gripper_bridge" / "actions.py"
    sends = "        self.node.link.command(protocol.move(position))\n"
    text = actions.read_text(encoding="utf-8")
    assert sends in text
    lie = '        if position > 0.05:\n            return goal.end(Outcome.SUCCEEDED, "a lie")\n'
    actions.write_text(text.replace(sends, f"{lie}{sends}"), encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), workspace["PYTHONPATH"]])
    command = [sys.executable, "-m", "measure.faults", "--system", "gripper", "--fault", "cut"]
    with Process(command, env={**workspace, "PYTHONPATH": paths}) as process:
        assert process.wait(6 * TIMEOUT) == 1, "\n".join(process.lines.items)
        process.wait_for_line("not as it has to be: gripper")


@NEEDS_NO_BLANK
def test_the_registry_finds_it(workspace):
    code = "from legacy_robots_common.system import names; print(*names())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=workspace, capture_output=True, text=True, check=True
    )
    assert "gripper" in done.stdout.split()


@NEEDS_NO_BLANK
@pytest.mark.parametrize(
    "file, arguments, namespaces",
    [
        ("fleet", ["kind:=gripper", "robots:=2"], ["/gripper_1", "/gripper_2"]),
        ("demo", ["systems:=gripper", "compose:=true"], ["/gripper"]),
    ],
)
def test_it_is_one_of_many(workspace, free_ports, file, arguments, namespaces):
    first, _ = sorted(free_ports(2))
    port = "first_port" if file == "fleet" else "gripper_port"
    command = ros2("launch", "legacy_robots_bringup", f"{file}.launch.py", *arguments)
    with Process([*command, f"{port}:={first}"], env=workspace) as process:
        for namespace in namespaces:
            process.wait_for_line(f"{namespace[1:]}.bridge.*link connected")
            assert "SUCCEEDED" in send(workspace, 0.02, namespace)
        assert [name for name, _ in process.started()].count("fleet") == 1
        process.interrupt_group()
        assert process.wait() == 0


@NEEDS_NO_BLANK
def test_it_can_be_stepped(workspace, port):
    command = ros2("launch", "legacy_robots_bringup", "demo.launch.py", "systems:=gripper")
    with Process([*command, "stepped:=true", f"gripper_port:={port}"], env=workspace) as process:
        step = ("/simulation/step_simulation", "simulation_interfaces/srv/StepSimulation")
        command = ros2("service", "call", *step, "{steps: 5}")
        done = subprocess.run(command, env=workspace, capture_output=True, text=True, timeout=90)
        assert "result=1" in done.stdout, done.stdout + done.stderr
        process.interrupt_group()
        assert process.wait() == 0
