# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Packages of a user's own, messages too, are built over this workspace and found in it."""

import subprocess
from pathlib import Path

import pytest
from pip_ros.virtual_environment import VirtualEnvironment
from workspace import SetupError
from workspace.distribution import installation_is_sourced, wheel_set
from workspace.guests import VARIABLE
from workspace.new_robot import write

pytestmark = pytest.mark.system

PACKAGE = """<package format="3">
  <name>toy_msgs</name><version>0.1.0</version><description>Messages of a toy.</description>
  <maintainer email="you@example.com">You</maintainer><license>Apache-2.0</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <buildtool_depend>rosidl_default_generators</buildtool_depend>
  <exec_depend>rosidl_default_runtime</exec_depend>
  <member_of_group>rosidl_interface_packages</member_of_group>
  <export><build_type>ament_cmake</build_type></export>
</package>
"""
PAGE = Path(__file__).parents[3] / "docs" / "add_a_robot.md"


@pytest.fixture(scope="module", autouse=True)
def guests_too():
    """Have the registry know guests, which the project's other tests pass over."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        yield


@pytest.fixture
def wheels(tmp_path):
    """The environment from PyPI, whose overlays are those of this test alone."""
    if installation_is_sourced() and not Path(".venv", "bin").exists():
        pytest.skip("needs ROS 2 from PyPI")
    wheels = VirtualEnvironment(wheel_set())
    wheels.overlays = tmp_path / "overlays"
    return wheels


def recipe():
    """Return the CMakeLists.txt of the page."""
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index("cmake_minimum") : text.index("ament_package()")] + "ament_package()\n"


def test_own_messages_and_a_new_robot_are_found_until_they_are_gone(wheels, tmp_path):
    own = tmp_path / "own"
    (own / "toy_msgs" / "msg").mkdir(parents=True)
    (own / "toy_msgs" / "msg" / "Force.msg").write_text("float64 newtons  # N\n")
    (own / "toy_msgs" / "package.xml").write_text(PACKAGE)
    (own / "toy_msgs" / "CMakeLists.txt").write_text(recipe().replace("gripper_", "toy_"))
    write("toy", "tcp", False, own)
    wheels.build_over(own)
    code = (
        "from toy_msgs.msg import Force; from legacy_robots_common.system import names;"
        "print(Force(newtons=2.0), *names())"
    )
    command = [wheels.python, "-c", code]
    done = subprocess.run(command, env=wheels.environment(), capture_output=True, text=True)
    assert "newtons=2.0" in done.stdout, done.stderr
    assert "toy" in done.stdout.split()
    own.rename(tmp_path / "elsewhere")
    gone = subprocess.run(command, env=wheels.environment(), capture_output=True, text=True)
    assert "No module named 'toy_msgs'" in gone.stderr


def test_a_package_that_does_not_build_is_a_sentence_and_breaks_nothing(wheels, tmp_path):
    package = write("toy", "tcp", False, tmp_path / "own")
    (package / "setup.py").write_text("raise SystemExit('broken')\n")
    with pytest.raises(SetupError, match=r"colcon build failed .*build.log"):
        wheels.build_over(tmp_path / "own")
    assert wheels.environment()
