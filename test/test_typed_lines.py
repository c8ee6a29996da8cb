# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every shell line of README and the manual runs as typed, page by page, tutorials too.

A block without a language, ``sh`` or ``console`` (lines with a prompt) has shell lines. A comment
above it excuses the block, or says how its last line ends, or what that prints::

    <!-- needs your robot -->
    <!-- needs a sourced ROS -->
    <!-- needs a second computer -->
    <!-- ends with 1 -->
    <!-- shows stalled: true -->

A block of another language is a file where the paragraph above it ends in "as `NAME`:".
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from workspace import manual
from workspace.build import outside_environment

from legacy_robots_testing.machine import machine_wide
from legacy_robots_testing.process import Process

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not os.environ.get("VIRTUAL_ENV", "").startswith(str(ROOT)),
        reason="needs ROS 2 from PyPI: what the pages install by two commands",
    ),
]
EXCUSES = ("needs your robot", "needs a sourced ROS", "needs a second computer")
SHELL = ("", "sh", "console")
_FENCE = re.compile(r"^( *)```([\w{}]*)$")
_MARK = re.compile(r"<!-- (needs .*|ends with \d+|shows .*) -->")
_FILE = re.compile(r"\bas `([\w./]+)`[^`\n]*:\s*$")
_LIMIT_S = 200.0

EVIDENCE = (
    (r"ros2 launch .* -s( |$)", None),
    (r"ros2 launch .*(view\.launch|view:=web|web:=true|experiment:=)", r"http://"),
    (r"ros2 launch .*luar_host\.launch", r"process started"),
    (r"ros2 launch .*_host\.launch", r"listening|waiting|link connect"),
    (r"ros2 launch .*(bw4t)", r"bw4t|world"),
    (r"ros2 launch .*(_?paused:=true|log_level:=warn)", r"process started"),
    (r"ros2 launch", r"link connected"),
    (r"ros2 topic echo(?!.*--once)", r"^---"),
    (r"ros2 topic (hz|bw|delay)", r"average|B/s"),
    (r"ros2 topic pub(?!.*--once)", r"publishing #"),
    (r"ros2 discovery_server", r"Server"),
    (r"ros2 run luar_bridge monitor", r"vcm"),
    (r"ros2 run \w+ (simulator|teleop)|-simulator", r"\w"),
    (r"ros2 run legacy_robots_examples ball_in_map", ""),
    (r"ros2 run legacy_robots_examples (replay|courier)", r"\w"),
    (r"bw4t (serve|experiment .*people|experiment my_study)", r"http://"),
    (r"tools/test|python3? -m pytest", r"test session starts"),
    (r"tools/(faults|bench|soak|fuzz)(?!.*--help)", r"\w"),
    (r"train_sb3", None),
)
"""What starts something, and what shows that it works; it is ended by Ctrl-C then. None: it ends
by itself after all. Empty: the next line shows it."""
SHORTER = {"--steps 4000000": "--steps 20000 --worlds 16 --report-every 10000"}
"""Training takes minutes; full times are measured by hand."""
LARGE = {
    "stable-baselines3": "stable_baselines3",
    "baseline]": "sb3_contrib",
    "rl_zoo3": "rl_zoo3",
    "learning.benchmark": "stable_baselines3",
}
"""What lines name, and a module that no test installs: a page is followed up to such a line."""


@dataclass(frozen=True)
class Line:
    """A shell line as the page has it, or a file to save; ``block`` counts the page's blocks."""

    text: str
    block: int
    excuse: str = ""
    code: int = 0
    file: str = ""
    shows: str = ""


def _blocks(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield language, text, mark and last line of prose of each block of a page."""
    mark = prose = ""
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        fence = _FENCE.match(line)
        if fence is None:
            if found := _MARK.search(line):
                mark = found[1]
            elif line.strip():
                prose = line
            continue
        inside = []
        for text in lines:
            if text == f"{fence[1]}```":
                break
            inside.append(text.removeprefix(fence[1]) + "\n")
        yield fence[2], "".join(inside), mark, prose
        mark = prose = ""


def lines_of(path: Path) -> Iterator[Line]:
    """Yield what a page has its reader type and save, in order."""
    for block, (language, text, mark, prose) in enumerate(_blocks(path)):
        if language not in SHELL:
            if name := _FILE.search(prose):
                yield Line(text, block, file=name[1])
            continue
        typed = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
        if language == "console":
            typed = [line.removeprefix("$ ") for line in typed if line.startswith("$ ")]
        for line in typed:
            last = mark if line is typed[-1] else ""
            code = int(last.split()[-1]) if last.startswith("ends") else 0
            excuse = mark if mark in EXCUSES else ""
            shows = last.removeprefix("shows ") if last.startswith("shows") else ""
            yield Line(re.sub(r"\s+#.*$", "", line), block, excuse, code, shows=shows)


class Terminal:
    """A directory that looks like a clone, in which the lines of a page are typed."""

    def __init__(self, directory: Path, env: dict[str, str]) -> None:
        self.directory = self._at = directory / "clone"
        self.directory.mkdir()
        for entry in ROOT.iterdir():
            if entry.name == "src":  # pip builds in it
                built = shutil.ignore_patterns("build", "__pycache__", "node_modules")
                shutil.copytree(entry, self.directory / "src", symlinks=True, ignore=built)
            elif not entry.name.startswith(".") or entry.name == ".venv":
                (self.directory / entry.name).symlink_to(entry)
        home = directory / "home"
        (home / ".ros" / "log").mkdir(parents=True)
        self._state = directory / "state"
        self._env = {**env, "HOME": str(home), "PIP_NO_BUILD_ISOLATION": "0"}
        self._env["PIP_CACHE_DIR"] = env.get("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
        self._running: list[tuple[int, Line, Process]] = []

    def type(self, line: Line) -> None:
        """Save a file, or run a shell line. Raises AssertionError where it does not work."""
        if line.file:
            path = self.directory / line.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(line.text, encoding="utf-8")
            return
        # These have the same ports.
        if re.search(" launch |^bw4t serve|^bw4t experiment people", line.text):
            self.end(before=line.block)
        text = line.text
        for full, short in SHORTER.items():
            text = text.replace(full, short)
        wanted = next((e for command, e in EVIDENCE if re.search(command, text)), None)
        process = self._start(text)
        try:
            if wanted is None:
                self._finish(line, process)
            elif wanted:
                process.wait_for_line(wanted, _LIMIT_S)
        except BaseException:
            process.close()
            raise
        if wanted is not None:
            self._running.append((line.block, line, process))
            if wanted and " launch " not in line.text and "simulator" not in line.text:
                self._stop()
        if made := re.search(r"-m venv (\S+)", line.text):
            share_libraries(self._at / made[1])

    def end(self, before: int = sys.maxsize) -> None:
        """End by Ctrl-C what blocks before this one have started, the newest first."""
        while self._running and self._running[-1][0] < before:
            self._stop()

    def close(self) -> None:
        """Kill what still runs."""
        for _, _, process in self._running:
            process.close()

    def _start(self, text: str) -> Process:
        # What a line changes in the shell is there for the next one.
        keep = f'{text}\ncode=$?; pwd >"$0/pwd"; env -0 >"$0/env"; exit $code'
        self._state.mkdir(exist_ok=True)
        command = ["env", "-i", *(f"{k}={v}" for k, v in self._env.items()), "bash", "-c"]
        moved = f"cd {shlex.quote(str(self._at))} || exit 99\n{keep}"
        return Process([*command, moved, str(self._state)])

    def _finish(self, line: Line, process: Process) -> None:
        code = process.wait(_LIMIT_S)
        output = "\n".join(process.lines.items[-40:])
        process.close()
        assert code == line.code, f"{line.text}: exit code {code}\n{output}"
        assert "Traceback" not in output, f"{line.text}\n{output}"
        assert line.shows in output, f"{line.text}: no {line.shows!r}\n{output}"
        if (self._state / "env").exists():
            entries = (self._state / "env").read_bytes().decode().split("\0")
            self._env = dict(entry.split("=", 1) for entry in entries if "=" in entry)
            self._at = Path((self._state / "pwd").read_text().rstrip("\n"))

    def _stop(self) -> None:
        _, line, process = self._running.pop()
        process.interrupt_group()
        try:
            process.wait(_LIMIT_S)
            output = "\n".join(process.lines.items)
            assert "Traceback" not in output, f"{line.text}\n{output[-4000:]}"
        finally:
            process.close()


def share_libraries(made: Path) -> None:
    """Let pip find in a new environment what .venv has, so that nothing is downloaded."""
    (there,) = made.glob("lib/python3.*/site-packages")
    for old in [*there.glob("*setuptools*"), *there.glob("*dist*utils*"), there / "pkg_resources"]:
        shutil.rmtree(old, ignore_errors=True)  # those of .venv build wheels without a network
    (there / "distutils-precedence.pth").unlink(missing_ok=True)
    for packages in ROOT.glob(f".venv/lib/{there.parent.name}/site-packages"):
        (there / "of_the_clone.pth").write_text(f"{packages}\n")


def missing_module(line: Line) -> str:
    """Return the module that .venv lacks for a line and those after it, if any."""
    for name, module in LARGE.items():
        if name in line.text and not any(ROOT.glob(f".venv/lib/*/site-packages/{module}")):
            return module
    return ""


def missing_program(line: Line) -> str:
    """Return the program that this machine lacks for a line, if any."""
    word = next((w for w in line.text.split() if not re.match(r"\w+=", w)), "")
    if word in ("swipl", "lua5.1", "docker", "qrencode") and shutil.which(word) is None:
        return word
    compose = ["docker", "compose", "version"]
    if word == "docker" and subprocess.run(compose, capture_output=True).returncode:
        return "docker compose"
    return ""


def environment(own: Path) -> dict[str, str]:
    """Return a user's environment, with an environment of Python in ``own`` for what pip installs.

    It has nothing of what tools/test has put into this one.
    """
    path = outside_environment(ROOT / "install", ROOT / ".venv")["PATH"]
    python = shutil.which("python3", path=path)
    subprocess.run([python, "-m", "venv", str(own)], check=True, env={"PATH": path})
    share_libraries(own)
    kept = ("LANG", "USER", "ROS_DOMAIN_ID", "ROS_AUTOMATIC_DISCOVERY_RANGE")
    env = {k: v for k, v in os.environ.items() if k in kept or k.startswith("PIP_")}
    return env | {"PATH": f"{own / 'bin'}:{path}", "VIRTUAL_ENV": str(own)}


KINDS = set(manual.BUDGETS)
PAGES = [ROOT / "README.md", *(p for p, kind in manual.pages().items() if kind in KINDS)]
TYPED = {page: list(lines_of(page)) for page in PAGES}
LINES = [line for lines in TYPED.values() for line in lines if not line.file]
MOST_EXCUSED = 0.1
EVERYTHING = os.environ.get("LEGACY_ROBOTS_TYPED") == "all"
"""Without it, only pages that have been followed to their end; the others take minutes more."""
FOLLOWED = (
    "docs/bw4t_world.md",
    "docs/how_to/cmd_vel.md",
    "docs/how_to/first_goal_fails.md",
    "docs/how_to/game_at_start.md",
    "docs/how_to/gymnasium.md",
    "docs/how_to/include_launch.md",
    "docs/how_to/lost_link.md",
    "docs/how_to/own_python.md",
    "docs/how_to/pause_and_step.md",
    "docs/how_to/record.md",
    "docs/how_to/set_parameters.md",
    "docs/how_to/study_on_phones.md",
    "docs/how_to/teleoperate.md",
    "docs/how_to/try_a_fault.md",
    "docs/how_to/two_robots.md",
    "docs/how_to/uninstall.md",
    "docs/tutorials/first_robot.md",
    "docs/tutorials/first_study.md",
    "docs/tutorials/goal_client.md",
    "docs/tutorials/own_robot.md",
)
CHOSEN = [p for p in PAGES if TYPED[p] and (EVERYTHING or str(p.relative_to(ROOT)) in FOLLOWED)]


@pytest.fixture
def default_ports(page):
    """Hold what pages use by default, ports and names, which only one on a machine can have."""
    text = "\n".join(line.text for line in TYPED[page])
    luar = "luar_joints" if re.search("luar|demo", text) else ""
    with machine_wide("default_ports"), machine_wide(luar):
        yield


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    return environment(tmp_path_factory.mktemp("own") / "python")


@pytest.mark.usefixtures("default_ports")
@pytest.mark.parametrize("page", CHOSEN, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_lines_of_a_page_run_as_typed(page, env, tmp_path, record_property):
    terminal = Terminal(tmp_path, env)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        for line in TYPED[page]:
            if line.excuse:
                continue
            if module := "" if line.file else missing_module(line):
                print(f"from here on not run: {line.text}: needs {module} in .venv")
                break
            if program := "" if line.file else missing_program(line):
                print(f"not run: {line.text}: needs {program}")
                continue
            terminal.type(line)
        terminal.end()
    finally:
        terminal.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        record_property("cpu_seconds", round(seconds, 1))
        print(f"{page.name}: {seconds:.1f} s of processor time")


def test_few_lines_are_excused():
    excused = [line for line in LINES if line.excuse]
    for excuse in EXCUSES:
        print(f"{sum(line.excuse == excuse for line in excused)} of {len(LINES)}: {excuse}")
    assert len(excused) <= MOST_EXCUSED * len(LINES)
