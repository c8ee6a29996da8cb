# SPDX-License-Identifier: Apache-2.0
"""The shipped launch files in includes, with wrong arguments, and with something missing.

Under the launch that tools/ros2 uses, and, where LEGACY_ROBOTS_REAL_ROS2CLI names a prefix with
the real launch, launch_ros, launch_xml and launch_yaml, under that one too.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest
from ament_index_python.packages import PackageNotFoundError, get_package_prefix

from legacy_robots_common.testing.machine import free_ports, launch_command
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]
REAL = os.environ.get("LEGACY_ROBOTS_REAL_ROS2CLI")
INSTALLED = not (os.environ.get("LEGACY_ROBOTS_ROS2") or "").endswith("ros2_command")

SHARE = "$(find-pkg-share legacy_robots_bringup)/launch"
PARENTS = {
    "python": """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def include(name, **arguments):
    path = PathJoinSubstitution(
        [FindPackageShare("legacy_robots_bringup"), "launch", f"{name}.launch.py"]
    )
    source = PythonLaunchDescriptionSource(path)
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def generate_launch_description():
    team = LaunchConfiguration("namespace")
    return LaunchDescription(
        [
            DeclareLaunchArgument("namespace", default_value="team"),
            include("nao", namespace=team, port="PORT_1", frame_prefix="one/", simulate="false"),
            include("bw4t", namespace=team, robots="0", team="none"),
            include("nao", port="PORT_2", simulate="false"),
            ExecuteProcess(cmd=["echo", "the team is", team, "."], output="screen"),
        ]
    )
""",
    "xml": f"""
<launch>
  <arg name="namespace" default="team"/>
  <include file="{SHARE}/nao.launch.py">
    <arg name="namespace" value="$(var namespace)"/>
    <arg name="port" value="PORT_1"/>
    <arg name="frame_prefix" value="one/"/>
    <arg name="simulate" value="false"/>
  </include>
  <include file="{SHARE}/bw4t.launch.py">
    <arg name="namespace" value="$(var namespace)"/>
    <arg name="robots" value="0"/>
    <arg name="team" value="none"/>
  </include>
  <include file="{SHARE}/nao.launch.py">
    <arg name="port" value="PORT_2"/>
    <arg name="simulate" value="false"/>
  </include>
  <executable cmd="echo the team is $(var namespace) ." output="screen"/>
</launch>
""",
    "yaml": f"""
launch:
- arg: {{name: namespace, default: team}}
- include:
    file: {SHARE}/nao.launch.py
    arg:
    - {{name: namespace, value: $(var namespace)}}
    - {{name: port, value: "PORT_1"}}
    - {{name: frame_prefix, value: one/}}
    - {{name: simulate, value: "false"}}
- include:
    file: {SHARE}/bw4t.launch.py
    arg:
    - {{name: namespace, value: $(var namespace)}}
    - {{name: robots, value: "0"}}
    - {{name: team, value: none}}
- include:
    file: {SHARE}/nao.launch.py
    arg:
    - {{name: port, value: "PORT_2"}}
    - {{name: simulate, value: "false"}}
- executable: {{cmd: echo the team is $(var namespace) ., output: screen}}
""",
}
"""Parent files that declare ``namespace`` themselves, and include without any group."""


def real_launch(path, *arguments):
    """Return the command and the environment of the real ``ros2 launch``."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    ours = [
        p for p in os.environ.get("PYTHONPATH", "").split(":") if not p.endswith("pip_ros/python")
    ]
    env = {
        "PYTHONPATH": ":".join([f"{REAL}/lib/{version}/site-packages", *ours]),
        "AMENT_PREFIX_PATH": f"{os.environ['AMENT_PREFIX_PATH']}:{REAL}",
        "LD_LIBRARY_PATH": f"{REAL}/lib:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }
    return [sys.executable, f"{REAL}/bin/ros2", "launch", str(path), *arguments], env


@pytest.fixture(params=["ours", "real"])
def launch(request):
    """Start ``ros2 launch`` with a path, or a file of ours, under one implementation."""
    if request.param == "real" and not REAL:
        pytest.skip("needs the real ros2cli: see tools/pip_ros/README.md, Tests")

    def start(file, *arguments):
        if request.param == "real":
            share = Path(
                get_package_prefix("legacy_robots_bringup"), "share/legacy_robots_bringup"
            )
            path = file if Path(file).is_absolute() else share / "launch" / file
            return Process(*real_launch(path, *arguments))
        if Path(file).is_absolute():
            command = launch_command("", *arguments)
            at = command.index("launch")
            return Process([*command[: at + 1], str(file), *arguments])
        return Process(launch_command(file, *arguments))

    start.understands = (
        ("python", "xml", "yaml") if request.param == "real" or INSTALLED else ("python",)
    )
    return start


@pytest.fixture
def parent(tmp_path):
    """Write a parent file of one form; return its path and the ports in it."""

    def write(form):
        ports = free_ports(2)
        text = PARENTS[form]
        for number, port in enumerate(ports, 1):
            text = text.replace(f"PORT_{number}", str(port))
        path = tmp_path / f"parent.launch.{'py' if form == 'python' else form}"
        path.write_text(text.lstrip(), encoding="utf-8")
        return path, ports

    return write


@pytest.mark.parametrize("form", PARENTS)
def test_plain_includes_do_not_mix(launch, parent, form):
    if form not in launch.understands:
        pytest.skip(f"needs the real launch for {form}: see tools/pip_ros/README.md, Tests")
    path, ports = parent(form)
    with launch(path) as process, RosPeer() as peer:
        process.wait_for_line(r"the team is team \.$")
        assert peer.parameters("/team/bridge", "port", "frame_prefix") == [ports[0], "one/"]
        assert peer.parameters("/team/server", "robots", "frame_prefix") == [0, ""]
        # Neither the namespace nor the prefix of the first Nao.
        assert peer.parameters("/nao/bridge", "port", "frame_prefix") == [ports[1], ""]
        assert [name for name, _ in process.started()].count("bridge") == 2


@pytest.mark.parametrize(
    "word, there", [("True", True), ("1", True), ("FALSE", False), ("0", False)]
)
def test_switches_take_what_the_conditions_of_launch_take(launch, word, there):
    (port,) = free_ports(1)
    with launch("nao.launch.py", f"errand:={word}", f"port:={port}") as process:
        process.wait_for_line("link connected")
        assert ("errand" in [name for name, _ in process.started()]) == there


CHANGES = {
    # another remapping
    """        package="nao_goal_bridge", executable="bridge", parameters_class=Parameters
""": """        package="nao_goal_bridge",
        executable="bridge",
        parameters_class=Parameters,
        remappings=[("location", "where_it_is")],
""",
    # a second node of another package, and another launch file
    """    if launch["errand"]:
        yield launch.node(package="nao_goal_bridge", executable="errand")
""": """    yield Node(
        package="aibo_gti_bridge", executable="rover", namespace=LaunchConfiguration("namespace")
    )
    yield IncludeLaunchDescription(
        shared_file("launch", "aibo.launch.py"),
        launch_arguments={
            "namespace": f"{launch.namespace}_dog",
            "port": launch["aibo_port"],
            "simulate": "false",
        }.items(),
    )
""",
    # removed arguments
    """    switch("errand", "Carry an object to and fro between two rooms"),
    *simulator_arguments(SYSTEM.faults),
""": """    Argument("aibo_port", "TCP port of the AIBO", "10100"),
""",
    """        if launch["simulation_interfaces"]:
            yield launch.node(
                package="legacy_robots_common",
                executable="simulation",
                parameters={"control": launch.control_channel()},
            )
""": "",
    """from launch import LaunchDescription
""": """from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
""",
}
"""What is changed in a copy of nao.launch.py."""


@pytest.fixture
def own_bringup(tmp_path, monkeypatch):
    """A bring-up package of one's own with a changed copy of nao.launch.py; return its path."""
    text = (ROOT / "launch" / "nao.launch.py").read_text(encoding="utf-8")
    for before, after in CHANGES.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    index = tmp_path / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "own_bringup").touch()
    file = tmp_path / "share" / "own_bringup" / "launch" / "nao.launch.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path}:{os.environ['AMENT_PREFIX_PATH']}")
    return file


def test_a_changed_copy_in_a_package_of_ones_own_is_launched(launch, own_bringup):
    port, aibo_port = free_ports(2)
    arguments = ("namespace:=my/nao", "frame_prefix:=n/", f"port:={port}")
    with launch(own_bringup, *arguments, f"aibo_port:={aibo_port}") as process, RosPeer() as peer:
        process.wait_for_line("link connected")
        peer.wait_for_publishers("/my/nao/where_it_is", "/my/nao/link_state", "/my/nao/odom")
        topics = [topic for topic, _ in peer.node.get_topic_names_and_types()]
        assert "/my/nao/location" not in topics
        found = peer.parameters("/my/nao_dog/bridge", "port", "frame_prefix")
        assert found == [aibo_port, ""], "the prefix is of the file that includes it"
        started = sorted(name for name, _ in process.started())
        assert started == ["bridge", "bridge", "rover", "simulator"]
        process.interrupt_group()
        assert process.wait() == 0


@pytest.mark.parametrize("form", PARENTS)
def test_a_changed_copy_is_included(launch, parent, own_bringup, form):
    if form not in launch.understands:
        pytest.skip(f"needs the real launch for {form}: see tools/pip_ros/README.md, Tests")
    path, ports = parent(form)
    text = path.read_text(encoding="utf-8").replace("legacy_robots_bringup", "own_bringup")
    path.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "launch" / "bw4t.launch.py", own_bringup.parent)
    with launch(path) as process, RosPeer() as peer:
        process.wait_for_line(r"the team is team \.$")
        for namespace, port, prefix in [("/team", ports[0], "one/"), ("/nao", ports[1], "")]:
            found = peer.parameters(f"{namespace}/bridge", "port", "frame_prefix")
            assert found == [port, prefix]
            found = peer.parameters(f"{namespace}_dog/bridge", "port", "frame_prefix")
            assert found == [10100, ""]
        assert peer.parameters("/team/server", "robots", "frame_prefix") == [0, ""]


WRONG = {
    "nao": [
        ("errand:=maybe", "launch argument 'errand' must be true or false, not 'maybe'"),
        ("role:=call", "launch argument 'role' must be one of 'listen', 'dial', not 'call'"),
        ("port:=70000", "launch argument 'port' must be from 1 to 65535, not '70000'"),
        ("port:=abc", "launch argument 'port' must be a whole number, not 'abc'"),
        ("fault:=cut,sneeze", "launch argument 'fault' must be one of 'cut', .*, not 'sneeze'"),
        ("log_level:=loud", "launch argument 'log_level' must be one of 'debug'"),
        ("params_file:=/no/file.yaml", "params_file '/no/file.yaml' cannot be read: No such file"),
    ],
    "luar": [
        ("players:=1,1", "players must be different numbers such as 1,2,3, not '1,1'"),
        ("layout:=mine.yaml", "layout 'mine.yaml' is neither one of document"),
        ("layout:=upenn_2016", "layout upenn_2016 cannot be simulated: add simulate:=false"),
    ],
    "demo": [
        ("systems:=nao,khepera", "'systems' must be one of 'nao', .*, not 'khepera'"),
        ("aibo_port:=x", "launch argument 'aibo_port' must be a whole number, not 'x'"),
        ("bw4t_map:=/no.map", "map: .*/no.map"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "file, argument, sentence", [(file, *case) for file, cases in WRONG.items() for case in cases]
)
def test_wrong_arguments_are_refused_before_anything_starts(launch, file, argument, sentence):
    with launch(f"{file}.launch.py", argument) as process:
        process.wait_for_line(sentence)
        assert process.wait() == 1
        assert process.session() == []
        assert process.started() == []


def installed(package):
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


@pytest.mark.skipif(installed("rosbridge_server"), reason="rosbridge_server is installed")
def test_rosbridge_that_is_not_installed_is_one_sentence(launch):
    with launch("view.launch.py", "rosbridge:=true", "port:=0") as process:
        process.wait_for_line(
            "package 'rosbridge_server' is not installed: rosbridge:=true needs it"
        )
        assert process.wait() == 1
        assert process.started() == []


@pytest.mark.skipif(installed("rviz2"), reason="rviz2 is installed")
@pytest.mark.parametrize("file", ["nao", "roboskate", "luar", "bw4t", "aibo", "demo"])
def test_rviz_that_is_not_installed_ends_the_launch_at_once(launch, file):
    with launch(f"{file}.launch.py", "rviz:=true") as process:
        process.wait_for_line("package 'rviz2' is not installed: rviz:=true needs it")
        assert process.wait() == 1
        assert process.session() == []
        assert process.started() == []


def test_a_file_that_cannot_be_launched_ends_what_was_included_before_it(launch, tmp_path):
    path = tmp_path / "two.launch.py"
    text = PARENTS["python"].replace('namespace=team, robots="0", team="none"', 'speed="fast"')
    ports = free_ports(2)
    path.write_text(text.replace("PORT_1", str(ports[0])).replace("PORT_2", str(ports[1])))
    with launch(path) as process:
        process.wait_for_line("launch argument 'speed' must be a number, not 'fast'")
        assert process.wait() == 1
        assert process.session() == []


def test_an_empty_text_is_an_argument_that_is_not_given(launch, tmp_path):
    """So files in XML can pass on arguments of their own that were not given."""
    ports = free_ports(2)
    file = tmp_path / "nao.yaml"
    file.write_text(f"/**/bridge:\n  ros__parameters: {{port: {ports[1]}, role: dial}}\n")
    text = PARENTS["python"].replace(
        'port="PORT_2"', f'params_file="{file}", port="", role="", errand=""'
    )
    path = tmp_path / "parent.launch.py"
    path.write_text(text.replace("PORT_1", str(ports[0])), encoding="utf-8")
    with launch(path), RosPeer() as peer:
        assert peer.parameters("/nao/bridge", "port", "role") == [ports[1], "dial"]
