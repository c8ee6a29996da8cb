# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""package.xml and setup.py of every package say what its files import, and agree."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from workspace import guests

from legacy_robots_testing import package_checks
from legacy_robots_testing.package_checks import declared, imports

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
PACKAGES = guests.packages()
PYTHON = [package for package in PACKAGES if (package / "setup.py").exists()]
OURS = {package.name for package in PACKAGES}

catkin_pkg = pytest.importorskip(
    "catkin_pkg.package", reason="needs colcon: pip install catkin_pkg"
)

# Modules that rosdep cannot install -> extra of setup.py. What needs one says so without it.
OPTIONAL = {
    "bw4t_study": {
        "gymnasium": "learn",
        "mcap_ros2": "mcap",
        "mcp": "mcp",
        "pettingzoo": "learn",
        "pyarrow": "parquet",
        "ray": "ray",
        "sb3_contrib": "baseline",
        "stable_baselines3": "baseline",
        "torch": "baseline",
    },
    "legacy_robots_examples": {"mcap": "mcap", "mcp": "mcp"},
    "legacy_robots_view": {"foxglove": "foxglove"},
    "luar_tools": {"lupa": "lua"},
    "roboskate_game": {
        "gymnasium": "learn",
        "matplotlib": "sb3",
        "numba": "fast",
        "pygame": "human",
        "stable_baselines3": "sb3",
        "torch": "sb3",
    },
}
# Declared because a program of theirs is run, or because the build needs them.
NOT_IMPORTED = {
    "luar_bridge": {"luar_stand_in"},
    "roboskate_game": {"python3-grpc-tools"},
}


# legacy_robots_testing depends on these, whose tests use it: colcon refuses circles.
UNDER_TESTING = {"legacy_robots_common", "legacy_robots_core", "legacy_robots_launch"}

# Imported only in the Python of an original, by scripts that tests run there.
OF_ORIGINALS = {"roboskate_game": {"gym", "hardcoded_agents"}}


def ids(packages):
    return [package.name for package in packages]


def imported_in(package, directory):
    """Return the keys of what the files of a directory import: always, and at all."""
    own = {"communication_pb2", *OPTIONAL.get(package.name, ())}
    own |= OF_ORIGINALS.get(package.name, set())
    if package.name in UNDER_TESTING:
        own.add("legacy_robots_testing")
    return package_checks.imported_in(package, directory, own)


@pytest.mark.parametrize("package", PYTHON, ids=ids(PYTHON))
def test_what_is_imported_is_declared(package):
    always, at_all = imported_in(package, package.name)
    _, in_tests = imported_in(package, "test")
    at_run_time = declared(package, "exec")
    assert always <= at_run_time, sorted(always - at_run_time)
    anywhere = at_run_time | declared(package, "test")
    assert at_all | in_tests <= anywhere, sorted((at_all | in_tests) - anywhere)


@pytest.mark.parametrize("package", PYTHON, ids=ids(PYTHON))
def test_what_is_declared_is_imported(package):
    _, at_all = imported_in(package, package.name)
    _, in_tests = imported_in(package, "test")
    others = NOT_IMPORTED.get(package.name, set())
    unused = declared(package, "build", "buildtool", "exec") - at_all - others
    assert not unused, sorted(unused)
    unused = declared(package, "test") - at_all - in_tests
    assert not unused, sorted(unused)
    assert not declared(package, "test") & declared(package, "exec")


def test_the_launch_package_declares_what_its_files_name():
    package = ROOT / "src" / "legacy_robots_bringup"
    files = [p for top in ("launch", "config", "rviz") for p in (package / top).rglob("*.*")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    # A computer without a desktop has the files without the programs that show them.
    desktop = declared(ROOT / "src" / "legacy_robots_viz", "exec") - {package.name}
    assert all(name.startswith(("rqt_", "rviz")) for name in desktop)
    depends = declared(package, "exec")
    assert not depends & desktop
    unused = {
        name
        for name in (depends | desktop) - {"ros2launch", "legacy_robots_navigation"}
        if not re.search(rf"\b{name}\b", text)
    }
    assert unused == set()
    named = set(re.findall(r'(?:package|node)\w*\(?=?\s*"(\w+)"', text)) & OURS
    assert named <= depends, sorted(named - depends)
    always = {m for p in files if p.suffix == ".py" for m, _ in imports(p)}
    assert always - set(sys.stdlib_module_names) <= depends


def test_the_interface_package_declares_what_its_definitions_name():
    package = ROOT / "src" / "legacy_robots_msgs"
    text = "".join(p.read_text(encoding="utf-8") for k in ("msg", "srv", "action")
                   for p in package.glob(f"{k}/*.{k}"))  # fmt: skip
    used = set(re.findall(r"^(\w+)/\w+(?:\[.*?\])? ", text, re.MULTILINE))
    # rosidl adds these two to every action.
    assert declared(package, "build") == used | {"action_msgs", "builtin_interfaces"}
    cmake = (package / "CMakeLists.txt").read_text(encoding="utf-8")
    found = set(re.findall(r"find_package\((\w+) REQUIRED\)", cmake))
    assert used <= found <= declared(package, "build", "buildtool")


INTERFACES = sorted([ROOT / "src/legacy_robots_msgs", *ROOT.glob("tools/pip_ros/interfaces/*")])


@pytest.mark.parametrize("package", INTERFACES, ids=ids(INTERFACES))
def test_each_interface_file_is_listed_for_the_build(package):
    cmake = (package / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.findall(r"\b\w+/\w+\.(?:msg|srv|action)\b", cmake)
    files = {
        "/".join(p.parts[-2:]) for k in ("msg", "srv", "action") for p in package.rglob(f"*.{k}")
    }
    assert sorted(listed) == sorted(files)
    assert "GLOB" not in cmake


def test_nothing_uses_a_message_that_a_later_distribution_has_not():
    """docs/next_distribution.md has the list."""
    files = [
        p
        for suffix in ("msg", "srv", "action", "py")
        for package in PACKAGES
        for p in package.glob(f"**/*.{suffix}")
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    gone = re.compile(r"^geometry_msgs/Pose2D|geometry_msgs\.msg import .*\bPose2D", re.MULTILINE)
    assert not [str(path.relative_to(ROOT)) for path, text in texts.items() if gone.search(text)]


@pytest.mark.parametrize("package", PACKAGES, ids=ids(PACKAGES))
def test_the_manifest_is_valid_and_complete(package):
    warnings = []
    manifest = catkin_pkg.parse_package(package, warnings=warnings)
    manifest.validate(warnings=warnings)
    assert not warnings
    assert manifest.authors
    assert {url.type for url in manifest.urls} == {"website", "repository", "bugtracker"}
    common = catkin_pkg.parse_package(PACKAGES[0])
    assert [str(url) for url in manifest.urls] == [str(url) for url in common.urls]
    assert [str(m) for m in manifest.maintainers] == [str(m) for m in common.maintainers]


READ_SETUP = """
import json
import setuptools
import distutils.core
d = distutils.core.run_setup("setup.py", stop_after="init")
m = d.metadata
print(json.dumps([m.name, m.version, m.license, m.url, m.author, m.author_email, m.maintainer,
                  m.maintainer_email, sorted(d.extras_require)]))
"""


@pytest.mark.system
@pytest.mark.parametrize("package", PYTHON, ids=ids(PYTHON))
def test_setup_py_agrees_with_the_manifest(package):
    command = [sys.executable, "-c", READ_SETUP]
    out = subprocess.run(command, cwd=package, capture_output=True, text=True, check=True).stdout
    *of_setup, extras = json.loads(out.splitlines()[-1])
    manifest = catkin_pkg.parse_package(package)
    (maintainer,), (author,) = manifest.maintainers, manifest.authors
    assert of_setup == [
        manifest.name,
        manifest.version,
        manifest.licenses[0],
        next(url.url for url in manifest.urls if url.type == "website"),
        author.name,
        author.email,
        maintainer.name,
        maintainer.email,
    ]
    assert set(OPTIONAL.get(package.name, {}).values()) <= set(extras)
    # Without this extra `colcon test` runs no test of the package, and passes.
    assert ("test" in extras) == (package / "test").is_dir()


@pytest.mark.parametrize("package", PYTHON, ids=ids(PYTHON))
def test_programs_that_begin_with_signals_blocked_unblock_them(package):
    text = (package / "setup.py").read_text(encoding="utf-8")
    script_lists = re.findall(r'(?:ROS_COMMANDS =|"console_scripts":) \[(.*?)\]', text, re.DOTALL)
    scripts = re.findall(r'"\S+ = (\S+)"', "".join(script_lists))
    through = [each for each in scripts if each.startswith("legacy_robots_core.executable:")]
    assert through == (scripts if "--block-signal" in text else [])


@pytest.mark.parametrize("package", PACKAGES, ids=ids(PACKAGES))
def test_no_package_reaches_outside_its_directory(package):
    """A release branch and a copied package have this one directory only."""
    for directory, names, files in os.walk(package):
        for path in (Path(directory, name) for name in (*names, *files)):
            assert path.resolve().is_relative_to(package.resolve()), f"{path} leads outside"
    for name in ("CMakeLists.txt", "MANIFEST.in", "setup.cfg", "setup.py"):
        path = package / name
        if path.exists():
            assert "../" not in path.read_text(encoding="utf-8"), path


def test_the_links_at_the_top_lead_into_the_packages():
    links = {path.name: path for path in ROOT.iterdir() if path.is_symlink()}
    assert {"msg", "srv", "action", "launch", "config", "rviz"} <= set(links)
    for path in links.values():
        assert path.is_dir(), path
        assert not Path(os.readlink(path)).is_absolute(), path
