# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What pip makes of the packages that need no ROS; CI installs and uses them, job wheels."""

import os
import shutil
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from email.parser import Parser
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMANDS = {
    "aibo_gti_bridge": {"aibo-motion", "aibo-simulator"},
    "bw4t_java": {"bw4t-eis-jar"},
    "bw4t_runner": set(),
    "bw4t_study": set(),
    "bw4t_web": set(),
    "bw4t_world": {"bw4t"},
    "legacy_robots_core": set(),
    "legacy_robots_description": set(),
    "legacy_robots_geometry": set(),
    "legacy_robots_simulation": set(),
    "legacy_robots_web": set(),
    "legacy_robots_wires": set(),
    "luar_tools": {"luar-tools"},
    "nao_goal_bridge": {"nao-goal-client", "nao-simulator"},
    "roboskate_game": {"roboskate-simulator"},
}
# Not Python, and needed at run time.
DATA = {".css", ".html", ".java", ".js", ".lua", ".map", ".mot", ".pl", ".proto", ".urdf", ".yaml"}

if int(version("setuptools").split(".")[0]) < 71:
    pytest.importorskip("wheel", reason="needs: apt-get install python3-wheel")


def copy(package, directory):
    source = ROOT / "src" / package
    leave_out = shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*_pb2.py*")
    return shutil.copytree(source, directory / package, ignore=leave_out)


BUILD = """
import sys
from setuptools.build_meta import __legacy__ as back_end
back_end.build_wheel(sys.argv[1])
"""


def build(package, output):
    """Build a wheel as pip does, by setuptools' PEP 517 hook, in this environment; return it.

    pip itself would look for a newer pip on the network, and wait for it where there is none.
    """
    output.mkdir()
    command = [sys.executable, "-c", BUILD, output]
    subprocess.run(command, cwd=package, check=True, capture_output=True)
    (wheel,) = output.glob("*.whl")
    return zipfile.ZipFile(wheel)


def metadata(wheel, file):
    (name,) = (n for n in wheel.namelist() if n.endswith(f".dist-info/{file}"))
    return wheel.read(name).decode()


@pytest.mark.parametrize("package", COMMANDS)
def test_a_package_copied_alone_makes_a_wheel(package, tmp_path):
    source = copy(package, tmp_path)
    with build(source, tmp_path / "wheels") as wheel:
        names = set(wheel.namelist())
        points = ConfigParser()
        if COMMANDS[package]:
            points.read_string(metadata(wheel, "entry_points.txt"))
        given = dict(points["console_scripts"]) if points.has_section("console_scripts") else {}
        assert set(given) == COMMANDS[package]
        for target in given.values():
            assert f"{target.split(':')[0].replace('.', '/')}.py" in names
        requires = Parser().parsestr(metadata(wheel, "METADATA")).get_all("Requires-Dist", [])
        assert not any("file:" in requirement for requirement in requires)
        for path in (source / package).rglob("*"):
            if path.suffix in DATA or path.name == "py.typed":
                assert path.relative_to(source).as_posix() in names, path
        if package == "roboskate_game":
            assert "roboskate_game/protocol/communication_pb2.py" in names


# As in an environment without ROS: `find_spec` finds none, and an import is an error.
NO_ROS = """
import sys
class NoRos:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top.endswith("_msgs") or top in ("std_srvs", "launch", "launch_ros"):
            raise ModuleNotFoundError(f"{name} is ROS")
sys.modules["rclpy"] = sys.modules["ament_index_python"] = None
sys.meta_path.insert(0, NoRos())
"""


@pytest.mark.parametrize("package", [name for name, commands in COMMANDS.items() if commands])
def test_the_tests_of_a_package_can_be_collected_without_ros(package, tmp_path):
    (tmp_path / "no_ros.py").write_text(NO_ROS)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no_ros",
        "-p",
        "no:xdist",
        "--collect-only",
        "-q",
    ]
    directory = ROOT / "src" / package / "test"
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([*command, directory], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_in_a_clone_pip_takes_the_package_beside_it(tmp_path):
    beside = [copy(f"legacy_robots_{name}", tmp_path) for name in ("core", "simulation")]
    with build(copy("nao_goal_bridge", tmp_path), tmp_path / "wheels") as wheel:
        requires = Parser().parsestr(metadata(wheel, "METADATA")).get_all("Requires-Dist")
    assert {f"{path.name} @ {path.as_uri()}" for path in beside} <= set(requires)
