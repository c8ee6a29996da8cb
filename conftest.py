# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What every test session has: a ROS domain of its own on loopback, kinds, a short report.

A file's kind is the mark that it sets as ``pytestmark``; without one, ``system`` in test/ and
``unit`` in a package. pyproject.toml says what the kinds are; tools/test says which run when.
"""

from __future__ import annotations

import faulthandler
import gc
import hashlib
import logging
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
sys.path.append(str(ROOT / "tools"))  # tools/test does so too
from workspace import guests  # noqa: E402

guests.leave_out()  # before test/conftest.py asks for the systems

KINDS = {"bringup": 0.1, "system": 0.9, "node": 0.9, "unit": 1.0, "lint": 1.0}
"""In which part of the session the files of each kind begin: those that mostly wait run beside
those that compute, and end first."""
LONGEST_EXIT_S = 120.0
_begun = time.monotonic()
_session = ExitStack()
_of_the_file = ExitStack()
_current: dict[str, Path | None] = {"file": None}

try:
    import hypothesis
except ImportError:
    pass  # the tests by property say that it is missing
else:
    # By default an example that takes 0.2 s once, on a busy machine, fails its test.
    hypothesis.settings.register_profile("all", deadline=None)
    hypothesis.settings.register_profile("quick", deadline=None, max_examples=20)
    hypothesis.settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Accept our settings of pytest-timeout where it is not installed."""
    if not pluginmanager.has_plugin("timeout"):
        parser.addini("timeout", "limit of each test in seconds; none without pytest-timeout")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the domain before anything of ROS is imported; undo what nohup leaves ignored."""
    if "PYTEST_XDIST_WORKER" in os.environ or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        # Ignored still, but unlike SIG_IGN a function is not inherited by what the tests start.
        signal.signal(signal.SIGHUP, lambda *_: None)
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ.pop("ROS_LOCALHOST_ONLY", None)
    os.environ.pop("ROS_STATIC_PEERS", None)
    with suppress(ImportError):  # no ROS here: the packages without ROS can still be tested
        from legacy_robots_testing.machine import own_domain

        own_domain(_session)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark files that do not say their kind, and mix the kinds."""
    for item in items:
        if not any(item.get_closest_marker(kind) for kind in KINDS):
            in_test = item.path.is_relative_to(ROOT / "test")
            item.add_marker("system" if in_test else "unit")
    order = random.Random(os.environ.get("LEGACY_ROBOTS_TEST_ORDER", "0"))
    kinds = {
        item.path: next(kind for kind in KINDS if item.get_closest_marker(kind)) for item in items
    }
    place: dict[Path, float] = {}
    for kind, part in KINDS.items():
        files = [path for path in kinds if kinds[path] == kind]
        order.shuffle(files)
        place.update({path: part * i / len(files) for i, path in enumerate(files)})
    items.sort(key=lambda item: place[item.path])
    # Each collection would look at all that pytest and the tests' modules hold.
    gc.collect()
    gc.freeze()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Begin the files of demonstrations one after the other: each needs two cores for itself.

    What waits here does not wait within a test's limit of time.
    """
    if item.path != _current["file"]:
        _current["file"] = item.path
        _of_the_file.close()
        if item.get_closest_marker("demonstration"):
            from legacy_robots_testing.machine import machine_wide

            _of_the_file.enter_context(machine_wide("demonstration"))
    yield


def pytest_report_header(config: pytest.Config) -> str:
    """Say what is run, and how long that took last time."""
    chosen = config.option.markexpr
    more = "; tools/test --all adds the system tests" if chosen == "not system" else ""
    took = config.cache.get(_duration(config), None) if hasattr(config, "cache") else None
    last = f"; last time here: {took:.0f} s" if took else ""
    return f"kinds: {chosen or 'all'}{more}{last}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Note how long it took."""
    if hasattr(session.config, "cache") and "PYTEST_XDIST_WORKER" not in os.environ:
        session.config.cache.set(_duration(session.config), time.monotonic() - _begun)


def _duration(config: pytest.Config) -> str:
    """Return where pytest's cache has how long these arguments took."""
    arguments = " ".join(map(str, config.invocation_params.args))
    return f"legacy_robots/durations/{hashlib.sha256(arguments.encode()).hexdigest()[:12]}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in a line each why tests were skipped."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(re.sub(r"^Skipped: ", "", str(report.longrepr[2])) for report in skipped)
    if reasons:
        terminalreporter.section("skipped tests")
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count:5} {' '.join(reason.split())}")


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
