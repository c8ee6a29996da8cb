# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""tools/ros2 on machines that lack something, and after an interruption."""

import importlib.util
import io
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from legacy_robots_testing.process import Process

ROOT = Path(__file__).parents[1]
BASE_PYTHON = Path(sys.base_prefix, "bin", "python{}.{}".format(*sys.version_info))
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", "build", "install", "log", "__pycache__", ".*_cache", ".hypothesis"
)


@pytest.fixture
def tools(monkeypatch):
    """Make the modules below tools/ importable."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.fixture
def copy(tmp_path):
    """A checkout without anything built."""
    target = tmp_path / "checkout"
    shutil.copytree(ROOT, target, ignore=NOT_COPIED)
    return target


def without_ros(**changes):
    """Return an environment in which no ROS 2 is sourced."""
    gone = ("AMENT_", "CMAKE_PREFIX", "COLCON_", "LD_LIBRARY", "PYTHONPATH", "ROS_", "_ROS_")
    env = {k: v for k, v in os.environ.items() if not k.startswith((*gone, "VIRTUAL_ENV"))}
    env["PATH"] = os.pathsep.join(
        part for part in env["PATH"].split(os.pathsep) if ".venv" not in part
    )
    return {**env, **changes}


def test_a_missing_compiler_is_one_sentence(copy, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(BASE_PYTHON)
    done = subprocess.run(
        [BASE_PYTHON, copy / "tools" / "ros2", "topic", "list"],
        env=without_ros(PATH=str(tmp_path / "bin")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("tools/ros2: no C compiler found")
    assert "apt install gcc" in last
    assert not (copy / ".venv").exists()


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_missing_headers_are_one_sentence(monkeypatch):
    from pip_ros import machine
    from workspace import SetupError

    monkeypatch.setattr(sysconfig, "get_paths", lambda: {"include": "/nowhere"})
    with pytest.raises(SetupError, match=r"headers of Python .* are missing .*apt install python"):
        machine.check()


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_another_architecture_is_one_sentence(monkeypatch):
    from pip_ros import machine
    from workspace import SetupError

    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(SetupError, match="x86_64 only, this is Linux on aarch64: install ROS 2"):
        machine.check()


def test_it_never_runs_in_the_environment_that_it_may_have_to_make_anew(tmp_path):
    subprocess.run([BASE_PYTHON, "-m", "venv", "--without-pip", tmp_path], check=True)
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
        "from workspace.interpreter import use_supported_python\n"
        "use_supported_python()\n"
        "print(sys.prefix == sys.base_prefix)\n"
    )
    (tmp_path / "command").write_text(program)
    done = subprocess.run(
        [tmp_path / "bin" / "python", tmp_path / "command"],
        env=without_ros(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_an_unsupported_python_is_one_sentence(monkeypatch):
    from workspace import interpreter

    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"Python 3\.8 is not supported: install Python 3\.10 to"):
        interpreter.use_supported_python()


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_another_python_first_on_path_finds_what_an_earlier_one_has_set_up(tmp_path):
    from pip_ros.virtual_environment import VirtualEnvironment

    wheels = VirtualEnvironment("jazzy")
    wheels.path = tmp_path
    libraries = tmp_path / "lib" / "python3.99" / "site-packages" / "ros_action_msgs.libs"
    libraries.mkdir(parents=True)
    path = wheels.underlay()["LD_LIBRARY_PATH"].split(os.pathsep)
    assert path[:2] == [str(tmp_path / "lib"), str(libraries)]


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_a_set_of_wheels_that_does_not_exist_is_one_sentence(monkeypatch):
    from workspace import SetupError
    from workspace.distribution import wheel_set

    monkeypatch.setenv("LEGACY_ROBOTS_DISTRO", "humble")
    with pytest.raises(SetupError, match="DISTRO=humble: there are wheels of jazzy and kilted"):
        wheel_set()


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_an_interface_is_parsed_once(tmp_path):
    from pip_ros.idl_cache import kept

    parsed = []

    def parse(text):
        parsed.append(text)
        return [text, len(text)]

    for _ in range(2):  # as two generators
        parse_or_load = kept(parse, tmp_path / "cache")
        assert parse_or_load("struct A") == ["struct A", 8]
        assert parse_or_load("struct BB") == ["struct BB", 9]
    assert parsed == ["struct A", "struct BB"]


def fresh_em():
    """Return a new copy of the module em."""
    spec = importlib.util.find_spec("em")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.lint
@pytest.mark.usefixtures("tools")
def test_a_template_parsed_once_expands_as_ever():
    from pip_ros.template_cache import keep_templates

    if not hasattr(pytest.importorskip("em"), "Configuration"):
        pytest.skip("rosidl of this installation uses EmPy 3")
    inner = "@{y = x * 2}@\n@[for i in range(x)]@[if i % 2]@(i)@[else]-@[end if]@[end for] @y@@\n"
    outer = "@[for x in values]@\n@(TEMPLATE(x))@\n@[end for]@\nend ( y)\n"
    em, cached = fresh_em(), fresh_em()
    keep_templates(cached)
    scanned = []
    one = cached.Scanner.one
    cached.Scanner.one = lambda self, *stop: scanned.append(1) or one(self, *stop)

    def expand(em, values):
        output = io.StringIO()
        config = em.Configuration(defaultStdout=output, rawErrors=True, useProxy=True)
        interpreter = em.Interpreter(config=config, dispatcher=False)

        def template(x):
            interpreter.string(inner, locals={"x": x})

        interpreter.string(outer, locals={"values": values, "TEMPLATE": template})
        interpreter.shutdown()
        return output.getvalue()

    assert expand(cached, [1, 3]) == expand(em, [1, 3]) == "- 2@\n-1- 6@\nend ( y)\n"
    once = len(scanned)
    assert expand(cached, [2, 4]) == expand(em, [2, 4])
    assert once
    assert len(scanned) == once
    with pytest.raises(TypeError):
        expand(cached, [None])


@pytest.fixture
def sourced(tmp_path):
    """Return what runs tools/ros2 where an installation is sourced, as far as it is looked at.

    Its build ends the command: there is no colcon in it.
    """
    (tmp_path / "ros2").write_text("#!/bin/sh\n")
    (tmp_path / "ros2").chmod(0o755)

    def run(checkout, **env):
        path = os.pathsep.join([str(tmp_path), "/usr/bin", "/bin"])
        return subprocess.run(
            [BASE_PYTHON, checkout / "tools" / "ros2", "pkg", "list"],
            env=without_ros(PATH=path, AMENT_PREFIX_PATH=str(tmp_path), **env),
            capture_output=True,
            text=True,
        )

    return run


@pytest.mark.parametrize("name,warnings", [("lyrical", 1), ("jazzy", 0), ("kilted", 0)])
def test_a_distribution_that_was_never_tried_gets_one_sentence(copy, sourced, name, warnings):
    done = sourced(copy, ROS_DISTRO=name)
    sentence = f"This workspace was never tried on ROS 2 {name}, only on jazzy and kilted.\n"
    assert done.stderr.count(sentence) == warnings
    assert done.stderr.count("never tried") == warnings


def test_another_installation_than_the_one_asked_for_is_one_sentence(copy, sourced):
    done = sourced(copy, ROS_DISTRO="jazzy", LEGACY_ROBOTS_DISTRO="kilted")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "tools/ros2: LEGACY_ROBOTS_DISTRO=kilted, but ROS 2 jazzy is sourced: "
        "unset the one or the other\n"
    )


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="an installation is used here")
@pytest.mark.parametrize("how", ["inherited", "activated"])
def test_in_its_own_environment_it_builds_nothing(how):
    command = f'"{ROOT}/tools/ros2" pkg list'
    env = dict(os.environ)
    if how == "activated":
        command = f'. "{sys.prefix}/bin/activate" && {command}'
        env = without_ros(LEGACY_ROBOTS_DISTRO=os.environ["ROS_DISTRO"])
    done = subprocess.run(["sh", "-c", command], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "legacy_robots_bringup" in done.stdout.split()


@pytest.mark.timeout(600)
def test_a_set_up_that_was_killed_repairs_itself(copy):
    """What was half made is not taken for whole. With LEGACY_ROBOTS_WHOLE_SETUP=1 to the end."""
    if os.environ.get("LEGACY_ROBOTS_ROS2") == "ros2":
        pytest.skip("a ROS 2 installation is used here")
    command, env = [copy / "tools" / "ros2", "pkg", "list"], without_ros()
    left = copy / ".venv" / "left_by_the_killed_one"
    for _ in range(2):
        with Process(command, env) as interrupted:
            interrupted.wait_for_line("Installing ROS 2 Jazzy", 240.0)
            assert not left.exists()  # what the first one has half made is made anew
            left.touch()
            os.killpg(interrupted.pid, signal.SIGKILL)
            interrupted.wait()
    if os.environ.get("LEGACY_ROBOTS_WHOLE_SETUP") != "1":
        return
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "legacy_robots_bringup" in done.stdout.split()
    again = subprocess.run(command, env=env, capture_output=True, text=True)
    assert again.stderr == ""
    assert again.stdout == done.stdout
