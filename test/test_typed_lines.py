# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every shell line of README and the manual runs as typed, page by page, tutorials too."""

import os
import resource
from contextlib import ExitStack

import pytest
from typed_lines import EXCUSES, ROOT, Terminal, environment, lines_of, missing
from workspace import manual

from legacy_robots_testing.machine import machine_wide

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not os.environ.get("VIRTUAL_ENV", "").startswith(str(ROOT)),
        reason="needs ROS 2 from PyPI: what the pages install by two commands",
    ),
]
KINDS = set(manual.BUDGETS)
PAGES = [ROOT / "README.md", *(p for p, kind in manual.pages().items() if kind in KINDS)]
TYPED = {page: list(lines_of(page)) for page in PAGES}
LINES = [line for lines in TYPED.values() for line in lines if not line.file]
MOST_EXCUSED = 0.12
EVERYTHING = os.environ.get("LEGACY_ROBOTS_TYPED") == "all"
"""Without it, only pages that have been followed to their end; the others take minutes more."""
FOLLOWED = (
    "docs/bw4t_world.md",
    "docs/how_to/gymnasium.md",
    "docs/how_to/own_python.md",
    "docs/how_to/uninstall.md",
    "docs/tutorials/first_robot.md",
    "docs/tutorials/first_study.md",
    "docs/tutorials/goal_client.md",
    "docs/tutorials/own_robot.md",
)
CHOSEN = [p for p in PAGES if TYPED[p] and (EVERYTHING or str(p.relative_to(ROOT)) in FOLLOWED)]


@pytest.fixture(scope="module", autouse=True)
def default_ports():
    """Pages use the default ports and names, which only one on a machine can have."""
    with ExitStack() as stack:
        for name in ("default_ports", "luar_joints"):
            stack.enter_context(machine_wide(name))
        yield


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    return environment(tmp_path_factory.mktemp("own") / "python")


@pytest.mark.parametrize("page", CHOSEN, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_lines_of_a_page_run_as_typed(page, env, tmp_path, record_property):
    terminal = Terminal(tmp_path, env)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        for line in TYPED[page]:
            if line.excuse:
                continue
            if reason := missing(line):
                print(f"from here on not run: {line.text}: {reason}")
                break
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
