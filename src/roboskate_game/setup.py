# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Package file of roboskate_game; also compiles its .proto, since generated code is not kept."""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.develop import develop

PACKAGE = "roboskate_game"
# Signals wait until legacy_robots_core.executable handles them.
START = f"/usr/bin/env -S --block-signal=INT --block-signal=TERM {sys.executable}"
DESCRIPTION = (
    "A simulated RoboSkate, a skating robot game: gRPC and JSON interface, physics and images, "
    "with gymnasium environments. No ROS."
)


def protoc() -> "list[str]":
    """Return the command of the protobuf compiler: grpcio-tools of this Python, else protoc."""
    if importlib.util.find_spec("grpc_tools") is not None:
        return [sys.executable, "-m", "grpc_tools.protoc"]
    found = shutil.which("protoc")
    if found is not None:
        return [found]
    sys.exit(
        f"{PACKAGE}: no protobuf compiler: install grpcio-tools (pip) or python3-grpc-tools "
        "(Debian and Ubuntu)"
    )


def compile_protocol() -> None:
    """Write communication_pb2.py and its .pyi into protocol/, where they changed.

    In protobuf's registry, which a process has once, its file and its messages have names of our
    own: a user's stubs of the package ``communication`` can be there too. The wire has neither.
    """
    package = Path(__file__).parent / PACKAGE
    text = (package / "proto" / "communication.proto").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        source, output = Path(directory, "in"), Path(directory, "out")
        file = Path(PACKAGE, "protocol", "communication.proto")
        (source / file).parent.mkdir(parents=True)
        output.mkdir()
        (source / file).write_text(
            text.replace("package communication;", f"package {PACKAGE};"), encoding="utf-8"
        )
        command = [
            *protoc(),
            f"--proto_path={source}",
            f"--python_out={output}",
            f"--pyi_out={output}",
            str(file),
        ]
        subprocess.run(command, check=True)
        # Generated code refuses a runtime that is older than itself: say so now, not at the start.
        trial = subprocess.run(
            [sys.executable, "-c", "import communication_pb2"],
            cwd=output / file.parent,
            capture_output=True,
            text=True,
        )
        if trial.returncode != 0:
            sys.exit(
                f"{PACKAGE}: the code that {' '.join(command[:3])} generates does not fit the "
                f"installed protobuf; install matching versions:\n{trial.stderr}"
            )
        for generated in sorted((output / file.parent).glob("communication_pb2.py*")):
            target = package / "protocol" / generated.name
            text = generated.read_text(encoding="utf-8")
            if not target.exists() or target.read_text(encoding="utf-8") != text:
                target.write_text(text, encoding="utf-8")


class BuildPy(build_py):
    """build_py that compiles the .proto first."""

    def run(self) -> None:
        compile_protocol()
        super().run()


class Develop(develop):
    """develop (colcon build --symlink-install) that compiles the .proto first."""

    def run(self) -> None:
        compile_protocol()
        super().run()


# Wheels are for environments without ROS: there the command is named after its game.
BY_PIP = bool({"bdist_wheel", "dist_info", "editable_wheel"} & set(sys.argv))
ROS_COMMANDS = ["simulator = legacy_robots_core.executable:roboskate_game.simulator.program.main"]
PIP_COMMANDS = ["roboskate-simulator = roboskate_game.simulator.program:main"]


def beside(name: str) -> str:
    """Return the requirement: in a clone the package beside this one; released, of an index."""
    path = Path(__file__).resolve().parent.parent / name
    return f"{name} @ {path.as_uri()}" if path.is_dir() else name


def protobuf() -> str:
    """Return the requirement of protobuf: generated code needs at least the compiler's version."""
    try:
        return f"protobuf>={version('protobuf')}"
    except PackageNotFoundError:
        return "protobuf"


REQUIREMENTS = [
    beside("legacy_robots_core"),
    beside("legacy_robots_geometry"),
    beside("legacy_robots_simulation"),
    "grpcio",
    "numpy",
    "opencv-python-headless",
    protobuf(),
    "PyYAML",
    "transforms3d",
]

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=find_packages(include=[PACKAGE, f"{PACKAGE}.*"]),
    package_data={
        PACKAGE: [
            "py.typed",
            "protocol/*.pyi",
            "proto/*.proto",
            "course.yaml",
            "learning/*.npz",
            "learning/*.md",
            "learning/*.yml",
        ]
    },
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
    ],
    # Not in pyproject.toml: with one, Debian packages of ROS would be built as wheels.
    setup_requires=["grpcio-tools"] if sys.argv[-1] == "egg_info" or BY_PIP else [],
    install_requires=REQUIREMENTS if BY_PIP else [],
    # gymnasium is outside rosdep: its key installs by pip, which stops on Debian 12 and Ubuntu
    # 24.04.
    extras_require={
        "learn": ["gymnasium>=1.1"],
        "fast": ["numba"],
        "human": ["pygame"],
        "sb3": ["gymnasium>=1.1", "numba", "stable-baselines3", "matplotlib"],
        "test": ["pytest", "hypothesis"],
    },
    zip_safe=True,
    author="Legacy Robots contributors",
    author_email="maintainers@legacy-robots.invalid",
    maintainer="Legacy Robots maintainers",
    maintainer_email="maintainers@legacy-robots.invalid",
    url="https://legacy-robots.invalid",
    description=DESCRIPTION,
    license="Apache-2.0",
    python_requires=">=3.10",
    cmdclass={"build_py": BuildPy, "develop": Develop},
    options={"build_scripts": {"executable": START}},
    entry_points={
        "console_scripts": PIP_COMMANDS if BY_PIP else ROS_COMMANDS,
    },
)
