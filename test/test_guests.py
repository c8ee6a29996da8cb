# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Guests leave everything green: a generated robot in a checkout's src/, and one in an overlay.

The worked examples are guests too.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from workspace.guests import VARIABLE

from legacy_robots_testing.recorder import TIMEOUT

ROOT = Path(__file__).parents[1]
INSIDE, OUTSIDE = "visitor", "lodger"
EXAMPLES = sorted(path.parent.name for path in ROOT.glob("examples/*/package.xml"))
HOUSE = (
    "architecture", "frame", "manifests", "python_api", "quality_declaration", "structure",
    "style",
)  # fmt: skip
"""The project's tests that walk through packages, and start nothing."""
SLOW = "mypy or javascript or wheels or locked_up"
"""What a guest cannot change, and takes long."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of this checkout with a guest in src/ and one beside it, and its environment."""
    base = tmp_path_factory.mktemp("guests")
    copy, overlay = base / "checkout", base / "overlay"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("needs a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists() or (ROOT / name).is_symlink():
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target, follow_symlinks=False)
    subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)
    subprocess.run(["git", "add", "--all"], cwd=copy, check=True)
    overlay.mkdir()
    new_robot = [copy / "tools" / "new_robot"]
    for options in (
        [INSIDE, "--wire", "serial", "--kind", "base", "--action"],
        [OUTSIDE, "--wire", "udp", "--in", overlay],
    ):
        subprocess.run([*new_robot, *options], check=True, capture_output=True)
    packages = [copy / "src" / f"{INSIDE}_bridge", overlay / f"{OUTSIDE}_bridge"]
    packages += [copy / "examples" / name for name in EXAMPLES]
    for package in packages:  # as a build does, for the registry
        command = [sys.executable, "setup.py", "--quiet", "egg_info"]
        subprocess.run(command, cwd=package, check=True, capture_output=True)
    env = {name: value for name, value in os.environ.items() if name != VARIABLE}
    first = [copy / "tools", *packages]
    env["PYTHONPATH"] = os.pathsep.join([*map(str, first), env["PYTHONPATH"]])
    return copy, packages, env


def failures(checkout, directory, *arguments):
    """Run tests there; return what is printed where some fail."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *arguments], cwd=directory, env=checkout[2], capture_output=True, text=True,
        timeout=10 * TIMEOUT,
    )  # fmt: skip
    assert "passed" in done.stdout, done.stdout + done.stderr
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.timeout(15 * TIMEOUT)
def test_the_houses_own_tests_are_green_with_guests(checkout):
    files = [f"test/test_{name}.py" for name in HOUSE]
    assert failures(checkout, checkout[0], "-m", "lint", "-k", f"not ({SLOW})", *files) == ""


def test_tests_of_each_system_are_of_the_shipped_ones(checkout):
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "test/test_documents.py"]
    done = subprocess.run(
        command, cwd=checkout[0], env=checkout[2], capture_output=True, text=True, timeout=TIMEOUT
    )
    assert "[nao]" in done.stdout, done.stdout + done.stderr
    assert INSIDE not in done.stdout
    assert OUTSIDE not in done.stdout


def test_the_registry_has_the_guests_for_all_others(checkout):
    code = "from legacy_robots_common.system import names; print(*names())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=checkout[2], capture_output=True, text=True, check=True
    )
    assert {INSIDE, OUTSIDE, "nao", "roomba"} <= set(done.stdout.split())


@pytest.mark.parametrize(
    "number", range(2 + len(EXAMPLES)), ids=["in src", "in an overlay", *EXAMPLES]
)
def test_a_guests_own_tests_are_green(checkout, number):
    package = checkout[1][number]
    assert failures(checkout, package, "-p", "no:launch_testing", "-p", "no:launch_ros") == ""


def test_a_guests_own_tests_see_what_is_missing(checkout):
    package = checkout[1][1]
    manifest = package / "package.xml"
    text = manifest.read_text(encoding="utf-8")
    line = "  <exec_depend>legacy_robots_wires</exec_depend>\n"
    try:
        manifest.write_text(text.replace(line, ""), encoding="utf-8")
        printed = failures(checkout, package, "test/test_package.py")
        assert "exec_depend is missing: ['legacy_robots_wires']" in printed
    finally:
        manifest.write_text(text, encoding="utf-8")
