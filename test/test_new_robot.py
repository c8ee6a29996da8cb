# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""tools/new_robot: what it writes is green at once, for each wire, with and without an action."""

import asyncio
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT

ROOT = Path(__file__).parents[1]
NEW_ROBOT = ROOT / "tools" / "new_robot"
WIRES = ("tcp", "udp", "serial", "websocket", "sdk")
KINDS = ("plain", "base", "arm", "drone")


def written(directory, *options):
    """Write the package of a toy; return its directory."""
    command = [NEW_ROBOT, "toy", "--in", directory, *options]
    subprocess.run(command, check=True, capture_output=True)
    return directory / "toy_bridge"


def failures(package, *tests):
    """Run its tests as they are, without a build; return what is printed where they fail."""
    paths = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *tests], cwd=package, env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, timeout=4 * TIMEOUT,
    )  # fmt: skip
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [(), ("--action",)], ids=["topic", "action"])
@pytest.mark.parametrize("wire", WIRES)
def test_it_is_whole(tmp_path, wire, options, kind):
    package = written(tmp_path, "--wire", wire, "--kind", kind, *options)
    texts = {p: p.read_text(encoding="utf-8") for p in package.rglob("*") if p.is_file()}
    assert not [p for p, text in texts.items() if "myrobot" in f"{p.name} {text}".lower()]
    assert not [p for p, text in texts.items() if "-- if " in text or "-- end" in text]
    has_actions = kind == "drone" or (kind == "plain" and bool(options))
    assert (package / "toy_bridge" / "actions.py").exists() == has_actions
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--isolated", "--line-length=99"]
    done = subprocess.run([*ruff, "--select=E,F,W,B,UP", package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    code = "import toy_bridge.simulator as simulator; simulator.main(['--help'])"
    paths = f"{package}:{os.environ['PYTHONPATH']}"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ("--device" if wire == "serial" else "--port") in done.stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--wire", "udp", "--action"),
        ("--wire", "serial"),
        ("--wire", "serial", "--kind", "base", "--action"),
        ("--wire", "tcp", "--kind", "arm"),
        ("--wire", "udp", "--kind", "drone"),
    ],
)
def test_its_tests_are_green(tmp_path, options):
    assert failures(written(tmp_path, *options)) == ""


def test_its_simulator_is_seen_on_the_other_wires_too(tmp_path):
    for wire in ("websocket", "sdk"):
        package = written(tmp_path / wire, "--wire", wire)
        assert failures(package, "test/test_bridge.py::test_it_measures") == ""


def test_what_is_printed_can_be_pasted(tmp_path):
    place = tmp_path / "mein wörk"
    place.mkdir()
    command = [NEW_ROBOT, "toy", "--in", place]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    words = [shlex.split(line) for line in done.stdout.splitlines()[1:]]
    assert words[0] == ["tools/ros2", "build", "--base-paths", str(place)]
    assert words[1] == ["tools/test", str(place / "toy_bridge")]


def test_a_long_name_with_the_port_of_the_template_in_it_stays_as_it_is(tmp_path):
    name = "an_uncommonly_long_name_of_robot_7000"
    subprocess.run([NEW_ROBOT, name, "--in", tmp_path], check=True, capture_output=True)
    assert (tmp_path / f"{name}_bridge" / f"{name}_bridge" / "node.py").exists()
    assert failures(tmp_path / f"{name}_bridge", "test/test_package.py") == ""


def is_served(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_its_simulator_ends_in_order_while_a_websocket_is_open(tmp_path):
    package, port = written(tmp_path, "--wire", "websocket"), free_port()
    code = "import sys, toy_bridge.simulator as s; sys.exit(s.main())"
    command = [sys.executable, "-c", code, "--port", str(port)]
    paths = f"{package}:{os.environ['PYTHONPATH']}"

    async def end_while_connected(simulator):
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{port}/") as wire,
        ):
            await wire.receive()
            simulator.interrupt_group()
            assert await asyncio.to_thread(simulator.wait) == 0

    with Process(command, {"PYTHONPATH": paths}) as simulator:
        until(lambda: is_served(port), "the simulator does not serve", TIMEOUT)
        asyncio.run(end_while_connected(simulator))
        assert not [s for s in simulator.lines.items if "Traceback" in s or "ERROR" in s]


@pytest.mark.parametrize(
    "arguments,reason",
    [
        (["Gripper"], "'Gripper' is no name"),
        (["toy"], "toy_bridge already"),
        (["nao"], "'nao' is taken: "),
        (["fleet"], "fleet.launch.py"),
        (["nao_goal"], "src/nao_goal_bridge"),
        (["other"], "another_bridge"),
        (["other", "--in", "/proc/nothing"], "/proc/nothing"),
    ],
)
def test_what_cannot_be_written_is_one_sentence(tmp_path, arguments, reason):
    (tmp_path / "toy_bridge").mkdir()
    (tmp_path / "another_bridge").mkdir()
    entry = '"legacy_robots_common.systems": ["other = another_bridge.system:SYSTEM"]'
    (tmp_path / "another_bridge" / "setup.py").write_text(f"setup({{{entry}}})")
    command = [NEW_ROBOT, *arguments, *([] if "--in" in arguments else ["--in", tmp_path])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_packages_outside_the_repository_are_tested_together(tmp_path):
    packages = []
    for name in ("one", "two"):
        packages.append(tmp_path / name)
        (tmp_path / name).mkdir()
        (tmp_path / name / "test_protocol.py").write_text(
            "import os\n\ndef test_domain():\n    assert 'ROS_DOMAIN_ID' in os.environ\n"
        )
    env = {k: v for k, v in os.environ.items() if k != "ROS_DOMAIN_ID"}
    command = [ROOT / "tools" / "test", *packages, "-q", "-p", "no:xdist"]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
