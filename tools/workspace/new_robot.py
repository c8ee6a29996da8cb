# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Write the package of a new robot from the templates in tools/new_robot_templates."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import zlib
from pathlib import Path

from workspace import ROOT, SetupError

TEMPLATES = ROOT / "tools" / "new_robot_templates"
WIRES = ("tcp", "udp", "serial", "websocket", "sdk")
KINDS = ("plain", "base", "arm", "drone")
ONLY_WITH = {
    "vendor.py": {"sdk"},
    "actions.plain.py": {"action"},
    "conversions.py": {"plain", "base", "drone"},
}
"""Files of some packages only. One with a kind in its name is of that kind, and called without."""
_KIND = re.compile(rf"\.({'|'.join(KINDS)})(?=\.\w+$)")
_SYSTEM = re.compile(r'"legacy_robots_common\.systems": \["(\w+) =')
LICENCE = """version = 1

[[annotations]]
path = "**"
SPDX-FileCopyrightText = "You"
SPDX-License-Identifier = "Apache-2.0"
"""
_MARK = re.compile(r"\s*(?:# ---|<!--) (?:if (?P<words>[\w -]+?)|end)(?: -->)?\s*")


def main(arguments: list[str]) -> None:
    """Write a package as the command line says. Raises SetupError."""
    parser = argparse.ArgumentParser(
        prog="tools/new_robot",
        description="Write the package NAME_bridge of a new robot: bridge, simulator with faults, "
        "launch file, parameters, view of rviz, page and tests.",
    )
    parser.add_argument("name", help="lower-case letters, digits and underscores: gripper")
    parser.add_argument("--wire", choices=WIRES, default="tcp", help="(default: %(default)s)")
    parser.add_argument(
        "--kind", choices=KINDS, default="plain",
        help="a mobile base with cmd_vel and odometry, an arm with trajectories, a drone, or one "
        "joint (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--action", action="store_true",
        help="plain: an action, not a topic; base: navigate_to_pose; arm and drone have theirs",
    )  # fmt: skip
    parser.add_argument(
        "--in", dest="directory", type=Path, default=ROOT / "src", metavar="DIRECTORY",
        help="where the package is written (default: src)",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    package = write(given.name, given.wire, given.action, given.directory, given.kind)
    print(f"{package} is written. Now test it, and start it:")
    if package.is_relative_to(ROOT / "src"):
        print(f"  tools/test {package.relative_to(ROOT)}")
    else:
        print(f"  tools/ros2 build --base-paths {shlex.quote(str(given.directory))}")
        print(f"  tools/test {shlex.quote(str(package))}")
    print(f"  tools/ros2 launch {given.name}_bridge {given.name}.launch.py")


def write(name: str, wire: str, action: bool, directory: Path, kind: str = "plain") -> Path:
    """Write the package of a robot; return its directory. Raises SetupError."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise SetupError(f"{name!r} is no name: lower-case letters, digits and underscores")
    package = directory.resolve() / f"{name}_bridge"
    if where := _taken(name, package.parent):
        raise SetupError(f"the name {name!r} is taken: {where}")
    if package.exists():
        raise SetupError(f"there is a {package} already")
    words = {wire, kind, "action" if action else "no-action"}
    source = TEMPLATES / "myrobot_bridge"
    try:
        for path in sorted(source.rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            of_kind = _KIND.search(path.name)
            if not ONLY_WITH.get(path.name, words) & words or (of_kind and of_kind[1] != kind):
                continue
            target = package / _renamed(_KIND.sub("", str(path.relative_to(source))), name)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = _chosen(path.read_text(encoding="utf-8"), words)
            target.write_text(_renamed(text, name), encoding="utf-8")
        (package / "REUSE.toml").write_text(LICENCE, encoding="utf-8")
    except OSError as error:
        raise SetupError(f"{error.filename}: {error.strerror}") from error
    _sort_imports(package)
    return package


def _taken(name: str, directory: Path) -> Path | None:
    """Return what has this name already: a launch file or package of ours, or a system."""
    for ours in (ROOT / "launch" / f"{name}.launch.py", ROOT / "src" / f"{name}_bridge"):
        if ours.exists():
            return ours
    for setup in (*ROOT.glob("src/*/setup.py"), *directory.glob("*/setup.py")):
        found = _SYSTEM.search(setup.read_text(encoding="utf-8"))
        if found and found[1] == name and setup.parent.name != f"{name}_bridge":
            return setup.parent
    return None


def _renamed(text: str, name: str) -> str:
    """Put the robot's own names and port in the place of the template's."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    port = 7000 + zlib.crc32(name.encode()) % 1000
    return text.replace("7000", str(port)).replace("myrobot", name).replace("Myrobot", camel)


def _chosen(text: str, words: set[str]) -> str:
    """Return the lines outside of marks, and those between marks that name one of ``words``.

    Without the lines of the licence, which are those of the template.
    """
    text = re.sub(r"\A(?:# SPDX-.*\n)*", "", text)
    kept: list[str] = []
    inside: list[bool] = []
    for line in text.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark is None:
            if all(inside):
                kept.append(line)
        elif mark["words"]:
            inside.append(bool(words & set(mark["words"].split())))
        else:
            inside.pop()
    found = re.sub(r"\n{4,}", "\n\n\n", "\n".join(kept))
    return found.rstrip("\n") + "\n" if found.strip() else found


def _sort_imports(package: Path) -> None:
    """Sort imports and lay the files out, where ruff is installed."""
    ruff = shutil.which("ruff") or shutil.which("ruff", path=str(ROOT / ".venv" / "bin"))
    if ruff:
        options = ["--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        for command in (["check", "--fix", "--select=I,F401"], ["format"]):
            subprocess.run([ruff, *command, *options, str(package)], check=False)
