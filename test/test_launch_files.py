# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
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

from legacy_robots_testing.machine import free_ports, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

ROOT = Path(__file__).parents[1]
REAL = os.environ.get("LEGACY_ROBOTS_REAL_ROS2CLI")

PARENTS = {
    form: (ROOT / "test" / "launch_parents" / f"parent.launch.{end}").read_text(encoding="utf-8")
    for form, end in (("python", "py"), ("xml", "xml"), ("yaml", "yaml"))
}
"""Parent files that declare ``namespace`` themselves, and include each file in a group."""


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
def test_includes_in_groups_do_not_mix(launch, parent, form):
    path, ports = parent(form)
    with launch(path) as process, RosPeer() as peer:
        process.wait_for_line(r"the team is team \.$")
        # The namespace is of the parent file, an argument that it has not given.
        assert peer.parameters("/team/bridge", "port", "frame_prefix") == [ports[0], "one/"]
        peer.wait_for_publishers("/team/where_it_is")
        assert peer.parameters("/team/server", "robots", "frame_prefix") == [0, ""]
        # Neither the namespace nor the prefix of the first Nao.
        assert peer.parameters("/up/nao/bridge", "port", "frame_prefix") == [ports[1], ""]
        peer.wait_for_publishers("/up/nao/location")
        assert [name for name, _ in process.started()].count("bridge") == 2


def test_the_file_of_the_page_is_launched(launch, tmp_path):
    page = (ROOT / "docs" / "how_to" / "include_launch.md").read_text(encoding="utf-8")
    text = page.split("```xml\n")[1].split("```")[0]
    ports = free_ports(2)
    for shown, port in zip(("6474", "6475"), ports, strict=True):
        assert text.count(shown) == 1
        text = text.replace(shown, str(port))
    path = tmp_path / "team.launch.xml"
    path.write_text(text, encoding="utf-8")
    with launch(path, "team:=reds") as process, RosPeer() as peer:
        peer.wait_for_publishers("/reds/nao_1/where_it_is", "/nao_2/location")
        assert peer.parameters("/reds/nao_1/bridge", "port") == [ports[0]]
        assert peer.parameters("/nao_2/bridge", "port") == [ports[1]]
        process.interrupt_group()
        assert process.wait() == 0


@pytest.mark.parametrize(
    "word, there", [("True", True), ("1", True), ("False", False), ("0", False)]
)
def test_switches_take_what_the_conditions_of_launch_take(launch, word, there):
    (port,) = free_ports(1)
    with launch("nao.launch.py", f"errand:={word}", f"port:={port}") as process:
        process.wait_for_line("link connected")
        assert ("errand" in [name for name, _ in process.started()]) == there


CHANGES = {
    # another remapping
    """                parameters=bridge_parameters,
                condition=UnlessCondition(compose),
""": """                parameters=bridge_parameters,
                remappings=[("location", "where_it_is")],
                condition=UnlessCondition(compose),
""",
    # a second node of another package, and another launch file
    """            Node(
                package="legacy_robots_common",
                executable="watchdog",
""": """            Node(package="aibo_gti_bridge", executable="rover", namespace=namespace),
            GroupAction(
                [
                    IncludeLaunchDescription(
                        PathJoinSubstitution([share, "launch", "aibo.launch.py"]),
                        launch_arguments={
                            "namespace": [namespace, "_dog"],
                            "frame_prefix": "",
                            "port": LaunchConfiguration("aibo_port"),
                            "params_file": PathJoinSubstitution([share, "config", "aibo.yaml"]),
                            "simulate": "false",
                        }.items(),
                    )
                ]
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
""",
    # another argument
    """ARGUMENTS = [
""": """ARGUMENTS = [
    DeclareLaunchArgument(
        "aibo_port", default_value="10100", description="TCP port of the AIBO"
    ),
""",
    """from launch.actions import DeclareLaunchArgument
""": """from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription
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
    path, ports = parent(form)
    text = path.read_text(encoding="utf-8").replace("legacy_robots_bringup", "own_bringup")
    path.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "launch" / "bw4t.launch.py", own_bringup.parent)
    with launch(path) as process, RosPeer() as peer:
        process.wait_for_line(r"the team is team \.$")
        for namespace, port, prefix in [("/team", ports[0], "one/"), ("/up/nao", ports[1], "")]:
            found = peer.parameters(f"{namespace}/bridge", "port", "frame_prefix")
            assert found == [port, prefix]
            found = peer.parameters(f"{namespace}_dog/bridge", "port", "frame_prefix")
            assert found == [10100, ""]
        assert peer.parameters("/team/server", "robots", "frame_prefix") == [0, ""]


WRONG = {
    "nao": [
        ("errand:=maybe", 'Argument "errand" provided value "maybe" is not valid'),
        ("role:=both", 'Argument "role" provided value "both" is not valid. Valid options are'),
        ("profile:=new", 'Argument "profile" provided value "new" is not valid'),
        ("log_level:=loud", 'Argument "log_level" provided value "loud" is not valid'),
        ("params_file:=/no/file.yaml", "'/no/file.yaml'"),
    ],
    "luar": [
        ("players:=1,1", "players must be different numbers such as 1,2,3, not '1,1'"),
        ("players:=one", "players must be different numbers such as 1,2,3, not 'one'"),
        ("layout:=mine.yaml", "layout 'mine.yaml' is neither one of document"),
        ("layout:=upenn_2016", "layout upenn_2016 cannot be simulated: add simulate:=false"),
    ],
    "aibo": [
        ("ball_game:=true wire:=tekkotsu", "ball_game needs wire:=gti: Tekkotsu's own ports have"),
    ],
    "bw4t": [
        ("scenario:=/nowhere.xml", "scenario: .*/nowhere.xml"),
        ("team:=losers", '"team" provided value "losers" is not valid'),
    ],
    "demo": [
        ("aibo_ball_game:=true aibo_wire:=tekkotsu", "ball_game needs wire:=gti"),
        ("systems:=nao,khepera", "systems: there is no 'khepera', only nao, "),
        ("nao_role:=call", 'Argument "nao_role" provided value "call" is not valid'),
        ("luar_layout:=mine.yaml", "layout 'mine.yaml' is neither one of document"),
        ("view:=tv", 'Argument "view" provided value "tv" is not valid'),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "file, arguments, sentence", [(file, *case) for file, cases in WRONG.items() for case in cases]
)
def test_wrong_arguments_end_the_launch_with_a_sentence(launch, file, arguments, sentence):
    with launch(f"{file}.launch.py", *arguments.split()) as process:
        process.wait_for_line(sentence)
        assert process.wait() == 1
        assert process.session() == []


WRONG_FOR_THE_NODE = {
    "nao": [
        ("port:=abc", "parameter 'port' must be of type int"),
        ("port:=70000", "parameter 'port' must be from 1 to 65535, not 70000"),
        ("room_map:=/nowhere", "/nowhere"),
    ],
    "roboskate": [("camera_rate:=0", "parameter 'camera_rate' must be from 0.1 to 1000, not 0")],
    "bw4t": [
        ("map:=/no.map", "server: /no.map: cannot be read: No such file"),
        ("speed:=-1.0", "server: parameter 'speed' must be from 0.01 to 1000, not -1.0"),
        ("robots:=4 team:=none", "all 3 spawn points are taken"),
    ],
    "aibo": [
        ("wire_overlays:=tcpcomm simulate:=false", "wire table 'tcpcomm' cannot be read"),
    ],
    "view": [("host:=nowhere port:=70000", "parameter 'port' must be from 0 to 65535")],
}


@pytest.mark.parametrize(
    "file, arguments, sentence",
    [(file, *case) for file, cases in WRONG_FOR_THE_NODE.items() for case in cases],
)
def test_a_node_that_cannot_have_an_argument_says_so(launch, file, arguments, sentence):
    with launch(f"{file}.launch.py", *arguments.split()) as process:
        process.wait_for_line(sentence)
        process.wait_for_line("process has died .* exit code 2")
        assert not [line for line in process.lines.items if "Traceback" in line]


def test_a_fault_that_there_is_not_is_named_by_the_simulator(launch):
    with launch("nao.launch.py", "fault:=cut,sneeze", f"port:={free_ports(1)[0]}") as process:
        process.wait_for_line("argument --fault: must be of cut, .*, not 'sneeze'")


def installed(package):
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


@pytest.mark.skipif(installed("rosbridge_server"), reason="rosbridge_server is installed")
def test_rosbridge_that_is_not_installed_is_one_sentence(launch):
    with launch("view.launch.py", "rosbridge:=true", "port:=0") as process:
        process.wait_for_line("package 'rosbridge_server' not found")
        assert process.wait() == 1
        assert process.session() == []


@pytest.mark.skipif(installed("rviz2"), reason="rviz2 is installed")
@pytest.mark.parametrize("file", ["nao", "roboskate", "luar", "bw4t", "aibo", "demo"])
def test_rviz_that_is_not_installed_ends_the_launch_at_once(launch, file):
    with launch(f"{file}.launch.py", "rviz:=true") as process:
        process.wait_for_line("package 'rviz2' not found")
        assert process.wait() == 1
        assert process.session() == []


def test_a_file_that_cannot_be_launched_ends_what_was_included_before_it(launch, tmp_path):
    path = tmp_path / "two.launch.py"
    text = PARENTS["python"].replace(
        'namespace=team, robots="0", team="none"', 'scenario="/no/scenario.xml"'
    )
    ports = free_ports(2)
    path.write_text(text.replace("PORT_1", str(ports[0])).replace("PORT_2", str(ports[1])))
    with launch(path) as process:
        process.wait_for_line("scenario: .*/no/scenario.xml")
        assert process.wait() == 1
        assert process.session() == []


def test_an_empty_text_is_an_argument_that_is_not_given(launch, tmp_path):
    """So files in XML can pass on arguments of their own that were not given."""
    ports = free_ports(2)
    file = tmp_path / "nao.yaml"
    file.write_text(f"/**/bridge:\n  ros__parameters: {{port: {ports[1]}, role: dial}}\n")
    text = PARENTS["python"].replace('port="PORT_2"', f'params_file="{file}", port="", role=""')
    path = tmp_path / "parent.launch.py"
    path.write_text(text.replace("PORT_1", str(ports[0])), encoding="utf-8")
    with launch(path), RosPeer() as peer:
        assert peer.parameters("/up/nao/bridge", "port", "role") == [ports[1], "dial"]
