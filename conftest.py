# SPDX-License-Identifier: Apache-2.0
"""What every test session has: a ROS domain of its own on loopback, marks, logs that can be read.

Marks, set here by what a test and its fixtures reach, so that no test file need name them:

- ``unit``: a package's test within its own process;
- ``node``: a package's test with a ROS graph, a browser or programs that it starts;
- ``lint``: a test of the repository that starts nothing, and the linters;
- ``system``: every other test of the repository: programs run as a user runs them.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent
_TESTING = "legacy_robots_common.testing"
REAL_PEERS = (
    "rclpy",
    "selenium",
    "subprocess",
    "eis_client",
    "bw4t_bridge.java",
    f"{_TESTING}.browser",
    f"{_TESTING}.computers",
    f"{_TESTING}.process",
    f"{_TESTING}.ros_peer",
)
LONGEST_EXIT_S = 120.0
LONGEST = (
    "test_style.py",
    "test_view_system.py",
    "test_faults.py",
    "test_examples.py",
    "test_accessibility.py",
    "test_luar_match_system.py",
    "test_roboskate_system.py",
    "test_soak.py",
    "test_wheels.py",
    "test_two_interrupts.py",
    "test_bw4t_system.py",
    "test_mouse_and_keys.py",
    "test_stepped_demo.py",
    "test_computers.py",
)
"""Files that take a minute or more."""
SHARES = {"longest": 0.75, "system": 0.95, "node": 0.95, "unit": 1.0, "lint": 1.0}
"""In which part of the session the files of each kind begin: late enough that few wait for another
process's demonstration, and that what waits for its time has company to the end."""
DEMONSTRATIONS = (
    "test_view_system.py",
    "test_view_foreign.py",
    "test_demo.py",
    "test_stepped_demo.py",
    "test_faults.py",
    "test_fleet.py",
    "test_luar_match_system.py",
    "test_soak.py",
)
"""Files that start many programs at once: one of them at a time."""
RUNNABLE_A_CORE = 2.0
"""Above this the processors are busy with other processes' tests: the next test waits ..."""
IDLE_SHARE = 0.4
"""... and while less of the processors' time is idle, a test of the processes beyond one a core,
which use what waiting leaves. They look again after LOOK_AGAIN_S ..."""
LOOK_AGAIN_S = 1.0
LONGEST_WAITS_S = 1200.0
"""... but a process no longer than this in all."""
_CORES = len(os.sched_getaffinity(0))
_session = ExitStack()
_of_the_file = ExitStack()
_progress: dict[str, Any] = {"file": None, "waited": 0.0, "starts programs": True}
_processors: dict[str, float] = {"looked": -math.inf, "idle": 0.0, "in use": True}
"""What this process saw when it looked last (s); ``idle`` is time (s) of all processors."""


try:
    import hypothesis
except ImportError:
    pass  # the tests by property say that it is missing
else:
    # By default an example that takes 0.2 s once, on a busy machine, fails its test.
    hypothesis.settings.register_profile("legacy_robots", deadline=None)
    hypothesis.settings.load_profile("legacy_robots")
    hypothesis.settings.register_profile("fast", deadline=None, max_examples=20)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Accept our settings of pytest-timeout where it is not installed."""
    if not pluginmanager.has_plugin("timeout"):
        parser.addini("timeout", "limit of each test in seconds; none without pytest-timeout")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the domain before anything of ROS is imported."""
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ.pop("ROS_LOCALHOST_ONLY", None)
    os.environ.pop("ROS_STATIC_PEERS", None)
    try:
        from domain_coordinator import domain_id
    except ImportError:
        return  # no ROS here: the packages without ROS can still be tested
    os.environ["ROS_DOMAIN_ID"] = str(_session.enter_context(domain_id()))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests and mix their files: those that wait run beside those that compute.

    The longest begin early, so that no process waits for another in the end.
    """
    kinds = tuple(SHARES)
    rank: dict[Path, int] = {}
    for item in items:
        mark = _mark(item)
        item.add_marker(mark)
        kind = "longest" if item.path.name in LONGEST else mark
        rank[item.path] = min(rank.get(item.path, len(kinds)), kinds.index(kind))
    place: dict[Path, float] = {}
    for number, (kind, share) in enumerate(SHARES.items()):
        files = [path for path in rank if rank[path] == number]
        if kind == "longest":
            files.sort(key=lambda path: LONGEST.index(path.name))
        place.update({path: share * i / len(files) for i, path in enumerate(files)})
    items.sort(key=lambda item: place[item.path])
    # Each collection would look at all that pytest and the tests' modules hold: rclpy makes much
    # garbage, and most of the time of a test with a node went there.
    gc.collect()
    gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note whether a test will start something that needs processors for itself."""
    _progress["starts programs"] = any(
        item.get_closest_marker(mark) for item in session.items for mark in ("node", "system")
    )


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Begin a test beside those of other processes when the processors have time for it.

    A demonstration needs two slow cores for itself: what runs beside it would end by its limits.
    """
    is_demonstration = item.path.name in DEMONSTRATIONS
    if item.path != _progress["file"]:
        _progress["file"] = item.path
        _of_the_file.close()
        gc.collect()  # a node that could not start stays on the graph as long as it is garbage
        if is_demonstration and "PYTEST_XDIST_WORKER" in os.environ:
            from legacy_robots_common.testing.machine import machine_wide

            _of_the_file.enter_context(machine_wide("demonstration"))
    beside_others = _progress["starts programs"] and "PYTEST_XDIST_WORKER" in os.environ
    if beside_others and not is_demonstration:
        _wait_for_processors()
    yield


def _wait_for_processors() -> None:
    begun, most = time.monotonic(), RUNNABLE_A_CORE * _CORES
    beyond_cores = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")) >= _CORES
    while (os.getloadavg()[0] > most and _runnable() > most) or (beyond_cores and _are_in_use()):
        if _progress["waited"] + time.monotonic() - begun > LONGEST_WAITS_S:
            break
        time.sleep(LOOK_AGAIN_S / 4)
    _progress["waited"] += time.monotonic() - begun


def _are_in_use() -> bool:
    """Tell whether the processors were in use since this process looked last, LOOK_AGAIN_S ago."""
    now = time.monotonic()
    since = now - _processors["looked"]
    if since < LOOK_AGAIN_S:
        return bool(_processors["in use"])
    idle, before = _idle_time(), _processors["idle"]
    _processors.update(looked=now, idle=idle)
    _processors["in use"] = idle - before < IDLE_SHARE * since * _CORES
    return bool(_processors["in use"])


def _idle_time() -> float:
    """Return for how long (s) the processors of this process have been idle, in sum (Linux)."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
    except OSError:
        return math.inf
    own = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    times = [line.split() for line in lines if line.split()[0] in own]
    return sum(int(words[4]) for words in times) / os.sysconf("SC_CLK_TCK")


def _runnable() -> float:
    """Return how many other tasks want a processor, on average of a second; 0 where unknown."""
    counts = []
    for _ in range(20):
        try:
            counts.append(int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]))
        except (OSError, ValueError, IndexError):
            return 0.0
        time.sleep(0.05)
    return sum(counts) / len(counts) - 1.0


def _mark(item: pytest.Item) -> str:
    own = not item.path.is_relative_to(ROOT)  # a package of the user's own, see tools/test
    place = () if own else item.path.relative_to(ROOT).parts
    if own or place[0] == "src":
        return "node" if _reaches(item, REAL_PEERS) else "unit"
    linter = place == ("test", "test_style.py")
    return "lint" if linter or not _reaches(item, REAL_PEERS) else "system"


def _reaches(item: pytest.Item, modules: tuple[str, ...]) -> bool:
    """Tell whether the test, or a fixture of ours that it asks for, uses one of ``modules``."""
    if not isinstance(item, pytest.Function):
        return False
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    functions = [item.function, *(f.func for definitions in fixtures for f in definitions)]
    return any(_is_user(f, modules) for f in functions)


@cache
def _is_user(function: Callable[..., object], modules: tuple[str, ...]) -> bool:
    code = getattr(function, "__code__", None)
    ours = code is not None and Path(code.co_filename).is_relative_to(ROOT)
    return ours and _uses(function, modules, set())


def _uses(thing: object, modules: tuple[str, ...], seen: set[int]) -> bool:
    """Follow the names in a function, a method or a class, as far as they stay in its file."""
    if id(thing) in seen:
        return False
    seen.add(id(thing))
    if isinstance(thing, type):
        return any(_uses(value, modules, seen) for value in vars(thing).values())
    function: Any = getattr(thing, "__func__", getattr(thing, "fget", thing))
    function = getattr(function, "__wrapped__", function)
    if not hasattr(function, "__code__"):
        return False
    for name in _names(function.__code__):
        value = function.__globals__.get(name)
        if _is_below(name, modules) or any(_is_below(m, modules) for m in _modules(value)):
            return True
        here = getattr(value, "__module__", None) == function.__module__
        if here and _uses(value, modules, seen):
            return True
    return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _modules(value: object) -> list[str]:
    """Return the name of a module, or of the modules that a class with its bases comes from."""
    if isinstance(value, ModuleType):
        return [value.__name__]
    kinds = value.__mro__ if isinstance(value, type) else (value,)
    return [str(getattr(kind, "__module__", "")) for kind in kinds]


def _is_below(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give the domain back; an exit that hangs ends with the traceback of each thread."""
    _of_the_file.close()
    _session.close()
    faulthandler.dump_traceback_later(LONGEST_EXIT_S, exit=True)


@pytest.fixture
def caplog(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Catch what is logged also where launch is imported, as by the plugin of launch_testing.

    Its class of loggers does not hand records on to the root logger, where older pytest catches.
    """
    kind = logging.getLoggerClass()
    logging.setLoggerClass(logging.Logger)
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, kind) and kind is not logging.Logger:
            logger.propagate = True
    yield caplog
    logging.setLoggerClass(kind)
