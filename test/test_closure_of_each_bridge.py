# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Each bridge and its simulator start in an environment that has only what package.xml names."""

import os
import signal
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from workspace import guests

from legacy_robots_testing.package_checks import KEYS, declared
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        not os.environ.get("VIRTUAL_ENV", "").startswith(str(Path(__file__).parents[1])),
        reason="needs ROS 2 from PyPI, of whose distributions it makes the environment",
    ),
]
SOURCES = {package.name: package for package in guests.packages()}
OF_THE_KEYS = {
    "python3-defusedxml": "defusedxml",
    "python3-grpcio": "grpcio",
    "python3-opencv": "opencv-python-headless",
    "python3-protobuf": "protobuf",
    "python3-serial": "pyserial",
    "python3-yaml": "PyYAML",
}
"""Distributions of PyPI by the keys of rosdep; others are named as their module."""
PLATFORM = ("ros-rmw-fastrtps-cpp",)
"""What a user of ROS has chosen beside what package.xml names."""


def closure(package):
    """Return the packages of ours that a package brings at run time, and the other names."""
    ours, others, waiting = set(), set(), [package]
    while waiting:
        name = waiting.pop()
        if name in ours | others:
            continue
        if name in SOURCES:
            ours.add(name)
            waiting += declared(SOURCES[name], "exec", "build_export")
        else:
            others.add(name)
    return ours, others


def distributions(names):
    """Return the distributions of PyPI of these names of package.xml, and what they require."""
    modules = {key: module for module, key in KEYS.items()}
    waiting = [*PLATFORM]
    for name in names:
        known = OF_THE_KEYS.get(name) or modules.get(name)
        waiting.append(known or f"ros-{name.replace('_', '-')}")
    found = {}
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # built here, or not of Python
        for required in found[name].requires or ():
            if "extra ==" not in required:
                waiting.append(
                    required.replace("[", " ").replace("~", " ").split(";")[0].split()[0]
                )
    return found.values()


@pytest.fixture(
    params=["aibo_gti_bridge", "bw4t_bridge", "luar_bridge", "nao_goal_bridge", "roboskate_bridge"]
)
def environment(request, tmp_path):
    """The package, and the Python of an environment with links to what it brings."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path], check=True)
    site = next(tmp_path.glob("lib/python3*/site-packages"))
    installed = Path(os.environ["VIRTUAL_ENV"], "workspace")
    ours, others = closure(request.param)
    for found in distributions(others):
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(found.locate_file(top))
    for name in ours | others:
        for source in (installed / "build" / name).glob(f"{name}*"):
            (site / source.name).symlink_to(source.resolve())
        built = installed / "install" / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
        if (built / name).is_dir():
            (site / name).symlink_to(built / name)
    return request.param, tmp_path / "bin" / "python", installed / "install" / "lib"


@pytest.mark.usefixtures("own_domain")
def test_it_starts(environment):
    package, python, programs = environment
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert subprocess.call([python, "-c", "import pytest"], env=env) != 0
    main = "server" if package == "bw4t_bridge" else "bridge"
    with RosPeer() as peer, Process([python, programs / package / main], env=env) as started:
        peer.wait_for_publishers("/diagnostics")
        started.signal(signal.SIGINT)
        assert started.wait(30) == 0
